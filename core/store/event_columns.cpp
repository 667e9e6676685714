// Columns of tens of millions of events are most of the memory that opening a report touches, so each is
// moved once: from the reading threads' rows to the table.

#include "core/store/event_columns.h"

#include "core/base/parallel.h"
#include "core/base/release.h"
#include "core/store/duration_column.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

std::vector<std::size_t> firstRows(std::span<const EventColumns> parts)
{
    std::vector<std::size_t> first{0};
    for (const EventColumns& part : parts)
        first.push_back(first.back() + part.size());
    return first;
}

/// Calls work(part, first, last) in parallel for runs of the rows of parts; `first` are the parts' first
/// rows.
template <typename Work>
void overRows(std::span<const std::size_t> first, std::size_t threads, const Work& work)
{
    inParallel(threads, first.back(), [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t part = 0; part + 1 < first.size(); ++part) {
            const std::size_t from = std::max(begin, first[part]);
            const std::size_t to = std::min(end, first[part + 1]);
            if (from < to)
                work(part, from - first[part], to - first[part]);
        }
    });
}

/// Resizes the empty `column`. The system clears fresh memory at first touch, which takes longer than all
/// other steps, so all threads touch it in parallel.
template <typename T> void resizeTogether(std::vector<T>& column, std::size_t rows, std::size_t threads)
{
    constexpr std::size_t page = 4096;
    column.reserve(rows);
    if (threads > 1) {
        auto* const memory = reinterpret_cast<volatile char*>(column.data());
        inParallel(
            threads, rows * sizeof(T) / page, [memory](std::size_t, std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    memory[i * page] = 0;
            });
    }
    column.resize(rows);
}

} // namespace

void EventColumns::addDuration(Ns length)
{
    if (length < Ns{DurationColumn::escape}) {
        duration.push_back(static_cast<std::uint32_t>(length));
        return;
    }
    longDurations.emplace_back(duration.size(), length);
    duration.push_back(DurationColumn::escape);
}

Ns EventColumns::durationAt(std::size_t row) const
{
    if (duration[row] != DurationColumn::escape)
        return duration[row];
    return std::ranges::lower_bound(longDurations, row, {}, &std::pair<std::uint64_t, Ns>::first)->second;
}

void EventColumns::clearDuration(std::size_t row)
{
    if (duration[row] == DurationColumn::escape)
        longDurations.erase(
            std::ranges::lower_bound(longDurations, row, {}, &std::pair<std::uint64_t, Ns>::first));
    duration[row] = 0;
}

void EventColumns::truncate(std::size_t rows)
{
    forEachColumn([rows](auto& column) {
        if (column.size() > rows)
            column.resize(rows);
    });
    if (duration.size() > rows)
        duration.resize(rows);
    std::erase_if(longDurations, [rows](const auto& entry) { return entry.first >= rows; });
}

void EventColumns::erase(const std::vector<bool>& gone)
{
    forEachColumn([&gone](auto& column) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (!gone[i])
                column[kept++] = column[i];
        }
        column.resize(kept);
    });
    EventColumns left;
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i])
            left.addDuration(durationAt(i));
    }
    duration = std::move(left.duration);
    longDurations = std::move(left.longDurations);
}

void EventColumns::append(EventColumns&& other)
{
    const std::size_t rows = size();
    for (std::uint32_t& row : other.track)
        row = other.keys.empty() ? row : other.keys[row];
    const auto join = [](auto& to, auto& from) {
        to.insert(to.end(), from.begin(), from.end());
        release(from);
    };
    join(track, other.track);
    join(start, other.start);
    join(duration, other.duration);
    for (const auto& [row, length] : other.longDurations)
        longDurations.emplace_back(rows + row, length);
    join(name, other.name);
    join(sourceRow, other.sourceRow);
    join(correlation, other.correlation);
    join(bytes, other.bytes);
    join(callchain, other.callchain);
    join(attribute, other.attribute);
    join(address, other.address);
}

TrackSpread::TrackSpread(std::span<const EventColumns> parts, std::size_t keyCount, std::size_t threads)
    : count(keyCount, 0),
      earliest(keyCount, std::numeric_limits<Ns>::max()),
      countInPart(parts.size())
{
    std::vector<std::vector<Ns>> earliestInPart(parts.size());
    handOut(std::min(threads, parts.size()), parts.size(), [&](std::size_t p) {
        const EventColumns& part = parts[p];
        const std::size_t keys = part.keys.empty() ? keyCount : part.keys.size();
        std::vector<std::uint32_t> number(keys, 0);
        std::vector<Ns> first(keys, std::numeric_limits<Ns>::max());
        for (std::size_t i = 0; i < part.size(); ++i) {
            const std::uint32_t key = part.track[i];
            ++number[key];
            first[key] = std::min(first[key], part.start[i]);
        }
        countInPart[p] = std::move(number);
        earliestInPart[p] = std::move(first);
    });
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t i = 0; i < countInPart[p].size(); ++i) {
            const std::size_t key = parts[p].keys.empty() ? i : parts[p].keys[i];
            count[key] += countInPart[p][i];
            earliest[key] = std::min(earliest[key], earliestInPart[p][i]);
        }
    }
}

bool placeRows(std::span<EventColumns> parts, const TrackSpread& spread, std::span<const std::uint32_t> place,
    std::size_t threads)
{
    std::vector<std::uint32_t> first(place.size() + 1, 0); // row of the track in each place
    for (std::size_t key = 0; key < place.size(); ++key)
        first[place[key] + 1] = spread.count[key];
    std::inclusive_scan(first.begin(), first.end(), first.begin());
    std::vector<std::vector<std::uint32_t>> nextOfPart = spread.countInPart;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (std::size_t i = 0; i < nextOfPart[p].size(); ++i) {
            std::uint32_t& next = first[place[parts[p].keys.empty() ? i : parts[p].keys[i]]];
            next += std::exchange(nextOfPart[p][i], next);
        }
    }
    std::atomic<bool> moved = parts.size() > 1;
    handOut(std::min(threads, parts.size()), parts.size(), [&](std::size_t p) {
        auto& next = nextOfPart[p];
        bool any = false;
        for (std::size_t i = 0; i < parts[p].size(); ++i) {
            std::uint32_t& track = parts[p].track[i];
            track = next[track]++;
            any |= track != i;
        }
        if (any)
            moved = true;
    });
    return moved;
}

EventColumns gathered(std::vector<EventColumns>& parts, std::size_t threads)
{
    const std::vector<std::size_t> first = firstRows(parts);
    EventColumns all;
    const auto gather = [&](auto EventColumns::*column) {
        if (std::ranges::all_of(parts, [&](const EventColumns& part) { return (part.*column).empty(); }))
            return;
        auto& to = all.*column;
        resizeTogether(to, first.back(), threads);
        overRows(first, threads, [&](std::size_t p, std::size_t begin, std::size_t end) {
            const auto& from = parts[p].*column;
            const std::uint32_t* const place = parts[p].track.data();
            for (std::size_t i = begin; i < std::min(end, from.size()); ++i)
                to[place[i]] = from[i];
        });
        for (EventColumns& part : parts)
            release(part.*column);
    };
    for (const EventColumns& part : parts) {
        for (const auto& [row, length] : part.longDurations)
            all.longDurations.emplace_back(part.track[row], length);
    }
    std::ranges::sort(all.longDurations);
    gather(&EventColumns::duration);
    for (const auto column : {&EventColumns::sourceRow, &EventColumns::correlation, &EventColumns::callchain,
             &EventColumns::attribute})
        gather(column);
    gather(&EventColumns::name);
    gather(&EventColumns::bytes);
    gather(&EventColumns::address);
    gather(&EventColumns::start); // its size is that of its part: last
    parts.clear();
    return all;
}

} // namespace warpline
