#include "core/findings/checklist.h"

#include "core/base/stop.h"
#include "core/findings/checklist_questions.h"
#include "core/findings/evidence.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// First to last work of all GPUs in the report. O(lanes).
TimeRange lifeOfGpus(const Trace& trace)
{
    TimeRange life;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            if (lane.count == 0)
                continue;
            const TimeRange span{table.start[lane.first], table.end(lane.first + lane.count - 1)};
            life = life.empty() ? span : life.unitedWith(span);
        }
    }
    return life;
}

/// The end of the last work that was launched before `time`: the GPU may be far behind the host.
Ns doneWith(const Trace& trace, const RunFacts& facts, const GpuFacts& gpu, Ns time)
{
    for (auto work = gpu.work.rbegin(); work != gpu.work.rend(); ++work) {
        const EventIndex call = facts.callOf(*work);
        if (call != noIndex && trace.apiCalls().start[call] < time)
            return std::max(time, trace.range(Links::unpack(*work)).end);
    }
    return time;
}

/// The steady steps of all processes that use a GPU; empty: there are none.
TimeRange steadySteps(const Trace& trace, RunFacts& facts)
{
    TimeRange steady;
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (steps.empty())
            continue;
        const TimeRange range{
            steps.ranges[steps.firstSteady].start, doneWith(trace, facts, gpu, steps.span().end)};
        steady = steady.empty() ? range : steady.unitedWith(range);
    }
    return steady;
}

/// What judgedRange() is, in words: "over 28 steady steps (step_#)".
std::string basisOf(RunFacts& facts)
{
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (!steps.empty())
            return fmt::format("over {} ({})", counted(steps.steady(), "steady step"), steps.pattern);
    }
    return "from the first to the last GPU work of the range";
}

TimeRange judgedRange(const Trace& trace, TimeRange window, RunFacts& facts)
{
    const TimeRange steady = steadySteps(trace, facts).clippedTo(window);
    if (!steady.empty())
        return steady;
    const TimeRange life = window.clippedTo(lifeOfGpus(trace));
    return life.empty() ? TimeRange{} : life;
}

} // namespace

std::string_view keyOf(Answer answer)
{
    return answer == Answer::NotRecorded ? "not_recorded" : wordOf(answer);
}

std::string_view wordOf(Answer answer)
{
    switch (answer) {
    case Answer::Yes:
        return "yes";
    case Answer::No:
        return "no";
    case Answer::NotRecorded:
        break;
    }
    return "not recorded";
}

TimeRange judgedRange(const Trace& trace, TimeRange window, std::stop_token stop)
{
    try {
        RunFacts facts(trace, window, std::move(stop));
        return judgedRange(trace, window, facts);
    } catch (const Stopped&) {
        return {};
    }
}

std::vector<ChecklistAnswer> answerChecklist(const Trace& trace, TimeRange window, std::stop_token stop)
{
    std::vector<ChecklistAnswer> answers;
    try {
        TimeRange range;
        std::string basis;
        {
            // Their facts take as much memory as those of the questions: not both at once.
            RunFacts whole(trace, window, stop);
            range = judgedRange(trace, window, whole);
            basis = basisOf(whole);
        }
        const RuleContext context{trace, range, {}, stop, std::make_shared<RunFacts>(trace, range, stop)};
        const ChecklistSubject subject{context, range, basis};
        for (const auto ask :
            {isBusy, areTransfersHidden, areCollectivesHidden, isFreeOfWaits, areKernelsWhole}) {
            throwIfStopped(stop);
            answers.push_back(ask(subject));
            answers.back().over = range;
        }
    } catch (const Stopped&) {
        return {};
    }
    return answers;
}

} // namespace warpline
