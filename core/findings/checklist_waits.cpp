// Is the host free of needless waits for the GPU? Uses the findings of the rules about waits, so that the
// answer and the findings agree.

#include "core/base/message_names.h"
#include "core/findings/checklist_questions.h"

#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/expected_savings.h"
#include "core/findings/host_calls.h"
#include "core/findings/lost_work.h"
#include "core/findings/recording_advice.h"
#include "core/findings/savings.h"
#include "core/findings/waits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr double waitsCost = 0.01; ///< of the measured time

struct Waits {
    std::size_t calls = 0; ///< without the necessary ones
    std::size_t needed = 0; ///< for the results: see isLastWait()
    Ns lost = 0; ///< idle time of the GPUs that launching ahead could fill: see costOf()
    Ns elsewhere = 0; ///< the part of it that no loop claims
};

/// All calls that wait in the range, of runtime and driver. A gap around several of them counts once.
Waits waitsOf(const ChecklistSubject& subject, const std::vector<Finding>& loops)
{
    TraceAnalysis& facts = subject.context.facts;
    const CallKinds& kinds = facts.callKinds();
    Waits waiting;
    std::vector<TimeRange> lost; // copies that read a value wait, too
    for (const Finding& finding : loops)
        lost.insert(lost.end(), finding.claims.begin(), finding.claims.end());
    const Ns inLoops = totalTime(unionOf(lost, subject.range, subject.context.stop));
    for (const GlobalId thread : callingThreads(subject.context.trace)) {
        if (!passes(subject.covers, {.owner = thread}))
            continue;
        const std::vector<const GpuFacts*> gpus = facts.gpusOf(thread);
        const TimeRange measured = subject.range.clippedTo(measuredRangeOf(facts, thread));
        std::vector<TimeRange> ofThread;
        forEachOuterCall(subject.context, thread, subject.context.window, [&](EventIndex call) {
            if (!waits(kinds[call]))
                return;
            const EventRef event{EventKind::ApiCall, call};
            const TimeRange range = subject.context.trace.range(event);
            const TimeRange idle = costOf(gpus, range).lost.clippedTo(measured);
            // A wait right before the range may leave the GPU idle in it.
            if (!measured.touches(range.start, range.end) && idle.empty())
                return;
            ++(isLastWait(subject.context.trace, facts, event) ? waiting.needed : waiting.calls);
            ofThread.push_back(idle);
        });
        const Intervals idle = lostIdleOf(subject.context.trace, facts, thread,
            unionOf(std::move(ofThread), subject.range, subject.context.stop));
        lost.insert(lost.end(), idle.begin(), idle.end());
    }
    waiting.lost = totalTime(unionOf(std::move(lost), subject.range, subject.context.stop));
    waiting.elsewhere = waiting.lost - inLoops;
    return waiting;
}

/// "The host waits for an event 8.0 times a step, in [1888] python3 (81.22 us). The host ... (75.67 us)": the
/// most expensive of `loops`, each with its cost, as in their findings.
Message loopsText(std::vector<Finding> loops)
{
    constexpr std::size_t shown = 2;
    const auto isSame = [&](const Finding& loop) { return loop.subject == loops.front().subject; };
    if (loops.size() > 1 && std::ranges::all_of(loops, isSame))
        return {"checklist.same_wait", "{title}, in {processes, plural, one {# process} other {# processes}}",
            {{"title", loops.front().title}, {"processes", Count{loops.size()}}}};
    std::ranges::stable_sort(loops, std::greater{}, &Finding::saving);
    const auto textOf = [&](const Finding& loop) {
        return Message("checklist.wait", "{title}{costs, select, yes { ({saving})} other {}}",
            {{"title", loop.title}, {"costs", yesOrNo(loops.size() > 1 && loop.saving > 0)},
                {"saving", Duration{loop.saving}}});
    };
    return {"checklist.waits_of_loops",
        "{first}{two, select, yes {. {second}} other {}}{left, plural, =0 {} other {; so do {left} more}}",
        {{"first", textOf(loops.front())}, {"two", yesOrNo(loops.size() > 1)},
            {"second", textOf(loops[std::min<std::size_t>(1, loops.size() - 1)])},
            {"left", Count{loops.size() - std::min(shown, loops.size())}}}};
}

/// All waits of a process as one finding: of two that wait for the same work, one alone costs nothing.
std::vector<Finding> joinedByProcess(const RuleContext& context, const std::vector<Finding>& loops)
{
    std::map<GlobalId, Finding> joined;
    for (const Finding& loop : loops) {
        Finding& all = joined[loop.process];
        all.process = loop.process;
        all.claims = united(all.claims, loop.claims);
        all.cure.edits.insert(all.cure.edits.end(), loop.cure.edits.begin(), loop.cure.edits.end());
    }
    std::vector<Finding> findings;
    for (auto& [process, all] : joined) {
        all.saving = totalTime(all.claims, context.facts.measuredRange());
        all.severity = severityOf(context, all.saving);
        if (all.saving > 0)
            findings.push_back(std::move(all));
    }
    return findings;
}

bool matters(const ChecklistSubject& subject, Ns cost)
{
    return shareOf(cost, subject.range.duration()) >= waitsCost;
}

/// Whether a replay leaves out waits of `loop`.
bool isReplayed(const RuleContext& context, const Finding& loop)
{
    return std::ranges::any_of(context.facts.replays(), [&](const WhatIfTarget& target) {
        return target.replay.process() == loop.process
            && std::ranges::any_of(
                loop.cure.edits, [&](const CureEdit& edit) { return target.replay.matches(edit) > 0; });
    });
}

/// What a replay without the waits of `loops` saves; nothing: with what all others cost, `elsewhere`, it
/// matters, or only the bound of a loop is known.
std::optional<ExpectedTime> replayedCost(
    const ChecklistSubject& subject, const std::vector<Finding>& loops, Ns elsewhere)
{
    std::vector<Finding> joined = joinedByProcess(subject.context, loops);
    tellLoneRank(subject.context, joined);
    if (matters(subject, elsewhere) || std::ranges::any_of(joined, &Finding::ofLoneRank))
        return {};
    const auto isBound
        = [&](const Finding& loop) { return loop.saving > 0 && !isReplayed(subject.context, loop); };
    if (std::ranges::any_of(loops, isBound)) // joined, the other loops would vouch for it
        return {};
    ExpectedTime cost;
    for (Finding& each : joined) { // one by one: often the first decides
        std::vector<Finding> one{std::move(each)};
        expectSavings(subject.context, one);
        if (!one.front().expected)
            return {};
        cost.expected += one.front().expected->expected;
        cost.high += one.front().expected->high;
        if (matters(subject, cost.high + elsewhere))
            return {};
    }
    return cost;
}

} // namespace

ChecklistAnswer isFreeOfWaits(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "no_needless_sync";
    answer.question = Message("checklist.waits", "Is unnecessary synchronization avoided?");
    // Waits after each copy of data that is mapped again belong to the copies' findings.
    answer.rules = {"sync_per_iteration", "cuda_api_sync", "phase_holds_sync", "data_region_in_loop"};
    if (subject.context.trace.apiCalls().empty()) {
        if (wasCudaTraced(subject.context.trace.info).value_or(false)
            && !isCudaRecorded(subject.context.trace))
            return nothingToJudge(subject.context.trace, std::move(answer), {});
        answer.explanation = isLeftOut(subject.context.trace.info, "CUPTI_ACTIVITY_KIND_RUNTIME")
            ? selectedTables(subject.context.trace) + exportAgain()
            : Message("checklist.calls_not_recorded",
                "CUDA API calls were not recorded: {option} records them.",
                {{"option", Message(recordingAdvice(subject.context.trace).cudaCalls)}});
        return answer;
    }
    if (subject.range.empty())
        return nothingToJudge(subject.context.trace, std::move(answer), {});
    const std::vector<Finding> loops = findingsOf(subject, "sync_per_iteration");
    const Waits waiting = waitsOf(subject, loops);
    const Ns cost = waiting.lost;
    const double share = shareOf(cost, subject.range.duration());
    answer.answer = share >= waitsCost ? Answer::No : loops.empty() ? Answer::Yes : Answer::Negligible;
    setFigure(answer, share, cost > 0 ? "bound" : "lost");
    if (!loops.empty())
        answer.explanation = Message("checklist.loops_wait",
            "{waits}{costs, select, yes {. The GPU is idle for up to {cost} around all waits{small, select, yes {, too little to matter} other {}}} other {, at no cost to the GPU}}.",
            {{"waits", loopsText(loops)}, {"costs", Name{cost == 0 ? "no" : "yes"}}, {"cost", Duration{cost}},
                {"small", yesOrNo(answer.answer == Answer::Negligible)}});
    else if (waiting.calls == 0)
        answer.explanation = Message("checklist.needed_waits",
            "{needed, plural, =0 {No synchronizing call blocks the host in that time} one {The host only waits in # call, after which no kernel starts} "
            "other {The host only waits in # calls, after which no kernel starts}}.",
            {{"needed", Count{waiting.needed}}});
    else
        answer.explanation = Message("checklist.host_waits",
            "The host waits in {calls, plural, one {# call} other {# calls}}, "
            "{costs, select, yes {and the GPU is idle for up to {cost} around {calls, plural, =1 {it} other {them}}{small, select, yes {, too little to matter} other {}}} other {at no cost to the GPU}}.",
            {{"calls", Count{waiting.calls}}, {"costs", Name{cost == 0 ? "no" : "yes"}},
                {"cost", Duration{cost}}, {"small", yesOrNo(answer.answer == Answer::Yes)}});
    if (loops.empty() || answer.answer != Answer::No)
        return answer;
    const std::optional<ExpectedTime> replayed = replayedCost(subject, loops, waiting.elsewhere);
    if (!replayed)
        return answer;
    answer.answer = Answer::Negligible;
    const bool costsMore = waiting.elsewhere > 0; // of which only the bound is known
    const Ns most = replayed->high + waiting.elsewhere;
    setFigure(answer, shareOf(costsMore ? most : replayed->expected, subject.range.duration()),
        costsMore ? "bound" : "expected");
    answer.explanation += Message("checklist.replayed_waits",
        "A replay of the steps without the repeated waits saves {saves, select, yes {at most {time}} other {nothing}}{more, select, yes {, and the other waits cost up to {elsewhere}} other {}}{small, select, yes {: too little to matter} other {}}.",
        {{"saves", yesOrNo(replayed->high > 0)}, {"time", Duration{replayed->high}},
            {"more", yesOrNo(costsMore)}, {"elsewhere", Duration{waiting.elsewhere}},
            {"small", yesOrNo(most > 0)}});
    return answer;
}

} // namespace warpline
