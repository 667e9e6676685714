// All copies that touch pageable host memory, whatever the call: runtime or driver, blocking or
// "asynchronous". What pinning could save is bounded by what the copies take beside kernels, less
// what of the pinned copies no kernel could hide: pinned they run at the best rate of pinned copies in this
// report, or the usual rate of the link.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/link_rate.h"
#include "core/query/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace warpline {

namespace {

constexpr std::string_view id = "pageable_copies";
constexpr std::array<Threshold, 2> thresholds{{{"min_bytes", "Minimum bytes in total", "B", 1e6},
    {"large_bytes", "Copies large enough to show the link's bandwidth", "B", 1e6}}};
constexpr std::array<std::string_view, 5> absorbed{
    "cuda_memcpy_async", "cuda_memcpy_sync", "copies_not_overlapped", "gpu_idle_cause", "copy_bound"};

bool isPageable(const CopyAttributes& copy)
{
    return copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable;
}

struct Pageable {
    std::uint64_t bytes = 0;
    Ns time = 0;
    Ns calls = 0; ///< time the host spent in the copy calls
    double pinned = 0; ///< ns the same bytes would take pinned, where that is known
    bool compared = true;
    bool measured = true; ///< ... by copies of this report
    std::vector<TimeRange> claims;
};

Pageable measure(const RuleContext& context, const std::vector<EventRef>& found)
{
    const Trace& trace = context.trace;
    const auto large = static_cast<std::uint64_t>(context.threshold(id, thresholds[1]));
    std::map<std::tuple<GlobalId, std::int32_t, CopyKind>, LinkRate> rates;
    Pageable sums;
    for (const EventRef& event : found) {
        const TimeRange range = trace.range(event);
        const Track& track = trace.memcpys().trackOf(event.index);
        const CopyKind kind = trace.memcpys().copy(event.index).kind;
        sums.bytes += trace.memcpys().bytes[event.index];
        sums.time += range.duration();
        sums.claims.push_back(range);
        if (const EventRef call = trace.apiCallOf(event); call.valid()) {
            sums.calls += trace.range(call).duration();
            sums.claims.push_back(trace.range(call));
        }
        const auto [rate, added] = rates.try_emplace({track.owner, track.device, kind});
        if (added)
            rate->second = linkRate(context, track.owner, track.device, kind, large);
        sums.compared &= rate->second.bytesPerNs > 0;
        sums.measured &= rate->second.measured;
        if (sums.compared)
            sums.pinned += static_cast<double>(trace.memcpys().bytes[event.index]) / rate->second.bytesPerNs;
    }
    return sums;
}

/// The time of kernels that pinned copies could hide behind: none where there is but one kernel, which needs
/// its input before and gives its result after it.
Ns hidingPlace(const RuleContext& context)
{
    Ns kernels = 0;
    if (context.trace.kernels().size() < 2)
        return 0;
    for (const GpuFacts& gpu : factsOf(context).gpus())
        kernels += totalTime(gpu.compute);
    return kernels;
}

/// The time of the copies' calls in which kernels run: a blocking copy waits for those before it.
Ns underKernels(const RuleContext& context, const std::vector<EventRef>& found)
{
    std::vector<TimeRange> calls;
    for (const EventRef& event : found) {
        if (const EventRef call = context.trace.apiCallOf(event); call.valid())
            calls.push_back(context.trace.range(call));
    }
    const Intervals time = unionOf(std::move(calls), context.window);
    Ns most = 0;
    for (const GpuFacts& gpu : factsOf(context).gpus())
        most = std::max(most, totalTime(intersection(time, gpu.compute)));
    return most;
}

/// What pinned copies would take, and where they could hide.
std::string comparison(const Pageable& sums, Ns hidden)
{
    std::string text;
    if (sums.compared)
        text = fmt::format(" At {} they would take {} pinned.",
            sums.measured ? "the best rate of pinned copies in this report" : "the usual rate of the link",
            formatDuration(static_cast<Ns>(sums.pinned)));
    text += hidden > 0
        ? fmt::format(" Asynchronous, at most the {} of kernels could hide them.", formatDuration(hidden))
        : std::string(" There is no second kernel that could hide them, so only the faster rate "
                      "counts.");
    return text + " Pinning itself takes time: it pays for buffers that are copied more than a few times.";
}

std::vector<Finding> findPageable(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const auto found = longestFirst(context, EventKind::Memcpy, [&](EventIndex i) {
        const CopyKind kind = trace.memcpys().copy(i).kind;
        return isPageable(trace.memcpys().copy(i)) && (kind == CopyKind::HtoD || kind == CopyKind::DtoH);
    });
    Pageable sums = measure(context, found);
    if (static_cast<double>(sums.bytes) < context.threshold(id, thresholds[0]))
        return {};
    Finding finding;
    // Pinned, the copies take less, and of that as much can hide as kernels run; no more than that is saved.
    const Ns hidden = hidingPlace(context);
    const Ns waited = underKernels(context, found);
    const Ns left = sums.compared ? std::max<Ns>(0, static_cast<Ns>(sums.pinned) - hidden) : 0;
    const Ns beside = timeBesideKernels(context, found);
    const Ns most = sums.compared || hidden > 0 ? beside - left : 0;
    finding.saving = std::max<Ns>(0, sums.compared ? most : std::min(most, hidden));
    finding.severity = severityOf(context, finding.saving);
    finding.confidence = Confidence::Certain;
    finding.title = fmt::format("{} on pageable memory: {} take {}", counted(found.size(), "copy", "copies"),
        formatBytes(sums.bytes), formatDuration(sums.time));
    finding.message = fmt::format("{} moved at {} on average; the host spent {} in the calls{}.",
        formatBytes(sums.bytes),
        formatThroughput(
            static_cast<double>(sums.bytes) * 1e9 / static_cast<double>(std::max<Ns>(1, sums.time))),
        formatDuration(sums.calls),
        waited > 0 ? fmt::format(", {} of it waiting for kernels", formatDuration(waited)) : std::string());
    finding.message += comparison(sums, hidden);
    setEvidence(finding, trace, found, [&](EventRef event) {
        const CopyAttributes& copy = trace.memcpys().copy(event.index);
        const double rate = static_cast<double>(trace.memcpys().bytes[event.index]) * 1e9
            / static_cast<double>(std::max<Ns>(1, trace.range(event).duration()));
        return fmt::format("{}, {} to {}, {}", formatBytes(trace.memcpys().bytes[event.index]),
            labelOf(copy.source), labelOf(copy.destination), formatThroughput(rate));
    });
    finding.claims = unionOf(std::move(sums.claims), context.window);
    return {std::move(finding)};
}

} // namespace

extern constinit const Rule pageableCopies{
    .id = id,
    .title = "Copies on pageable memory",
    .why = "The GPU cannot read memory that the system may page out: the driver copies it through a pinned "
           "buffer of its own, at a "
           "fraction of the link's rate, holding up the calling thread whatever the call is named.",
    .remedy = "Allocate the host side with cudaMallocHost or cudaHostAlloc, or pin it with "
              "cudaHostRegister, and copy with cudaMemcpyAsync in a stream.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return !trace.memcpys().empty(); },
    .check = findPageable,
    .absorbs = absorbed,
};

} // namespace warpline
