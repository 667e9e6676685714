// Figures of a range. Rows and devices are answered from prefix sums and coverages; names from one pass over
// only the events inside: per kind, durations are grouped by name id with a counting sort, then each group
// gets its sums and its median by selection.

#include "core/query/range_stats.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/query/lod.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace warpline {

namespace {

/// Gaps between `busy` intervals: not before the first, not after the last.
void countGaps(const Intervals& busy, TrackFigures& figures)
{
    for (std::size_t i = 1; i < busy.size(); ++i) {
        ++figures.gaps;
        figures.longestGap = std::max(figures.longestGap, busy[i].start - busy[i - 1].end);
    }
}

/// The covered intervals of one lane inside `window`; touching events are one.
Intervals laneIntervals(const EventTable& table, const Lane& lane, TimeRange window)
{
    Intervals busy;
    const auto [first, last] = table.touching(lane, window);
    for (EventIndex i = first; i < last; ++i) {
        const TimeRange part = table.range(i).clippedTo(window);
        if (part.empty())
            continue;
        if (!busy.empty() && part.start <= busy.back().end)
            busy.back().end = std::max(busy.back().end, part.end);
        else
            busy.push_back(part);
    }
    return busy;
}

/// One event of the window, as far as grouping needs it.
struct Inside {
    std::uint32_t name;
    EventIndex event;
    Ns clipped;
};

class NameGroups {
public:
    NameGroups(const Trace& trace, EventKind kind, TimeRange window, std::vector<Ns>* durations)
        : m_trace(trace),
          m_kind(kind),
          m_window(window),
          m_durations(durations)
    {
    }

    void addTrack(const Track& track, const std::stop_token& stop)
    {
        const EventTable& table = m_trace.table(m_kind);
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = table.touching(lane, m_window);
            for (EventIndex i = first; i < last; ++i) {
                const Ns clipped = table.range(i).clippedTo(m_window).duration();
                m_inside.push_back({raw(table.name[i]), i, clipped});
                if (m_durations)
                    m_durations->push_back(clipped);
            }
            if (stop.stop_requested())
                return;
        }
    }

    std::uint64_t events() const { return m_inside.size(); }

    void finishInto(std::vector<NameFigures>& names)
    {
        if (m_inside.empty())
            return;
        // Few distinct names, many events: number the names, count, and place.
        std::unordered_map<std::uint32_t, std::uint32_t> numberOf;
        std::vector<std::uint32_t> count;
        std::uint32_t lastName = m_inside.front().name;
        std::uint32_t lastNumber = numberOf.try_emplace(lastName, 0).first->second;
        count.push_back(0);
        for (Inside& inside : m_inside) {
            if (inside.name != lastName) {
                lastName = inside.name;
                const auto [place, added]
                    = numberOf.try_emplace(lastName, static_cast<std::uint32_t>(count.size()));
                if (added)
                    count.push_back(0);
                lastNumber = place->second;
            }
            inside.name = lastNumber;
            ++count[lastNumber];
        }
        std::vector<std::size_t> place(count.size(), 0);
        std::exclusive_scan(count.begin(), count.end(), place.begin(), std::size_t{0});
        std::vector<Ns> grouped(m_inside.size());
        std::vector<NameFigures> figures(count.size());
        std::vector<std::size_t> next = place;
        const EventTable& table = m_trace.table(m_kind);
        Ns kindTotal = 0;
        for (const Inside& inside : m_inside) {
            grouped[next[inside.name]++] = inside.clipped;
            NameFigures& name = figures[inside.name];
            if (name.count++ == 0 || inside.clipped > name.max) {
                name.max = inside.clipped;
                name.longest = {m_kind, inside.event};
            }
            name.total += inside.clipped;
            if (!table.bytes.empty())
                name.bytes += table.bytes[inside.event];
            kindTotal += inside.clipped;
        }
        for (std::size_t i = 0; i < figures.size(); ++i)
            complete(figures[i], std::span(grouped).subspan(place[i], count[i]), kindTotal);
        names.insert(
            names.end(), std::make_move_iterator(figures.begin()), std::make_move_iterator(figures.end()));
    }

private:
    void complete(NameFigures& name, std::span<Ns> durations, Ns kindTotal) const
    {
        name.kind = m_kind;
        name.name = m_trace.table(m_kind).name[name.longest.index];
        name.label = toUtf8(m_trace.displayName(name.longest));
        name.share = kindTotal > 0 ? static_cast<double>(name.total) / static_cast<double>(kindTotal) : 0;
        name.mean = static_cast<double>(name.total) / static_cast<double>(name.count);
        const std::size_t middle = durations.size() / 2;
        std::ranges::nth_element(durations, durations.begin() + static_cast<std::ptrdiff_t>(middle));
        name.median = static_cast<double>(durations[middle]);
        if (durations.size() % 2 == 0) {
            const Ns below = *std::ranges::max_element(durations.first(middle));
            name.median = (static_cast<double>(below) + name.median) / 2;
        }
        name.min = *std::ranges::min_element(durations.first(middle + 1));
    }

    const Trace& m_trace;
    EventKind m_kind;
    TimeRange m_window;
    std::vector<Ns>* m_durations;
    std::vector<Inside> m_inside;
};

std::vector<CopyFigures> copyFigures(const Trace& trace, std::span<const TrackRef> tracks, TimeRange window)
{
    std::map<CopyKind, CopyFigures> directions;
    const MemcpyTable& copies = trace.memcpys();
    for (const TrackRef& ref : tracks) {
        if (ref.kind != EventKind::Memcpy)
            continue;
        for (const Lane& lane : copies.lanesOf(trace.track(ref))) {
            const auto [first, last] = copies.touching(lane, window);
            for (EventIndex i = first; i < last; ++i) {
                const CopyAttributes& copy = copies.copy(i);
                CopyFigures& figures = directions[copy.kind];
                figures.kind = copy.kind;
                ++figures.count;
                figures.bytes += copies.bytes[i];
                figures.total += copies.duration[i];
                figures.pageable
                    += copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable;
            }
        }
    }
    std::vector<CopyFigures> list;
    for (const auto& [kind, figures] : directions)
        list.push_back(figures);
    std::ranges::stable_sort(list, std::greater{}, &CopyFigures::bytes);
    return list;
}

std::vector<TrackRef> allTracks(const Trace& trace)
{
    std::vector<TrackRef> tracks;
    for (const EventKind kind : allEventKinds()) {
        for (std::uint32_t i = 0; i < trace.table(kind).tracks.size(); ++i)
            tracks.push_back({kind, i});
    }
    return tracks;
}

} // namespace

Ns busyOf(const Trace& trace, const Row& row, TimeRange window)
{
    if (row.coverage)
        return row.coverage->busy(window);
    Ns busy = 0;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(trace.track(ref)))
            busy += table.busy(lane, window);
    }
    return busy;
}

void rowBusyShare(const Trace& trace, const Row& row, TimeRange window, int pixels, std::vector<float>& out)
{
    if (row.coverage) {
        busyShare(*row.coverage, window, pixels, out);
        return;
    }
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), 0.0F);
    const Ns length = window.duration();
    for (int x = 0; x < pixels && length > 0; ++x) {
        const auto edge
            = [&](int at) { return window.start + length / pixels * at + length % pixels * at / pixels; };
        const TimeRange column{edge(x), std::max(edge(x + 1), edge(x) + 1)};
        out[static_cast<std::size_t>(x)] = static_cast<float>(
            static_cast<double>(busyOf(trace, row, column)) / static_cast<double>(column.duration()));
    }
}

TrackFigures rowFigures(const Trace& trace, const Row& row, TimeRange window)
{
    TrackFigures figures;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(trace.track(ref))) {
            const auto [first, last] = table.touching(lane, window);
            figures.count += last - first;
        }
    }
    figures.busy = busyOf(trace, row, window);
    if (row.coverage) {
        countGaps(row.coverage->within(window), figures);
    } else if (row.tracks.size() == 1) {
        const EventTable& table = trace.table(row.tracks.front().kind);
        for (const Lane& lane : table.lanesOf(trace.track(row.tracks.front())))
            countGaps(laneIntervals(table, lane, window), figures);
    }
    return figures;
}

std::vector<DeviceFigures> deviceFigures(const Trace& trace, TimeRange window)
{
    struct Work {
        std::vector<TimeRange> compute;
        std::vector<TimeRange> copy;
    };
    std::map<std::pair<GlobalId, std::int32_t>, Work> devices;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::GraphTrace, EventKind::Memcpy, EventKind::Memset}) {
        const EventTable& table = trace.table(kind);
        const bool computes = kind == EventKind::Kernel || kind == EventKind::GraphTrace;
        for (const Track& track : table.tracks) {
            Work& work = devices[{track.owner, track.device}];
            for (const Lane& lane : table.lanesOf(track)) {
                const Intervals busy = laneIntervals(table, lane, window);
                auto& into = computes ? work.compute : work.copy;
                into.insert(into.end(), busy.begin(), busy.end());
            }
        }
    }
    std::vector<DeviceFigures> figures;
    for (auto& [key, work] : devices) {
        const Intervals compute = unionOf(std::move(work.compute), window);
        const Intervals copy = unionOf(std::move(work.copy), window);
        DeviceFigures device;
        device.process = key.first;
        device.device = key.second;
        device.compute = totalTime(compute);
        device.copy = totalTime(copy);
        device.overlap = totalTime(intersection(compute, copy));
        device.busy = device.compute + device.copy - device.overlap;
        device.idle = window.duration() - device.busy;
        figures.push_back(device);
    }
    return figures;
}

RangeStats rangeStats(const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked,
    std::span<const TrackRef> tracks, TimeRange window, std::stop_token stop)
{
    RangeStats stats;
    stats.window = window;
    for (const RowId id : rowsAsked)
        stats.rows.push_back(rowFigures(trace, rows.row(id), window));
    const std::vector<TrackRef> asked
        = tracks.empty() ? allTracks(trace) : std::vector(tracks.begin(), tracks.end());
    stats.ofGpuWork = std::ranges::any_of(asked, [](const TrackRef& ref) { return isGpuWork(ref.kind); });
    std::map<EventKind, NameGroups> kinds;
    for (const TrackRef& ref : asked) {
        if (stop.stop_requested())
            return stats;
        auto* const durations = isGpuWork(ref.kind) == stats.ofGpuWork ? &stats.durations : nullptr;
        kinds.try_emplace(ref.kind, trace, ref.kind, window, durations)
            .first->second.addTrack(trace.track(ref), stop);
    }
    for (auto& [kind, groups] : kinds) {
        if (stop.stop_requested())
            return stats;
        if (kind != EventKind::NvtxProjected)
            stats.events += groups.events();
        groups.finishInto(stats.names);
    }
    std::ranges::stable_sort(stats.names, std::greater{}, &NameFigures::total);
    stats.copies = copyFigures(trace, asked, window);
    stats.devices = deviceFigures(trace, window);
    return stats;
}

} // namespace warpline
