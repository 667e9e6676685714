#pragma once

#include "core/store/trace.h"

#include <string>

namespace warpline {

/// The report in figures as a JSON object: file, schema, span_ns [begin, end], counts by kind (rows of the report behind each
/// kind; nvtx: ranges and marks), processes, threads, devices, streams, unknown_tables, problems.
std::string infoJson(const Trace& trace);
/// The same for people: a few lines of text.
std::string infoText(const Trace& trace);

} // namespace warpline
