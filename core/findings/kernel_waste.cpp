#include "core/findings/kernel_waste.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/utf8.h"
#include "core/store/event_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace warpline {

double unitsInUse(const Trace& trace, EventIndex kernel, std::int32_t units)
{
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    return std::min(1.0, static_cast<double>(launch.grid.volume()) * lanesInUse(launch) / std::max(1, units));
}

double warpsInUse(const Trace& trace, EventIndex kernel, std::int32_t units)
{
    const Residency residency = residencyOf(trace, kernel);
    if (residency.blocksAtOnce <= 0)
        return unitsInUse(trace, kernel, units);
    return std::min(1.0, residency.waves() * lanesInUse(trace.kernels().launch(kernel)));
}

IdleShares idleBeside(
    const RuleContext& context, const GpuOfProcess& gpu, const std::vector<EventRef>& few, std::int32_t units)
{
    struct Change {
        Ns time = 0;
        double units = 0; ///< more in use from then on
        double warps = 0;
        int few = 0; ///< more of `few`
    };
    const KernelTable& kernels = context.trace.kernels();
    std::vector<Change> changes;
    const auto add = [&](EventIndex i, double used, double warps, int isFew) {
        const TimeRange runs = kernels.range(i).clippedTo(context.window);
        if (runs.empty())
            return;
        changes.push_back({runs.start, used, warps, isFew});
        changes.push_back({runs.end, -used, -warps, -isFew});
    };
    for (const Track& track : kernels.tracks) {
        if (GpuOfProcess{track.owner, track.device} != gpu)
            continue;
        for (const EventIndex i : eventsIn(kernels, track, context.window, context.stop)) {
            if (isShapeKnown(kernels.launch(i)))
                add(i, unitsInUse(context.trace, i, units), warpsInUse(context.trace, i, units), 0);
        }
    }
    for (const EventRef& kernel : few)
        add(kernel.index, 0, 0, 1);
    std::ranges::sort(changes, {}, &Change::time);
    Change now;
    IdleShares idle; // ns
    Ns time = 0;
    for (const Change& change : stoppableItems(changes, context.stop)) {
        if (now.few > 0) {
            const auto length = static_cast<double>(change.time - now.time);
            idle.units += (1 - std::min(1.0, now.units)) * length;
            idle.warps += (1 - std::min(1.0, now.warps)) * length;
            time += change.time - now.time;
        }
        now = {change.time, std::max(0.0, now.units + change.units), std::max(0.0, now.warps + change.warps),
            now.few + change.few};
    }
    const auto share
        = [&](double of) { return time > 0 ? std::clamp(of / static_cast<double>(time), 0.0, 1.0) : 0.0; };
    return {share(idle.units), share(idle.warps)};
}

std::string launchExtent(const KernelLaunch& launch)
{
    return fmt::format("<<<{}, {}>>>", launch.grid.volume(), launch.block.volume());
}

MostWasteful mostWasteful(const Trace& trace, const std::vector<EventRef>& kernels)
{
    struct OfLaunch {
        EventRef kernel; ///< an example
        Ns time = 0;
    };
    const KernelTable& table = trace.kernels();
    std::unordered_map<std::uint64_t, OfLaunch>
        launches; // names and launches are few, kernels may be millions
    for (const EventRef& kernel : kernels) {
        OfLaunch& launch
            = launches[std::uint64_t{raw(table.name[kernel.index])} << 32U | table.attribute[kernel.index]];
        launch.kernel = kernel;
        launch.time += table.duration[kernel.index];
    }
    std::map<std::string_view, Ns> times;
    for (const auto& [looks, launch] : launches)
        times[trace.displayName(launch.kernel)] += launch.time;
    const auto most = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
    if (most == times.end())
        return {};
    return {toUtf8(most->first), times.size()};
}

bool hasKernelSizes(const Trace& trace, const std::stop_token&)
{
    return !trace.kernels().empty() && std::ranges::any_of(trace.devices, [](const Device& device) {
        return device.multiprocessors > 0;
    });
}

} // namespace warpline
