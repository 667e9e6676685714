#include "core/across/across_rule.h"

#include "core/base/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpline {

// One line a rule.
#define WARPLINE_ACROSS_RULES(X)         \
    X(late_rank, lateRank)               \
    X(uneven_work, unevenWork)           \
    X(slow_gpu, slowGpu)                 \
    X(slow_transfer, slowTransfer)       \
    X(pipeline_across, pipelineAcross)   \
    X(sequences_differ, sequencesDiffer) \
    X(rank_missing, rankMissing)

WARPLINE_FILE_LIST(Rule, allAcrossRules, WARPLINE_ACROSS_RULES)

const Rule* findAcrossRule(std::string_view id)
{
    const auto found = std::ranges::find(allAcrossRules(), id, &Rule::id);
    return found != allAcrossRules().end() ? *found : nullptr;
}

std::vector<const Rule*> namedRules()
{
    std::vector<const Rule*> rules(allRules().begin(), allRules().end());
    std::ranges::copy_if(allAcrossRules(), std::back_inserter(rules),
        [](const Rule* rule) { return findRule(rule->id) == nullptr; });
    return rules;
}

const Rule* findNamedRule(std::string_view id)
{
    const Rule* const ofReport = findRule(id);
    return ofReport ? ofReport : findAcrossRule(id);
}

std::vector<AcrossFinding> findingsAcross(const Judging& judging)
{
    std::vector<AcrossFinding> findings;
    const Ns measured = measuredAcross(judging);
    for (const Rule* const rule : allAcrossRules()) {
        throwIfStopped(judging.stop);
        for (AcrossFinding& finding : rule->checkRanks(judging)) {
            finding.rule = rule->id;
            if (finding.saving > 0)
                finding.severity = severityFor(finding.saving, measured);
            if (finding.remedy.empty())
                finding.remedy = rule->remedyText();
            if (finding.subject == Subject() && finding.rank != noIndex)
                finding.subject
                    = {Subject::Kind::Part, fmt::format("rank {}", judging.out.ranks[finding.rank].rank)};
            findings.push_back(std::move(finding));
        }
    }
    std::ranges::stable_sort(findings, std::greater{},
        [](const AcrossFinding& finding) { return std::pair(finding.severity, finding.saving); });
    return findings;
}

Ns measuredAcross(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    Ns longest = 0;
    for (std::size_t r = 0; r < out.ranks.size(); ++r) {
        Ns steps = 0;
        for (std::size_t s = 0; s < out.steps.size(); ++s)
            steps += out.steps[s].warmUp ? 0 : out.cell(r, s).length();
        longest = std::max(longest, steps);
    }
    if (longest > 0 || out.exchanges.empty())
        return longest;
    return out.exchanges.back().members.front().range.end - out.exchanges.front().members.front().range.start;
}

} // namespace warpline
