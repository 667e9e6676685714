#include "core/findings/migrations.h"

#include "core/base/sorted_runs.h"
#include "core/coverage/first_pages.h"
#include "core/store/event_loops.h"

#include <algorithm>
#include <functional>

namespace warpline {

namespace {

/// Pages that leave the GPUs because the host touched them, or is expected to, by start.
std::vector<TimeRange> arrivalsAtHost(
    const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> ranges;
    for (const Track& track : copies.tracks) {
        if (processOf(track.owner) != process)
            continue;
        for (const Lane& lane : copies.lanesOf(track)) {
            const auto [first, last] = copies.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                if (copies.copy(i).kind == CopyKind::UnifiedDtoH && isFaultMigration(copies.copy(i)))
                    ranges.push_back(copies.range(i));
            }
        }
    }
    sortRuns(
        ranges, [](TimeRange a, TimeRange b) { return a.start < b.start; }, stop);
    return ranges;
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
    std::vector<TimeRange> waits = arrivalsAtHost(trace, process, window, stop);
    if (waits.empty())
        return {};
    const std::vector<Ns> faults = faultsOfHost(trace, process, window, stop);
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
    std::vector<TimeRange> ranges = waitsForFirstPages(trace, process, device, window, stop);
    for (const Track& track : copies.tracks) {
        if (track.owner != process)
            continue;
        for (const Lane& lane : copies.lanesOf(track)) {
            const auto [first, last] = copies.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                if (isFaultMigration(copies.copy(i)))
                    ranges.push_back(copies.range(i));
            }
        }
    }
    return unionOf(std::move(ranges), window, stop);
}

} // namespace warpline
