// Launch, queue and execution of every kernel, by the API call's start. cuda_kern_exec_sum.cpp defines the
// times; a kernel that started before its call ended has no queue time.

#include "core/base/format.h"
#include "core/stats/applies.h"
#include "core/stats/call_twins.h"
#include "core/stats/grouping.h"
#include "core/stats/kernel_labels.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>

namespace warpline::cuda_kern_exec_trace {

namespace {

struct Launch {
    EventIndex kernel;
    EventIndex call;

    EventRef event() const { return {EventKind::Kernel, kernel}; }
};

constexpr std::array callKinds{EventKind::ApiCall};

/// Kernels with their calls, by the start of the call, then of the kernel. Eight bytes a kernel.
std::vector<Launch> launchesByCall(const Trace& trace, const StatsQuery& query, const CallTwins& twins)
{
    std::vector<Launch> launches;
    if (!trace.links)
        return launches;
    const KernelTable& kernels = trace.kernels();
    const EventTable& api = trace.apiCalls();
    std::vector<std::pair<EventIndex, EventIndex>> linkedOf; // of each twin
    for (const auto& [linked, twin] : twins.all())
        linkedOf.emplace_back(twin, linked);
    std::ranges::sort(linkedOf);
    const auto add = [&](EventIndex call, EventIndex linked) {
        trace.visitWork(linked, [&](EventRef work) {
            if (work.kind == EventKind::Kernel && isAsked(kernels, work.index, query))
                launches.push_back({work.index, call});
        });
    };
    launches.reserve(kernels.size());
    StatsQuery all;
    all.stop = query.stop;
    const std::vector<EventRef> calls = eventsByStart(trace, callKinds, all);
    for (const EventRef event : stoppableItems(calls, query.stop)) {
        add(event.index, event.index);
        for (auto it = std::ranges::lower_bound(linkedOf, std::pair<EventIndex, EventIndex>{event.index, 0});
             it != linkedOf.end() && it->first == event.index; ++it)
            add(event.index, it->second);
    }
    const auto place = [&](const Launch& launch) {
        return std::make_tuple(
            api.start[launch.call], kernels.start[launch.kernel], kernels.sourceRow[launch.kernel]);
    };
    if (!std::ranges::is_sorted(launches, {}, place)) // pieces of one launch; else nearly sorted
        std::ranges::sort(launches, {}, place);
    return launches;
}

std::vector<Cell> rowOf(const Trace& trace, const Launch& launch, std::string label)
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
    row.emplace_back(std::move(label));
    return row;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    std::vector<Column> columns;
    for (const char* const title : {"API Start (ns)", "API Dur (ns)", "Queue Start (ns)", "Queue Dur (ns)",
             "Kernel Start (ns)", "Kernel Dur (ns)", "Total Dur (ns)"})
        columns.push_back({title, Unit::Nanoseconds});
    for (const char* const title : {"PID", "TID", "DevId"})
        columns.push_back({title, Unit::Integer});
    for (const char* const title : {"API Function", "GridXYZ", "BlockXYZ", "Kernel Name"})
        columns.push_back({title, Unit::Text});
    const auto twins = callTwinsOf(trace, query.stop);
    const auto labels = std::make_shared<const KernelLabels>(trace, query.variant);
    const auto innermost = std::make_shared<const std::vector<EventIndex>>(
        labels->nameRanges() ? innermostRangesOfCalls(trace, *twins, query.stop) : std::vector<EventIndex>());
    return heldRows<Launch>(std::move(columns), launchesByCall(trace, query, *twins),
        [&trace, labels, innermost](const Launch& launch) {
            const EventIndex range = innermost->empty() ? noIndex : (*innermost)[launch.call];
            return rowOf(trace, launch, labels->label(launch.kernel, range));
        });
}

} // namespace

extern constinit const StatsTable cudaKernExecTrace{.id = "cuda_kern_exec_trace",
    .title = "CUDA Kernel Launch & Exec Time Trace",
    .description
    = "How long did each kernel wait between its launch and its start? Launch, queue and execution of every kernel, in order of the launch.",
    .arguments = nvtxKernelArguments,
    .applies = hasKernelsAndCalls,
    .fill = fill,
    .group = TableGroup::CudaLaunches,
    .shape = TableShape::Trace};

} // namespace warpline::cuda_kern_exec_trace
