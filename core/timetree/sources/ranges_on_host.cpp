// NVTX ranges by the time that their thread spent in them.

#include "core/timetree/thread_stretches.h"

#include <utility>

namespace warpline {

namespace {

TimeTree hostTree(const Trace& trace, const TimeTreeQuery& query)
{
    ThreadStretches threads;
    addRanges(trace, query, threads);
    return treeOf(std::move(threads), query);
}

} // namespace

extern constinit const TimeTreeSource hostRangeStacks{.id = "nvtx",
    .title = "NVTX ranges on the host",
    .description = "Self time of NVTX ranges on the host",
    .unit = TimeTreeUnit::Nanoseconds,
    .applies = hasRanges,
    .fill = hostTree};

} // namespace warpline
