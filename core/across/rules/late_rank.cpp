// A rank that comes late to most exchanges, or one that holds up single steps: what that costs the others,
// and what it does meanwhile.

#include "core/across/across_rule.h"
#include "core/base/format.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warpline {

namespace {

constexpr std::size_t mostSteps = 5;

std::string shapeOf(const LateCause& cause)
{
    switch (cause.kind) {
    case PartKind::Range:
        return fmt::format("the host spends {} longer in {}", formatDuration(cause.perStep), cause.part);
    case PartKind::Kernels:
        return fmt::format("its kernels take {} longer", formatDuration(cause.perStep));
    case PartKind::Copies:
        return fmt::format("its copies take {} longer", formatDuration(cause.perStep));
    case PartKind::Idle:
        break;
    }
    return fmt::format("its GPU idles {} longer ({})", formatDuration(cause.perStep), cause.part);
}

/// What the rank that waits most waits: the run could be as much faster at most.
Ns longestWaitFor(const AcrossReport& out, std::uint32_t rank)
{
    std::vector<Ns> waits(out.ranks.size());
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.blamed != rank || (exchange.step != noIndex && out.steps[exchange.step].warmUp))
            continue;
        for (const ExchangeMember& member : exchange.members)
            waits[member.rank] += member.exposedWait;
    }
    return *std::ranges::max_element(waits);
}

/// The exchange in which the others waited longest for the rank.
EventId worstOf(const AcrossReport& out, std::uint32_t rank)
{
    const MatchedExchange* worst = nullptr;
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.blamed == rank && (!worst || exchange.wait > worst->wait))
            worst = &exchange;
    }
    if (!worst)
        return {};
    const auto member = std::ranges::max_element(worst->members, {}, &ExchangeMember::wait);
    return member->event;
}

AcrossFinding persistent(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const LateVerdict& verdict = out.verdict;
    const AcrossRank& rank = out.ranks[verdict.rank];
    AcrossFinding finding;
    finding.rank = verdict.rank;
    const Ns exposed = longestWaitFor(out, verdict.rank);
    // What the cause does not explain stays when it is gone: as the verdict says.
    finding.saving = verdict.cause.found() && verdict.stepsJudged > 0
        ? std::min(exposed, verdict.cause.perStep * static_cast<Ns>(verdict.stepsJudged))
        : exposed;
    finding.severity = severityAcross(judging, finding.saving);
    finding.event = worstOf(out, verdict.rank);
    const auto other = onlyOther(out, verdict.rank);
    const std::string wait = other ? *other + " waits" : "the others wait";
    finding.title = verdict.cause.found() && verdict.cause.kind == PartKind::Range
        ? fmt::format("{} for {}: {}", wait, rank.label, verdict.cause.part)
        : fmt::format("{} for {}", wait, rank.label);
    finding.title.front()
        = static_cast<char>(std::toupper(static_cast<unsigned char>(finding.title.front())));
    const std::string came = fmt::format(
        "It came last to {} of {}", formatCount(rank.lastCount), counted(rank.exchanges, "exchange"));
    finding.message = other
        ? fmt::format("{}; {} waited {} for it in all, {} of that while nothing computed.", came, *other,
            formatDuration(rank.blame), formatDuration(exposed))
        : fmt::format("{}; the others waited {} for it in all, one of them {} while nothing computed.", came,
            formatDuration(rank.blame), formatDuration(exposed));
    if (verdict.cause.found())
        finding.message += fmt::format(
            " In the median step {} than on {}.", shapeOf(verdict.cause), other.value_or("the other ranks"));
    if (finding.saving < exposed)
        finding.message += fmt::format(" Without that {} could be saved in {}; the rest has other causes.",
            formatDuration(finding.saving), counted(verdict.stepsJudged, "step"));
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
    finding.title = fmt::format("{} held up {}", out.ranks[late.rank].label, out.steps[late.step].name);
    finding.title.front() = 'R';
    const auto other = onlyOther(out, late.rank);
    finding.message = other
        ? fmt::format("It made {} wait {} in this step.", *other, formatDuration(late.blame))
        : fmt::format("The others waited {} for it in this step.", formatDuration(late.blame));
    if (late.cause.found())
        finding.message
            += fmt::format(" There {} than on {}.", shapeOf(late.cause), other.value_or("the other ranks"));
    finding.remedy
        = "A single step is no uneven work: look at what the rank did there that it does not do in "
          "others, such as a checkpoint, a log, an evaluation, garbage collection.";
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
    finding.title = "The ranks wait for one another in turn";
    finding.message
        = fmt::format("No single rank is to blame. Of all {} waits most: {} in all, {} of it while nothing "
                      "computes.",
            most->label, formatDuration(most->wait), formatDuration(most->exposedWait));
    finding.remedy = "The work of a step is shared unevenly, and by another measure each time: sequences of "
                     "other lengths, experts that are asked more often, input that takes longer. Or hosts "
                     "jitter: pin processes to cores, and take what is not the program's off the machine.";
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
    for (std::size_t i = 0; i < std::min(mostSteps, verdict.exceptions.size()); ++i)
        findings.push_back(single(judging, verdict.exceptions[i]));
    return findings;
}

} // namespace

extern constinit const AcrossRule lateRank{
    .id = "late_rank",
    .title = "A rank that the others wait for",
    .remedy = "Look at the late rank, not at those that wait: its share of the work, its input, logging or "
              "checkpoints that only it writes, its GPU and CPU. What it does differently is named above.",
    .check = check,
};

} // namespace warpline
