#include "core/analysis/gpu_activity.h"

#include "core/base/message_names.h"
#include "core/base/sorted_runs.h"
#include "core/base/stop.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

std::map<GpuKey, GpuActivity> gpuActivity(
    const Trace& trace, TimeRange window, bool withGraphs, const std::stop_token& stop)
{
    std::map<GpuKey, GpuActivity> gpus;
    for (const EventKind kind : gpuWorkKinds) {
        if (kind == EventKind::GraphTrace && !withGraphs)
            continue;
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            GpuActivity& gpu = gpus[{track.owner, track.device, track.context}];
            for (const EventIndex i : eventsIn(table, track, window, stop))
                gpu.work.push_back(table.range(i).clippedTo(window));
        }
    }
    for (auto& [key, gpu] : gpus) {
        sortRuns(gpu.work, [](TimeRange a, TimeRange b) { return a.start < b.start; });
        gpu.busy = unionOf(gpu.work, window);
    }
    std::erase_if(gpus, [](const auto& entry) { return entry.second.busy.empty(); });
    return gpus;
}

std::string nameOf(const Trace& trace, const GpuKey& gpu)
{
    return gpuName(trace, gpu.process, gpu.device);
}

Message nameWithProcess(const Trace& trace, const GpuKey& gpu)
{
    GlobalId first = 0;
    bool several = false;
    for (const Track& track : trace.kernels().tracks) {
        several |= first != 0 && track.owner != first;
        first = track.owner;
    }
    return several ? gpuOfProcess(trace, gpu.process, gpu.device) : nameMessage(nameOf(trace, gpu));
}

} // namespace warpline
