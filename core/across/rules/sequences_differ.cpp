// Ranks that run other collectives than the rest in the same step, such as in a branch that only some take.
// If the run does not hang, it exchanges unrelated data.

#include "core/across/across_rule.h"

#include <algorithm>
#include <map>

namespace warpline::sequences_differ {

namespace {

/// How many collectives of which kind a rank runs in a step.
using Counts = std::map<std::string_view, std::size_t>;

/// By group and step: the exchanges of each rank.
using CountsByStep = std::map<std::pair<std::string_view, std::uint32_t>, std::map<std::uint32_t, Counts>>;

CountsByStep countsOf(const Judging& judging)
{
    CountsByStep counts;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        const ParticipantSummary& facts = *judging.ranks[r].facts;
        for (std::uint32_t i = 0; i < facts.exchanges.size(); ++i) {
            const ExchangeType& type = facts.types[facts.exchanges[i].type];
            const std::uint32_t step = judging.step({r, i});
            const bool collective
                = type.kind == ExchangeKind::Synchronizing || type.kind == ExchangeKind::Rooted;
            if (step != noIndex && collective)
                ++counts[{type.group, step}][r][type.operation];
        }
    }
    return counts;
}

std::vector<AcrossFinding> check(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    std::map<std::uint32_t, std::vector<std::uint32_t>> odd; // by rank: the steps in which it differs
    for (const auto& [where, ranks] : countsOf(judging)) {
        std::map<Counts, std::vector<std::uint32_t>> classes;
        for (const auto& [rank, counts] : ranks)
            classes[counts].push_back(rank);
        if (classes.size() < 2)
            continue;
        const auto usual
            = std::ranges::max_element(classes, {}, [](const auto& each) { return each.second.size(); });
        for (const auto& [counts, members] : classes) {
            for (const std::uint32_t rank : members) {
                if (&counts != &usual->first)
                    odd[rank].push_back(where.second);
            }
        }
    }
    std::vector<AcrossFinding> findings;
    for (auto& [rank, steps] : odd) {
        std::ranges::sort(steps);
        steps.erase(std::ranges::unique(steps).begin(), steps.end());
        const std::uint64_t lost = judging.reports[judging.ranks[rank].report].lostEvents;
        AcrossFinding finding;
        finding.rank = rank;
        finding.step = steps.front();
        finding.severity = lost > 0 ? Severity::Low : Severity::Medium;
        finding.title = {"sequences_differ.title",
            "Rank {rank} runs different collectives than the other ranks in {steps, plural, one {# step} other {# steps}}",
            {{"rank", numberOf(out, rank)}, {"steps", Count{steps.size()}}}};
        finding.message = {"sequences_differ.first",
            "The first is {step}. {lost, plural, =0 {Its recording may have lost events, or the rank takes a different branch of the program.} "
            "one {# row of its report could not be read and may be the cause.} other {# rows of its report could not be read and may be the cause.}}",
            {{"step", Name{out.steps[steps.front()].name}}, {"lost", Count{lost}}}};
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule sequencesDiffer{
    .id = "sequences_differ",
    .title = "Ranks run different collectives",
    .why
    = "Each collective needs all its ranks, in the same order. A rank that runs another sequence lets the others wait, or stops the run.",
    .remedy
    = "Look for branches around collectives that only some ranks take: rank == 0, an early end of the data, an exception. If the recording lost events, record less.",
    .caveat = "A recording that lost events, or that covers another part of the run, looks the same.",
    .checkRanks = check,
};

} // namespace warpline::sequences_differ
