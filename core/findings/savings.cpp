#include "core/findings/savings.h"

#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

/// The time of a finding; empty where its evidence was truncated, so that it is unknown.
PackedIntervals claimedBy(const Finding& finding, TimeRange window)
{
    if (!finding.claims.empty() || finding.evidenceTotal > finding.evidence.size())
        return finding.claims;
    std::vector<TimeRange> ranges;
    for (const Evidence& proof : finding.evidence)
        ranges.push_back(proof.range);
    return unionOf(std::move(ranges), window);
}

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

void capSaving(const RuleContext& context, Finding& finding)
{
    TraceAnalysis& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    finding.measured = measured.duration();
    finding.saving = std::clamp<Ns>(finding.saving, 0, context.window.duration());
    if (finding.saving == 0)
        return;
    if (finding.claims.empty())
        finding.claims = claimedBy(finding, context.window);
    const PackedIntervals& claims = finding.claims;
    const Ns all = totalTime(claims);
    const bool isInside
        = claims.empty() || (claims.front().start >= measured.start && claims.back().end <= measured.end);
    const Ns inside = isInside ? all : totalTime(claims, measured);
    const Ns whole = claims.empty() ? finding.saving : std::min(finding.saving, all);
    const Ns kept = claims.empty() || inside == all
        ? whole
        : static_cast<Ns>(static_cast<double>(whole) * shareOf(inside, all));
    finding.saving = std::min(kept, measured.duration());
    if (!isInside)
        finding.claims = finding.claims.within(measured);
    if (whole == finding.saving)
        return;
    const Ns outside = whole - finding.saving;
    finding.once += outside;
    // A long one-time cost raises the severity.
    const Severity once
        = severityOf(context, finding.once) >= Severity::Medium ? Severity::Low : Severity::Info;
    finding.severity = std::min(finding.severity, std::max(once, severityOf(context, finding.saving)));
    finding.message += Message("finding.outside",
        "{time} of the time that a fix saves is outside the measured time. It is a one-time cost and does not count.",
        {{"time", Duration{outside}}});
}

void explainSeverity(const RuleContext& context, Finding& finding)
{
    const Severity deserved = severityOf(context, finding.saving);
    if (finding.severity >= deserved || finding.saving <= 0)
        return;
    if (finding.lowered.empty())
        finding.lowered = finding.confidence == Confidence::Possible
            ? Message("finding.lowered_unproven", "the report does not prove the cause")
            : Message(
                "finding.lowered_once", "the report does not prove that the cost repeats in every iteration");
    finding.message += Message("finding.ranked",
        "Ranked {rank} instead of {deserved}, although it is {share} of the measured time, because {reason}.",
        {{"rank", wordOf(finding.severity)}, {"deserved", wordOf(deserved)},
            {"share", Share{shareOf(finding.saving, finding.measured)}}, {"reason", finding.lowered}});
}

void shareSavings(std::vector<Finding>& findings)
{
    std::vector<std::size_t> order(findings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<Ns> claimed;
    for (Finding& finding : findings) {
        finding.added = 0;
        claimed.push_back(totalTime(finding.claims));
    }
    const auto density
        = [&](std::size_t i) { return claimed[i] > 0 ? shareOf(findings[i].saving, claimed[i]) : 0.0; };
    // Uncertain findings take nothing from certain ones.
    std::ranges::stable_sort(order, std::greater{},
        [&](std::size_t i) { return std::pair(findings[i].lowered.empty(), density(i)); });
    PackedIntervals covered;
    Ns left = findings.empty() ? 0 : findings.front().measured;
    for (const std::size_t i : order) {
        Finding& finding = findings[i];
        if (finding.saving <= 0)
            continue;
        finding.added = finding.saving;
        if (claimed[i] > 0) {
            const Ns fresh = claimed[i] - commonTime(finding.claims, covered);
            finding.added = static_cast<Ns>(std::min(1.0, density(i)) * static_cast<double>(fresh));
            if (fresh > 0)
                covered = united(covered, finding.claims);
        }
        finding.added = std::min(finding.added, left);
        left -= finding.added;
    }
}

Ns measuredOf(std::span<const Finding> findings)
{
    const auto found = std::ranges::find_if(findings, [](const Finding& each) { return each.measured > 0; });
    return found != findings.end() ? found->measured : 0;
}

Ns savingTogether(std::span<const Finding> findings)
{
    Ns together = 0;
    for (const Finding& finding : findings)
        together += finding.lowered.empty() ? finding.added : 0;
    return together;
}

Ns savingInDoubt(std::span<const Finding> findings)
{
    Ns together = 0;
    for (const Finding& finding : findings)
        together += finding.lowered.empty() ? 0 : finding.added;
    return together;
}

Message savingText(const Finding& finding)
{
    if (finding.saving > 0)
        return nameMessage(formatDuration(finding.saving));
    return finding.once > 0
        ? Message("saving.once", "{time} once", {{"time", Name{formatDuration(finding.once)}}})
        : Message();
}

Message expectedSavingText(const Finding& finding)
{
    if (!showsExpected(finding) || finding.saving <= 0)
        return savingText(finding);
    return {"saving.expected", "about {expected} (at most {saving})",
        {{"expected", Name{formatDuration(finding.expected->expected)}},
            {"saving", Name{formatDuration(finding.saving)}}}};
}

Message savingsSentence(std::span<const Finding> findings)
{
    const Ns sure = savingTogether(findings);
    const Ns doubtful = savingInDoubt(findings);
    if (sure + doubtful <= 0)
        return {};
    const Ns measured = measuredOf(findings);
    const Argument ofMeasured{"measured", Duration{measured}};
    const Argument inDoubt{"doubtful", Duration{doubtful}};
    const Argument doubtfulShare{"share", Share{shareOf(doubtful, measured)}};
    if (sure <= 0)
        return {"savings.doubtful",
            "Potential saving: up to {doubtful} ({share} of the {measured} measured), all of it uncertain.",
            {inDoubt, doubtfulShare, ofMeasured}};
    Message text("savings.together",
        "Combined potential saving: up to {sure} ({share} of the {measured} measured). Time claimed by several findings counts once.",
        {{"sure", Duration{sure}}, {"share", Share{shareOf(sure, measured)}}, ofMeasured});
    if (doubtful > 0)
        text += Message(
            "savings.another", "Another {doubtful} ({share}) is uncertain.", {inDoubt, doubtfulShare});
    if (std::ranges::any_of(findings, &Finding::ofLoneRank))
        text += Message("savings.lone_rank",
            "This is one rank of several. If it waits for another rank anyway, it gains less.");
    return text;
}

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
