#include "core/kineto/captured_nodes.h"

#include <algorithm>
#include <optional>

namespace warpline {

namespace {

bool contains(std::string_view name, std::string_view part)
{
    return name.find(part) != std::string_view::npos;
}

bool makesNode(std::string_view call)
{
    if (contains(call, "GraphLaunch"))
        return false;
    return contains(call, "Launch") || contains(call, "Memcpy") || contains(call, "Memset");
}

/// The times in which `track` captures, in order.
std::vector<TimeRange> capturesOn(const EventTable& calls, const Track& track, const StringPool& pool)
{
    std::vector<EventIndex> ends;
    for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
        const std::string_view name = pool[calls.name[i]];
        if (contains(name, "StreamBeginCapture") || contains(name, "StreamEndCapture"))
            ends.push_back(i);
    }
    std::ranges::sort(ends, {}, [&](EventIndex i) { return calls.start[i]; });
    std::vector<TimeRange> captures;
    std::optional<Ns> begun;
    for (const EventIndex i : ends) {
        if (contains(pool[calls.name[i]], "Begin"))
            begun = calls.end(i);
        else if (begun)
            captures.push_back({*std::exchange(begun, {}), calls.start[i]});
    }
    return captures;
}

std::unordered_set<std::uint32_t> numbersOf(std::span<const EventTable* const> work)
{
    std::unordered_set<std::uint32_t> numbers;
    for (const EventTable* const table : work)
        numbers.insert(table->correlation.begin(), table->correlation.end());
    return numbers;
}

} // namespace

void addCapturedNodes(const EventTable& calls, std::span<const EventTable* const> work, EventReader& events,
    Ns zero, StringPool& pool)
{
    std::optional<std::unordered_set<std::uint32_t>> started;
    for (const Track& track : calls.tracks) {
        const std::vector<TimeRange> captures = capturesOn(calls, track, pool);
        if (captures.empty())
            continue;
        if (!started)
            started = numbersOf(work);
        TrackKey key{.owner = track.owner, .source = pool.intern("cuda_runtime (captured into graphs)")};
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            const auto after = std::ranges::upper_bound(captures, calls.start[i], {}, &TimeRange::start);
            if (after == captures.begin() || std::prev(after)->end < calls.end(i)
                || !makesNode(pool[calls.name[i]]) || started->contains(calls.correlation[i]))
                continue;
            const auto kernel = events.loose.launchedKernels.find(calls.sourceRow[i]);
            events.graphNodes.add(events.graphNodes.track(key), calls.start[i] + zero, calls.end(i) + zero,
                kernel != events.loose.launchedKernels.end() ? kernel->second : calls.name[i],
                calls.sourceRow[i]);
            events.graphNodes.addAttribute(0);
        }
    }
}

} // namespace warpline
