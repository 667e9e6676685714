// NVTX ranges by the time that their thread spent in them.

#include "core/timetree/thread_stretches.h"

#include <utility>

namespace warpline::ranges_on_host {

namespace {

TimeTree hostTree(const Trace& trace, const TimeTreeQuery& query)
{
    ThreadStretches threads;
    addRanges(trace, query, threads);
    return treeOf(std::move(threads), query);
}

} // namespace

extern constinit const TimeTreeSource hostRangeStacks{.id = "nvtx",
    .title = "{recorder, select, nsys {NVTX ranges} torch {Annotated ranges} other {Ranges}} on the host",
    .description
    = "Self time of {recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}} on the host",
    .unit = TimeTreeUnit::Nanoseconds,
    .applies = hasRanges,
    .fill = hostTree};

} // namespace warpline::ranges_on_host
