#include "core/across/exact_waits.h"

#include "core/across/judging.h"
#include "core/across/late_findings.h"
#include "core/analysis/collectives.h"
#include "core/base/message_names.h"
#include "core/findings/finding_order.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

void setExactly(Finding& finding, Ns saving)
{
    setSaving(finding, saving);
    finding.severity = severityFor(saving, finding.measured);
    finding.confidence = Confidence::Certain;
    finding.caveat = Message("across.exact_caveat",
        "Based on starts and ends of the same collectives on all open ranks. A rank without a report may be the late one.");
}

/// Caps the joint savings at the measured time.
void capTogether(std::vector<Finding>& findings)
{
    Ns left = findings.empty() ? 0 : findings.front().measured;
    for (Finding& finding : findings) {
        finding.added = std::min(finding.added, left);
        left -= finding.added;
    }
}

/// "Without the waits the bus bandwidth is 175.1 GB/s (all-gather of 12.60 MB) ..., at the median.": for the
/// kinds of exchanges of `rank` that take most time, as in the table of exchanges; empty: no size is
/// recorded.
Message busBandwidths(const AcrossReport& across, std::uint32_t rank)
{
    constexpr std::size_t most = 3;
    std::vector<bool> takesPart(across.kinds.size());
    for (const MatchedExchange& exchange : across.exchanges) {
        if (std::ranges::find(exchange.members, rank, &ExchangeMember::rank) != exchange.members.end())
            takesPart[exchange.kind] = true;
    }
    std::vector<Message> told; // kinds are sorted by time
    for (std::size_t i = 0; i < across.kinds.size() && told.size() < most; ++i) {
        const AcrossKind& kind = across.kinds[i];
        if (takesPart[i] && kind.busBandwidth > 0)
            told.push_back({"across.bus_bandwidth", "{rate} ({operation} of {size})",
                {{"rate", Rate{kind.busBandwidth * 1e9}}, {"operation", Name{kind.operation}},
                    {"size", Bytes{static_cast<std::uint64_t>(kind.bytes)}}}});
    }
    return told.empty() ? Message()
                        : Message("across.bus_bandwidths", "Median bus bandwidth without waits: {list}.",
                            {{"list", std::move(told)}});
}

/// Sets the wait of rank `rank`, the rank that it waits for, and the saving: at most what the cause of the
/// late rank explains, where that is known.
void tellExactly(const AcrossReport& across, std::uint32_t rank, const ExposedWaits& waits, Finding& finding)
{
    const LateVerdict& verdict = across.verdict;
    setExactly(finding, waits.all);
    finding.message = {"across.exact_wait",
        "From the reports of the other ranks: {waits} of waiting in all, {exposed} of it exposed.",
        {{"waits", Duration{across.ranks[rank].wait}}, {"exposed", Duration{waits.all}}}};
    const std::uint32_t most = waits.mostFor();
    if (most == noIndex) {
        finding.message += {"across.in_turn", "The ranks are late in turn."};
        return;
    }
    if (verdict.pattern == LatePattern::Unknown) {
        finding.message += {"across.unknown_for_whom",
            "Reports of other ranks are missing, so it is unknown for which rank it waits."};
        return;
    }
    const bool isVerdict = verdict.pattern == LatePattern::Persistent && verdict.rank == most;
    const bool hasRange = isVerdict && verdict.cause.found() && verdict.cause.kind == PartKind::Range;
    finding.message
        += {"across.waits_for", "It waits for rank {rank}{named, select, yes {: {part}} other {}}.",
            {{"rank", numberOf(across, most)}, {"named", yesOrNo(hasRange)},
                {"part", Name{hasRange ? verdict.cause.part : std::string()}}}};
    if (verdict.rank == rank)
        finding.message += {"across.others_wait_longer", "The other ranks wait much longer for this one."};
    const std::optional<Ns> gain = isVerdict ? gainOfCause(verdict) : std::nullopt;
    if (!gain || *gain >= waits.all)
        return;
    setExactly(finding, *gain);
    finding.message += {"across.gain_of_cause",
        "Fixing that saves up to {gain}, the extra time on rank {rank}: {in_all}. The rest of the wait has other causes.",
        {{"gain", Duration{*gain}}, {"rank", numberOf(across, most)}, {"in_all", inAllText(verdict)}}};
}

/// Completes a pipeline bubble that one report shows with the cause from the stage at the other end, whose
/// report is open.
void tellBubble(const AcrossReport& across, std::uint32_t rank, Finding& finding)
{
    const auto told = std::ranges::find(across.findings, "pipeline_bubble", &AcrossFinding::rule);
    if (told == across.findings.end() || told->rank == noIndex || told->rank == rank || finding.saving <= 0)
        return;
    const Ordinal bounding = numberOf(across, told->rank);
    finding.alone = {};
    finding.message += {"across.limits_pipeline",
        "According to both reports, rank {rank} limits the pipeline: first fix what it waits for.",
        {{"rank", bounding}}};
    if (told->saving < finding.saving)
        finding.message += {"across.stage_is_busy",
            "The GPU of rank {rank} is busy for the rest of these steps: without fewer layers there, up to {saving} could be saved.",
            {{"rank", bounding}, {"saving", Duration{told->saving}}}};
    finding.remedy = told->remedy;
    setExactly(finding, std::min(told->saving, finding.saving));
}

} // namespace

std::vector<Finding> withExactWaits(std::vector<Finding> findings, const Trace& trace, TimeRange window,
    const AcrossReport& across, ReportId report)
{
    for (Finding& finding : findings) {
        finding.ofLoneRank = finding.ofLoneRank && !across.judged;
        if (finding.rule == "pipeline_bubble") {
            if (const std::uint32_t rank = rankOfFinding(across, trace, report, finding); rank != noIndex)
                tellBubble(across, rank, finding);
            continue;
        }
        if (finding.rule != "collective_wait")
            continue;
        const std::uint32_t rank = rankOfFinding(across, trace, report, finding);
        if (rank == noIndex)
            continue;
        const Ns estimate = finding.saving;
        const ExposedWaits waits = exposedWaits(across, rank, true);
        const Ns exact = waits.all;
        for (Finding& exposed : findings) {
            if (exposed.rule != "nccl_exposed" || exposed.process != finding.process
                || exposed.device != finding.device)
                continue;
            const Ns all = exposed.saving + estimate;
            if (exact * 2 > all)
                exposed.title.set("bottleneck", Name{"no"}); // the kernels' time is waiting
            setExactly(exposed, std::max<Ns>(0, all - exact));
            exposed.claims = {};
            exposed.message += {"across.waiting_of_it",
                "According to the reports of the other ranks, {waiting} of it is waiting and {rest} is communication.",
                {{"waiting", Duration{exact}}, {"rest", Duration{std::max<Ns>(0, all - exact)}}}};
            exposed.message += busBandwidths(across, rank);
        }
        tellExactly(across, rank, waits, finding);
        // Findings name GPUs as the machine counts them, ranks as their process does.
        finding.title = {"across.gpu_waits", "GPU {gpu} waits {time} inside collectives for other ranks",
            {{"gpu", Ordinal{finding.device}}, {"time", Duration{exact}}}};
    }
    capTogether(findings);
    rankFindings(findings, window);
    return findings;
}

KnownWaits exactWaitRanges(const Trace& trace, const AcrossReport& across, ReportId report)
{
    KnownWaits waits;
    for (const MatchedExchange& exchange : across.exchanges) {
        for (const ExchangeMember& member : exchange.members) {
            const EventRef event = member.event.event;
            if (member.event.report != report || event.kind != EventKind::Kernel)
                continue;
            const Track& track = trace.kernels().trackOf(event.index);
            std::vector<TimeRange>& ofGpu = waits[{track.owner, track.device}];
            if (member.wait > 0)
                ofGpu.push_back({member.range.start, member.range.start + member.wait});
        }
    }
    return waits;
}

} // namespace warpline
