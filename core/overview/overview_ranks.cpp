#include "core/overview/overview_ranks.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/findings/collectives.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace warpline {

std::string textOfLoneRank(RunFacts& facts, const Trace& trace, const std::stop_token& stop)
{
    if (facts.gpus().size() != 1 || !hasCommunication(trace, stop))
        return {};
    return "This report covers one rank of several. Only the reports of all ranks together show how much of its communication is waiting, and for which rank.";
}

std::string textOfRanks(const RunOverview& overview)
{
    const std::vector<OverviewGpu>& gpus = overview.gpus;
    if (gpus.size() < 2)
        return {};
    std::set<std::string_view> machines;
    for (const OverviewGpu& gpu : gpus)
        machines.insert(gpu.gpu);
    const std::string used = counted(machines.size(), "GPU");
    const std::string users = counted(gpus.size(), "process", "processes");
    const bool isShared = machines.size() < gpus.size();
    const auto [least, most] = std::ranges::minmax_element(gpus, {}, &OverviewGpu::computing);
    const Ns life = overview.life.duration();
    const Ns lead = most->computing - least->computing;
    if (lead * 20 < most->computing || lead * 100 < life) {
        const std::string who
            = isShared ? fmt::format("{} share {}", users, used) : fmt::format("{} are in use", used);
        return fmt::format(
            "{} and compute equally long ({} of the time from the first to the last GPU work).", who,
            formatShare(shareOf(most->computing, life)));
    }
    return fmt::format(
        "Of {}, {} computes most ({} of the time from the first to the last GPU work) and {} least ({}).",
        isShared ? fmt::format("{} on {}", users, used) : fmt::format("{} in use", used), most->name,
        formatShare(shareOf(most->computing, life)), least->name,
        formatShare(shareOf(least->computing, life)));
}

} // namespace warpline
