// Does the host wait for the GPU without need? What its calls cost is what the rules about them say, so that
// the answer and the findings below it tell the same.

#include "core/findings/checklist_questions.h"

#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/recording_advice.h"
#include "core/findings/waits.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

constexpr double waitsCost = 0.01; ///< of the judged time

struct Waits {
    std::size_t calls = 0; ///< but for those needed
    std::size_t needed = 0; ///< for the results: see isLastWait()
    Ns lost = 0; ///< idle time of the GPUs that launching ahead could fill: see costOf()
};

/// All calls that wait in the range, of runtime and driver. A gap around several of them counts once.
Waits waitsOf(const ChecklistSubject& subject, const std::vector<Finding>& loops)
{
    RunFacts& facts = subject.context.facts;
    const CallKinds& kinds = facts.callKinds();
    Waits waiting;
    std::vector<TimeRange> lost; // copies that read a value wait, too
    for (const Finding& finding : loops)
        lost.insert(lost.end(), finding.claims.begin(), finding.claims.end());
    for (const GlobalId thread : callingThreads(subject.context.trace)) {
        if (!passes(subject.covers, {.owner = thread}))
            continue;
        const std::vector<const GpuFacts*> gpus = gpusOf(facts, thread);
        forEachOuterCall(subject.context, thread, subject.context.window, [&](EventIndex call) {
            if (!waits(kinds[call]))
                return;
            const EventRef event{EventKind::ApiCall, call};
            const TimeRange range = subject.context.trace.range(event);
            const TimeRange idle = costOf(gpus, range).lost.clippedTo(subject.range);
            // A wait right before the range may leave the GPU idle in it.
            if (!subject.range.touches(range.start, range.end) && idle.empty())
                return;
            ++(isLastWait(subject.context.trace, facts, event) ? waiting.needed : waiting.calls);
            lost.push_back(idle);
        });
    }
    waiting.lost = totalTime(unionOf(std::move(lost), subject.range, subject.context.stop));
    return waiting;
}

/// "The host waits for an event 8.0 times a step, in [1888] python3 (81.22 us). The host ... (75.67 us)": the
/// worst of `loops` with what each costs, as their findings say it.
std::string loopsText(std::vector<Finding> loops)
{
    constexpr std::size_t shown = 2;
    const auto isSame = [&](const Finding& loop) { return loop.subject == loops.front().subject; };
    if (loops.size() > 1 && std::ranges::all_of(loops, isSame))
        return fmt::format(
            "{}, in {}", plain(loops.front().title), counted(loops.size(), "process", "processes"));
    std::ranges::stable_sort(loops, std::greater{}, &Finding::saving);
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, loops.size()); ++i)
        text += fmt::format("{}{}{}", i > 0 ? ". " : "", plain(loops[i].title),
            loops.size() > 1 && loops[i].saving > 0 ? fmt::format(" ({})", roundedDuration(loops[i].saving))
                                                    : std::string());
    if (loops.size() > shown)
        text += fmt::format("; so do {} more", loops.size() - shown);
    return text;
}

} // namespace

ChecklistAnswer isFreeOfWaits(const ChecklistSubject& subject)
{
    ChecklistAnswer answer;
    answer.id = "no_needless_sync";
    answer.question = "Is unnecessary synchronization avoided?";
    // Waits after each copy of data that is mapped again are told with the copies.
    answer.rules = {"sync_per_iteration", "cuda_api_sync", "phase_holds_sync", "data_region_in_loop"};
    if (subject.context.trace.apiCalls().empty()) {
        if (wasCudaTraced(subject.context.trace.info).value_or(false)
            && !isCudaRecorded(subject.context.trace))
            return nothingToJudge(subject.context.trace, std::move(answer), {});
        answer.explanation = fmt::format("CUDA API calls were not recorded: {} records them.",
            recordingAdvice(subject.context.trace).cudaCalls);
        return answer;
    }
    if (subject.range.empty())
        return nothingToJudge(subject.context.trace, std::move(answer), "the program launches no GPU work");
    const std::vector<Finding> loops = findingsOf(subject, "sync_per_iteration");
    const Waits waiting = waitsOf(subject, loops);
    const Ns cost = waiting.lost;
    const double share = shareOf(cost, subject.range.duration());
    answer.answer = share >= waitsCost ? Answer::No : loops.empty() ? Answer::Yes : Answer::Negligible;
    setFigure(answer, share, "lost");
    if (!loops.empty())
        answer.explanation = cost == 0
            ? loopsText(loops) + ", at no cost to the GPU."
            : fmt::format("{}. The GPU is idle for up to {} around all waits{}.", loopsText(loops),
                roundedDuration(cost), answer.answer == Answer::Negligible ? ", too little to matter" : "");
    else if (waiting.calls == 0 && waiting.needed > 0)
        answer.explanation = fmt::format(
            "The host only waits in {}, after which no kernel starts.", counted(waiting.needed, "call"));
    else if (waiting.calls == 0)
        answer.explanation = "No synchronizing call blocks the host in that time.";
    else if (cost == 0)
        answer.explanation
            = fmt::format("The host waits in {}, at no cost to the GPU.", counted(waiting.calls, "call"));
    else
        answer.explanation
            = fmt::format("The host waits in {0}, and the GPU is idle for up to {2} around {1}{3}.",
                counted(waiting.calls, "call"), waiting.calls == 1 ? "it" : "them", roundedDuration(cost),
                answer.answer == Answer::Yes ? "; none of them repeats in every iteration" : "");
    return answer;
}

} // namespace warpline
