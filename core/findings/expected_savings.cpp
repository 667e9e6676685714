#include "core/findings/expected_savings.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/rounded.h"
#include "core/coverage/interval_times.h"
#include "core/findings/savings.h"
#include "core/findings/waits.h"
#include "core/replay/data_loading.h"
#include "core/replay/what_if.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
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

/// The measured time that `cure` removes from the host, where all its edits are of input: later work starts
/// earlier by at most that. Otherwise all measured time.
Ns inputTime(const RuleContext& context, const Cure& cure, const ReplayGraph& graph)
{
    const TimeRange measured = context.facts.measuredRange();
    PackedIntervals all;
    for (const CureEdit& edit : cure.edits) {
        if (edit.kind != CureKind::ReadyInput)
            return measured.duration();
        all = united(all,
            !edit.times.empty() ? edit.times : dataLoadingTimes(context.trace, graph.threads, context.stop));
    }
    return all.timeIn(measured);
}

/// The upper bound of saving by the cure of `finding`: for calls and waits of the host the idle time of the
/// process' GPUs, for GPU work its time. The replayed steps may differ from the rest.
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

/// `time` capped at `most`.
ExpectedTime cutTo(const ExpectedTime& time, Ns most)
{
    return {std::min(time.low, most), std::min(time.expected, most), std::min(time.high, most)};
}

/// `time` capped at the time `input` that the host spends on it; the interval keeps its margin.
ExpectedTime cutToInput(const ExpectedTime& time, Ns input)
{
    return {
        std::min(time.low, input), std::min(time.expected, input), std::min(time.high, input + input / 20)};
}

/// `time` capped at the bound `most`. Microseconds of a replay's interval beyond the bound mean nothing.
ExpectedTime cutToBound(const ExpectedTime& time, Ns most)
{
    ExpectedTime cut = cutTo(time, most);
    cut.low = std::min(cut.low, cut.expected - cut.expected / 20);
    return cut;
}

/// By how much a replay has to exceed the bound of `finding` to raise it.
Ns minRaise(const RuleContext& context, const Finding& finding)
{
    return std::max(finding.saving / 20, context.facts.measured() / 100);
}

/// Whether the replay certainly exceeds the bound. Where ranks wait for one another, or steps differ from the
/// replayed ones, the rule's bound holds. Without steps one-time costs are replayed, too, but a graph has
/// none.
bool isRefuted(const RuleContext& context, const Finding& finding, const Expectation& expected,
    const ExpectedTime& saved)
{
    constexpr std::array ofRanks{CureKind::ScaleWork, CureKind::RemoveSync, CureKind::OverlapCommunication};
    constexpr std::array ofFew{CureKind::EvenSteps};
    constexpr std::array ofGraphs{CureKind::LaunchGraph};
    // The measured time may cut the loss of the first and the last step.
    const double inner
        = expected.isWhole ? 1 : 1 - 1 / static_cast<double>(std::max<std::size_t>(expected.steps, 1));
    return inner * static_cast<double>(saved.expected) > static_cast<double>(finding.saving)
        && saved.expected > finding.saving + minRaise(context, finding) && !isOnly(finding.cure, ofFew)
        && (expected.communication == 0 || !isOnly(finding.cure, ofRanks))
        && (!expected.isWhole || isOnly(finding.cure, ofGraphs));
}

/// Raises the bound of `finding` with an explanation; it then accounts for all idle time of its GPU.
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
        if (finding.process != 0 && gpu.process != finding.process)
            continue;
        const PackedIntervals idle = packedDifference(Intervals{measured}, gpu.busy);
        const bool isInside = commonTime(finding.claims, idle) == totalTime(finding.claims);
        finding.claims = isInside ? idle : united(finding.claims, idle);
    }
    if (totalTime(finding.claims) < finding.saving)
        finding.claims = unionOf({measured}, measured);
}

/// The processes with a GPU that works for others, too: a replay does not know when it has time.
std::set<std::uint32_t> sharingProcesses(const RuleContext& context)
{
    std::set<std::uint32_t> processes;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        if (context.facts.sharingOf(gpuNumber(context.trace, gpu.process, gpu.device)).isShared)
            processes.insert(pidOf(gpu.process));
    }
    return processes;
}

/// The part of the measured time that the steps of `target` represent; the rest was not replayed.
Ns coveredBy(const RuleContext& context, const WhatIfTarget& target)
{
    return std::max<Ns>(target.covered.clippedTo(context.facts.measuredRange()).duration(), 0);
}

/// Explains a saving that is capped far below the replay's estimate.
void explainCut(
    const RuleContext& context, const Expectation& expected, Ns replayed, Ns input, Finding& finding)
{
    if (replayed - finding.expected->expected < context.facts.measured() / 50)
        return;
    // Otherwise the bound is far lower, and the limit.
    const bool isInput = replayed > input && finding.expected->expected + minRaise(context, finding) >= input;
    finding.message += Message("finding.cut",
        "A replay of the {whole, select, yes {run} other {steps}} without it saves {replayed}. Only a part counts, {reason, select, input {because the input takes no longer} ranks {because other ranks set the pace of the rest} other {because the GPU loses only {bound} to it}}.",
        {{"whole", yesOrNo(expected.isWhole)}, {"replayed", Duration{replayed}},
            {"bound", Duration{finding.saving}},
            {"reason",
                Name{isInput                         ? "input"
                        : expected.communication > 0 ? "ranks"
                                                     : "other"}}});
}

/// Shares of the measured time without the profiler's overhead. Time that was not replayed stays as recorded.
/// The bound caps these savings in the proportion of the recorded ones: `saved` of `replayed`.
ExpectedShare plainShareOf(const RuleContext& context, const Expectation& expected, Ns covered,
    const ExpectedTime& saved, const ExpectedTime& replayed)
{
    const PlainExpectation& plain = *expected.plain;
    const auto all = static_cast<double>(std::max<Ns>(context.facts.measured(), 1));
    const double steps = static_cast<double>(covered) * static_cast<double>(plain.asIs.expected)
        / static_cast<double>(std::max<Ns>(expected.replayed, 1));
    const double base = steps / std::max(all - static_cast<double>(covered) + steps, 1.0);
    const auto kept = [](Ns part, Ns whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 1.0;
    };
    const double usual = base * kept(saved.expected, replayed.expected);
    const double most = base * kept(saved.high, replayed.high);
    const double share = std::max(0.0, plain.share * usual);
    return {std::clamp(plain.leastShare * usual, 0.0, share), share, std::max(share, plain.mostShare * most)};
}

/// Mentions when the profiler's overhead hides much of the potential saving.
void explainPlain(const RuleContext& context, Finding& finding)
{
    constexpr double minReportedShare = 0.01;
    const double bound = static_cast<double>(finding.saving)
        / static_cast<double>(std::max<Ns>(context.facts.measured(), 1));
    if (finding.plainShare->expected <= 1.1 * bound + minReportedShare)
        return;
    finding.message += Message("finding.plain_more",
        "Recording slows the host down, which hides most of it: without the profiler about {share} could be saved.",
        {{"share", Share{finding.plainShare->expected}}});
}

/// Writes `expected` into `finding`. Raises a bound that the replay refutes; otherwise caps the saving at it,
/// and the saving without the profiler in the same proportion.
void setExpected(
    const RuleContext& context, const WhatIfTarget& target, const Expectation& expected, Finding& finding)
{
    const Ns covered = coveredBy(context, target);
    const auto timeOf = [&](double share) {
        return std::max<Ns>(static_cast<Ns>(share * static_cast<double>(covered)), 0);
    };
    const ExpectedTime replayed{
        timeOf(expected.leastShare()), timeOf(expected.share()), timeOf(expected.mostShare())};
    const Ns input = std::max(inputTime(context, finding.cure, target.replay.graph()), finding.saving);
    ExpectedTime saved = cutToInput(cutTo(replayed, mostSaved(context, finding)), input);
    if (isRefuted(context, finding, expected, saved))
        raise(context, saved, finding);
    saved = cutToBound(saved, finding.saving);
    finding.expected = saved;
    explainCut(context, expected, replayed.expected, input, finding);
    if (expected.plain) {
        finding.plainShare = plainShareOf(context, expected, covered, saved, replayed);
        explainPlain(context, finding);
    }
    // A finding with hardly any expected saving is not severe, whatever its bound.
    const Severity deserved = std::max(Severity::Low, severityOf(context, saved.high));
    if (finding.lowered.empty() && finding.severity > deserved && !finding.ofLoneRank) {
        finding.severity = deserved;
        finding.lowered = Message("finding.lowered_expected", "a replay of the steps without it saves less");
        explainSeverity(context, finding);
    }
}

/// Explains why an important finding has no expected saving.
void explainMissingExpectation(std::string_view reason, double modelError, Finding& finding)
{
    if (finding.severity >= Severity::Medium)
        finding.message += Message("finding.not_expected",
            "No expected saving: {reason, select, unreplayed {the calls of a step are too many, or the whole steps too few, for a replay} part {the replayed steps are less than half of the measured time} unchanged {a replay cannot make this change} other {a replay of the unchanged steps differs by {error} from the recording}}.",
            {{"reason", Name{std::string(reason)}}, {"error", Share{modelError}}});
}

} // namespace

void expectSavings(const RuleContext& context, std::vector<Finding>& findings)
{
    const std::set<std::uint32_t> sharing = sharingProcesses(context);
    for (Finding& finding : findings) {
        const bool isShared
            = finding.process == 0 ? !sharing.empty() : sharing.contains(pidOf(finding.process));
        if (finding.cure.empty() || finding.saving <= 0 || isShared)
            continue;
        const WhatIfTarget* const target = targetOf(context.trace, context.facts.replays(), finding);
        // Steps that are less than half of the measured time do not represent the rest.
        if (!target || coveredBy(context, *target) * 2 < context.facts.measured()) {
            explainMissingExpectation(target ? "part" : "unreplayed", 0, finding);
            continue;
        }
        const Expectation expected = target->replay.expect(finding.cure, context.stop, true);
        if (expected.changed > 0 && expected.isTold())
            setExpected(context, *target, expected, finding);
        else
            explainMissingExpectation(
                expected.changed == 0 ? "unchanged" : "untold", expected.modelError, finding);
    }
}

void boundExpected(Finding& finding)
{
    if (finding.saving <= 0) { // nothing to expect
        finding.expected.reset();
        finding.plainShare.reset();
    }
    if (!finding.expected || finding.expected->high <= finding.saving)
        return;
    const ExpectedTime before = *finding.expected;
    finding.expected = cutToBound(before, finding.saving);
    if (!finding.plainShare)
        return;
    const auto keep = [](double& share, Ns part, Ns whole) {
        if (whole > 0)
            share *= static_cast<double>(part) / static_cast<double>(whole);
    };
    ExpectedShare& plain = *finding.plainShare;
    keep(plain.low, finding.expected->expected, before.expected);
    keep(plain.expected, finding.expected->expected, before.expected);
    keep(plain.high, finding.expected->high, before.high);
    plain.high = std::max(plain.high, plain.expected);
}

Message expectedText(const Finding& finding)
{
    if (!showsExpected(finding))
        return {};
    const auto share = [](double value) { return Name{formatShare(value)}; };
    const ExpectedShare plain = finding.plainShare.value_or(ExpectedShare{});
    return {"findings.expected_range",
        "about {time} ({low} to {high}){plain, select, yes {; without the profiler, about {share} ({least} to {most})} other {}}",
        {{"time", Duration{finding.expected->expected}}, {"low", Duration{finding.expected->low}},
            {"high", Duration{finding.expected->high}}, {"plain", yesOrNo(finding.plainShare.has_value())},
            {"share", share(plain.expected)}, {"least", share(plain.low)}, {"most", share(plain.high)}}};
}

} // namespace warpline
