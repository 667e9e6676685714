#include "core/base/list.h"
#include "core/timetree/time_tree_source.h"

#include <algorithm>

namespace warpline {

// One line a source.
#define WARPLINE_TIME_TREE_SOURCES(X)     \
    X(cpu_samples, cpuSampleStacks)       \
    X(python_samples, pythonSampleStacks) \
    X(blocked_calls, blockedCallStacks)   \
    X(ranges_on_host, hostRangeStacks)    \
    X(ranges_on_gpu, gpuRangeStacks)      \
    X(calls_in_ranges, cudaCallStacks)

WARPLINE_FILE_LIST(TimeTreeSource, allTimeTreeSources, WARPLINE_TIME_TREE_SOURCES)

const TimeTreeSource* findTimeTreeSource(std::string_view id)
{
    const auto all = allTimeTreeSources();
    const auto found = std::ranges::find(all, id, &TimeTreeSource::id);
    return found == all.end() ? nullptr : *found;
}

bool TimeTreeQuery::asksFor(GlobalId thread) const
{
    return threads.empty() || std::ranges::find(threads, thread) != threads.end();
}

} // namespace warpline
