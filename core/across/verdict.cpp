// Finds the late rank and the cause. Blame shows the rank; the cause is the part of its steps that takes
// longer than on the others. Kernels that overlap collectives do not count: those of a waiting rank run
// longer and would blame the wrong rank.

#include "core/across/judging.h"
#include "core/base/enum_key.h"
#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/base/saturate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace warpline {

namespace {

// Persistent: one rank has most of the blame in at least this share of the steps ...
constexpr double dominantStepShare = 0.8;
// ... and at least this share of all blame, without a step that is an extreme outlier (a pause of another
// rank).
constexpr double dominantBlameShare = 0.8;
constexpr double explains = 0.2; // of the mean wait of the others: a smaller lead is not a cause
constexpr double idleExplains = 0.5; // the same of idling for all reasons, which waiting hides on the others
constexpr double minReportedShare = 0.01; // of a step's time that each of the others waits
constexpr double minNamedShare = 0.05; // of its steps that the GPU of a late rank idles for one reason
constexpr std::size_t maxExceptions = 20;

/// All blame, and who has most of it. Of many ranks the total may be more than Ns holds.
struct StepBlame {
    double total = 0;
    Ns most = 0;
    std::uint32_t rank = noIndex;

    double twiceMost() const { return 2 * static_cast<double>(most); }
};

/// In step `step`; noIndex: in the whole recording, for runs without known steps.
StepBlame blameOf(const AcrossReport& out, std::uint32_t step)
{
    StepBlame blame;
    for (std::uint32_t r = 0; r < out.ranks.size(); ++r) {
        const Ns own = step == noIndex ? out.ranks[r].blame : out.cell(r, step).blame;
        blame.total += static_cast<double>(own);
        if (own > blame.most) {
            blame.most = own;
            blame.rank = r;
        }
    }
    return blame;
}

/// The sum of blame over steps, with each step capped at twice the median.
double typicalBlame(const AcrossReport& out, const std::vector<std::uint32_t>& steps)
{
    std::vector<double> totals;
    for (const std::uint32_t step : steps)
        totals.push_back(blameOf(out, step).total);
    const double limit = 2 * middleOf(totals);
    double sum = 0;
    for (const double total : totals)
        sum += std::min(total, limit);
    return sum;
}

/// The time that the others waited for `rank` in `steps` while they computed nothing.
Ns exposedFor(const AcrossReport& out, std::uint32_t rank, const std::vector<std::uint32_t>& steps)
{
    Ns exposed = 0;
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.blamed != rank || !std::ranges::binary_search(steps, exchange.step))
            continue;
        for (const ExchangeMember& member : exchange.members)
            exposed = saturatingAdd(exposed, member.exposedWait);
    }
    return exposed;
}

Ns stepLength(const AcrossReport& out, std::uint32_t step)
{
    std::vector<Ns> lengths;
    for (std::size_t r = 0; r < out.ranks.size(); ++r) {
        if (out.cell(r, step).known)
            lengths.push_back(out.cell(r, step).length());
    }
    return middleOf(std::move(lengths));
}

/// Kernels of a rank outside of communication; 0: unknown, because there are more kinds than are listed.
std::uint64_t kernelsOf(const ParticipantSummary& facts)
{
    constexpr std::size_t maxListed = 64;
    std::uint64_t count = 0;
    for (const KernelPace& pace : facts.kernels)
        count += pace.count;
    return facts.kernels.size() < maxListed ? count : 0;
}

/// Mean potential saving per step of fixing the cause; every step counts, as it does for the waits.
Ns gainPerStep(const LateVerdict& verdict)
{
    return gainOfCause(verdict).value_or(0) / static_cast<Ns>(std::max<std::size_t>(1, verdict.stepsJudged));
}

/// Whether enough of the wait has other causes to mention it.
bool leavesOthers(const LateVerdict& verdict)
{
    return verdict.cause.found() && saturatingProduct(gainPerStep(verdict), 10) < verdict.exposedPerStep * 9;
}

/// "It runs 3.1 times as many kernels as rank 0 (11,424 and 3,696) and its GPU idles for 85.7% of its steps'
/// time: its host paces it.", for two ranks where one launches far more kernels, without communication.
Message launchesSentence(const Judging& judging, std::uint32_t rank)
{
    constexpr double farMore = 1.5;
    constexpr double pacedByHost = 0.5; // of its steps' time that its GPU idles
    const auto other = onlyOther(judging.out, rank);
    const IdleReason idle = usualIdle(judging.ranks[rank]);
    if (!other || idle.all < pacedByHost)
        return {};
    const std::uint64_t own = kernelsOf(*judging.ranks[rank].facts);
    const std::uint64_t less = kernelsOf(*judging.ranks[1 - rank].facts);
    if (less == 0 || static_cast<double>(own) < farMore * static_cast<double>(less))
        return {};
    return {"across.host_bound",
        "It is host-bound: it runs {times} times as many kernels as rank {other} ({own} and {less} outside communication). Its GPU is idle for {idle} of its step time.",
        {{"times", Number{static_cast<double>(own) / static_cast<double>(less), 1}}, {"other", *other},
            {"own", Count{own}}, {"less", Count{less}}, {"idle", Share{idle.all}}}};
}

/// The others' wait per step, and the potential saving of it. `begins`: starts a sentence.
Message costOf(const AcrossReport& out, const LateVerdict& verdict, bool begins)
{
    const auto other = onlyOther(out, verdict.rank);
    const Ns gain = gainPerStep(verdict);
    // Waits with other causes stay when this one is fixed.
    const std::string_view saving = verdict.exposedPerStep * 50 >= saturatingProduct(verdict.perStep, 49)
        ? "all_exposed"
        : verdict.exposedPerStep * 50 <= verdict.perStep                                     ? "hidden"
        : leavesOthers(verdict)                                                              ? "part"
        : verdict.cause.found() && saturatingProduct(gain, 50) < verdict.exposedPerStep * 49 ? "most"
                                                                                             : "all";
    return {"across.cost",
        "{one, select, yes {{begins, select, yes {Rank} other {rank}} {other}} other {{begins, select, yes {Each} other {each}} other rank}} "
        "waits {wait} per step for it on average"
        "{saving, select, all_exposed { and computes nothing during that time.} "
        "hidden {, all of it hidden behind its own kernels.} "
        "part {, of which {exposed} is exposed. Potential saving: up to {gain} per step; the other {rest} has other causes.} "
        "most {, of which {exposed} is exposed. Potential saving: up to {gain} per step.} "
        "other {, of which {exposed} is exposed. That is the potential saving.}}",
        {{"one", yesOrNo(other.has_value())}, {"begins", yesOrNo(begins)},
            {"other", other.value_or(Ordinal{})}, {"wait", Duration{verdict.perStep}},
            {"saving", Name{std::string(saving)}}, {"exposed", Duration{verdict.exposedPerStep}},
            {"gain", Duration{gain}}, {"rest", Duration{verdict.exposedPerStep - gain}}}};
}

/// What takes longer on the late rank, and the cost for the others; empty: neither is known. `begins`: starts
/// a sentence.
Message explanation(const AcrossReport& out, const LateVerdict& verdict, bool begins)
{
    const LateCause& cause = verdict.cause;
    if (!cause.found())
        return verdict.perStep > 0 ? costOf(out, verdict, begins) : Message();
    return {"across.explanation",
        "{kind, select, nvtx {{part} takes {lead} longer than on {others} in the median step} "
        "idle {{begins, select, yes {Its} other {its}} GPU is idle {lead} longer than on {others} in the median step (largest part: {part})} "
        "other {{begins, select, yes {Its} other {its}} {part} take {lead} longer than on {others} in the median step}}"
        "{sums, select, yes {, {in_all}} other {}}{waits, select, yes {; {cost}} other {.}}",
        {{"kind", Name{std::string(keyOf(cause.kind))}}, {"part", cause.label()},
            {"lead", Duration{cause.perStep}}, {"others", othersThan(out, verdict.rank)},
            {"begins", yesOrNo(begins)}, {"sums", yesOrNo(cause.inAll > 0)}, {"in_all", inAllText(verdict)},
            {"waits", yesOrNo(verdict.perStep > 0)},
            {"cost", verdict.perStep > 0 ? costOf(out, verdict, false) : Message()}}};
}

void sayPersistent(const Judging& judging, LateVerdict& verdict)
{
    const AcrossReport& out = judging.out;
    const Ordinal rank = numberOf(out, verdict.rank);
    // A single rank may count a step as steady that is warm-up on another one.
    const std::vector<std::uint32_t> judged = judgedSteps(out);
    const bool isAfterWarmUp = !judged.empty() && !out.steps[judged.front()].warmUp
        && std::ranges::any_of(out.steps, &AcrossStep::warmUp);
    verdict.headline = {"across.late",
        "Rank {rank} is late{steps, plural, =0 {} one { in {late} of # step} other { in {late} of # steps}}"
        "{warm_up, select, yes { after warm-up} other {}}",
        {{"rank", rank}, {"steps", Count{verdict.stepsJudged}}, {"late", Count{verdict.stepsLate}},
            {"warm_up", yesOrNo(isAfterWarmUp)}}};
    const bool isFound = verdict.cause.found();
    const bool isOfGpu = isFound && verdict.cause.kind == PartKind::Idle;
    const IdleReason idle = usualIdle(judging.ranks[verdict.rank]);
    Message more;
    if (isOfGpu || !isFound)
        more += launchesSentence(judging, verdict.rank);
    if (!isFound && verdict.stepsJudged > 0)
        more += {"across.unexplained",
            "No range, kernel, copy or idle time explains the delay compared with {others}.",
            {{"others", othersThan(out, verdict.rank)}}};
    // Data loading in data_load is no other cause than data_load.
    const bool isCause = isFound && idle.part.ends_with(':' + verdict.cause.part);
    const bool isUnexplained = !isFound || leavesOthers(verdict);
    if (isUnexplained && !isCause && !isOfGpu && idle.share >= minNamedShare) {
        more += idleSentence(rank, idle);
        if (isFound)
            more += {"across.look_there", "Look for the other causes there."};
    }
    const bool isAlone = explanation(out, verdict, false).empty();
    verdict.sentence = Message("across.late_because",
                           "{headline}{because, select, no {.} cause {: {why}} other {; {why}}}",
                           {{"headline", verdict.headline},
                               {"because",
                                   Name{isAlone      ? "no"
                                           : isFound ? "cause"
                                                     : "cost"}},
                               {"why", explanation(out, verdict, false)}})
        + more;
    verdict.details = explanation(out, verdict, true) + more;
}

void sayPattern(const Judging& judging, LateVerdict& verdict)
{
    if (verdict.pattern == LatePattern::Persistent)
        return sayPersistent(judging, verdict);
    const MainBlame main = mainBlame(judging.out);
    const bool isMain = main.rank != noIndex;
    const auto text = [&](const char* part) {
        return Message("across.pattern",
            "{pattern, select, "
            "none {{part, select, headline {No rank is late} other {The ranks do not wait long for each other.}}} "
            "rotating {{main, select, yes {{part, select, headline {Rank {rank} causes {share} of the waits} "
            "other {Rank {rank} causes {share} of the waits. For the rest, the ranks wait for each other in turn. Likely causes: uneven work, or jitter.}}} "
            "other {{part, select, headline {No single rank is late} "
            "other {The ranks wait for each other in turn, so no single rank is the cause. Likely causes: uneven work, or jitter.}}}}} "
            "other {{part, select, headline {No verdict} "
            "other {{part, select, sentence {No verdict: ranks} other {Ranks}} wait, but reports of other ranks are missing. One of these may be late, because nothing on the present ranks explains the waits.}}}}",
            {{"pattern", Name{std::string(keyOf(verdict.pattern))}}, {"part", Name{part}},
                {"main", yesOrNo(isMain)}, {"rank", isMain ? numberOf(judging.out, main.rank) : Ordinal{}},
                {"share", Share{main.share}}});
    };
    verdict.headline = text("headline");
    verdict.sentence = text("sentence");
    verdict.details = text("details");
}

void sayVerdict(const Judging& judging, LateVerdict& verdict)
{
    sayPattern(judging, verdict);
    if (!judging.out.lacksRanks || verdict.pattern == LatePattern::Unknown)
        return;
    verdict.sentence
        = {"across.of_present", "Of the present ranks: {verdict}", {{"verdict", verdict.sentence}}};
    verdict.details += {"across.reports_missing", "Reports of other ranks are missing."};
}

/// Finds steps that another rank held up by a large enough margin.
void findExceptions(Judging& judging, const std::vector<std::uint32_t>& steps, LateVerdict& verdict)
{
    for (const std::uint32_t step : steps) {
        const StepBlame blame = blameOf(judging.out, step);
        if (blame.rank == noIndex || blame.rank == verdict.rank || blame.twiceMost() < blame.total
            || blame.most < verdict.perStep)
            continue;
        const std::uint32_t one[] = {step};
        verdict.exceptions.push_back({step, blame.rank, blame.most, causeOf(judging, blame.rank, one)});
    }
    std::ranges::stable_sort(verdict.exceptions, std::greater{}, &LateStep::blame);
    if (verdict.exceptions.size() > maxExceptions)
        verdict.exceptions.resize(maxExceptions);
}

void judgeSteps(Judging& judging, const std::vector<std::uint32_t>& steps, LateVerdict& verdict)
{
    AcrossReport& out = judging.out;
    const auto others = static_cast<Ns>(std::max<std::size_t>(1, out.ranks.size() - 1));
    std::map<std::uint32_t, std::vector<std::uint32_t>> lateSteps;
    std::map<std::uint32_t, double> held;
    Ns waited = 0;
    Ns length = 0;
    for (const std::uint32_t step : steps) {
        const StepBlame blame = blameOf(out, step);
        waited = saturatingAdd(waited, saturatingWhole(blame.total / static_cast<double>(others)));
        length += stepLength(out, step);
        if (blame.rank == noIndex)
            continue;
        out.steps[step].late = blame.rank;
        if (blame.twiceMost() > blame.total) {
            lateSteps[blame.rank].push_back(step);
            held[blame.rank] += static_cast<double>(blame.most);
        }
    }
    verdict.stepsJudged = steps.size();
    if (static_cast<double>(waited) < minReportedShare * static_cast<double>(length))
        return;
    verdict.pattern = LatePattern::Rotating;
    const auto most
        = std::ranges::max_element(lateSteps, {}, [](const auto& each) { return each.second.size(); });
    if (most != lateSteps.end()
        && static_cast<double>(most->second.size()) >= dominantStepShare * static_cast<double>(steps.size())
        && held[most->first] >= dominantBlameShare * typicalBlame(out, steps)) {
        verdict.pattern = LatePattern::Persistent;
        verdict.rank = most->first;
        verdict.stepsLate = most->second.size();
        verdict.perStep = blameIn(out, verdict.rank, steps) / others / static_cast<Ns>(steps.size());
        verdict.exposedPerStep = std::min(
            verdict.perStep, exposedFor(out, verdict.rank, steps) / others / static_cast<Ns>(steps.size()));
        verdict.cause = causeOf(judging, verdict.rank, most->second);
        addUp(judging, verdict.rank, steps, verdict.cause.part, verdict.cause);
        if (static_cast<double>(verdict.cause.perStep) < explains * static_cast<double>(verdict.perStep)) {
            // Another cause: many small idle times of its GPU, or an unknown one.
            verdict.cause = idleLead(judging, verdict.rank, most->second);
            addUp(judging, verdict.rank, steps, {}, verdict.cause);
            if (static_cast<double>(verdict.cause.perStep)
                < idleExplains * static_cast<double>(verdict.perStep))
                verdict.cause = {};
        }
        findExceptions(judging, steps, verdict);
    }
}

/// Without steps the whole recording is one.
void judgeRun(const Judging& judging, LateVerdict& verdict)
{
    const StepBlame blame = blameOf(judging.out, noIndex);
    Ns length = 0;
    for (const JudgedRank& rank : judging.ranks)
        length = std::max(length, judging.reports[rank.report].session.duration());
    if (blame.rank == noIndex
        || blame.total
            < minReportedShare * static_cast<double>(length) * static_cast<double>(judging.ranks.size() - 1))
        return;
    const bool one = static_cast<double>(blame.most) >= dominantBlameShare * blame.total;
    verdict.pattern = one ? LatePattern::Persistent : LatePattern::Rotating;
    verdict.rank = one ? blame.rank : noIndex;
}

} // namespace

std::vector<std::uint32_t> judgedSteps(const AcrossReport& out)
{
    std::vector<std::uint32_t> steps;
    for (const bool alsoWarmUp : {false, true}) {
        for (std::uint32_t s = 0; s < out.steps.size(); ++s) {
            std::size_t known = 0;
            for (std::size_t r = 0; r < out.ranks.size(); ++r)
                known += out.cell(r, s).known ? 1 : 0;
            if (known >= 2 && (alsoWarmUp || !out.steps[s].warmUp))
                steps.push_back(s);
        }
        if (!steps.empty())
            break;
    }
    return steps;
}

Ns blameIn(const AcrossReport& out, std::uint32_t rank, std::span<const std::uint32_t> steps)
{
    Ns blame = steps.empty() ? out.ranks[rank].blame : 0;
    for (const std::uint32_t step : steps)
        blame = saturatingAdd(blame, out.cell(rank, step).blame);
    return blame;
}

MainBlame mainBlame(const AcrossReport& out)
{
    const std::vector<std::uint32_t> steps = judgedSteps(out);
    double total = 0;
    std::vector<std::pair<double, std::uint32_t>> ranks;
    for (std::uint32_t r = 0; r < out.ranks.size(); ++r) {
        ranks.emplace_back(static_cast<double>(blameIn(out, r, steps)), r);
        total += ranks.back().first;
    }
    std::ranges::sort(ranks, std::greater{});
    if (ranks.size() < 2)
        return {};
    const double most = ranks[0].first;
    if (2 * most < total || most < 2 * ranks[1].first)
        return {};
    return {ranks[0].second, total > 0 ? most / total : 0};
}

Ordinal numberOf(const AcrossReport& out, std::uint32_t place)
{
    return {out.ranks[place].rank};
}

std::optional<Ordinal> onlyOther(const AcrossReport& out, std::uint32_t rank)
{
    if (out.ranks.size() != 2)
        return std::nullopt;
    return numberOf(out, 1 - rank);
}

Message othersThan(const AcrossReport& out, std::uint32_t rank)
{
    const auto other = onlyOther(out, rank);
    return {"across.others", "{one, select, yes {rank {rank}} other {the other ranks}}",
        {{"one", yesOrNo(other.has_value())}, {"rank", other.value_or(Ordinal{})}}};
}

void findVerdict(Judging& judging)
{
    LateVerdict& verdict = judging.out.verdict;
    const std::vector<std::uint32_t> steps = judgedSteps(judging.out);
    if (steps.empty())
        judgeRun(judging, verdict);
    else
        judgeSteps(judging, steps, verdict);
    if (judging.out.lacksRanks)
        withholdUnsupported(judging);
    sayVerdict(judging, verdict);
}

std::optional<Ns> gainOfCause(const LateVerdict& verdict)
{
    if (!verdict.cause.found() || verdict.stepsJudged == 0)
        return std::nullopt;
    return verdict.cause.inAll;
}

Message inAllText(const LateVerdict& verdict)
{
    const LateCause& cause = verdict.cause;
    return {"across.in_all",
        "{sum} over {all, select, yes {the} other {{longer} of}} {steps, plural, one {# step} other {# steps}}",
        {{"sum", Duration{cause.inAll}}, {"all", yesOrNo(cause.stepsLonger >= verdict.stepsJudged)},
            {"longer", Count{cause.stepsLonger}}, {"steps", Count{verdict.stepsJudged}}}};
}

std::string_view keyOf(LatePattern pattern)
{
    return keyIn<LatePattern::Unknown>({"none", "persistent", "rotating", "unknown"}, pattern);
}

} // namespace warpline
