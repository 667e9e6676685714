#include "core/overview/overview_ranks.h"

#include "core/analysis/collectives.h"
#include "core/base/message_names.h"
#include "core/base/share.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace warpline {

Message textOfLoneRank(TraceAnalysis& facts, const Trace& trace, const std::stop_token& stop)
{
    if (facts.gpus().size() != 1 || !hasCommunication(trace, stop))
        return {};
    return {"overview.lone_rank",
        "This report covers one rank of several. Only the reports of all ranks together show how much of its communication is waiting, and for which rank."};
}

Message textOfRanks(const RunOverview& overview)
{
    const std::vector<OverviewGpu>& gpus = overview.gpus;
    if (gpus.size() < 2)
        return {};
    std::set<std::string_view> machines;
    for (const OverviewGpu& gpu : gpus)
        machines.insert(gpu.gpu);
    const bool isShared = machines.size() < gpus.size();
    const auto [least, most] = std::ranges::minmax_element(gpus, {}, &OverviewGpu::computing);
    const Ns life = overview.life.duration();
    const Ns lead = most->computing - least->computing;
    const std::vector<Argument> values{{"shared", yesOrNo(isShared)}, {"users", Count{gpus.size()}},
        {"gpus", Count{machines.size()}}, {"most", most->name},
        {"most_share", Share{shareOf(most->computing, life)}}, {"least", least->name},
        {"least_share", Share{shareOf(least->computing, life)}}};
    if (lead * 20 < most->computing || lead < life / 100)
        return {"overview.ranks_equal",
            "{shared, select, yes {{users, plural, one {# process} other {# processes}} share {gpus, plural, one {# GPU} other {# GPUs}}} "
            "other {{gpus, plural, one {# GPU} other {# GPUs}} are in use}} and compute equally long ({most_share} of the time from the first to the last GPU work).",
            values};
    return {"overview.ranks",
        "Of {shared, select, yes {{users, plural, one {# process} other {# processes}} on {gpus, plural, one {# GPU} other {# GPUs}}} "
        "other {{gpus, plural, one {# GPU} other {# GPUs}} in use}}, {most} computes most ({most_share} of the time from the first to the last GPU work) and {least} least ({least_share}).",
        values};
}

} // namespace warpline
