#include "core/store/event_table.h"

#include "core/base/sorted_search.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace warpline {

namespace {

constexpr std::size_t prefixStep = 64;
static_assert(prefixStep == sampleStep);

template <typename T> std::size_t bytesOf(const std::vector<T>& column)
{
    return column.capacity() * sizeof(T);
}

} // namespace

std::uint32_t EventTable::trackIndexOf(EventIndex i) const
{
    const auto after = std::upper_bound(tracks.begin(), tracks.end(), i,
        [](EventIndex event, const Track& track) { return event < track.firstEvent; });
    return static_cast<std::uint32_t>(after - tracks.begin()) - 1;
}

std::uint32_t EventTable::laneIndexOf(EventIndex i) const
{
    const auto after = std::upper_bound(
        lanes.begin(), lanes.end(), i, [](EventIndex event, const Lane& lane) { return event < lane.first; });
    return static_cast<std::uint32_t>(after - lanes.begin()) - 1;
}

EventIndex EventTable::firstEndingAfter(const Lane& lane, Ns t) const
{
    // Ends are sorted because a lane's events do not overlap. A mark at t counts as not yet over.
    EventIndex first = lane.first;
    std::uint32_t count = lane.count;
    while (count > 0) {
        const std::uint32_t half = count / 2;
        const EventIndex middle = first + half;
        const Ns middleEnd = end(middle);
        const bool over = middleEnd < t || (middleEnd == t && start[middle] < t);
        if (over) {
            first = middle + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

EventIndex EventTable::firstStartingAt(const Lane& lane, Ns t) const
{
    const auto begin = start.begin() + lane.first;
    return lane.first + static_cast<EventIndex>(std::lower_bound(begin, begin + lane.count, t) - begin);
}

void EventTable::firstStartingAt(
    EventIndex first, EventIndex last, std::span<const Ns> times, std::span<EventIndex> found) const
{
    firstNotBefore(start, startSamples, first, last, times, found);
}

std::pair<EventIndex, EventIndex> EventTable::touching(const Lane& lane, TimeRange window) const
{
    if (window.empty())
        return {lane.first, lane.first};
    const EventIndex first = firstEndingAfter(lane, window.start);
    return {first, std::max(first, firstStartingAt(lane, window.end))};
}

Ns EventTable::durationBefore(EventIndex i) const
{
    // From the nearer end of the block.
    const std::size_t block = i / prefixStep;
    const std::size_t rest = i % prefixStep;
    if (rest <= prefixStep / 2 || block + 1 == durationPrefix.size())
        return durationPrefix[block] + duration.sum(block * prefixStep, i);
    return durationPrefix[block + 1] - duration.sum(i, (block + 1) * prefixStep);
}

void EventTable::prefetchDurations(EventIndex i) const
{
    constexpr std::size_t cacheLine = 16; // of durations
    const std::size_t block = i / prefixStep;
    __builtin_prefetch(durationPrefix.data() + block);
    const bool lower = i % prefixStep <= prefixStep / 2;
    duration.prefetch(lower ? block * prefixStep : i);
    duration.prefetch(lower ? i : (block + 1) * prefixStep - cacheLine);
}

Ns EventTable::durationSum(EventIndex first, EventIndex last) const
{
    if (last <= first)
        return 0;
    if (last - first <= prefixStep / 2)
        return duration.sum(first, last);
    return durationBefore(last) - durationBefore(first);
}

EventIndex EventTable::firstWithLength(EventIndex first, EventIndex last) const
{
    // The sum of durations from `first` on grows at the events that have one.
    EventIndex low = first;
    std::uint32_t count = last - first;
    while (count > 0) {
        const std::uint32_t half = count / 2;
        if (durationSum(first, low + half + 1) == 0) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

Pauses EventTable::pausesOf(EventIndex first, EventIndex last) const
{
    Pauses pauses;
    EventIndex i = firstWithLength(first, last);
    if (i >= last)
        return pauses;
    Ns previousEnd = end(i++);
    const auto walk = [&](EventIndex until) {
        for (; i < until; ++i) {
            if (duration[i] == 0)
                continue;
            const Ns pause = start[i] - previousEnd;
            pauses.count += pause > 0 ? 1 : 0;
            pauses.longest = std::max(pauses.longest, pause);
            previousEnd = end(i);
        }
    };
    const std::size_t firstBlock = (i + prefixStep - 1) / prefixStep;
    const std::size_t lastBlock = last / prefixStep;
    if (firstBlock < lastBlock) {
        walk(static_cast<EventIndex>(firstBlock * prefixStep));
        pauses.count += pausesBefore[lastBlock] - pausesBefore[firstBlock];
        for (std::size_t block = firstBlock; block < lastBlock; ++block)
            pauses.longest = std::max(pauses.longest, longestPause[block]);
        i = static_cast<EventIndex>(lastBlock * prefixStep);
        // Back to the last event with a length: the pause after it is its successor's.
        EventIndex previous = i;
        while (previous > first && duration[previous - 1] == 0)
            --previous;
        previousEnd = end(previous - 1);
    }
    walk(last);
    return pauses;
}

void EventTable::indexBlocks()
{
    durationPrefix = {};
    startSamples = {};
    const std::size_t blocks = size() / prefixStep + 1;
    durationPrefix.reserve(blocks);
    startSamples.reserve(blocks);
    pausesBefore.assign(blocks, 0);
    longestPause.assign(blocks, 0);
    Ns total = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        if (i % prefixStep == 0) {
            durationPrefix.push_back(total);
            startSamples.push_back(start[i]);
        }
        total += duration[i];
    }
    if (size() % prefixStep == 0)
        durationPrefix.push_back(total);

    std::vector<std::uint32_t> pausesIn(blocks, 0);
    for (const Lane& lane : lanes) {
        Ns previousEnd = 0;
        bool any = false;
        for (EventIndex i = lane.first; i < lane.first + lane.count; ++i) {
            const Ns length = duration[i];
            if (length == 0)
                continue;
            const Ns pause = any ? start[i] - previousEnd : 0;
            pausesIn[i / prefixStep] += pause > 0 ? 1 : 0;
            longestPause[i / prefixStep] = std::max(longestPause[i / prefixStep], pause);
            previousEnd = start[i] + length;
            any = true;
        }
    }
    std::exclusive_scan(pausesIn.begin(), pausesIn.end(), pausesBefore.begin(), 0U);
}

Ns EventTable::busy(const Lane& lane, TimeRange window) const
{
    const auto [first, last] = touching(lane, window);
    if (first == last)
        return 0;
    Ns total = durationSum(first, last);
    total -= std::max<Ns>(0, window.start - start[first]);
    total -= std::max<Ns>(0, end(last - 1) - window.end);
    return total;
}

void EventTable::coveredBefore(const Lane& lane, std::span<const Ns> times, std::vector<Ns>& covered) const
{
    std::vector<EventIndex> after(times.size());
    firstStartingAt(lane.first, lane.first + lane.count, times, after);
    constexpr std::size_t ahead = 12; // columns: about as long as memory takes to answer
    covered.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (i + ahead < times.size())
            prefetchDurations(after[i + ahead]);
        covered[i] = durationBefore(after[i]);
        // Only the last event that began before can reach beyond.
        if (after[i] > lane.first)
            covered[i] -= std::max<Ns>(0, end(after[i] - 1) - times[i]);
    }
}

std::size_t EventTable::memoryBytes() const
{
    return bytesOf(tracks) + bytesOf(lanes) + bytesOf(start) + duration.bytes() + bytesOf(name)
        + bytesOf(sourceRow) + bytesOf(correlation) + bytesOf(bytes) + bytesOf(callchain) + bytesOf(attribute)
        + bytesOf(startSamples) + bytesOf(durationPrefix) + bytesOf(pausesBefore) + bytesOf(longestPause);
}

std::string_view labelOf(CopyKind kind)
{
    static constexpr std::array<std::string_view, 14> labels{"Unknown", "Host-to-Device", "Device-to-Host",
        "Host-to-Array", "Array-to-Host", "Array-to-Array", "Array-to-Device", "Device-to-Array",
        "Device-to-Device", "Host-to-Host", "Peer-to-Peer", "Unified Host-to-Device",
        "Unified Device-to-Host", "Unified Device-to-Device"};
    return labels.at(static_cast<std::size_t>(kind));
}

std::string_view labelOf(MemoryKind kind)
{
    static constexpr std::array<std::string_view, 8> labels{
        "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"};
    return labels.at(static_cast<std::size_t>(kind));
}

} // namespace warpline
