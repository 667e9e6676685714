#include "core/findings/migrations.h"

#include "core/base/stop.h"

#include <algorithm>
#include <unordered_set>

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
    std::ranges::sort(ranges, {}, &TimeRange::start);
    return ranges;
}

std::vector<Ns> faultsOfHost(const Trace& trace, GlobalId process, TimeRange window)
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
    std::ranges::sort(times);
    return times;
}

} // namespace

bool usesManagedMemory(const Trace& trace)
{
    std::unordered_set<std::uint32_t> seen; // names are few
    return std::ranges::any_of(trace.apiCalls().name, [&](StringId name) {
        return seen.insert(raw(name)).second
            && trace.text(name).find("llocManaged") != std::string_view::npos;
    });
}

bool hasMigrations(const Trace& trace)
{
    const MemcpyTable& copies = trace.memcpys();
    for (EventIndex i = 0; i < copies.size(); ++i) {
        if (isMigration(copies.copy(i).kind))
            return true;
    }
    return false;
}

Intervals hostPageWaits(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    std::vector<TimeRange> waits = arrivalsAtHost(trace, process, window, stop);
    if (waits.empty())
        return {};
    const std::vector<Ns> faults = faultsOfHost(trace, process, window);
    auto fault = faults.begin();
    for (TimeRange& wait : waits) {
        const Ns earliest = wait.start;
        while (fault != faults.end() && std::next(fault) != faults.end() && *std::next(fault) <= earliest)
            ++fault;
        if (fault != faults.end() && *fault <= earliest)
            wait.start = *fault;
    }
    return unionOf(std::move(waits), window);
}

Intervals migrationTime(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> ranges;
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
    return unionOf(std::move(ranges), window);
}

} // namespace warpline
