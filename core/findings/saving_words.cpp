#include "core/findings/saving_words.h"

#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/coverage/interval_times.h"

namespace warpline {

namespace {

/// The steps of `finding`; nullptr: none, or steps of several processes.
const StepSeries* stepsOf(const RuleContext& context, const Finding& finding)
{
    const auto& all = context.facts.allSteps();
    if (finding.process == 0 && all.size() != 1)
        return nullptr;
    const StepSeries& steps
        = finding.process == 0 ? all.begin()->second : context.facts.steps(finding.process);
    return steps.steady() > 1 ? &steps : nullptr;
}

} // namespace

void sharePerStep(const RuleContext& context, std::vector<Finding>& findings)
{
    for (Finding& finding : findings) {
        // Waiting for other ranks is a lower bound.
        if (finding.saving <= 0 || finding.severity == Severity::Info || finding.rule == "collective_wait")
            continue;
        if (const StepSeries* const steps = stepsOf(context, finding))
            finding.perStep = finding.saving / static_cast<Ns>(steps->steady());
    }
}

void tellLoneRank(const RuleContext& context, std::vector<Finding>& findings)
{
    constexpr Ns minReportedDivisor = 20; // one part of so many of the measured time
    if (!hasCommunication(context.trace, context.stop) || context.facts.gpus().size() != 1)
        return;
    Ns alone = 0; // exposed communication: some of it may be waiting
    const CommunicationWork& work = context.facts.communication(context.window);
    for (const CollectiveWork& gpu : work.collectives)
        alone += totalTime(gpu.exposed, context.facts.measuredRange());
    for (const CollectiveWork& gpu : work.pointToPoint)
        alone += totalTime(gpu.exposedWaiting, context.facts.measuredRange());
    if (alone * minReportedDivisor < context.facts.measured())
        return;
    for (Finding& finding : findings) {
        if (finding.saving <= 0 || finding.severity < Severity::Medium || finding.rule == "collective_wait")
            continue;
        finding.ofLoneRank = true;
    }
}

} // namespace warpline
