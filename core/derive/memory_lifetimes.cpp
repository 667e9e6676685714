#include "core/derive/memory_lifetimes.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <tuple>

namespace warpline {

namespace {

/// Allocations and releases of one address, `events` in the order of time, as lifetimes.
class Pairs {
public:
    Pairs(const Trace& trace, std::vector<MemoryLifetime>& lifetimes)
        : m_memory(trace.gpuMemory()),
          m_end(trace.session.end),
          m_lifetimes(lifetimes)
    {
    }

    void add(EventIndex event)
    {
        const bool allocates = m_memory.operation(event).allocates;
        if (m_open != noIndex)
            close(allocates ? noIndex : event, m_memory.start[event]);
        m_open = allocates ? event : noIndex;
    }
    /// The address' last event was added.
    void finish()
    {
        if (m_open != noIndex)
            close(noIndex, std::max(m_end, m_memory.start[m_open]));
        m_open = noIndex;
    }

private:
    void close(EventIndex release, Ns end)
    {
        m_lifetimes.push_back({m_open, release, {m_memory.start[m_open], end}});
    }

    const GpuMemoryTable& m_memory;
    Ns m_end;
    std::vector<MemoryLifetime>& m_lifetimes;
    EventIndex m_open = noIndex;
};

/// Process, GPU and address of event `i`.
std::tuple<GlobalId, std::int32_t, std::uint64_t> placeOf(const GpuMemoryTable& memory, EventIndex i)
{
    return {processOf(memory.trackOf(i).owner), memory.operation(i).device, memory.address[i]};
}

/// In the order of time; of one time as the file has them.
bool isBefore(const GpuMemoryTable& memory, EventIndex a, EventIndex b)
{
    return std::tuple(memory.start[a], memory.sourceRow[a], a)
        < std::tuple(memory.start[b], memory.sourceRow[b], b);
}

} // namespace

std::vector<MemoryLifetime> memoryLifetimes(const Trace& trace, const std::stop_token& stop)
{
    const GpuMemoryTable& memory = trace.gpuMemory();
    std::vector<std::pair<std::tuple<GlobalId, std::int32_t, std::uint64_t>, EventIndex>> events;
    for (const Track& track : memory.tracks) {
        for (const EventIndex i : eventsOf(track, stop)) {
            if (memory.address[i] != 0)
                events.emplace_back(placeOf(memory, i), i);
        }
    }
    std::sort(events.begin(), events.end(), [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : isBefore(memory, a.second, b.second);
    });
    std::vector<MemoryLifetime> lifetimes;
    Pairs pairs(trace, lifetimes);
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (i > 0 && events[i].first != events[i - 1].first)
            pairs.finish();
        pairs.add(events[i].second);
    }
    pairs.finish();
    std::ranges::sort(lifetimes, {},
        [](const MemoryLifetime& lifetime) { return std::pair(lifetime.held.start, lifetime.allocation); });
    return lifetimes;
}

bool hasAddresses(const Trace& trace)
{
    return std::ranges::any_of(trace.gpuMemory().address, [](std::uint64_t address) { return address != 0; });
}

MemoryLifetime lifetimeOf(const Trace& trace, EventIndex event)
{
    const GpuMemoryTable& memory = trace.gpuMemory();
    if (event >= memory.size() || memory.address[event] == 0)
        return {};
    const auto place = placeOf(memory, event);
    std::vector<EventIndex> same;
    for (EventIndex i = 0; i < memory.size(); ++i) {
        if (memory.address[i] == memory.address[event] && placeOf(memory, i) == place)
            same.push_back(i);
    }
    std::sort(same.begin(), same.end(), [&](EventIndex a, EventIndex b) { return isBefore(memory, a, b); });
    std::vector<MemoryLifetime> lifetimes;
    Pairs pairs(trace, lifetimes);
    for (const EventIndex i : same)
        pairs.add(i);
    pairs.finish();
    const auto found = std::ranges::find_if(lifetimes,
        [&](const MemoryLifetime& each) { return each.allocation == event || each.release == event; });
    return found != lifetimes.end() ? *found : MemoryLifetime{};
}

} // namespace warpline
