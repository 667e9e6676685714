// Copies between host and device, and the time of them in which no kernel runs on that device: another stream
// could hide it.

#include "core/analysis/gpu_activity.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/link_rate.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::copies_not_overlapped {

namespace {

constexpr std::string_view id = "copies_not_overlapped";
constexpr Threshold minShare{"min_share", "Minimum share of the GPU's busy time", "%", 5};
constexpr std::array thresholds{minShare};

using DeviceKey = std::pair<GlobalId, std::int32_t>;

/// Time in which kernels or graphs run, by process and device.
std::map<DeviceKey, Intervals> computeTime(const RuleContext& context)
{
    std::map<DeviceKey, std::vector<TimeRange>> ranges;
    for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
        const EventTable& table = context.trace.table(kind);
        for (const Track& track : table.tracks) {
            for (const EventIndex i : eventsIn(table, track, context.window, context.stop))
                ranges[{track.owner, track.device}].push_back(table.range(i));
        }
    }
    std::map<DeviceKey, Intervals> compute;
    for (auto& [key, list] : ranges)
        compute[key] = unionOf(std::move(list), context.window, context.stop);
    return compute;
}

struct Exposed {
    std::vector<EventRef> copies;
    std::vector<TimeRange> ranges;
    /// Of all copies in both directions: a kernel that hides one copy cannot hide others.
    std::array<std::vector<TimeRange>, 2> directions;
};

std::vector<Finding> findExposedCopies(const RuleContext& context)
{
    const auto compute = computeTime(context);
    const MemcpyTable& copies = context.trace.memcpys();
    std::map<DeviceKey, Exposed> devices;
    for (const Track& track : copies.tracks) {
        const auto busy = compute.find({track.owner, track.device});
        if (busy == compute.end())
            continue; // nothing to overlap with
        for (const EventIndex i : eventsIn(copies, track, context.window, context.stop)) {
            const CopyKind kind = copies.copy(i).kind;
            if (!isBetweenHostAndGpu(kind))
                continue;
            Exposed& exposed = devices[busy->first];
            exposed.directions[isToDevice(kind) ? 1 : 0].push_back(copies.range(i));
            const Intervals alone = difference({copies.range(i)}, clipped(busy->second, copies.range(i)));
            if (alone.empty())
                continue;
            exposed.copies.push_back({EventKind::Memcpy, i});
            exposed.ranges.insert(exposed.ranges.end(), alone.begin(), alone.end());
        }
    }
    std::vector<Finding> findings;
    for (auto& [key, exposed] : devices) {
        Intervals claims = unionOf(std::move(exposed.ranges), context.window, context.stop);
        const Ns alone = totalTime(claims);
        const Ns kernels = totalTime(compute.at(key));
        if (!context.reachesShare(id, minShare, alone, alone + kernels))
            continue;
        sortLongestFirst(context.trace, exposed.copies);
        const TimeRange measured = context.facts.measuredRange();
        // In the measured time with the kernels and copies of that time, and once with those around it.
        const Ns aloneMeasured = totalTime(claims, measured);
        const Ns kernelsMeasured = totalTime(compute.at(key), measured);
        Ns needed = 0;
        Ns neededOutside = 0;
        for (auto& ranges : exposed.directions) {
            const Intervals direction = unionOf(std::move(ranges), context.window, context.stop);
            const Ns inside = totalTime(direction, measured);
            needed = std::max(needed, inside);
            neededOutside = std::max(neededOutside, totalTime(direction) - inside);
        }
        Finding finding
            = findingOn(context, key.first, key.second, hiddenAtMost(aloneMeasured, kernelsMeasured, needed));
        finding.once = hiddenAtMost(alone - aloneMeasured, kernels - kernelsMeasured, neededOutside);
        finding.claims = finding.saving > 0 ? clipped(claims, measured) : std::move(claims);
        if (severityOf(context, finding.once) >= Severity::Medium) // an important one-time cost
            finding.severity = std::max(finding.severity, Severity::Low);
        finding.title
            = Message("copies_not_overlapped.title", "{gpu}: copies take {time} in which no kernel runs",
                {{"gpu", Name{gpuName(context.trace, key.first, key.second)}}, {"time", Duration{alone}}});
        finding.message = Message("copies_not_overlapped.alone",
            "{copies, plural, one {# copy} other {# copies}} between host and device {copies, plural, one {runs} other "
            "{run}} at least partly alone: {alone}, compared with {kernels} of kernels.",
            {{"copies", Count{exposed.copies.size()}}, {"alone", Duration{alone}},
                {"kernels", Duration{kernels}}});
        finding.message += Message("copies_not_overlapped.overlap", "Overlap could save up to {saving}.",
            {{"saving", Duration{finding.saving + finding.once}}});
        if (finding.once > 0)
            finding.message += Message("copies_not_overlapped.once",
                "{time} of that is a one-time cost outside the measured time and does not count.",
                {{"time", Duration{finding.once}}});
        finding.cure.edits.push_back(editOf(CureKind::OverlapCopies, exposed.copies));
        setSizedEvidence(finding, context.trace, exposed.copies, "copies_not_overlapped.copy", "{bytes}");
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule copiesNotOverlapped{
    .id = id,
    .title = "Copies not overlapped with kernels",
    .why
    = "Copy engines work in parallel with the multiprocessors. A copy that runs alone makes both wait: the GPU for "
      "the data, the link for the next copy.",
    .remedy
    = "Copy the next piece in a separate stream while this one computes (double buffering), from pinned memory, "
      "with cudaMemcpyAsync and events.",
    .caveat = "The next kernel may need the copy to finish first: check what it reads.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Memcpy, EventKind::Kernel>,
    .check = findExposedCopies,
};

} // namespace warpline::copies_not_overlapped
