#include "core/coverage/migrations.h"

#include "core/base/sorted_runs.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>

namespace warpline {

namespace {

/// Pages that the host waits for, by start.
struct Arrival {
    TimeRange range;
    std::uint64_t bytes = 0;
};

std::vector<Arrival> arrivalsAtHost(
    const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<Arrival> arrivals;
    for (const Track& track : copies.tracks) {
        if (processOf(track.owner) != process)
            continue;
        for (const EventIndex i : eventsIn(copies, track, window, stop)) {
            if (stallsHost(copies.copy(i)))
                arrivals.push_back({copies.range(i), copies.bytes[i]});
        }
    }
    sortRuns(
        arrivals, [](const Arrival& a, const Arrival& b) { return a.range.start < b.range.start; }, stop);
    return arrivals;
}

/// Upper bound of a CPU fault's time beyond the migration: unmapping pages from the GPU and mapping each on
/// the host.
Ns mostHandling(std::uint64_t bytes)
{
    constexpr Ns ofFault = 50'000;
    constexpr Ns ofPage = 1'000;
    constexpr std::uint64_t pageBytes = 4096;
    constexpr std::uint64_t maxPages = 1'000'000;
    return ofFault + ofPage * static_cast<Ns>(std::min(bytes / pageBytes, maxPages));
}

/// Groups migrations that follow each other directly: one fault brings them.
std::vector<Arrival> byFault(const std::vector<Arrival>& arrivals)
{
    constexpr Ns together = 2'000;
    std::vector<Arrival> faults;
    for (const Arrival& arrival : arrivals) {
        if (!faults.empty() && arrival.range.start <= faults.back().range.end + together) {
            faults.back().range.end = std::max(faults.back().range.end, arrival.range.end);
            faults.back().bytes += arrival.bytes;
        } else
            faults.push_back(arrival);
    }
    return faults;
}

/// When the host waits for `arrivals`, where its faults are not recorded: until the pages arrive, and then
/// for the shortest time between arrivals of that size. The program's code runs in the rest.
std::vector<TimeRange> waitsForArrivals(const std::vector<Arrival>& arrivals)
{
    constexpr std::size_t enough = 8; // pauses for a reliable minimum
    struct Pauses {
        Ns shortest = 0;
        std::size_t count = 0;
    };
    std::vector<Arrival> faults = byFault(arrivals);
    std::map<int, Pauses> bySize; // of powers of two
    const auto sizeOf = [](const Arrival& fault) { return std::bit_width(fault.bytes); };
    for (std::size_t i = 0; i + 1 < faults.size(); ++i) {
        const Ns pause = faults[i + 1].range.start - faults[i].range.end;
        Pauses& pauses = bySize[sizeOf(faults[i])];
        pauses.shortest = pauses.count++ == 0 ? pause : std::min(pauses.shortest, pause);
    }
    std::vector<TimeRange> waits;
    for (std::size_t i = 0; i < faults.size(); ++i) {
        TimeRange wait = faults[i].range;
        const Pauses& pauses = bySize[sizeOf(faults[i])];
        if (pauses.count >= enough)
            wait.end += std::min(pauses.shortest, mostHandling(faults[i].bytes));
        waits.push_back(wait);
    }
    return waits;
}

std::vector<Ns> faultsOfHost(
    const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const PageFaultTable& faults = trace.pageFaults();
    std::vector<Ns> times;
    for (const Track& track : faults.tracks) {
        if (processOf(track.owner) != process || track.device >= 0)
            continue;
        for (const Lane& lane : faults.lanesOf(track)) {
            const auto [first, last] = faults.touching(lane, window);
            times.insert(times.end(), faults.start.begin() + first, faults.start.begin() + last);
        }
    }
    sortRuns(times, std::less{}, stop);
    return times;
}

template <typename Is> bool anyCopy(const Trace& trace, const std::stop_token& stop, Is is)
{
    for (const CopyAttributes& copy : stoppableItems(trace.memcpys().copies, stop)) {
        if (is(copy))
            return true;
    }
    return false;
}

/// Calls visit(event) for each event of `kind` on `gpu` that takes time.
template <typename Visit>
void forEachOnGpu(
    const Trace& trace, EventKind kind, const GpuOfProcess& gpu, const std::stop_token& stop, Visit visit)
{
    const EventTable& table = trace.table(kind);
    for (const Track& track : TracksOf(trace, kind, gpu.first)) {
        if (track.device != gpu.second)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (table.duration[i] > 0)
                visit(i);
        }
    }
}

bool startsBefore(TimeRange a, TimeRange b)
{
    return a.start < b.start;
}

/// The pages that migrate to the GPU because it missed them, by start.
std::vector<TimeRange> missedPages(const Trace& trace, const GpuOfProcess& gpu, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> pages;
    if (std::ranges::none_of(copies.copies, stallsKernels)) // few: events share them
        return pages;
    forEachOnGpu(trace, EventKind::Memcpy, gpu, stop, [&](EventIndex i) {
        if (stallsKernels(copies.copy(i)))
            pages.push_back(copies.range(i));
    });
    sortRuns(pages, startsBefore, stop);
    return pages;
}

void addFaultsOnGpu(
    const Trace& trace, const GpuOfProcess& gpu, std::vector<TimeRange>& pages, const std::stop_token& stop)
{
    const EventTable& faults = trace.pageFaults();
    for (const Track& track : faults.tracks) {
        if (processOf(track.owner) != gpu.first || track.device != gpu.second)
            continue;
        for (const EventIndex i : eventsOf(track, stop))
            pages.push_back(faults.range(i));
    }
}

/// From the start of each kernel to the first of `pages`, by start, that comes during it.
std::vector<TimeRange> waitsForFirstPages(const Trace& trace, const GpuOfProcess& gpu,
    const std::vector<TimeRange>& pages, const std::stop_token& stop)
{
    constexpr Ns longestFault = 1'000'000;
    const KernelTable& kernels = trace.kernels();
    std::vector<TimeRange> waits;
    forEachOnGpu(trace, EventKind::Kernel, gpu, stop, [&](EventIndex i) {
        const auto page = std::ranges::lower_bound(pages, kernels.start[i], {}, &TimeRange::start);
        if (page != pages.end() && page->start < kernels.end(i)
            && page->start - kernels.start[i] < longestFault)
            waits.push_back({kernels.start[i], page->start});
    });
    return waits;
}

/// The kernels, and the graphs traced as a whole, by start.
std::vector<TimeRange> launchesOnGpu(const Trace& trace, const GpuOfProcess& gpu, const std::stop_token& stop)
{
    std::vector<TimeRange> launches;
    for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace})
        forEachOnGpu(
            trace, kind, gpu, stop, [&](EventIndex i) { launches.push_back(trace.table(kind).range(i)); });
    sortRuns(launches, startsBefore, stop);
    return launches;
}

/// Adds the times from each of `pages` to the next, where that comes soon and one of `launches` holds the
/// time whole: between pages of different launches the GPU computes.
void addShortPauses(const Intervals& pages, const std::vector<TimeRange>& launches,
    std::vector<TimeRange>& waits, const std::stop_token& stop)
{
    constexpr Ns longestHandling = 100'000;
    auto launch = launches.begin();
    Ns latest = std::numeric_limits<Ns>::min(); // end of the launches so far
    for (const std::size_t i : stoppable(std::size_t{1}, pages.size(), stop)) {
        const TimeRange pause{pages[i - 1].end, pages[i].start};
        for (; launch != launches.end() && launch->start <= pause.start; ++launch)
            latest = std::max(latest, launch->end);
        if (pause.duration() <= longestHandling && pause.end <= latest)
            waits.push_back(pause);
    }
}

/// Adds to `waits`, whose union with the pages is `stalls`, the rest of kernels that stall for most of their
/// time: all beyond the time of the same kernel with resident pages, since the last faults are handled. Those
/// times go to `resident`.
void addWholeKernels(const Trace& trace, const GpuOfProcess& gpu, const PackedIntervals& stalls,
    std::vector<TimeRange>& waits, std::map<KernelShape, Ns>& resident, const std::stop_token& stop)
{
    constexpr Ns most = 2; // missing for more than a half: the kernel stalls
    constexpr Ns hardly = 10; // for up to a tenth: its pages are resident
    const KernelTable& kernels = trace.kernels();
    std::vector<EventIndex> stalled;
    forEachOnGpu(trace, EventKind::Kernel, gpu, stop, [&](EventIndex i) {
        const TimeRange range = kernels.range(i);
        const Ns missing = stalls.timeIn(range);
        if (missing * most > range.duration())
            stalled.push_back(i);
        else if (missing * hardly <= range.duration()) {
            Ns& least = resident.try_emplace(shapeOf(kernels.launch(i)), range.duration()).first->second;
            least = std::min(least, range.duration());
        }
    });
    for (const EventIndex i : stoppableItems(stalled, stop)) {
        const auto known = resident.find(shapeOf(kernels.launch(i)));
        if (known != resident.end() && known->second < kernels.duration[i])
            waits.push_back({kernels.start[i], kernels.end(i) - known->second});
    }
}

} // namespace

bool usesManagedMemory(const Trace& trace, const std::stop_token& stop)
{
    return anyName(trace.apiCalls(), stop,
        [&](StringId name) { return trace.text(name).find("llocManaged") != std::string_view::npos; });
}

bool hasMigrations(const Trace& trace, const std::stop_token& stop)
{
    return anyCopy(trace, stop, [](const CopyAttributes& copy) { return isMigration(copy.kind); });
}

bool hasFaultMigrations(const Trace& trace, const std::stop_token& stop)
{
    return anyCopy(trace, stop, isFaultMigration);
}

Intervals hostPageWaits(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const std::vector<Arrival> arrivals = arrivalsAtHost(trace, process, window, stop);
    const std::vector<Ns> faults = faultsOfHost(trace, process, window, stop);
    if (faults.empty())
        return unionOf(waitsForArrivals(arrivals), window, stop);
    constexpr Ns longestFault = 10'000'000; // some 50 us are usual
    const std::vector<Arrival> brought = byFault(arrivals);
    std::vector<TimeRange> waits;
    auto fault = faults.begin();
    Ns answered = std::numeric_limits<Ns>::min(); // faults before have their pages
    for (const Arrival& arrival : stoppableItems(brought, stop)) {
        TimeRange wait = arrival.range;
        while (std::next(fault) != faults.end() && *std::next(fault) <= wait.start)
            ++fault;
        if (*fault > answered && *fault <= wait.start && wait.start - *fault <= longestFault)
            wait.start = *fault;
        answered = arrival.range.start;
        waits.push_back(wait);
    }
    return unionOf(std::move(waits), window, stop);
}

Intervals migrationTime(const Trace& trace, GlobalId process, const PageWaits& waits, TimeRange window,
    const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> ranges = clipped(waits.times, window);
    for (const Track& track : TracksOf(trace, EventKind::Memcpy, process)) {
        for (const EventIndex i : eventsIn(copies, track, window, stop)) {
            if (isFaultMigration(copies.copy(i)))
                ranges.push_back(copies.range(i));
        }
    }
    return unionOf(std::move(ranges), window, stop);
}

PageTraffic pageTraffic(
    const Trace& trace, const GpuOfProcess& gpu, TimeRange window, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    PageTraffic traffic;
    for (const Track& track : TracksOf(trace, EventKind::Memcpy, gpu.first)) {
        if (track.device != gpu.second)
            continue;
        for (const EventIndex i : eventsIn(copies, track, window, stop)) {
            if (isFaultMigration(copies.copy(i)))
                traffic.add(copies.copy(i), copies.bytes[i]);
        }
    }
    return traffic;
}

KernelShape shapeOf(const KernelLaunch& launch)
{
    return {launch.shortName, launch.grid.volume(), launch.block.volume()};
}

PageWaits waitsBetweenPages(const Trace& trace, const GpuOfProcess& gpu, const std::stop_token& stop)
{
    std::vector<TimeRange> pages = missedPages(trace, gpu, stop);
    if (pages.empty())
        return {};
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    std::vector<TimeRange> waits = waitsForFirstPages(trace, gpu, pages, stop);
    addFaultsOnGpu(trace, gpu, pages, stop);
    pages = unionOf(std::move(pages), whole, stop);
    addShortPauses(pages, launchesOnGpu(trace, gpu, stop), waits, stop);
    pages.insert(pages.end(), waits.begin(), waits.end());
    PageWaits found;
    addWholeKernels(trace, gpu, unionOf(std::move(pages), whole, stop), waits, found.resident, stop);
    constexpr TimeRange always{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    found.times = unionOf(std::move(waits), always, stop);
    return found;
}

} // namespace warpline
