// Ranks that take longer than the others in the same part of a step, and that the others wait for: unevenly
// distributed work. Skips what the verdict already names.

#include "core/across/across_rule.h"
#include "core/base/share.h"

#include <algorithm>

namespace warpline::uneven_work {

namespace {

constexpr double minShare = 0.05; // of a step that the rank takes longer
constexpr double minBlameShare = 0.2; // of all blame: a slower rank that nobody waits for does no harm

std::vector<std::uint32_t> steadySteps(const AcrossReport& out)
{
    std::vector<std::uint32_t> steps;
    for (std::uint32_t s = 0; s < out.steps.size(); ++s) {
        if (!out.steps[s].warmUp)
            steps.push_back(s);
    }
    return steps;
}

std::vector<AcrossFinding> check(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const std::vector<std::uint32_t> steps = steadySteps(out);
    if (steps.empty() || out.verdict.pattern == LatePattern::None)
        return {};
    double all = 0; // of many ranks it may be more than Ns holds
    for (const AcrossRank& rank : out.ranks)
        all += static_cast<double>(rank.blame);
    const Ns step = measuredAcross(judging) / static_cast<Ns>(steps.size());
    std::vector<AcrossFinding> findings;
    for (std::uint32_t r = 0; r < out.ranks.size(); ++r) {
        const auto blame = static_cast<double>(out.ranks[r].blame);
        if (r == out.verdict.rank || blame <= 0 || blame / all < minBlameShare)
            continue;
        const LateCause cause = causeOf(judging, r, steps);
        if (!cause.found() || cause.kind == PartKind::Idle || shareOf(cause.perStep, step) < minShare)
            continue;
        AcrossFinding finding;
        finding.rank = r;
        finding.saving = std::min(out.ranks[r].blame, cause.inAll);
        finding.title = {"uneven_work.title", "Uneven work in {part}: rank {rank} takes longer",
            {{"part", cause.label()}, {"rank", numberOf(out, r)}}};
        finding.message = {"uneven_work.lead",
            "In the median of {steps, plural, one {# step} other {# steps}}, it takes {lead} longer than on the median rank ({share} of a step). The other ranks wait {wait} for this rank in total.",
            {{"steps", Count{steps.size()}}, {"lead", Duration{cause.perStep}},
                {"share", Share{shareOf(cause.perStep, step)}}, {"wait", Duration{out.ranks[r].blame}}}};
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule unevenWork{
    .id = "uneven_work",
    .title = "Uneven work between ranks",
    .why = "The rank with most work reaches the next exchange last, and the others wait for it there.",
    .remedy
    = "Give each rank the same amount of work: sort batches by length, distribute experts and layers by cost, and split input evenly.",
    .caveat = "Ranks may have different work by design, such as pipeline stages or experts.",
    .checkRanks = check,
};

} // namespace warpline::uneven_work
