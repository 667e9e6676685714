#include "core/findings/expected_savings.h"

#include "core/base/format.h"
#include "core/findings/run_facts.h"
#include "core/replay/what_if.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// The target that `finding` is about; nullptr: none was replayed.
const WhatIfTarget* targetOf(
    const Trace& trace, const std::vector<WhatIfTarget>& targets, const Finding& finding)
{
    const WhatIfTarget* best = nullptr;
    for (const WhatIfTarget& target : targets) {
        const Replay& replay = target.replay;
        if (finding.process != 0 && replay.process() != finding.process)
            continue;
        const bool isItsGpu = finding.device < 0 || replay.device() < 0
            || gpuNumber(trace, replay.process(), replay.device()) == finding.device;
        if (isItsGpu)
            return &target;
        if (!best)
            best = &target;
    }
    return best;
}

} // namespace

void expectSavings(const RuleContext& context, const std::string& stepGlob, std::vector<Finding>& findings)
{
    const auto hasCure = [](const Finding& finding) { return !finding.cure.empty() && finding.saving > 0; };
    if (std::ranges::none_of(findings, hasCure))
        return;
    const std::vector<WhatIfTarget> targets
        = whatIfTargets(context.trace, context.window, stepGlob, limitsOfMany, context.stop);
    for (Finding& finding : findings) {
        if (!hasCure(finding))
            continue;
        const WhatIfTarget* const target = targetOf(context.trace, targets, finding);
        if (!target)
            continue;
        const Expectation expected = target->replay.expect(finding.cure, context.stop);
        if (expected.changed == 0)
            continue;
        const auto timeOf = [&](double share) {
            const auto time = static_cast<Ns>(share * static_cast<double>(context.facts.measured()));
            return std::clamp<Ns>(time, 0, std::max<Ns>(0, finding.saving));
        };
        finding.expected = ExpectedTime{
            timeOf(expected.leastShare()), timeOf(expected.share()), timeOf(expected.mostShare())};
    }
}

std::string expectedText(const Finding& finding)
{
    if (!finding.expected)
        return {};
    return fmt::format("about {} ({} to {})", formatDuration(finding.expected->expected),
        formatDuration(finding.expected->low), formatDuration(finding.expected->high));
}

} // namespace warpline
