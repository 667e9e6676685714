#include "core/findings/kernel_waste.h"

#include "core/base/utf8.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace warpline {

Finding findingOfWaste(const RuleContext& context, const GpuOfProcess& key, Ns saving)
{
    Finding finding;
    finding.process = key.first;
    finding.device = key.second;
    finding.saving = saving;
    finding.severity = severityOf(context, saving);
    return finding;
}

bool isMuchWaste(const RuleContext& context, std::string_view id, const Threshold& least, double lost, Ns all)
{
    return lost > 0 && lost * 100 >= context.threshold(id, least) * static_cast<double>(all);
}

std::string launchExtent(const KernelLaunch& launch)
{
    return fmt::format("<<<{}, {}>>>", launch.grid.volume(), launch.block.volume());
}

std::string mostWasteful(const Trace& trace, const std::vector<EventRef>& kernels)
{
    struct OfLaunch {
        EventRef kernel; ///< one of them
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
    return fmt::format(": {}{}", times.size() > 1 ? "above all " : "", toUtf8(most->first));
}

bool hasKernelSizes(const Trace& trace, const std::stop_token&)
{
    return !trace.kernels().empty() && std::ranges::any_of(trace.devices, [](const Device& device) {
        return device.multiprocessors > 0;
    });
}

} // namespace warpline
