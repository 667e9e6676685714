#pragma once

#include "core/cache/report_key.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

class Trace;

/// Writes the complete `trace` to a new file at `path`, for the report `key`. False when writing failed or
/// `stop` was requested; the partial file is removed.
bool writeTrace(const Trace& trace, const ReportKey& key, const std::string& path, std::stop_token stop = {});

/// True when the file at `path` claims to hold a trace of the report `key`; reads its head only.
bool isTraceOf(const std::string& path, const ReportKey& key);

/// Reads a trace that writeTrace() wrote for the report `key`. Null when there is none, it is of another
/// version of Warpline or another report, or it is damaged: every byte is hashed, and columns are checked
/// against one another. Calls `snapshot` with the tables read so far, kernels first, like
/// LoadOptions::snapshot. Null also when `stop` is requested.
std::shared_ptr<const Trace> readTrace(const std::string& path, const ReportKey& key, unsigned threads,
    const std::function<void(std::shared_ptr<const Trace>)>& snapshot = {}, const std::stop_token& stop = {});

} // namespace warpline
