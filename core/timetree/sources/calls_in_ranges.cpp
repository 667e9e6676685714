// CUDA calls below the NVTX ranges that they were made in.

#include "core/store/trace.h"
#include "core/timetree/thread_stretches.h"

namespace warpline::calls_in_ranges {

namespace {

bool hasCudaCalls(const Trace& trace)
{
    return !trace.apiCalls().empty();
}

TimeTree callTree(const Trace& trace, const TimeTreeQuery& query)
{
    ThreadStretches threads;
    addRanges(trace, query, threads);
    addCalls(trace, query, threads);
    return treeOf(std::move(threads), query);
}

} // namespace

extern constinit const TimeTreeSource cudaCallStacks{.id = "api",
    .title = "CUDA calls in {recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}}",
    .description
    = "Time in {recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}} and in the CUDA calls inside them",
    .unit = TimeTreeUnit::Nanoseconds,
    .applies = hasCudaCalls,
    .fill = callTree};

} // namespace warpline::calls_in_ranges
