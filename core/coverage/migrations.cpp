#include "core/coverage/migrations.h"

#include "core/base/sorted_runs.h"
#include "core/coverage/interval_times.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

namespace warpline {

namespace {

/// Pages that leave the GPUs because the host touched them, or is expected to, by start.
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
            if (copies.copy(i).kind == CopyKind::UnifiedDtoH && isFaultMigration(copies.copy(i)))
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

/// The page faults of the GPU, and the pages that migrate to it because it missed them: disjoint, in order.
/// Empty: none migrate.
Intervals arrivals(const Trace& trace, GlobalId process, std::int32_t device, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> times;
    if (std::ranges::none_of(copies.copies, stallsKernels)) // few: events share them
        return {};
    for (const Track& track : TracksOf(trace, EventKind::Memcpy, process)) {
        if (track.device != device)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (stallsKernels(copies.copy(i)))
                times.push_back(copies.range(i));
        }
    }
    const EventTable& faults = trace.pageFaults();
    for (const Track& track : faults.tracks) {
        if (processOf(track.owner) != process || track.device != device)
            continue;
        for (const EventIndex i : eventsOf(track, stop))
            times.push_back(faults.range(i));
    }
    return unionOf(std::move(times), {trace.session.start, trace.session.end + 1}, stop);
}

/// From each page to the next, where that comes soon.
Intervals shortPauses(const Intervals& pages)
{
    constexpr Ns longestHandling = 100'000;
    Intervals pauses;
    for (std::size_t i = 1; i < pages.size(); ++i) {
        const TimeRange pause{pages[i - 1].end, pages[i].start};
        if (pause.duration() <= longestHandling)
            pauses.push_back(pause);
    }
    return pauses;
}

/// Adds to `waits`, of which `stalls` is the union with the pages, the rest of kernels that stall for most of
/// their time: all beyond the time of the same kernel with resident pages, since the last faults are handled.
void addWholeKernels(const KernelTable& kernels, const std::vector<EventIndex>& launches,
    const Intervals& stalls, std::vector<TimeRange>& waits)
{
    constexpr Ns most = 2; // missing for more than a half: the kernel stalls
    constexpr Ns hardly = 10; // for up to a tenth: its pages are resident
    std::vector<EventIndex> stalled;
    std::map<StringId, Ns> quickest; // by short name
    for (const EventIndex i : launches) {
        const TimeRange range = kernels.range(i);
        const Ns missing = totalTime(stalls, range);
        if (missing * most > range.duration())
            stalled.push_back(i);
        else if (missing * hardly <= range.duration()) {
            Ns& least = quickest.try_emplace(kernels.launch(i).shortName, range.duration()).first->second;
            least = std::min(least, range.duration());
        }
    }
    for (const EventIndex i : stalled) {
        const auto known = quickest.find(kernels.launch(i).shortName);
        if (known != quickest.end() && known->second < kernels.duration[i])
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
    std::vector<TimeRange> waits;
    for (const Arrival& arrival : arrivals)
        waits.push_back(arrival.range);
    auto fault = faults.begin();
    for (TimeRange& wait : stoppableItems(waits, stop)) {
        const Ns earliest = wait.start;
        while (fault != faults.end() && std::next(fault) != faults.end() && *std::next(fault) <= earliest)
            ++fault;
        if (fault != faults.end() && *fault <= earliest)
            wait.start = *fault;
    }
    return unionOf(std::move(waits), window, stop);
}

Intervals migrationTime(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> ranges = waitsBetweenPages(trace, process, device, window, stop);
    for (const Track& track : TracksOf(trace, EventKind::Memcpy, process)) {
        for (const EventIndex i : eventsIn(copies, track, window, stop)) {
            if (isFaultMigration(copies.copy(i)))
                ranges.push_back(copies.range(i));
        }
    }
    return unionOf(std::move(ranges), window, stop);
}

std::vector<TimeRange> waitsBetweenPages(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window, const std::stop_token& stop)
{
    constexpr Ns longestFault = 1'000'000;
    const Intervals pages = arrivals(trace, process, device, stop);
    if (pages.empty())
        return {};
    std::vector<TimeRange> waits;
    std::vector<TimeRange> running;
    std::vector<EventIndex> launches; // of all times: the same kernel may have its pages later
    const KernelTable& kernels = trace.kernels();
    for (const Track& track : TracksOf(trace, EventKind::Kernel, process)) {
        if (track.device != device)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            launches.push_back(i);
            running.push_back(kernels.range(i));
            const auto page = std::ranges::lower_bound(pages, kernels.start[i], {}, &TimeRange::start);
            if (page != pages.end() && page->start < kernels.end(i)
                && page->start - kernels.start[i] < longestFault)
                waits.push_back({kernels.start[i], page->start});
        }
    }
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const Intervals between = intersection(shortPauses(pages), unionOf(std::move(running), whole, stop));
    waits.insert(waits.end(), between.begin(), between.end());
    addWholeKernels(kernels, launches, united(pages, unionOf(waits, whole, stop)), waits);
    std::erase_if(waits, [&](TimeRange wait) { return !wait.overlaps(window); });
    return waits;
}

} // namespace warpline
