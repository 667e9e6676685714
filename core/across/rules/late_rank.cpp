// A rank that comes late to most exchanges, or one that holds up single steps: what that costs the others,
// and what it does in the meantime.

#include "core/across/across_rule.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warpline {

namespace {

constexpr std::size_t maxSteps = 5;

std::string shapeOf(const LateCause& cause)
{
    switch (cause.kind) {
    case PartKind::Range:
        return fmt::format("the host spends {} longer in {}", roundedDuration(cause.perStep), cause.part);
    case PartKind::Kernels:
        return fmt::format("its kernels take {} longer", roundedDuration(cause.perStep));
    case PartKind::Copies:
        return fmt::format("its copies take {} longer", roundedDuration(cause.perStep));
    case PartKind::Idle:
        break;
    }
    return fmt::format(
        "its GPU is idle {} longer (largest part: {})", roundedDuration(cause.perStep), cause.part);
}

/// What a rank cost the others where the verdict judges: the steps that are no warm-up; without steps the
/// whole recording. One base for all figures of a sentence.
struct Cost {
    Ns blame = 0; ///< what the others waited for it, summed over them
    Ns longest = 0; ///< what the one that waits most waits while it computes nothing: the run could save that
    std::size_t exchanges = 0; ///< in which they waited for it
    std::size_t itselfLast = 0; ///< to how many of those it came last itself
};

Cost costOf(const AcrossReport& out, std::uint32_t rank)
{
    const std::vector<std::uint32_t> steps = judgedSteps(out);
    Cost cost;
    cost.blame = steps.empty() ? out.ranks[rank].blame : 0;
    for (const std::uint32_t step : steps)
        cost.blame += out.cell(rank, step).blame;
    std::vector<Ns> waits(out.ranks.size());
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.blamed != rank || (!steps.empty() && !std::ranges::binary_search(steps, exchange.step)))
            continue;
        ++cost.exchanges;
        cost.itselfLast += exchange.last == rank ? 1 : 0;
        for (const ExchangeMember& member : exchange.members)
            waits[member.rank] += member.exposedWait;
    }
    cost.longest = *std::ranges::max_element(waits);
    return cost;
}

/// "In 39 steps the others waited 930.0 ms for rank 3 together, one of them 145.0 ms while nothing computed.
/// It was the last to come to 79 of these 115 exchanges; to the other 36 the last was a rank that it had held
/// up before."
std::string costText(const AcrossReport& out, std::uint32_t rank, const Cost& cost)
{
    const auto other = onlyOther(out, rank);
    const std::size_t steps = out.verdict.stepsJudged;
    std::string text = steps > 0 ? "In " + counted(steps, "step") + " " : std::string();
    text += other
        ? fmt::format("{} waits {} for it, {} of it exposed.", *other, roundedDuration(cost.blame),
            roundedDuration(cost.longest))
        : fmt::format("the other ranks wait {} for it in total; the longest exposed wait of one rank is {}.",
            roundedDuration(cost.blame), roundedDuration(cost.longest));
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    if (cost.exchanges > cost.itselfLast)
        text += fmt::format(
            " It arrives last at {} of these {}. At the other {}, the last is a rank that it delayed before.",
            formatCount(cost.itselfLast), counted(cost.exchanges, "exchange"),
            formatCount(cost.exchanges - cost.itselfLast));
    else
        text += fmt::format(" It arrives last at these {}.", counted(cost.exchanges, "exchange"));
    return text;
}

/// Where the others waited longest for the rank, in the steps that the verdict is about: in a warm-up step
/// ranks begin at different times, and a step that another one held up shows that one.
void showWorst(const AcrossReport& out, AcrossFinding& finding)
{
    const std::vector<std::uint32_t> steps = judgedSteps(out);
    const auto isShown = [&](const MatchedExchange& exchange) {
        return exchange.blamed == finding.rank
            && (steps.empty()
                || (std::ranges::binary_search(steps, exchange.step)
                    && out.steps[exchange.step].late == finding.rank));
    };
    const MatchedExchange* worst = nullptr;
    for (const MatchedExchange& exchange : out.exchanges) {
        if (isShown(exchange) && (!worst || exchange.wait > worst->wait))
            worst = &exchange;
    }
    if (!worst)
        return;
    finding.step = worst->step;
    finding.event = std::ranges::max_element(worst->members, {}, &ExchangeMember::wait)->event;
}

AcrossFinding persistent(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const LateVerdict& verdict = out.verdict;
    const AcrossRank& rank = out.ranks[verdict.rank];
    AcrossFinding finding;
    finding.rank = verdict.rank;
    const Cost cost = costOf(out, verdict.rank);
    const Ns exposed = cost.longest;
    finding.saving = std::min(exposed, gainOfCause(verdict).value_or(exposed));
    finding.severity = severityAcross(judging, finding.saving);
    showWorst(out, finding);
    const auto other = onlyOther(out, verdict.rank);
    const std::string wait = other ? *other + " waits" : "the other ranks wait";
    finding.title = verdict.cause.found() && verdict.cause.kind == PartKind::Range
        ? fmt::format("{} for {}: {}", wait, rank.label, verdict.cause.part)
        : fmt::format("{} for {}", wait, rank.label);
    finding.title.front()
        = static_cast<char>(std::toupper(static_cast<unsigned char>(finding.title.front())));
    finding.message = costText(out, verdict.rank, cost);
    if (verdict.cause.found())
        finding.message += fmt::format(" In the median step {} than on {}, {}.", shapeOf(verdict.cause),
            other.value_or("the other ranks"), inAllText(verdict));
    if (finding.saving < exposed)
        finding.message += fmt::format(
            " Fixing that could save {}; the rest has other causes.", roundedDuration(finding.saving));
    return finding;
}

AcrossFinding single(const Judging& judging, const LateStep& late)
{
    const AcrossReport& out = judging.out;
    AcrossFinding finding;
    finding.rank = late.rank;
    finding.step = late.step;
    finding.saving = late.blame / static_cast<Ns>(std::max<std::size_t>(1, out.ranks.size() - 1));
    finding.severity = severityAcross(judging, finding.saving);
    finding.title = fmt::format("{} delays {}", out.ranks[late.rank].label, out.steps[late.step].name);
    finding.title.front() = 'R';
    const auto other = onlyOther(out, late.rank);
    finding.message = other
        ? fmt::format("{} waits {} for it in this step.", *other, roundedDuration(late.blame))
        : fmt::format("The other ranks wait {} for it in this step.", roundedDuration(late.blame));
    if (late.cause.found())
        finding.message += fmt::format(
            " In this step, {} than on {}.", shapeOf(late.cause), other.value_or("the other ranks"));
    finding.remedy
        = "Look for work that the rank does only in this step, such as a checkpoint, logging, an evaluation, or garbage collection.";
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.step == late.step && exchange.blamed == late.rank) {
            // What it did before it came is what is looked for, not those who waited. Blame that was passed
            // on is of a rank that took no part itself.
            const auto own = std::ranges::find(exchange.members, late.rank, &ExchangeMember::rank);
            finding.event = own != exchange.members.end()
                ? own->event
                : std::ranges::max_element(exchange.members, {}, &ExchangeMember::wait)->event;
            break;
        }
    }
    return finding;
}

/// Ranks take turns: what the one that waits most could save.
AcrossFinding rotating(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const auto most = std::ranges::max_element(out.ranks, {}, &AcrossRank::exposedWait);
    AcrossFinding finding;
    finding.rank = static_cast<std::uint32_t>(most - out.ranks.begin());
    finding.saving = most->exposedWait;
    finding.severity = severityAcross(judging, finding.saving);
    finding.title = "The ranks wait for each other in turn";
    finding.message = fmt::format("No single rank is the cause. {} waits most: {} in all, {} of it exposed.",
        most->label, roundedDuration(most->wait), roundedDuration(most->exposedWait));
    finding.remedy
        = "The work varies from step to step and from rank to rank: sequences of different length, experts that get more tokens, slower input. Balance it. Or the hosts jitter: pin processes to cores, and stop other programs on the machine.";
    return finding;
}

std::vector<AcrossFinding> check(const Judging& judging)
{
    std::vector<AcrossFinding> findings;
    const LateVerdict& verdict = judging.out.verdict;
    if (verdict.pattern == LatePattern::Persistent)
        findings.push_back(persistent(judging));
    else if (verdict.pattern == LatePattern::Rotating)
        findings.push_back(rotating(judging));
    for (std::size_t i = 0; i < std::min(maxSteps, verdict.exceptions.size()); ++i)
        findings.push_back(single(judging, verdict.exceptions[i]));
    return findings;
}

} // namespace

extern constinit const AcrossRule lateRank{
    .id = "late_rank",
    .title = "A rank that the others wait for",
    .remedy
    = "Look at the late rank, not at those that wait. Check its share of the work, its input, logging or checkpoints that only it writes, its GPU and its CPU. The difference is named above.",
    .check = check,
};

} // namespace warpline
