// Launch, queue and execution of every kernel, in order of the API call's start. What the times mean is said
// in cuda_kern_exec_sum.cpp; a kernel that started before its call ended has no queue time.

#include "core/base/format.h"
#include "core/stats/applies.h"
#include "core/stats/call_twins.h"
#include "core/stats/grouping.h"
#include "core/stats/names.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <tuple>

namespace warpline {

namespace {

struct Launch {
    EventIndex kernel;
    EventIndex call;
};

std::vector<Launch> launchesByCall(const Trace& trace, const StatsQuery& query)
{
    std::vector<Launch> launches;
    if (!trace.links)
        return launches;
    const KernelTable& kernels = trace.kernels();
    const EventTable& api = trace.apiCalls();
    const CallTwins twins(trace, query.stop);
    const auto& callOf = trace.links->apiOf[indexOf(EventKind::Kernel)];
    forEachEvent(kernels, query, [&](EventIndex i) {
        if (callOf[i] == noIndex)
            return;
        launches.push_back({i, callOf[i]});
        twins.forEachTwin(callOf[i], [&](EventIndex twin) { launches.push_back({i, twin}); });
    });
    std::ranges::sort(launches, {}, [&](const Launch& launch) {
        return std::make_tuple(
            api.start[launch.call], kernels.start[launch.kernel], kernels.sourceRow[launch.kernel]);
    });
    return launches;
}

std::vector<Cell> rowOf(const Trace& trace, const Launch& launch, KernelNaming naming)
{
    const EventTable& api = trace.apiCalls();
    const KernelTable& kernels = trace.kernels();
    const TimeRange call = api.range(launch.call);
    const TimeRange kernel = kernels.range(launch.kernel);
    std::vector<Cell> row{call.start, call.duration()};
    if (kernel.start >= call.end) {
        row.emplace_back(call.end);
        row.emplace_back(kernel.start - call.end);
    } else {
        row.resize(row.size() + 2);
    }
    row.emplace_back(kernel.start);
    row.emplace_back(kernel.duration());
    row.emplace_back(std::max(kernel.end, call.end) - call.start);
    const GlobalId thread = api.trackOf(launch.call).owner;
    row.push_back(integerCell(pidOf(thread)));
    row.push_back(integerCell(tidOf(thread)));
    row.push_back(integerCell(kernels.trackOf(launch.kernel).device));
    row.emplace_back(std::string(withoutVersion(trace.text(api.name[launch.call]))));
    const KernelLaunch& shape = kernels.launch(launch.kernel);
    row.emplace_back(formatExtent(shape.grid.x, shape.grid.y, shape.grid.z));
    row.emplace_back(formatExtent(shape.block.x, shape.block.y, shape.block.z));
    row.emplace_back(std::string(trace.text(kernelName(trace, launch.kernel, naming))));
    return row;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    for (const char* const title : {"API Start (ns)", "API Dur (ns)", "Queue Start (ns)", "Queue Dur (ns)",
             "Kernel Start (ns)", "Kernel Dur (ns)", "Total Dur (ns)"})
        cells.columns.push_back({title, Unit::Nanoseconds});
    for (const char* const title : {"PID", "TID", "DevId"})
        cells.columns.push_back({title, Unit::Integer});
    for (const char* const title : {"API Function", "GridXYZ", "BlockXYZ", "Kernel Name"})
        cells.columns.push_back({title, Unit::Text});
    const KernelNaming naming = parseVariant(query.variant).kernels;
    for (const Launch& launch : launchesByCall(trace, query)) {
        if (query.stop.stop_requested())
            break;
        cells.addRow(rowOf(trace, launch, naming), rowEvents(query, {EventKind::Kernel, launch.kernel}));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable cudaKernExecTrace{.id = "cuda_kern_exec_trace",
    .title = "CUDA Kernel Launch & Exec Time Trace",
    .description = "Launch, queue and execution of every kernel, in order of the launch.",
    .variants = kernelVariants,
    .applies = hasKernelsAndCalls,
    .fill = fill};

} // namespace warpline
