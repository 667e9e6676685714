// A rank that is last in most exchanges, or that holds up single steps: the cost for the others, and what it
// does before it arrives.

#include "core/across/across_rule.h"
#include "core/base/message_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline::late_rank {

namespace {

constexpr std::size_t maxSteps = 5;

/// "the host spends 3 ms longer in data_load than on rank 0".
Message shapeOf(const AcrossReport& out, std::uint32_t rank, const LateCause& cause)
{
    return {"late_rank.shape",
        "{kind, select, nvtx {the host spends {lead} longer in {part}} "
        "idle {its GPU is idle {lead} longer (largest part: {part})} other {its {part} take {lead} longer}} than on {others}",
        {{"kind", Name{std::string(keyOf(cause.kind))}}, {"lead", Duration{cause.perStep}},
            {"part", cause.label()}, {"others", othersThan(out, rank)}}};
}

/// The cost of a rank for the others, over the steps of the verdict (without warm-up), or the whole recording
/// without steps. One denominator for all numbers of a sentence.
struct Cost {
    Ns blame = 0; ///< sum of the others' waits for it
    Ns longest = 0; ///< the longest wait of one rank while it computes nothing: the potential saving
    std::size_t exchanges = 0; ///< in which they waited for it
    std::size_t itselfLast = 0; ///< to how many of those it came last itself
};

Cost costOf(const AcrossReport& out, std::uint32_t rank)
{
    const std::vector<std::uint32_t> steps = judgedSteps(out);
    Cost cost;
    cost.blame = blameIn(out, rank, steps);
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
Message costText(const AcrossReport& out, std::uint32_t rank, const Cost& cost)
{
    const auto other = onlyOther(out, rank);
    const bool delays = cost.exchanges > cost.itselfLast;
    return Message("late_rank.cost",
               "{steps, plural, =0 {} one {In # step } other {In # steps }}"
               "{one, select, yes {{begins, select, yes {Rank} other {rank}} {other} waits {all} for it, {longest} of it exposed.} "
               "other {{begins, select, yes {The} other {the}} other ranks wait {all} for it in total; the longest exposed wait of one rank is {longest}.}}",
               {{"steps", Count{out.verdict.stepsJudged}}, {"one", yesOrNo(other.has_value())},
                   {"begins", yesOrNo(out.verdict.stepsJudged == 0)}, {"other", other.value_or(Ordinal{})},
                   {"all", Duration{cost.blame}}, {"longest", Duration{cost.longest}}})
        + Message("late_rank.last",
            "{delays, select, yes {It arrives last at {last} of these {exchanges, plural, one {# exchange} other {# exchanges}}. At the other {others}, the last is a rank that it delayed before.} "
            "other {It arrives last at these {exchanges, plural, one {# exchange} other {# exchanges}}.}}",
            {{"delays", yesOrNo(delays)}, {"last", Count{cost.itselfLast}},
                {"exchanges", Count{cost.exchanges}}, {"others", Count{cost.exchanges - cost.itselfLast}}});
}

/// Shows where the others waited longest for the rank, in the steps of the verdict. In warm-up steps ranks
/// begin at different times, and a step that another rank held up shows that rank.
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
    AcrossFinding finding;
    finding.rank = verdict.rank;
    const Cost cost = costOf(out, verdict.rank);
    const Ns exposed = cost.longest;
    finding.saving = std::min(exposed, gainOfCause(verdict).value_or(exposed));
    showWorst(out, finding);
    const auto other = onlyOther(out, verdict.rank);
    finding.title = {"late_rank.title",
        "{one, select, yes {Rank {other} waits} other {The other ranks wait}} for rank {rank}{named, select, yes {: {part}} other {}}",
        {{"one", yesOrNo(other.has_value())}, {"other", other.value_or(Ordinal{})},
            {"rank", numberOf(out, verdict.rank)},
            {"named", yesOrNo(verdict.cause.found() && verdict.cause.kind == PartKind::Range)},
            {"part", verdict.cause.label()}}};
    finding.message = costText(out, verdict.rank, cost);
    if (verdict.cause.found())
        finding.message += {"late_rank.cause", "In the median step {shape}, {in_all}.",
            {{"shape", shapeOf(out, verdict.rank, verdict.cause)}, {"in_all", inAllText(verdict)}}};
    if (finding.saving < exposed)
        finding.message
            += {"late_rank.other_causes", "Fixing that could save {saving}; the rest has other causes.",
                {{"saving", Duration{finding.saving}}}};
    return finding;
}

AcrossFinding single(const Judging& judging, const LateStep& late)
{
    const AcrossReport& out = judging.out;
    AcrossFinding finding;
    finding.rank = late.rank;
    finding.step = late.step;
    finding.subject = {Subject::Kind::Steps,
        fmt::format("{} rank {}", out.steps[late.step].name, out.ranks[late.rank].rank)};
    finding.saving = late.blame / static_cast<Ns>(std::max<std::size_t>(1, out.ranks.size() - 1));
    finding.title = {"late_rank.delays", "Rank {rank} delays {step}",
        {{"rank", numberOf(out, late.rank)}, {"step", Name{out.steps[late.step].name}}}};
    const auto other = onlyOther(out, late.rank);
    finding.message = {"late_rank.wait_in_step",
        "{one, select, yes {Rank {other} waits} other {The other ranks wait}} {wait} for it in this step.",
        {{"one", yesOrNo(other.has_value())}, {"other", other.value_or(Ordinal{})},
            {"wait", Duration{late.blame}}}};
    if (late.cause.found())
        finding.message += {"late_rank.cause_in_step", "In this step, {shape}.",
            {{"shape", shapeOf(out, late.rank, late.cause)}}};
    finding.remedy = {"late_rank.remedy_of_step",
        "Look for work that the rank does only in this step, such as a checkpoint, logging, an evaluation, or garbage collection."};
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.step == late.step && exchange.blamed == late.rank) {
            // Shows what the late rank did before it arrived, not the waiting ranks. A rank that got
            // passed-on blame may not be a member.
            const auto own = std::ranges::find(exchange.members, late.rank, &ExchangeMember::rank);
            finding.event = own != exchange.members.end()
                ? own->event
                : std::ranges::max_element(exchange.members, {}, &ExchangeMember::wait)->event;
            break;
        }
    }
    return finding;
}

/// Ranks that are late in turn: the longest wait of one rank is the potential saving.
AcrossFinding rotating(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    const auto most = std::ranges::max_element(out.ranks, {}, &AcrossRank::exposedWait);
    AcrossFinding finding;
    finding.rank = static_cast<std::uint32_t>(most - out.ranks.begin());
    finding.subject = {Subject::Kind::Part, "in_turn"}; // who waits most changes from run to run
    finding.saving = most->exposedWait;
    const MainBlame main = mainBlame(out);
    const bool isMain = main.rank != noIndex;
    const std::vector<Argument> blame{{"main", yesOrNo(isMain)},
        {"late", isMain ? numberOf(out, main.rank) : Ordinal{}}, {"share", Share{main.share}}};
    finding.title = {"late_rank.in_turn",
        "{main, select, yes {Rank {late} causes {share} of the waits} other {The ranks wait for each other in turn}}",
        blame};
    finding.message = {"late_rank.waits_most",
        "{main, select, yes {No rank causes all of them.} other {No single rank is the cause.}} Rank {rank} waits most: {wait} in all, {exposed} of it exposed.",
        {blame[0], {"rank", Ordinal{most->rank}}, {"wait", Duration{most->wait}},
            {"exposed", Duration{most->exposedWait}}}};
    finding.remedy = {"late_rank.remedy_in_turn",
        "The work varies from step to step and from rank to rank: sequences of different length, experts that get more tokens, slower input. Balance it. Or the hosts jitter: pin processes to cores, and stop other programs on the machine."};
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

extern constinit const Rule lateRank{
    .id = "late_rank",
    .title = "A late rank",
    .why = "Ranks that exchange data wait for the one that comes last, and their GPUs idle during that time.",
    .remedy
    = "Look at the late rank, not at those that wait. Check its share of the work, its input, logging or checkpoints that only it writes, its GPU and its CPU. The difference is named above.",
    .caveat = "A rank whose report is not open may be later than the one named here.",
    .checkRanks = check,
};

} // namespace warpline::late_rank
