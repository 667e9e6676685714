// A GPU that copies for over half of the measured time: the link sets the pace, whatever overlaps. Compares
// the rate with the link's: the best in the report, or the typical one of such a link.

#include "core/analysis/trace_analysis.h"
#include "core/base/saturate.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/link_rate.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::copy_bound {

namespace {

constexpr std::string_view id = "copy_bound";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 50};
constexpr std::array thresholds{minShare};
constexpr std::array<std::string_view, 3> absorbed{
    "copies_not_overlapped", "streams_serialized", "repeated_uploads"};
constexpr double nearlyAll = 0.9; ///< of the bandwidth of the link: it is the limit then
constexpr std::uint64_t large = 1'000'000; ///< bytes of a copy that shows the link's bandwidth

struct Direction {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    Ns time = 0;
};

struct Copying {
    std::vector<EventRef> copies;
    std::map<CopyKind, Direction> directions;
    Intervals time;
};

Copying measure(const RuleContext& context, const GpuFacts& gpu, TimeRange measured)
{
    const MemcpyTable& copies = context.trace.memcpys();
    Copying found;
    forEachOfKind(gpu, EventKind::Memcpy, context.stop, [&](EventRef event) {
        const CopyKind kind = copies.copy(event.index).kind;
        if (!measured.overlaps(copies.range(event.index))
            || (kind != CopyKind::HtoD && kind != CopyKind::DtoH))
            return;
        found.copies.push_back(event);
        Direction& direction = found.directions[kind];
        ++direction.count;
        direction.bytes += copies.bytes[event.index];
        direction.time += copies.duration[event.index];
    });
    found.time = timeOf(context.trace, found.copies, measured);
    return found;
}

/// A sentence or two for each direction.
Message ratesOf(const RuleContext& context, const GpuFacts& gpu, const Copying& found)
{
    Message text;
    for (const auto& [kind, direction] : found.directions) {
        const double rate
            = static_cast<double>(direction.bytes) / static_cast<double>(std::max<Ns>(1, direction.time));
        text += Message("copy_bound.direction",
            "{direction}: {bytes} in {copies, plural, one {# copy} other {# copies}}, {rate} on average.",
            {{"direction", Name{std::string(labelOf(kind))}}, {"bytes", Bytes{direction.bytes}},
                {"copies", Count{direction.count}}, {"rate", Rate{rate * 1e9}}});
        const LinkRate link = linkRate(context, gpu.process, gpu.device, kind, large);
        if (link.measured)
            text += Message("copy_bound.fastest", "The fastest pinned copy reaches {rate}.",
                {{"rate", Rate{link.bytesPerNs * 1e9}}});
        else if (link.bytesPerNs > 0)
            text += Message("copy_bound.link", "{link}, usual for this GPU, carries about {rate}.",
                {{"link", Name{link.name}}, {"rate", Rate{link.bytesPerNs * 1e9}}});
    }
    return text;
}

/// The time of the same bytes at the link's bandwidth; 0: unknown. Both directions at once where there are
/// enough copies to overlap.
Ns neededTime(const RuleContext& context, const GpuFacts& gpu, const Copying& found)
{
    constexpr std::uint64_t enough = 3; // copies per direction to overlap with the other's
    Ns sum = 0;
    Ns longest = 0;
    bool overlap = true;
    for (const auto& [kind, direction] : found.directions) {
        const LinkRate link = linkRate(context, gpu.process, gpu.device, kind, large);
        if (link.bytesPerNs <= 0)
            return 0;
        const Ns needed = saturatingWhole(static_cast<double>(direction.bytes) / link.bytesPerNs);
        overlap = overlap && direction.count >= enough;
        sum = saturatingAdd(sum, needed);
        longest = std::max(longest, needed);
    }
    return overlap ? longest : sum;
}

void findCopyBound(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    Copying found = measure(context, gpu, measured);
    const Ns copying = totalTime(found.time);
    if (copying == 0 || !context.reachesShare(id, minShare, copying, measured.duration()))
        return;
    const Ns kernels = totalTime(gpu.compute, measured);
    // Data that stays on the GPU needs no copy: at most all exposed copies are saved.
    const Intervals exposed = difference(found.time, gpu.compute);
    const Ns needed = neededTime(context, gpu, found);
    Finding finding
        = findingOn(context, gpu.process, gpu.device, hiddenAtMost(totalTime(exposed), kernels, needed));
    finding.claims = exposed;
    // Half of the time and more; at the bandwidth of the link only overlap helps.
    const bool atRate = needed > 0 && static_cast<double>(copying) * nearlyAll <= static_cast<double>(needed);
    finding.severity = atRate ? std::max(Severity::Medium, finding.severity) : Severity::High;
    finding.title = Message("copy_bound.title", "{gpu}: copies take {time}, {share} of the measured time",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"time", Duration{copying}},
            {"share", Share{shareOf(copying, measured.duration())}}});
    finding.message = Message("copy_bound.busy",
        "Of {measured} measured, the link is busy for {copying} and kernels run for {kernels}.",
        {{"measured", Duration{measured.duration()}}, {"copying", Duration{copying}},
            {"kernels", Duration{kernels}}});
    finding.message += ratesOf(context, gpu, found);
    if (needed > 0)
        finding.message += Message("copy_bound.needed",
            "At the link's bandwidth, the copies need {time}{rate, select, full {, about what they take} other {}}.",
            {{"time", Duration{needed}}, {"rate", Name{atRate ? "full" : "less"}}});
    // The values of the findings that are merged into this one.
    if (needed > 0 && severityOf(context, finding.saving) >= Severity::Medium)
        finding.message += Message("copy_bound.overlap",
            "Copies that overlap with kernels and with copies in the other direction can save up to {saving} with the same bytes.",
            {{"saving", Duration{finding.saving}}});
    if (needed > kernels)
        finding.message += Message(
            "copy_bound.fewer", "The kernels are too short to hide all copies: the rest needs fewer bytes.");
    sortLongestFirst(context.trace, found.copies);
    setSizedEvidence(finding, context.trace, found.copies, "copy_bound.copy", "{bytes}");
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule copyBound{
    .id = id,
    .title = "Copies set the pace",
    .why
    = "The link between host and GPU is fifty times slower than the GPU's own memory. A program that copies for "
      "most of the time is as fast as the link, whatever the kernels do.",
    .remedy
    = "First copy less. Keep on the GPU what is used again (weights, meshes, tables) and copy it once before the loop. Use smaller types (FP16, INT8) or compressed data. Compute on the GPU from the data it has. Then copy faster: from pinned memory, in large pieces. And overlap: work in chunks, each with its copies and kernels in one of several streams. Then both directions and the kernels run at once.",
    .caveat = "The recording may not be typical: check another one.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Memcpy, EventKind::Kernel>,
    .checkGpu = findCopyBound,
    .absorbs = absorbed,
};

} // namespace warpline::copy_bound
