// Kernels that wait for pages of unified memory: GPU fault groups and migrations under them, which kernels,
// how the same kernel fares when its pages are there, and pages that move back and forth. Prefetches that the
// program asked for are no fault, and no part of it.

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/coverage/first_pages.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/united.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/migrations.h"
#include "core/findings/run_facts.h"
#include "core/store/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::string_view id = "unified_memory_faults";
constexpr Threshold minShare{"min_share", "Minimum share of the kernels' time that waits for pages", "%", 5};
constexpr Threshold minTrips{"min_trips", "Pages thrash that went both ways so often", "", 2};
constexpr std::array thresholds{minShare, minTrips};
constexpr std::array<std::string_view, 3> absorbed{"gpu_time_util", "gpu_gaps", "gpu_idle_cause"};

constexpr std::uint64_t blockBytes = 2U << 20U; ///< the driver moves unified memory in blocks of 2 MiB

/// What moved because somebody missed it.
struct Traffic {
    std::vector<TimeRange> stalls; ///< fault groups of the GPU, pages that come to it, waits for the first
    std::vector<EventIndex> migrations; ///< in order of time
    std::uint64_t toDevice = 0; ///< bytes
    std::uint64_t toHost = 0;
    std::uint64_t faults = 0; ///< pages that the GPU missed
};

Traffic trafficOf(const RuleContext& context, const GpuFacts& gpu)
{
    Traffic traffic;
    const MemcpyTable& copies = context.trace.memcpys();
    for (const Track& track : copies.tracks) {
        if (track.owner != gpu.process || track.device != gpu.device)
            continue;
        for (const Lane& lane : copies.lanesOf(track)) {
            const auto [first, last] = copies.touching(lane, context.window);
            for (const EventIndex i : stoppable(first, last, context.stop)) {
                if (!isFaultMigration(copies.copy(i)))
                    continue;
                traffic.migrations.push_back(i);
                if (stallsKernels(copies.copy(i)))
                    traffic.stalls.push_back(copies.range(i));
                (copies.copy(i).kind == CopyKind::UnifiedHtoD ? traffic.toDevice : traffic.toHost)
                    += copies.bytes[i];
            }
        }
    }
    const PageFaultTable& faults = context.trace.pageFaults();
    for (const Track& track : faults.tracks) {
        if (processOf(track.owner) != gpu.process || track.device != gpu.device)
            continue;
        for (const Lane& lane : faults.lanesOf(track)) {
            const auto [first, last] = faults.touching(lane, context.window);
            for (const EventIndex i : stoppable(first, last, context.stop)) {
                traffic.stalls.push_back(faults.range(i));
                traffic.faults += faultsIn(context.trace, i);
            }
        }
    }
    const std::vector<TimeRange> first
        = waitsForFirstPages(context.trace, gpu.process, gpu.device, context.window, context.stop);
    traffic.stalls.insert(traffic.stalls.end(), first.begin(), first.end());
    std::ranges::sort(traffic.migrations, {}, [&](EventIndex i) { return copies.start[i]; });
    return traffic;
}

/// A kernel by name: how it fares with and without missing pages.
struct Named {
    std::uint64_t stalled = 0; ///< launches under which pages were missing for most of their time
    Ns stalledTime = 0; ///< of these launches, all of it
    Ns waiting = 0; ///< for pages, in any launch
    Ns slowest = 0;
    Ns quickest = 0; ///< of the launches that missed next to nothing; 0: there is none
    std::uint64_t quick = 0;
};

/// Between pages that a kernel waits for it waits as well: for the next faults to be handled.
Intervals joined(const Intervals& stalls)
{
    constexpr Ns handling = 100'000;
    Intervals all;
    for (const TimeRange& stall : stalls) {
        if (!all.empty() && stall.start - all.back().end <= handling)
            all.back().end = std::max(all.back().end, stall.end);
        else
            all.push_back(stall);
    }
    return all;
}

struct Kernels {
    std::map<StringId, Named> byName;
    std::vector<EventRef> stalled; ///< slowest first
};

Kernels kernelsOf(const RuleContext& context, const GpuFacts& gpu, const PackedIntervals& stalls)
{
    const KernelTable& kernels = context.trace.kernels();
    Kernels found;
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        if (event.kind != EventKind::Kernel)
            continue;
        const TimeRange range = kernels.range(event.index);
        const Ns missing = stalls.timeIn(range);
        Named& named = found.byName[kernels.launch(event.index).shortName];
        named.waiting += missing;
        if (missing * 2 > range.duration()) {
            ++named.stalled;
            named.stalledTime += range.duration();
            named.slowest = std::max(named.slowest, range.duration());
            found.stalled.push_back(event);
        } else if (missing * 10 <= range.duration()) {
            ++named.quick;
            named.quickest
                = named.quickest == 0 ? range.duration() : std::min(named.quickest, range.duration());
        }
    }
    std::ranges::stable_sort(
        found.stalled, std::greater{}, [&](EventRef event) { return kernels.duration[event.index]; });
    return found;
}

/// `stalls` and, of kernels that miss pages for most of their time, all but what the same kernel takes where
/// it finds them: handling the last faults takes it as well.
Intervals withWholeKernels(const Trace& trace, const Kernels& kernels, Intervals stalls)
{
    const KernelTable& table = trace.kernels();
    std::vector<TimeRange> whole;
    TimeRange all;
    for (const EventRef& kernel : kernels.stalled) {
        const Named& named = kernels.byName.at(table.launch(kernel.index).shortName);
        const TimeRange range = table.range(kernel.index);
        if (named.quick > 0 && named.quickest < range.duration()) {
            whole.push_back({range.start, range.end - named.quickest});
            all = all.empty() ? whole.back() : all.unitedWith(whole.back());
        }
    }
    return united(stalls, unionOf(std::move(whole), all));
}

/// Blocks of memory that went to the GPU and back again and again.
struct Thrashing {
    std::uint64_t blocks = 0;
    std::uint64_t trips = 0; ///< most times that one of them came back to the GPU
    std::uint64_t bytes = 0; ///< that moved for them, both ways
};

/// True where what goes to and fro is a large part of what moves: else pages go once, and a few come back.
bool isMost(const Thrashing& thrashing, const Traffic& traffic)
{
    constexpr std::uint64_t share = 4;
    return thrashing.bytes > 0 && thrashing.bytes * share >= traffic.toDevice + traffic.toHost;
}

Thrashing thrashingOf(const RuleContext& context, const Traffic& traffic)
{
    struct Block {
        bool onDevice = false;
        std::uint64_t arrivals = 0; ///< changes from the host to the GPU
        std::uint64_t departures = 0;
        std::uint64_t bytes = 0;
    };
    const MemcpyTable& copies = context.trace.memcpys();
    std::unordered_map<std::uint64_t, Block> blocks;
    for (const EventIndex i : traffic.migrations) {
        if (copies.address.empty() || copies.address[i] == 0)
            continue;
        Block& block = blocks[copies.address[i] / blockBytes];
        const bool arrives = copies.copy(i).kind == CopyKind::UnifiedHtoD;
        if (block.arrivals + block.departures == 0 || arrives != block.onDevice)
            ++(arrives ? block.arrivals : block.departures);
        block.onDevice = arrives;
        block.bytes += copies.bytes[i];
    }
    const double least = context.threshold(id, minTrips);
    Thrashing found;
    for (const auto& [address, block] : blocks) {
        const std::uint64_t trips = std::min(block.arrivals, block.departures);
        if (static_cast<double>(trips) < least)
            continue;
        ++found.blocks;
        found.trips = std::max(found.trips, trips);
        found.bytes += block.bytes;
    }
    return found;
}

/// "touch takes up to 12.88 ms while its pages are missing, and 57.1 us in the 3 launches that found them".
std::string comparedKernels(const Trace& trace, const Kernels& kernels)
{
    const auto worst = std::ranges::max_element(
        kernels.byName, {}, [](const auto& entry) { return entry.second.waiting; });
    if (worst == kernels.byName.end() || worst->second.stalled == 0)
        return {};
    const Named& named = worst->second;
    std::string text = fmt::format(" Most: {}, {} of it in {}, up to {} each", trace.text(worst->first),
        formatDuration(named.waiting), counted(named.stalled, "launch", "launches"),
        formatDuration(named.slowest));
    if (named.quick > 0)
        text += fmt::format("; where its pages are on the GPU it takes {}", formatDuration(named.quickest));
    return text + ".";
}

/// The time in which code on the CPU waits for pages while the GPU has nothing to do.
Intervals hostWaits(const RuleContext& context, const GpuFacts& gpu)
{
    Intervals gaps;
    for (const IdleGap& gap : gpu.gaps())
        gaps.push_back(gap.range);
    return intersection(
        hostPageWaits(context.trace, processOf(gpu.process), context.window, context.stop), gaps);
}

/// The time of `waits` in which pages move.
Ns movingWithin(const Trace& trace, const Traffic& traffic, const Intervals& waits)
{
    std::vector<TimeRange> moves;
    for (const EventIndex i : traffic.migrations)
        moves.push_back(trace.memcpys().range(i));
    return commonTime(unionOf(std::move(moves), {waits.front().start, waits.back().end}), waits);
}

/// The same as hostWaits() after the last work of the GPU.
Ns waitsAfter(const RuleContext& context, const GpuFacts& gpu)
{
    return totalTime(hostPageWaits(context.trace, processOf(gpu.process),
        {std::max(context.window.start, gpu.span().end), context.window.end}, context.stop));
}

Finding findingOf(const RuleContext& context, const GpuFacts& gpu, const Traffic& traffic, Intervals stalls)
{
    const Trace& trace = context.trace;
    const Intervals host = hostWaits(context, gpu);
    const Kernels kernels = kernelsOf(context, gpu, stalls);
    const Intervals waiting = withWholeKernels(trace, kernels, std::move(stalls));
    const Thrashing thrashing = thrashingOf(context, traffic);
    const Ns lost = totalTime(waiting);
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.saving = lost + totalTime(host);
    finding.severity = severityOf(context, finding.saving);
    finding.confidence = traffic.faults > 0 ? Confidence::Certain : Confidence::Likely;
    finding.title = fmt::format("{}: kernels wait {}{} for pages of unified memory{}", nameOf(trace, gpu),
        formatDuration(lost),
        host.empty() ? std::string() : fmt::format(", and the host {},", formatDuration(totalTime(host))),
        isMost(thrashing, traffic) ? ", which move back and forth" : "");
    finding.message = fmt::format(
        "During {} of the {} in which kernels run, they wait for pages that they miss: {} "
        "came to the GPU and {} left it in {}{}.",
        formatShare(static_cast<double>(lost) / static_cast<double>(std::max<Ns>(1, totalTime(gpu.compute)))),
        formatDuration(totalTime(gpu.compute)), formatBytes(traffic.toDevice), formatBytes(traffic.toHost),
        counted(traffic.migrations.size(), "migration") + " that no prefetch asked for",
        traffic.faults > 0 ? fmt::format(", after {}", counted(traffic.faults, "page fault"))
                           : std::string());
    finding.message += comparedKernels(trace, kernels);
    if (thrashing.blocks > 0)
        finding.message += fmt::format(
            " Thrashing: {} of 2 MiB went to the GPU and back up to {} times, {} in "
            "all, because host and GPU use the same memory in turns.",
            counted(thrashing.blocks, "block"), formatCount(thrashing.trips), formatBytes(thrashing.bytes));
    if (!host.empty())
        finding.message += fmt::format(
            " The host waits {} for pages that are on the GPU, which computes nothing meanwhile: they move for "
            "{} of that, and it idles for the rest.",
            formatDuration(totalTime(host)), formatDuration(movingWithin(trace, traffic, host)));
    if (const Ns later = waitsAfter(context, gpu); later > 0)
        finding.message += fmt::format(
            " After the last kernel or copy the host waits {} more for pages: outside the measured time, no part "
            "of the saving.",
            formatDuration(later));
    finding.claims = united(waiting, host);
    finding.cure.edits.push_back(editOfAll(CureKind::PrefetchPages));
    setEvidence(finding, trace, kernels.stalled, [&](EventRef event) {
        return fmt::format(
            "pages are missing for {} of it", formatDuration(totalTime(finding.claims, trace.range(event))));
    });
    if (kernels.stalled.empty())
        setClaimedStretches(finding,
            [](TimeRange range) { return "waits " + formatDuration(range.duration()) + " for pages"; });
    return finding;
}

std::vector<Finding> findFaults(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        Traffic traffic = trafficOf(context, gpu);
        if (traffic.stalls.empty())
            continue;
        Intervals waiting = intersection(
            joined(unionOf(std::move(traffic.stalls), context.window, context.stop)), gpu.compute);
        if (waiting.empty()
            || static_cast<double>(totalTime(waiting)) * 100
                < context.threshold(id, minShare) * static_cast<double>(totalTime(gpu.compute)))
            continue;
        findings.push_back(findingOf(context, gpu, traffic, std::move(waiting)));
    }
    return findings;
}

} // namespace

extern constinit const Rule unifiedMemoryFaults{
    .id = id,
    .title = "Kernels wait for pages of unified memory",
    .why
    = "A kernel that touches a page that is not on the GPU stops until the driver has brought it, some tens "
      "of microseconds a group of faults and far below the link's bandwidth. Memory that host and GPU use in "
      "turns moves each time anew.",
    .remedy
    = "Bring the pages before the launch. CUDA: cudaMemPrefetchAsync(p, bytes, device, stream) before the "
      "kernel and cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, stream) before the host reads; "
      "cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, device) for what is only read; initialize on the "
      "GPU, so that it has the first touch. OpenACC (-gpu=managed): #pragma acc enter data copyin(p[0:n]) "
      "before the loop and #pragma acc update host(...) where the host needs it. OpenMP: #pragma omp target "
      "enter data map(to: p[0:n]) and #pragma omp target update from(...). Or plain cudaMalloc and copies "
      "for what moves in each round.",
    .caveat = "Faults of the first touch are paid once, whatever is done.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token& stop) {
            return !trace.kernels().empty() && hasFaultMigrations(trace, stop);
        },
    .check = findFaults,
    .absorbs = absorbed,
};

} // namespace warpline
