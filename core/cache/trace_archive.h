#pragma once

#include "core/cache/report_key.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

class Trace;

/// Writes all of `trace`, which is complete, to a new file at `path`, for the report `key`. False when it
/// could not be written, or `stop` was requested; what was written until then is removed.
bool writeTrace(const Trace& trace, const ReportKey& key, const std::string& path, std::stop_token stop = {});

/// True when the file at `path` says that it holds a trace of the report `key`; looks at its first bytes
/// only.
bool isTraceOf(const std::string& path, const ReportKey& key);

/// Reads a trace that writeTrace() wrote for the report `key`. Null when there is none, it is of another
/// version of Warpline or of another report, or is damaged or cut off anywhere: every byte is checked against
/// a hash, and columns that belong together against one another. `snapshot` is called with the tables read so
/// far, kernels first, as LoadOptions::snapshot is. Null, too, when `stop` is requested.
std::shared_ptr<const Trace> readTrace(const std::string& path, const ReportKey& key, unsigned threads,
    const std::function<void(std::shared_ptr<const Trace>)>& snapshot = {}, const std::stop_token& stop = {});

} // namespace warpline
