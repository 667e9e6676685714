// All copies that touch pageable host memory, whatever the call: runtime or driver, blocking or
// "asynchronous". What pinning could save is bounded by the time of the copies beyond what the best pinned
// copies of the same direction in this report would take, or by all of it where there are none to compare
// with; the calls may block for longer than the copies take.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/query/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "pageable_copies";
constexpr std::array<Threshold, 2> thresholds{{{"min_bytes", "Least bytes in all", "B", 1e6},
    {"large_bytes", "Copies that show the link's rate", "B", 1e6}}};
constexpr std::array<std::string_view, 4> absorbed{
    "cuda_memcpy_async", "cuda_memcpy_sync", "copies_not_overlapped", "gpu_idle_cause"};

bool isPageable(const CopyAttributes& copy)
{
    return copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable;
}

/// Best bytes per ns of large pinned copies, by direction.
std::map<CopyKind, double> pinnedRates(const RuleContext& context)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const auto large = static_cast<std::uint64_t>(context.threshold(id, thresholds[1]));
    std::map<CopyKind, double> best;
    for (const EventIndex i : everyEvent(copies, context.stop)) {
        const CopyAttributes& copy = copies.copy(i);
        if (isPageable(copy) || copies.bytes[i] < large || copies.duration[i] <= 0)
            continue;
        double& rate = best[copy.kind];
        rate = std::max(rate, static_cast<double>(copies.bytes[i]) / static_cast<double>(copies.duration[i]));
    }
    return best;
}

struct Pageable {
    std::uint64_t bytes = 0;
    Ns time = 0;
    Ns calls = 0; ///< time the host spent in the copy calls
    double pinned = 0; ///< ns the same bytes would take pinned, where that is known
    bool compared = true;
    std::vector<TimeRange> claims;
};

Pageable measure(const RuleContext& context, const std::vector<EventRef>& found)
{
    const Trace& trace = context.trace;
    const auto rates = pinnedRates(context);
    Pageable sums;
    for (const EventRef& event : found) {
        const TimeRange range = trace.range(event);
        sums.bytes += trace.memcpys().bytes[event.index];
        sums.time += range.duration();
        sums.claims.push_back(range);
        if (const EventRef call = trace.apiCallOf(event); call.valid()) {
            sums.calls += trace.range(call).duration();
            sums.claims.push_back(trace.range(call));
        }
        const auto rate = rates.find(trace.memcpys().copy(event.index).kind);
        if (rate == rates.end())
            sums.compared = false;
        else
            sums.pinned += static_cast<double>(trace.memcpys().bytes[event.index]) / rate->second;
    }
    return sums;
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
    // Pinned copies may hide behind kernels, pageable ones hold up the host: all of their time, at most, can
    // go.
    finding.saving = timeBesideKernels(context, found);
    finding.severity = severityOf(context, finding.saving);
    finding.confidence = Confidence::Certain;
    finding.title = fmt::format("{} on pageable memory: {} take {}", counted(found.size(), "copy", "copies"),
        formatBytes(sums.bytes), formatDuration(sums.time));
    finding.message
        = fmt::format("{} moved at {} on average; the host spent {} in the calls.", formatBytes(sums.bytes),
            formatThroughput(
                static_cast<double>(sums.bytes) * 1e9 / static_cast<double>(std::max<Ns>(1, sums.time))),
            formatDuration(sums.calls));
    if (sums.compared && sums.pinned > 0)
        finding.message
            += fmt::format(" At the best rate of pinned copies in this report they would take {}.",
                formatDuration(static_cast<Ns>(sums.pinned)));
    finding.message += " Pinned and asynchronous they could hide behind kernels altogether.";
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
    .remedy = "Allocate the host side with cudaMallocHost or cudaHostAlloc, or pin it with cudaHostRegister, "
              "and copy with "
              "cudaMemcpyAsync in a stream. PyTorch: DataLoader(pin_memory=True), tensor.pin_memory() and "
              "tensor.to(device, "
              "non_blocking=True). Numba: cuda.pinned_array. CuPy: cupyx.empty_pinned.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return !trace.memcpys().empty(); },
    .check = findPageable,
    .absorbs = absorbed,
};

} // namespace warpline
