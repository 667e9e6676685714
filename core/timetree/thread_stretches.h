#pragma once

#include "core/timetree/time_tree_source.h"

#include <map>
#include <vector>

namespace warpline {

class Trace;

/// A stretch of a thread's time with a name.
struct NamedStretch {
    TimeRange time;
    StringId name{};
};

using ThreadStretches = std::map<GlobalId, std::vector<NamedStretch>>;

/// Adds the time of one thread's `stretches` below `thread`: every moment counts once, in the innermost
/// stretch, which began last; its parents are those that contain it completely. Time outside of stretches
/// does not count. O(n log n); where stretches overlap, times those open at once.
void sweepThread(
    std::vector<NamedStretch> stretches, const TimeTreeQuery& query, std::uint32_t thread, TimeTree& tree);

/// Adds the NVTX ranges that `query` asks for, of all domains; marks and ranges without an end are none.
void addRanges(const Trace& trace, const TimeTreeQuery& query, ThreadStretches& threads);
/// Adds the CUDA calls.
void addCalls(const Trace& trace, const TimeTreeQuery& query, ThreadStretches& threads);
/// The tree of `threads`, each below its own node.
TimeTree treeOf(ThreadStretches threads, const TimeTreeQuery& query);

/// Whether the report has an NVTX range with a beginning and an end.
bool hasRanges(const Trace& trace);

} // namespace warpline
