// GPU work takes a part of its time.

#include "core/replay/apply_cure.h"
#include "core/store/trace.h"

#include "core/coverage/migrations.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

/// Where kernels of `graph` wait for pages of unified memory: no other kernel brings them sooner. By GPU.
std::map<std::int32_t, PackedIntervals> pageWaits(const Trace& trace, const ReplayGraph& graph)
{
    std::map<std::int32_t, PackedIntervals> waits;
    if (graph.threads.empty() || !hasFaultMigrations(trace, {}))
        return waits;
    TimeRange all;
    for (const ReplayWork& work : graph.works) {
        all = all.empty() ? work.ran : all.unitedWith(work.ran);
        if (work.event.kind == EventKind::Kernel)
            waits.try_emplace(trace.kernels().trackOf(work.event.index).device);
    }
    const GlobalId process = processOf(graph.threads.front());
    for (auto& [device, time] : waits)
        time = migrationTime(trace, process, waitsBetweenPages(trace, {process, device}), all);
    return waits;
}

std::size_t scaleWorks(GraphEdit& edit)
{
    const double factor = edit.factor();
    const std::map<std::int32_t, PackedIntervals> waits = pageWaits(edit.trace, edit.graph);
    std::size_t changed = 0;
    for (ReplayWork& work : edit.graph.works) {
        if (!isRunning(work) || !edit.fits(work.event))
            continue;
        Ns stays = 0;
        if (!waits.empty() && work.event.kind == EventKind::Kernel) {
            const auto found = waits.find(edit.trace.kernels().trackOf(work.event.index).device);
            if (found != waits.end() && !found->second.empty())
                stays = std::min(found->second.timeIn(work.ran), work.length);
        }
        work.length = stays + edit.scaled(work.length - stays, factor);
        ++changed;
    }
    return changed;
}

} // namespace

extern constinit const CureEntry scaleWork{
    .kind = CureKind::ScaleWork, .key = "scale_work", .apply = scaleWorks};

} // namespace warpline
