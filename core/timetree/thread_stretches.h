#pragma once

#include "core/timetree/thread_sweep.h"

#include <map>
#include <vector>

namespace warpline {

class Trace;

using ThreadStretches = std::map<GlobalId, std::vector<NamedStretch>>;

/// Adds the NVTX ranges that `query` asks for, of all domains; marks and ranges without an end are none.
void addRanges(const Trace& trace, const TimeTreeQuery& query, ThreadStretches& threads);
/// Adds the CUDA calls.
void addCalls(const Trace& trace, const TimeTreeQuery& query, ThreadStretches& threads);
/// The tree of `threads`, each below its own node.
TimeTree treeOf(ThreadStretches threads, const TimeTreeQuery& query);

/// Whether the report has an NVTX range with a beginning and an end.
bool hasRanges(const Trace& trace);

} // namespace warpline
