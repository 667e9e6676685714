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
    const std::string& stepGlob, const WaitsByGpu& knownWaits, const TrackFilter& covers)
{
    std::vector<ChecklistAnswer> answers;
    try {
        // The facts of the whole window take as much memory as those of the questions: not both at once. What
        // waits cost is asked of them, as the rules do: what follows the last wait lies beyond the range.
        ChecklistAnswer ofWaits;
        const Scope scope = [&] {
            RunFacts whole(trace, window, stop, stepGlob);
            const RuleContext context{trace, window, {}, stop, whole};
            Scope found = scopeOf(trace, window, whole);
            ofWaits = isFreeOfWaits({context, found.range, found.basis, knownWaits, covers});
            return found;
        }();
        RunFacts facts(trace, scope.range, stop, stepGlob);
        const RuleContext context{trace, scope.range, {}, stop, facts};
        const ChecklistSubject subject{context, scope.range, scope.basis, knownWaits, covers};
        for (const auto ask : {isBusy, areTransfersHidden, areCollectivesHidden, areKernelsWhole}) {
            throwIfStopped(stop);
            answers.push_back(ask(subject));
        }
        answers.insert(answers.end() - 1, std::move(ofWaits));
        for (ChecklistAnswer& answer : answers)
            answer.over = scope.range;
    } catch (const Stopped&) {
        return {};
    }
    return stop.stop_requested() ? std::vector<ChecklistAnswer>() : answers;
}

} // namespace warpline
