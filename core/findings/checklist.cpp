#include "core/findings/checklist.h"

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/enum_key.h"
#include "core/base/stop.h"
#include "core/findings/checklist_questions.h"
#include "core/findings/lost_work.h"

#include <optional>

namespace warpline {

/// `answer` as one that was not recorded, because of `why`.
static ChecklistAnswer withoutAnswer(ChecklistAnswer answer, Message why)
{
    ChecklistAnswer without;
    without.id = answer.id;
    without.question = std::move(answer.question);
    without.rules = std::move(answer.rules);
    without.explanation = std::move(why);
    return without;
}

std::string_view keyOf(Answer answer)
{
    return keyIn<Answer::NotRecorded>({"yes", "no", "negligible", "not_applicable", "not_recorded"}, answer);
}

Message wordOf(Answer answer)
{
    return {"checklist.answer",
        "{answer, select, yes {yes} no {no} negligible {no, negligible} not_applicable {does not apply} other {not recorded}}",
        {{"answer", Name{std::string(keyOf(answer))}}}};
}

Message nothingToJudge(std::span<const ChecklistAnswer> answers)
{
    const bool isNothing = std::ranges::all_of(answers, [&](const ChecklistAnswer& each) {
        return each.answer == Answer::NotRecorded
            || (!isJudged(each.answer) && each.explanation == answers.front().explanation);
    });
    return answers.empty() || !isNothing ? Message() : answers.front().explanation;
}

std::vector<ChecklistAnswer> answerChecklist(
    TraceAnalysis& whole, const WaitsByGpu& knownWaits, const TrackFilter& covers)
{
    const Trace& trace = whole.trace();
    const std::stop_token& stop = whole.stop();
    std::vector<ChecklistAnswer> answers;
    try {
        const RuleContext all{trace, whole.window(), {}, stop, whole};
        const Scope scope = scopeOf(trace, whole.window(), whole);
        // The cost of waits covers the whole window, as in the rules: idle time after the last wait lies
        // beyond the range.
        ChecklistAnswer ofWaits = isFreeOfWaits({all, scope.range, scope.basis, knownWaits, covers, all});
        std::optional<TraceAnalysis> ofRange;
        if (scope.range != whole.window())
            ofRange.emplace(whole, scope.range);
        TraceAnalysis& facts = ofRange ? *ofRange : whole;
        const RuleContext context{trace, scope.range, {}, stop, facts};
        const ChecklistSubject subject{context, scope.range, scope.basis, knownWaits, covers, all};
        for (const auto ask : {isBusy, areTransfersHidden, areCollectivesHidden, areKernelsWhole}) {
            throwIfStopped(stop);
            answers.push_back(ask(subject));
        }
        answers.insert(answers.end() - 1, std::move(ofWaits));
        // How a GPU computes, and what its idle time costs, is unknown where kernels are lost.
        if (const LostWork lost = lostGpuWork(whole); !lost.what.empty()) {
            for (ChecklistAnswer& answer : answers)
                answer = withoutAnswer(std::move(answer), lost.text());
        }
        for (ChecklistAnswer& answer : answers)
            answer.over = scope.range;
    } catch (const Stopped&) {
        return {};
    }
    return stop.stop_requested() ? std::vector<ChecklistAnswer>() : answers;
}

} // namespace warpline
