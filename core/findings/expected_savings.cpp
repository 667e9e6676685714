#include "core/findings/expected_savings.h"

#include "core/base/format.h"
#include "core/coverage/interval_times.h"
#include "core/findings/run_facts.h"
#include "core/findings/savings.h"
#include "core/replay/what_if.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

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

/// Whether all edits of `cure` are of one of `kinds`.
bool isOnly(const Cure& cure, std::span<const CureKind> kinds)
{
    return std::ranges::all_of(
        cure.edits, [&](const CureEdit& edit) { return std::ranges::find(kinds, edit.kind) != kinds.end(); });
}

/// The most that the cure of `finding` can save: of the host's calls and waits what a GPU of the process
/// idles, of work what it works. The steps that are replayed may be otherwise than the rest.
Ns mostSaved(const RuleContext& context, const Finding& finding)
{
    constexpr std::array ofHost{CureKind::RemoveSync, CureKind::PoolAllocations, CureKind::LaunchGraph,
        CureKind::ReadyInput, CureKind::EvenSteps};
    constexpr std::array ofWork{CureKind::ScaleWork, CureKind::FuseKernels, CureKind::RemoveWork};
    const bool isHost = isOnly(finding.cure, ofHost);
    const TimeRange measured = context.facts.measuredRange();
    if (!isHost && !isOnly(finding.cure, ofWork))
        return measured.duration();
    Ns most = 0;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        if (finding.process != 0 && gpu.process != finding.process)
            continue;
        const Ns busy = totalTime(gpu.busy, measured);
        most = std::max(most, isHost ? measured.duration() - busy : busy);
    }
    return std::max(most, finding.saving);
}

/// Whether the replay leaves no doubt that the cure saves more than the bound. Of scaled work the rule knows
/// more: what part of it waits for pages, or for other ranks. Without steps what is paid once is replayed
/// too.
bool isRefuted(const Finding& finding, const Expectation& expected, const ExpectedTime& saved)
{
    constexpr std::array known{CureKind::ScaleWork, CureKind::RemoveSync};
    // The measured time may end in the middle of what the first and the last step lose.
    const double inner = 1 - 2 / static_cast<double>(std::max<std::size_t>(expected.steps, 2));
    return inner * static_cast<double>(saved.low) > static_cast<double>(finding.saving) && !expected.isWhole
        && !isOnly(finding.cure, known);
}

/// Raises the bound of `finding`, and says so; it accounts for all the time that its GPU idles then.
void raise(const RuleContext& context, const ExpectedTime& saved, Finding& finding)
{
    const TimeRange measured = context.facts.measuredRange();
    finding.message += Message("finding.raised",
        "A replay of the steps without it saves more, because later work starts earlier, too: up to {bound}.",
        {{"bound", Duration{saved.high}}});
    finding.saving = saved.high;
    if (finding.lowered.empty())
        finding.severity = std::max(finding.severity, severityOf(context, saved.expected));
    for (const GpuFacts& gpu : context.facts.gpus()) {
        if (finding.process == 0 || gpu.process == finding.process)
            finding.claims
                = united(finding.claims, packedDifference(unionOf({measured}, measured), gpu.busy));
    }
    if (totalTime(finding.claims) < finding.saving)
        finding.claims = unionOf({measured}, measured);
}

/// Writes what `expected` says into `finding`. A bound that the replay refutes gives way.
void setExpected(const RuleContext& context, const Expectation& expected, Finding& finding)
{
    const Ns measured = context.facts.measured();
    const Ns limit = mostSaved(context, finding);
    const auto timeOf = [&](double share) {
        return std::clamp<Ns>(static_cast<Ns>(share * static_cast<double>(measured)), 0, limit);
    };
    ExpectedTime saved{timeOf(expected.leastShare()), timeOf(expected.share()), timeOf(expected.mostShare())};
    if (isRefuted(finding, expected, saved))
        raise(context, saved, finding);
    for (Ns* const each : {&saved.low, &saved.expected, &saved.high})
        *each = std::min(*each, finding.saving);
    // A replay is never sure to the last microsecond, where the bound cuts its interval off either.
    saved.low = std::min(saved.low, saved.expected - saved.expected / 20);
    // What is hardly expected to save anything is no severe finding, whatever its bound.
    const Severity deserved = std::max(Severity::Low, severityOf(context, saved.high));
    if (finding.lowered.empty() && finding.severity > deserved && !finding.ofLoneRank) {
        finding.severity = deserved;
        finding.lowered = Message("finding.lowered_expected", "a replay of the steps without it saves less");
        explainSeverity(context, finding);
    }
    finding.expected = saved;
    if (expected.plain)
        finding.plainShare = ExpectedShare{std::max(0.0, expected.plain->leastShare),
            std::max(0.0, expected.plain->share), std::max(0.0, expected.plain->mostShare)};
}

} // namespace

void expectSavings(const RuleContext& context, std::vector<Finding>& findings)
{
    for (Finding& finding : findings) {
        if (finding.cure.empty() || finding.saving <= 0)
            continue;
        const WhatIfTarget* const target = targetOf(context.trace, context.facts.replays(), finding);
        if (!target)
            continue;
        const Expectation expected = target->replay.expect(finding.cure, context.stop, true);
        if (expected.changed > 0 && expected.isTold())
            setExpected(context, expected, finding);
    }
}

std::string expectedText(const Finding& finding)
{
    if (!finding.expected)
        return {};
    std::string text = fmt::format("about {} ({} to {})", formatDuration(finding.expected->expected),
        formatDuration(finding.expected->low), formatDuration(finding.expected->high));
    if (finding.plainShare)
        text += fmt::format("; without the profiler, about {} of a step ({} to {})",
            formatShare(finding.plainShare->expected), formatShare(finding.plainShare->low),
            formatShare(finding.plainShare->high));
    return text;
}

} // namespace warpline
