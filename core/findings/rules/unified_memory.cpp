// Kernels that wait for pages of unified memory: GPU fault groups and migrations, the kernels affected, their
// times with resident pages, pages that move back and forth, and evicted ones. Requested prefetches do not
// count.

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/derive/tracks_of.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/query/counter_stats.h"
#include "core/store/attributes.h"
#include "core/store/counter_title.h"
#include "core/store/event_loops.h"
#include "core/store/largest_named.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace warpline::unified_memory {

namespace {

constexpr std::string_view id = "unified_memory_faults";
constexpr Threshold minShare{"min_share", "Minimum share of the kernels' time that waits for pages", "%", 5};
constexpr Threshold minTrips{"min_trips", "Minimum round trips of a page that thrashes", "", 2};
constexpr std::array thresholds{minShare, minTrips};
constexpr std::array<std::string_view, 3> absorbed{"gpu_time_util", "gpu_gaps", "gpu_idle_cause"};

constexpr std::uint64_t blockBytes = 2U << 20U; ///< the driver moves unified memory in blocks of 2 MiB

/// Migrations because of faults.
struct Traffic {
    std::vector<TimeRange> stalls; ///< GPU fault groups, pages that migrate to the GPU, waits between them
    std::vector<EventIndex> migrations; ///< in order of time
    PageTraffic moved;
    std::uint64_t faults = 0; ///< pages that the GPU missed
    std::map<KernelShape, Ns> resident; ///< see PageWaits
};

Traffic trafficOf(const RuleContext& context, const GpuFacts& gpu)
{
    Traffic traffic;
    const MemcpyTable& copies = context.trace.memcpys();
    for (const Track& track : TracksOf(context.trace, EventKind::Memcpy, gpu.process)) {
        if (track.device != gpu.device)
            continue;
        for (const EventIndex i : eventsIn(copies, track, context.window, context.stop)) {
            if (!isFaultMigration(copies.copy(i)))
                continue;
            traffic.migrations.push_back(i);
            if (stallsKernels(copies.copy(i)))
                traffic.stalls.push_back(copies.range(i));
            traffic.moved.add(copies.copy(i), copies.bytes[i]);
        }
    }
    const PageFaultTable& faults = context.trace.pageFaults();
    for (const Track& track : faults.tracks) {
        if (processOf(track.owner) != gpu.process || track.device != gpu.device)
            continue;
        for (const EventIndex i : eventsIn(faults, track, context.window, context.stop)) {
            traffic.stalls.push_back(faults.range(i));
            traffic.faults += faultsIn(context.trace, i);
        }
    }
    const PageWaits& known = context.facts.pageWaits({gpu.process, gpu.device});
    const Intervals waits = clipped(known.times, context.window);
    traffic.stalls.insert(traffic.stalls.end(), waits.begin(), waits.end());
    traffic.resident = known.resident;
    std::ranges::sort(traffic.migrations, {}, [&](EventIndex i) { return copies.start[i]; });
    return traffic;
}

/// A kernel by name: how it fares without its pages.
struct Named {
    std::uint64_t stalled = 0; ///< launches under which pages were missing for most of their time
    Ns waiting = 0; ///< for pages, in any launch
    EventIndex slowest = noIndex; ///< of the stalled launches
};

struct Kernels {
    std::map<StringId, Named> byName;
    std::vector<EventRef> stalled; ///< slowest first
};

Kernels kernelsOf(const RuleContext& context, const GpuFacts& gpu, const PackedIntervals& stalls)
{
    const KernelTable& kernels = context.trace.kernels();
    Kernels found;
    forEachOfKind(gpu, EventKind::Kernel, context.stop, [&](EventRef event) {
        const TimeRange range = kernels.range(event.index);
        const Ns missing = stalls.timeIn(range);
        Named& named = found.byName[kernels.launch(event.index).shortName];
        named.waiting += missing;
        if (missing * 2 > range.duration()) {
            ++named.stalled;
            if (named.slowest == noIndex || kernels.duration[named.slowest] < range.duration())
                named.slowest = event.index;
            found.stalled.push_back(event);
        }
    });
    sortLongestFirst(context.trace, found.stalled);
    return found;
}

/// Blocks of memory that went to the GPU and, because the host touched them, back again and again.
struct Thrashing {
    std::uint64_t blocks = 0;
    std::uint64_t trips = 0; ///< the most returns of one page range to the GPU
    std::uint64_t bytes = 0; ///< that moved for them, both ways, evicted ones left out
    std::uint64_t returned = 0; ///< blocks of any kind that came to the GPU again after an eviction
};

Thrashing thrashingOf(const RuleContext& context, const Traffic& traffic)
{
    struct Block {
        bool isNew = true;
        bool onDevice = false;
        bool isEvicted = false;
        bool hasReturned = false; ///< after an eviction
        std::uint64_t arrivals = 0; ///< changes from the host to the GPU
        std::uint64_t fetches = 0; ///< changes to the host other than evictions
        std::uint64_t bytes = 0; ///< other than evicted ones
    };
    const MemcpyTable& copies = context.trace.memcpys();
    std::unordered_map<std::uint64_t, Block> blocks;
    for (const EventIndex i : traffic.migrations) {
        if (copies.address.empty() || copies.address[i] == 0)
            continue;
        Block& block = blocks[copies.address[i] / blockBytes];
        const bool arrives = copies.copy(i).kind == CopyKind::UnifiedHtoD;
        const bool evicts = isEviction(copies.copy(i));
        const bool changes = std::exchange(block.isNew, false) || arrives != block.onDevice;
        block.onDevice = arrives;
        block.hasReturned |= arrives && block.isEvicted;
        block.isEvicted = !arrives && (evicts || block.isEvicted);
        if (evicts)
            continue;
        if (changes)
            ++(arrives ? block.arrivals : block.fetches);
        block.bytes += copies.bytes[i];
    }
    const double least = context.threshold(id, minTrips);
    Thrashing found;
    for (const auto& [address, block] : blocks) {
        found.returned += block.hasReturned ? 1 : 0;
        const std::uint64_t trips = std::min(block.arrivals, block.fetches);
        if (static_cast<double>(trips) < least)
            continue;
        ++found.blocks;
        found.trips = std::max(found.trips, trips);
        found.bytes += block.bytes;
    }
    return found;
}

/// How long the kernel that waits most takes with and without its pages; empty: no launch waits long.
Message comparedKernels(const Trace& trace, const Traffic& traffic, const Kernels& kernels)
{
    const auto worst = largestNamed(trace, kernels.byName, std::mem_fn(&Named::waiting));
    if (worst == kernels.byName.end() || worst->second.stalled == 0)
        return {};
    const Named& named = worst->second;
    const KernelTable& table = trace.kernels();
    const Ns longest = table.duration[named.slowest];
    Message text("unified_memory_faults.worst",
        "{kernel} waits most: {time} in {launches, plural, one {# launch} other {# launches}} of up to {longest}.",
        {{"kernel", Name{std::string(trace.text(worst->first))}}, {"time", Duration{named.waiting}},
            {"launches", Count{named.stalled}}, {"longest", Duration{longest}}});
    const auto resident = traffic.resident.find(shapeOf(table.launch(named.slowest)));
    if (resident != traffic.resident.end() && resident->second < longest)
        text += Message("unified_memory_faults.quickest", "With its pages on the GPU, it takes {time}.",
            {{"time", Duration{resident->second}}});
    return text;
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

/// How pages come and go: why they move again, for the title.
std::string_view reasonOf(const Traffic& traffic, const Thrashing& thrashing)
{
    if (traffic.moved.lacksRoom())
        return "room";
    return traffic.moved.isMuch(thrashing.bytes) ? "yes" : "no";
}

/// What moves, because of which, and again.
Message movesOf(const Traffic& traffic, const Thrashing& thrashing)
{
    const PageTraffic& moved = traffic.moved;
    Message text("unified_memory_faults.migrations",
        "{migrations, plural, one {# migration} other {# migrations}} without a prefetch: {to} to the GPU, {back} "
        "back{faults, plural, =0 {} one {, after # page fault} other {, after # page faults}}.",
        {{"migrations", Count{traffic.migrations.size()}}, {"to", Bytes{moved.toDevice}},
            {"back", Bytes{moved.toHost}}, {"faults", Count{traffic.faults}}});
    if (moved.evictions > 0)
        text += Message("unified_memory_faults.evictions",
            "GPU memory was full: {evictions, plural, one {# eviction} other {# evictions}} moved {bytes} of that back to "
            "the host to make room.",
            {{"evictions", Count{moved.evictions}}, {"bytes", Bytes{moved.evicted}}});
    if (thrashing.returned > 0)
        text += Message("unified_memory_faults.returned",
            "{blocks, plural, one {# block} other {# blocks}} of 2 MiB came back after an eviction: the memory that the "
            "kernels touch does not fit.",
            {{"blocks", Count{thrashing.returned}}});
    return text;
}

/// The most bytes that the process of `gpu` holds there in memory of `kind`, as its row shows; nothing: not
/// recorded.
std::optional<std::uint64_t> mostHeld(const RuleContext& context, const GpuFacts& gpu, MemoryKind kind)
{
    const std::vector<CounterSeries>& counters = context.trace.counters;
    for (std::uint32_t i = 0; i < counters.size(); ++i) {
        const CounterSeries& series = counters[i];
        if (series.kind != CounterKind::GpuMemoryUsage || series.owner != gpu.process
            || series.device != gpu.device || context.trace.text(series.name) != memoryUsageName(kind))
            continue;
        if (const auto figures = counterFigures(context.trace, i, context.window))
            return static_cast<std::uint64_t>(std::llround(figures->high));
    }
    return {};
}

/// What a GPU holds for its process.
struct HeldMemory {
    std::optional<std::uint64_t> device; ///< by cudaMalloc and the like
    std::optional<std::uint64_t> managed;
    std::uint64_t all = 0; ///< of the GPU; 0: unknown

    bool isKnown() const { return device && managed; }
    /// What leaves no room: "device", "managed", or "unknown" where both leave some: other processes may not.
    /// It is most of the GPU's memory, so that this has to be known.
    std::string_view cause() const
    {
        if (!isKnown() || all == 0 || *device + *managed < all / 10 * 9
            || std::max(*device, *managed) <= all / 2)
            return "unknown";
        return *device > *managed ? "device" : "managed";
    }
};

HeldMemory heldOn(const RuleContext& context, const GpuFacts& gpu)
{
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    return {mostHeld(context, gpu, MemoryKind::Device), mostHeld(context, gpu, MemoryKind::Managed),
        device ? static_cast<std::uint64_t>(std::max<std::int64_t>(device->memoryBytes, 0)) : 0};
}

Message heldText(const HeldMemory& held)
{
    return {"unified_memory_faults.held",
        "The program holds up to {managed} of managed memory, and {device} in device "
        "allocations{known, select, yes { of the {all} of the GPU} other {}}.",
        {{"managed", Bytes{*held.managed}}, {"device", Bytes{*held.device}}, {"known", yesOrNo(held.all > 0)},
            {"all", Bytes{held.all}}}};
}

/// What to do about evictions.
Message makeRoom(const HeldMemory& held)
{
    return Message("unified_memory_faults.make_room",
               "Make the memory that the kernels touch fit on the GPU: {cause, select, device {free device allocations, "
               "which fill most of it} managed {use smaller batches or tiles} other {use smaller batches or tiles, or "
               "free other GPU memory}}.",
               {{"cause", Name{std::string(held.cause())}}})
        + Message("unified_memory_faults.keep_hot",
            "Or allocate what each kernel uses with cudaMalloc, and keep the rest on the host. For the rest, call "
            "cudaMemAdvise with cudaMemAdviseSetPreferredLocation (cudaCpuDeviceId) and cudaMemAdviseSetAccessedBy "
            "(device).");
}

/// Advice for evictions goes first where these move most, and else last.
void advise(Finding& finding, const PageTraffic& moved, const HeldMemory& held, bool hostFetches)
{
    if (!moved.lacksRoom()) {
        finding.cure.edits.push_back(editOfAll(CureKind::PrefetchPages));
        if (moved.evictions > 0)
            finding.remedy = findRule(id)->remedyText() + makeRoom(held);
        return;
    }
    finding.topic = "unified_memory_faults.evictions";
    finding.remedy = makeRoom(held)
        + Message("unified_memory_faults.next_tile",
            "Prefetch only the next tile (cudaMemPrefetchAsync). Prefetching everything does not help: it evicts other "
            "pages.");
    if (hostFetches)
        finding.remedy += Message("unified_memory_faults.host_part",
            "Where the host reads what a kernel wrote, prefetch that part to the host before: "
            "cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, stream).");
}

Finding findingOf(
    const RuleContext& context, const GpuFacts& gpu, const Traffic& traffic, const Intervals& waiting)
{
    const Trace& trace = context.trace;
    const Intervals host = hostWaits(context, gpu);
    const Kernels kernels = kernelsOf(context, gpu, waiting);
    const Thrashing thrashing = thrashingOf(context, traffic);
    const Ns lost = totalTime(waiting);
    Finding finding = findingOn(context, gpu.process, gpu.device, lost + totalTime(host));
    finding.confidence = traffic.faults > 0 ? Confidence::Certain : Confidence::Likely;
    finding.title = Message("unified_memory_faults.title",
        "{gpu}: kernels wait {time}{host, select, waits {, and the host {host_time},} other {}} for pages of unified "
        "memory{trips, select, yes {, which move back and forth} room {, which do not fit in GPU memory} other {}}",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"time", Duration{lost}},
            {"host", Name{host.empty() ? "none" : "waits"}}, {"host_time", Duration{totalTime(host)}},
            {"trips", Name{std::string(reasonOf(traffic, thrashing))}}});
    finding.message = Message("unified_memory_faults.waits",
        "Kernels run for {time} and wait for missing pages in {share} of it.",
        {{"time", Duration{totalTime(gpu.compute)}},
            {"share", Share{shareOf(lost, totalTime(gpu.compute))}}});
    finding.message += movesOf(traffic, thrashing);
    const HeldMemory held = heldOn(context, gpu);
    if (traffic.moved.evictions > 0 && held.isKnown())
        finding.message += heldText(held);
    finding.message += comparedKernels(trace, traffic, kernels);
    if (thrashing.blocks > 0)
        finding.message += Message("unified_memory_faults.thrashing",
            "Thrashing: {blocks, plural, one {# block} other {# blocks}} of 2 MiB went to the GPU and back up to {trips} "
            "times, {bytes} in all.",
            {{"blocks", Count{thrashing.blocks}}, {"trips", Count{thrashing.trips}},
                {"bytes", Bytes{thrashing.bytes}}});
    if (thrashing.blocks > 0)
        finding.message
            += Message("unified_memory_faults.in_turn", "Host and GPU use the same memory in turn.");
    if (!host.empty())
        finding.message += Message("unified_memory_faults.host",
            "The host waits {time} for pages on the GPU, which computes nothing in that time: pages move for {moving} of "
            "it.",
            {{"time", Duration{totalTime(host)}}, {"moving", Duration{movingWithin(trace, traffic, host)}}});
    if (const Ns later = waitsAfter(context, gpu); later > 0)
        finding.message += Message("unified_memory_faults.later",
            "After the last kernel or copy, the host waits another {time} for pages, which is not part of the saving.",
            {{"time", Duration{later}}});
    finding.claims = united(waiting, host);
    advise(finding, traffic.moved, held, thrashing.blocks > 0 || !host.empty());
    setEvidence(finding, trace, kernels.stalled, [&](EventRef event) {
        return Message("unified_memory_faults.kernel", "pages are missing for {time} of it",
            {{"time", Duration{totalTime(finding.claims, trace.range(event))}}});
    });
    if (kernels.stalled.empty())
        setClaimedStretches(finding, "unified_memory_faults.wait", "waits {time} for pages");
    return finding;
}

void findFaults(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    Traffic traffic = trafficOf(context, gpu);
    if (traffic.stalls.empty())
        return;
    const Intervals waiting
        = intersection(unionOf(std::move(traffic.stalls), context.window, context.stop), gpu.compute);
    if (waiting.empty() || !context.reachesShare(id, minShare, totalTime(waiting), totalTime(gpu.compute)))
        return;
    findings.push_back(findingOf(context, gpu, traffic, waiting));
}

} // namespace

extern constinit const Rule unifiedMemoryFaults{
    .id = id,
    .title = "Kernels that wait for pages of unified memory",
    .why
    = "A kernel that touches a page that is not on the GPU stops until the driver has moved it. That takes some tens of "
      "microseconds per group of faults, far below the link's bandwidth. Memory that host and GPU use in turn, or that "
      "does not fit in GPU memory, moves each time again.",
    .remedy
    = "Move the pages before the launch. CUDA: call cudaMemPrefetchAsync(p, bytes, device, stream) before the kernel "
      "and cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, stream) before the host reads. Use cudaMemAdvise(p, bytes, "
      "cudaMemAdviseSetReadMostly, device) for read-only data, and initialize on the GPU so that it touches the pages "
      "first. OpenACC (-gpu=managed): use #pragma acc enter data copyin(p[0:n]) before the loop and #pragma acc update "
      "host(...) where the host needs the data. OpenMP: use #pragma omp target enter data map(to: p[0:n]) and #pragma "
      "omp target update from(...). Or use cudaMalloc and copies for data that moves in each iteration.",
    .caveat = "First-touch faults are a one-time cost that no change removes.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token& stop) {
            return !trace.kernels().empty() && hasFaultMigrations(trace, stop);
        },
    .checkGpu = findFaults,
    .absorbs = absorbed,
};

} // namespace warpline::unified_memory
