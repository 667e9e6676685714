// Who is late, and why. Blame says who: the cause is the part of the late rank's steps that takes longer than
// on the others. Kernels beside collectives do not count, since those of a rank that waits run longer and
// would blame the wrong one.

#include "core/across/judging.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

// Persistent: one rank has most of the blame in as many of the steps ...
constexpr double dominantStepShare = 0.8;
// ... and as much of the blame in all, a step that is far out of proportion (a pause of another) left out.
constexpr double dominantBlameShare = 0.8;
constexpr double explains = 0.2; // of what each of the others waits: a smaller lead is no cause
constexpr double idleExplains = 0.5; // the same of idling for all reasons, which waiting hides on the others
constexpr double minReportedShare = 0.01; // of a step's time that each of the others waits
constexpr double minNamedShare = 0.05; // of its steps that the GPU of a late rank idles for one reason
constexpr std::size_t maxExceptions = 20;

/// Blame by rank, and by whom most.
struct StepBlame {
    Ns total = 0;
    Ns most = 0;
    std::uint32_t rank = noIndex;
};

StepBlame blameOf(const AcrossReport& out, std::uint32_t step)
{
    StepBlame blame;
    for (std::uint32_t r = 0; r < out.ranks.size(); ++r) {
        const Ns own = out.cell(r, step).blame;
        blame.total += own;
        if (own > blame.most) {
            blame.most = own;
            blame.rank = r;
        }
    }
    return blame;
}

/// The blame of all steps, none counted for more than twice what the middle one has.
double typicalBlame(const AcrossReport& out, const std::vector<std::uint32_t>& steps)
{
    std::vector<Ns> totals;
    for (const std::uint32_t step : steps)
        totals.push_back(blameOf(out, step).total);
    const Ns limit = 2 * middleOf(totals);
    Ns sum = 0;
    for (const Ns total : totals)
        sum += std::min(total, limit);
    return static_cast<double>(sum);
}

/// What the others waited for `rank` in `steps` while they computed nothing.
Ns exposedFor(const AcrossReport& out, std::uint32_t rank, const std::vector<std::uint32_t>& steps)
{
    Ns exposed = 0;
    for (const MatchedExchange& exchange : out.exchanges) {
        if (exchange.blamed != rank || std::ranges::find(steps, exchange.step) == steps.end())
            continue;
        for (const ExchangeMember& member : exchange.members)
            exposed += member.exposedWait;
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

/// The same over the whole recording, of runs whose steps are not known.
StepBlame blameOfRun(const AcrossReport& out)
{
    StepBlame blame;
    for (std::uint32_t r = 0; r < out.ranks.size(); ++r) {
        blame.total += out.ranks[r].blame;
        if (out.ranks[r].blame > blame.most)
            blame = {blame.total, out.ranks[r].blame, r};
    }
    return blame;
}

/// Kernels of a rank beside no communication; 0: more kinds than are listed, so that they are not known.
std::uint64_t kernelsOf(const ParticipantSummary& facts)
{
    constexpr std::size_t maxListed = 64;
    std::uint64_t count = 0;
    for (const KernelPace& pace : facts.kernels)
        count += pace.count;
    return facts.kernels.size() < maxListed ? count : 0;
}

std::string causeText(const LateCause& cause)
{
    switch (cause.kind) {
    case PartKind::Range:
        return cause.part;
    case PartKind::Kernels:
        return "its kernels";
    case PartKind::Copies:
        return "its copies";
    case PartKind::Idle:
        break;
    }
    return cause.part;
}

/// What a step could gain on average by fixing the cause: every step counts, as it does for the waits.
Ns gainPerStep(const LateVerdict& verdict)
{
    return gainOfCause(verdict).value_or(0) / static_cast<Ns>(std::max<std::size_t>(1, verdict.stepsJudged));
}

/// Whether so much of the wait has other causes than the one that is found that it deserves a word.
bool leavesOthers(const LateVerdict& verdict)
{
    return verdict.cause.found() && gainPerStep(verdict) * 10 < verdict.exposedPerStep * 9;
}

/// " It runs 3.1 times as many kernels as rank 0 (11,424 and 3,696) and its GPU idles for 85.7% of its steps'
/// time: its host paces it.", of two ranks where one launches far more; kernels beside communication apart.
std::string launchesSentence(const Judging& judging, std::uint32_t rank)
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
    return fmt::format(
        " It is host-bound: it runs {:.1f} times as many kernels as {} ({} and {} outside communication), and its GPU is idle for {} of its step time.",
        static_cast<double>(own) / static_cast<double>(less), *other, formatCount(own), formatCount(less),
        formatShare(idle.all));
}

/// What the others wait a step, and how much of that a step could gain.
std::string costOf(const AcrossReport& out, const LateVerdict& verdict)
{
    const std::string waits = fmt::format("{} waits {} per step for it on average",
        onlyOther(out, verdict.rank).value_or("each other rank"), roundedDuration(verdict.perStep));
    if (verdict.exposedPerStep * 50 >= verdict.perStep * 49)
        return waits + " and computes nothing during that time.";
    if (verdict.exposedPerStep * 50 <= verdict.perStep)
        return waits + ", all of it hidden behind its own kernels.";
    const std::string exposed
        = fmt::format("{}, of which {} is exposed", waits, roundedDuration(verdict.exposedPerStep));
    // What has another cause stays when this one is gone.
    if (leavesOthers(verdict))
        return fmt::format("{}. Potential saving: up to {} per step; the other {} has other causes.", exposed,
            roundedDuration(gainPerStep(verdict)),
            roundedDuration(verdict.exposedPerStep - gainPerStep(verdict)));
    if (verdict.cause.found() && gainPerStep(verdict) * 50 < verdict.exposedPerStep * 49)
        return fmt::format(
            "{}. Potential saving: up to {} per step.", exposed, roundedDuration(gainPerStep(verdict)));
    return exposed + ". That is the potential saving.";
}

void sayPersistent(const Judging& judging, LateVerdict& verdict)
{
    const AcrossReport& out = judging.out;
    const std::string& name = out.ranks[verdict.rank].label;
    const std::string others = onlyOther(out, verdict.rank).value_or("the other ranks");
    verdict.headline = verdict.stepsJudged > 0
        ? fmt::format("{} is late in {} of {}", name, verdict.stepsLate, counted(verdict.stepsJudged, "step"))
        : name + " is late";
    // A rank by itself may call a step steady that is warm-up on another one.
    const std::vector<std::uint32_t> judged = judgedSteps(out);
    if (!judged.empty() && !out.steps[judged.front()].warmUp
        && std::ranges::any_of(out.steps, &AcrossStep::warmUp))
        verdict.headline += " after warm-up";
    verdict.headline.front() = 'R';
    const bool plural = verdict.cause.kind == PartKind::Kernels || verdict.cause.kind == PartKind::Copies;
    std::string text;
    if (verdict.cause.found() && verdict.cause.kind == PartKind::Idle)
        text = fmt::format("its GPU is idle {} longer than on {} in the median step (largest part: {})",
            roundedDuration(verdict.cause.perStep), others, verdict.cause.part);
    else if (verdict.cause.found())
        text = fmt::format("{} {} {} longer than on {} in the median step", causeText(verdict.cause),
            plural ? "take" : "takes", roundedDuration(verdict.cause.perStep), others);
    if (verdict.cause.found() && verdict.cause.inAll > 0)
        text += ", " + inAllText(verdict);
    if (verdict.perStep > 0)
        text += (text.empty() ? "" : "; ") + costOf(out, verdict);
    else if (!text.empty())
        text += ".";
    const IdleReason idle = usualIdle(judging.ranks[verdict.rank]);
    const bool unexplained = !verdict.cause.found() || leavesOthers(verdict);
    std::string more;
    if (verdict.cause.kind == PartKind::Idle || !verdict.cause.found())
        more += launchesSentence(judging, verdict.rank);
    if (!verdict.cause.found() && verdict.stepsJudged > 0)
        more += fmt::format(
            " No range, kernel, copy or idle time explains the delay compared with {}.", others);
    // "data loading in data_load" is no other cause than data_load.
    const bool isCause = verdict.cause.found() && idle.name.ends_with(verdict.cause.part);
    if (unexplained && !isCause && verdict.cause.kind != PartKind::Idle && idle.share >= minNamedShare)
        more += fmt::format(" {}{}", idleSentence("The GPU of " + name, idle),
            verdict.cause.found() ? " Look for the other causes there." : "");
    const std::string_view joint = text.empty() ? "." : verdict.cause.found() ? ": " : "; ";
    verdict.sentence = fmt::format("{}{}{}{}", verdict.headline, joint, text, more);
    // A sentence of its own begins with a capital; the name of a range stays what it is.
    if (!text.empty() && !(verdict.cause.found() && verdict.cause.kind == PartKind::Range)
        && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    verdict.details = text.empty() && !more.empty() ? more.substr(1) : text + more;
}

void sayPattern(const Judging& judging, LateVerdict& verdict)
{
    switch (verdict.pattern) {
    case LatePattern::None:
        verdict.headline = "No rank is late";
        verdict.details = "The ranks do not wait long for each other.";
        break;
    case LatePattern::Rotating:
        verdict.headline = "No single rank is late";
        verdict.details
            = "The ranks wait for each other in turn, so no single rank is the cause. Likely causes: uneven work, or jitter.";
        break;
    case LatePattern::Unknown:
        verdict.headline = "No verdict";
        verdict.details
            = "Ranks wait, but reports of other ranks are missing. One of these may be late, because nothing on the present ranks explains the waits.";
        verdict.sentence = "No verdict: ranks wait" + verdict.details.substr(sizeof("Ranks wait") - 1);
        return;
    case LatePattern::Persistent:
        sayPersistent(judging, verdict);
        return;
    }
    verdict.sentence = verdict.details;
}

void sayVerdict(const Judging& judging, LateVerdict& verdict)
{
    sayPattern(judging, verdict);
    if (!judging.out.lacksRanks || verdict.pattern == LatePattern::Unknown)
        return;
    verdict.sentence = "Of the present ranks: " + verdict.sentence;
    verdict.details += " Reports of other ranks are missing.";
}

/// Steps that another rank held up, by far enough to speak of it.
void findExceptions(Judging& judging, const std::vector<std::uint32_t>& steps, LateVerdict& verdict)
{
    for (const std::uint32_t step : steps) {
        const StepBlame blame = blameOf(judging.out, step);
        if (blame.rank == noIndex || blame.rank == verdict.rank || blame.most * 2 < blame.total
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
    std::map<std::uint32_t, Ns> held;
    Ns waited = 0;
    Ns length = 0;
    for (const std::uint32_t step : steps) {
        const StepBlame blame = blameOf(out, step);
        waited += blame.total / others;
        length += stepLength(out, step);
        if (blame.rank == noIndex)
            continue;
        out.steps[step].late = blame.rank;
        if (blame.most * 2 > blame.total) {
            lateSteps[blame.rank].push_back(step);
            held[blame.rank] += blame.most;
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
        && static_cast<double>(held[most->first]) >= dominantBlameShare * typicalBlame(out, steps)) {
        verdict.pattern = LatePattern::Persistent;
        verdict.rank = most->first;
        verdict.stepsLate = most->second.size();
        Ns blame = 0;
        for (const std::uint32_t step : steps)
            blame += out.cell(verdict.rank, step).blame;
        verdict.perStep = blame / others / static_cast<Ns>(steps.size());
        verdict.exposedPerStep = std::min(
            verdict.perStep, exposedFor(out, verdict.rank, steps) / others / static_cast<Ns>(steps.size()));
        verdict.cause = causeOf(judging, verdict.rank, most->second);
        addUp(judging, verdict.rank, steps, verdict.cause.part, verdict.cause);
        if (static_cast<double>(verdict.cause.perStep) < explains * static_cast<double>(verdict.perStep)) {
            // Something else makes it late: many small things that its GPU lacks, or what nothing tells.
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
    const StepBlame blame = blameOfRun(judging.out);
    Ns length = 0;
    for (const JudgedRank& rank : judging.ranks)
        length = std::max(length, judging.reports[rank.report].session.duration());
    if (blame.rank == noIndex
        || static_cast<double>(blame.total)
            < minReportedShare * static_cast<double>(length) * static_cast<double>(judging.ranks.size() - 1))
        return;
    const bool one = static_cast<double>(blame.most) >= dominantBlameShare * static_cast<double>(blame.total);
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

std::optional<std::string> onlyOther(const AcrossReport& out, std::uint32_t rank)
{
    if (out.ranks.size() != 2)
        return std::nullopt;
    return out.ranks[1 - rank].label;
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

std::string inAllText(const LateVerdict& verdict)
{
    const LateCause& cause = verdict.cause;
    const std::string sum = roundedDuration(cause.inAll);
    if (cause.stepsLonger >= verdict.stepsJudged)
        return fmt::format("{} over the {}", sum, counted(verdict.stepsJudged, "step"));
    return fmt::format(
        "{} over {} of {}", sum, formatCount(cause.stepsLonger), counted(verdict.stepsJudged, "step"));
}

std::string_view keyOf(LatePattern pattern)
{
    switch (pattern) {
    case LatePattern::None:
        return "none";
    case LatePattern::Persistent:
        return "persistent";
    case LatePattern::Unknown:
        return "unknown";
    case LatePattern::Rotating:
        break;
    }
    return "rotating";
}

} // namespace warpline
