#include "core/analysis/idle_after_short.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/communication.h"
#include "core/store/lane_merge.h"
#include "core/store/trace.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// Union of the work of all GPUs.
PackedIntervals busyOf(const std::vector<GpuFacts>& gpus)
{
    std::vector<PackedIntervals> busy;
    for (const GpuFacts& gpu : gpus)
        busy.push_back(gpu.busy);
    return unitedAll(std::move(busy));
}

} // namespace

PackedIntervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window,
    Ns brief, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    std::vector<LaneRun> runs;
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, window);
        if (first < last) // none follows on the last
            runs.push_back({EventKind::Kernel, &kernels, first, last - 1});
    }
    PackedUnion behind;
    behind.reserve(kernels.size());
    StopCheck check(stop);
    forEachByStart(std::move(runs), [&](EventKind, const EventTable&, EventIndex i) {
        check.step();
        const Ns end = kernels.end(i);
        if (kernels.start[i + 1] > end && kernels.duration[i] < brief && kernels.launch(i).graphNodeId == 0
            && !communicates[i])
            behind.add({end, std::min(end + launchWorth, kernels.start[i + 1])});
    });
    const PackedIntervals after = behind.done(window, stop);
    const PackedIntervals busy = busyOf(gpus);
    PackedIntervals::Builder idle;
    idle.reserve(after.size() + busy.size()); // kernels that follow one another are one range of `after`
    forEachDifference(after, busy, [&](TimeRange range) { idle.add(range); });
    return idle.done().within(window);
}

} // namespace warpline
