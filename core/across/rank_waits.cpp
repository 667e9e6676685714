#include "core/across/rank_waits.h"

#include "core/base/share.h"
#include "core/findings/expected_savings.h"
#include "core/store/gpu_names.h"

#include <algorithm>

namespace warpline {

std::uint32_t ExposedWaits::mostFor() const
{
    const auto most = std::ranges::max_element(forRank);
    return most != forRank.end() && *most * 2 > all ? static_cast<std::uint32_t>(most - forRank.begin())
                                                    : noIndex;
}

ExposedWaits exposedWaits(const AcrossReport& across, std::uint32_t rank, bool inKernels)
{
    ExposedWaits waits{0, std::vector<Ns>(across.ranks.size())};
    for (const MatchedExchange& exchange : across.exchanges) {
        if (exchange.step != noIndex && across.steps[exchange.step].warmUp)
            continue;
        for (const ExchangeMember& member : exchange.members) {
            if (member.rank != rank || (inKernels && member.event.event.kind != EventKind::Kernel))
                continue;
            waits.all += member.exposedWait;
            if (exchange.blamed != noIndex)
                waits.forRank[exchange.blamed] += member.exposedWait;
        }
    }
    return waits;
}

void setSaving(Finding& finding, Ns saving)
{
    const auto kept = [&](Ns part) {
        return finding.saving > 0
            ? static_cast<Ns>(static_cast<double>(part) * shareOf(saving, finding.saving))
            : Ns{0};
    };
    finding.added = kept(finding.added);
    finding.perStep = kept(finding.perStep);
    finding.saving = saving;
    boundExpected(finding);
}

std::uint32_t rankOfFinding(
    const AcrossReport& across, const Trace& trace, ReportId report, const Finding& finding)
{
    std::uint32_t found = noIndex;
    for (std::uint32_t r = 0; r < across.ranks.size(); ++r) {
        const AcrossRank& rank = across.ranks[r];
        const bool device = rank.device < 0 || finding.device < 0
            || gpuNumber(trace, rank.process, rank.device) == finding.device;
        if (rank.report != report || (finding.process != 0 && rank.process != finding.process) || !device)
            continue;
        if (found != noIndex)
            return noIndex;
        found = r;
    }
    return found;
}

} // namespace warpline
