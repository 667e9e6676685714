#include "core/findings/checklist.h"

#include "core/base/stop.h"
#include "core/findings/checklist_questions.h"
#include "core/findings/run_facts.h"
#include "core/findings/scope.h"

#include <array>

namespace warpline {

std::string_view keyOf(Answer answer)
{
    constexpr std::array<std::string_view, 5> keys{
        "yes", "no", "negligible", "not_applicable", "not_recorded"};
    return keys[static_cast<std::size_t>(answer)];
}

std::string_view wordOf(Answer answer)
{
    constexpr std::array<std::string_view, 5> words{
        "yes", "no", "no, negligible", "does not apply", "not recorded"};
    return words[static_cast<std::size_t>(answer)];
}

std::string_view nothingToJudge(std::span<const ChecklistAnswer> answers)
{
    const bool isNothing = std::ranges::all_of(answers, [&](const ChecklistAnswer& each) {
        return each.answer == Answer::NotRecorded
            || (!isJudged(each.answer) && each.explanation == answers.front().explanation);
    });
    return answers.empty() || !isNothing ? std::string_view() : answers.front().explanation;
}

TimeRange judgedRange(const Trace& trace, TimeRange window, std::stop_token stop)
{
    try {
        RunFacts facts(trace, window, std::move(stop));
        return scopeOf(trace, window, facts).range;
    } catch (const Stopped&) {
        return {};
    }
}

std::vector<ChecklistAnswer> answerChecklist(const Trace& trace, TimeRange window, std::stop_token stop,
    const std::string& stepGlob, const WaitsByGpu& knownWaits)
{
    std::vector<ChecklistAnswer> answers;
    try {
        // The facts of the whole window take as much memory as those of the questions: not both at once.
        const Scope scope = [&] {
            RunFacts whole(trace, window, stop, stepGlob);
            return scopeOf(trace, window, whole);
        }();
        RunFacts facts(trace, scope.range, stop, stepGlob);
        const RuleContext context{trace, scope.range, {}, stop, facts};
        const ChecklistSubject subject{context, scope.range, scope.basis, knownWaits};
        for (const auto ask :
            {isBusy, areTransfersHidden, areCollectivesHidden, isFreeOfWaits, areKernelsWhole}) {
            throwIfStopped(stop);
            answers.push_back(ask(subject));
            answers.back().over = scope.range;
        }
    } catch (const Stopped&) {
        return {};
    }
    return stop.stop_requested() ? std::vector<ChecklistAnswer>() : answers;
}

} // namespace warpline
