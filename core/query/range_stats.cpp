// Statistics of a range. Rows and devices come from prefix sums and coverages. Names need one pass over the
// events inside: per kind, a counting sort groups durations by name id, then each group gets its sums, and
// its median by selection.

#include "core/query/range_stats.h"

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/coverage/gpu_times.h"
#include "core/kernels/name_forms.h"
#include "core/query/lod.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

void countPauses(const Pauses& pauses, TrackFigures& figures)
{
    figures.gaps += pauses.count;
    figures.longestGap = std::max(figures.longestGap, pauses.longest);
}

/// Small numbers for the names of one kind after another, in the order they are met.
class NameNumbers {
public:
    explicit NameNumbers(const Trace& trace)
        : m_numberOf(trace.pool->size(), noIndex)
    {
    }

    std::uint32_t operator()(StringId name)
    {
        std::uint32_t& number = m_numberOf[raw(name)];
        if (number == noIndex) {
            number = static_cast<std::uint32_t>(m_names.size());
            m_names.push_back(name);
        }
        return number;
    }
    std::size_t size() const { return m_names.size(); }
    void clear()
    {
        for (const StringId name : m_names)
            m_numberOf[raw(name)] = noIndex;
        m_names.clear();
    }

private:
    std::vector<std::uint32_t> m_numberOf; ///< by StringId
    std::vector<StringId> m_names;
};

class NameGroups {
public:
    NameGroups(const Trace& trace, EventKind kind, bool recordedOnGpu, TimeRange window)
        : m_trace(trace),
          m_kind(kind),
          m_recordedOnGpu(recordedOnGpu),
          m_window(window)
    {
    }

    void addTrack(const Track& track)
    {
        const EventTable& table = m_trace.table(m_kind);
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = table.touching(lane, m_window);
            if (first < last)
                m_runs.emplace_back(first, last);
            m_events += last - first;
        }
    }

    std::uint64_t events() const { return m_events; }

    /// Appends the statistics of all names. Returns the whole durations of all events, unordered. Both are
    /// incomplete when `stop` is requested.
    std::vector<Ns> finishInto(
        std::vector<NameFigures>& names, NameNumbers& numbers, const std::stop_token& stop)
    {
        const EventTable& table = m_trace.table(m_kind);
        std::vector<NameFigures> figures;
        Ns kindTotal = 0;
        numbers.clear();
        forEach(stop, [&](EventIndex i, Ns clipped) {
            const std::uint32_t number = numbers(table.name[i]);
            if (number == figures.size())
                figures.emplace_back();
            NameFigures& name = figures[number];
            const Ns whole = table.duration[i];
            if (name.count++ == 0 || whole > name.max) {
                name.max = whole;
                name.longest = {m_kind, i};
            }
            name.min = name.count == 1 ? whole : std::min(name.min, whole);
            name.total += clipped;
            if (!table.bytes.empty())
                name.bytes += table.bytes[i];
            kindTotal += clipped;
        });
        // Few distinct names, many events: place them by number.
        std::vector<std::size_t> next(figures.size() + 1, 0);
        for (std::size_t i = 0; i < figures.size(); ++i)
            next[i + 1] = next[i] + figures[i].count;
        const std::vector<std::size_t> firstOf = next;
        std::vector<Ns> grouped(m_events);
        forEach(stop, [&](EventIndex i, Ns) { grouped[next[numbers(table.name[i])]++] = table.duration[i]; });
        if (stop.stop_requested())
            return grouped;
        // A median reads all durations of a name.
        handOut(threadsFor(m_events), figures.size(), [&](std::size_t i) {
            complete(figures[i], std::span(grouped).subspan(firstOf[i], figures[i].count), kindTotal);
        });
        names.insert(
            names.end(), std::make_move_iterator(figures.begin()), std::make_move_iterator(figures.end()));
        return grouped;
    }

private:
    /// Calls visit(event, clipped duration) for each event inside. Only the ends of a run can reach out of
    /// the window: events of a lane do not overlap.
    template <typename Visit> void forEach(const std::stop_token& stop, Visit&& visit) const
    {
        const EventTable& table = m_trace.table(m_kind);
        const auto clipped = [&](EventIndex i) { return table.range(i).clippedTo(m_window).duration(); };
        for (const auto& [first, last] : m_runs) {
            if (stop.stop_requested())
                return;
            visit(first, clipped(first));
            for (EventIndex i = first + 1; i + 1 < last; ++i) {
                if (i % stepsBetweenStops == 0 && stop.stop_requested())
                    return;
                visit(i, table.duration[i]);
            }
            if (first + 1 < last)
                visit(last - 1, clipped(last - 1));
        }
    }

    void complete(NameFigures& name, std::span<Ns> durations, Ns kindTotal) const
    {
        name.kind = m_kind;
        name.recordedOnGpu = m_recordedOnGpu;
        name.name = m_trace.table(m_kind).name[name.longest.index];
        name.label = toUtf8(m_trace.displayName(name.longest));
        name.share = kindTotal > 0 ? static_cast<double>(name.total) / static_cast<double>(kindTotal) : 0;
        name.whole = std::accumulate(durations.begin(), durations.end(), Ns{0});
        name.mean = static_cast<double>(name.whole) / static_cast<double>(name.count);
        const std::size_t middle = durations.size() / 2;
        std::ranges::nth_element(durations, durations.begin() + static_cast<std::ptrdiff_t>(middle));
        name.median = static_cast<double>(durations[middle]);
        if (durations.size() % 2 == 0) {
            const Ns below = *std::ranges::max_element(durations.first(middle));
            name.median = (static_cast<double>(below) + name.median) / 2;
        }
    }

    const Trace& m_trace;
    EventKind m_kind;
    bool m_recordedOnGpu;
    TimeRange m_window;
    std::vector<std::pair<EventIndex, EventIndex>> m_runs; ///< [first, last) of each lane
    std::size_t m_events = 0;
};

std::vector<CopyFigures> copyFigures(
    const Trace& trace, std::span<const TrackRef> tracks, TimeRange window, const std::stop_token& stop)
{
    std::map<CopyKind, CopyFigures> directions;
    const MemcpyTable& copies = trace.memcpys();
    for (const TrackRef& ref : tracks) {
        if (ref.kind != EventKind::Memcpy)
            continue;
        for (const Lane& lane : copies.lanesOf(trace.track(ref))) {
            const auto [first, last] = copies.touching(lane, window);
            for (EventIndex i = first; i < last; ++i) {
                if (i % stepsBetweenStops == 0 && stop.stop_requested())
                    return {};
                const CopyAttributes& copy = copies.copy(i);
                CopyFigures& figures = directions[copy.kind];
                figures.kind = copy.kind;
                ++figures.count;
                figures.bytes += copies.bytes[i];
                figures.total += copies.range(i).clippedTo(window).duration();
                figures.whole += copies.duration[i];
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

/// The covered time of tracks, from the coverage of the row that shows exactly these: O(log n). Without such
/// a row a pass over all their events.
class BusyOfTracks {
public:
    BusyOfTracks(const Trace& trace, const RowTree& rows)
        : m_trace(trace),
          m_rows(rows)
    {
    }

    /// The time of `window` that `tracks` cover together.
    Ns operator()(const std::vector<TrackRef>& tracks, TimeRange window)
    {
        if (tracks.empty())
            return 0;
        const std::vector<TrackRef> asked = sorted(tracks);
        if (const Coverage* const kept = m_rows.kept(asked))
            return kept->busy(window);
        findRows();
        const auto [first, last] = m_rowsOf.equal_range(asked.front());
        for (const auto& [track, id] : std::ranges::subrange(first, last)) {
            const Row& row = m_rows.row(id);
            if (row.tracks.size() == asked.size() && sorted(row.tracks) == asked)
                return busyOf(m_trace, row, window);
        }
        return coverageOf(m_trace, tracks).busy(window);
    }

private:
    /// Fills the index: most tracks are found without it.
    void findRows()
    {
        if (std::exchange(m_hasRows, true))
            return;
        for (std::uint32_t i = 0; i < m_rows.size(); ++i) {
            const Row& row = m_rows.row(RowId{i});
            if (!row.tracks.empty() && (row.coverage || row.lanes == 1))
                m_rowsOf.emplace(std::ranges::min(row.tracks), RowId{i});
        }
    }

    static std::vector<TrackRef> sorted(std::vector<TrackRef> refs)
    {
        std::ranges::sort(refs);
        return refs;
    }

    const Trace& m_trace;
    const RowTree& m_rows;
    std::multimap<TrackRef, RowId> m_rowsOf; ///< by their first track, in the order of rows
    bool m_hasRows = false; ///< m_rowsOf is filled
};

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
    // Rows of several lanes have a coverage.
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), 0.0F);
    std::vector<float> share;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(trace.track(ref))) {
            busyShare(table, lane, window, pixels, share);
            std::ranges::transform(out, share, out.begin(), std::plus{});
        }
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
        countPauses(row.coverage->pausesWithin(window), figures);
    } else if (row.tracks.size() == 1) {
        const EventTable& table = trace.table(row.tracks.front().kind);
        for (const Lane& lane : table.lanesOf(trace.track(row.tracks.front()))) {
            const auto [first, last] = table.touching(lane, window);
            countPauses(table.pausesOf(first, last), figures);
        }
    }
    return figures;
}

namespace {

/// Takes out of the kernels' time that in which they did not compute.
void tellApartIn(DeviceFigures& device, const NotComputing& times, TimeRange window)
{
    device.stalled = times.stalled.busy(window);
    device.communication = times.communicating.busy(window);
    device.compute -= device.stalled + device.communication;
    device.overlap -= times.copiesBeside.busy(window);
}

/// The GPUs that the processes in a part of a recording used, maybe outside of the part alone.
std::vector<GpuOfProcess> gpusOfPart(const Trace& trace)
{
    std::vector<GpuOfProcess> gpus;
    const auto part = partOf(trace.info);
    if (!part || part->gpuWork.empty())
        return gpus;
    // Exports without contexts may have used any.
    const bool knowsContexts
        = std::ranges::any_of(trace.ordinals, [](const DeviceOrdinal& known) { return known.contexts > 0; });
    for (const DeviceOrdinal& known : trace.ordinals) {
        if (knowsContexts && known.contexts == 0)
            continue;
        const auto process = std::ranges::find(trace.processes, known.pid, &Process::pid);
        if (process != trace.processes.end())
            gpus.emplace_back(processOf(process->id), known.cuda);
    }
    return gpus;
}

} // namespace

std::vector<DeviceFigures> deviceFigures(const Trace& trace, const RowTree& rows, TimeRange window)
{
    struct Work {
        std::vector<TrackRef> compute;
        std::vector<TrackRef> copy;
    };
    std::map<std::pair<GlobalId, std::int32_t>, Work> devices;
    for (const EventKind kind : gpuWorkKinds) {
        const bool computes = kind == EventKind::Kernel || kind == EventKind::GraphTrace;
        const EventTable& table = trace.table(kind);
        for (std::uint32_t i = 0; i < table.tracks.size(); ++i) {
            Work& work = devices[{table.tracks[i].owner, table.tracks[i].device}];
            (computes ? work.compute : work.copy).push_back({kind, i});
        }
    }
    for (const GpuOfProcess& gpu : gpusOfPart(trace))
        devices.try_emplace(gpu);
    BusyOfTracks busyOfTracks(trace, rows);
    std::vector<DeviceFigures> figures;
    for (auto& [key, work] : devices) {
        DeviceFigures device{.process = key.first,
            .device = key.second,
            .number = gpuNumber(trace, key.first, key.second),
            .compute = busyOfTracks(work.compute, window),
            .copy = busyOfTracks(work.copy, window)};
        work.compute.insert(work.compute.end(), work.copy.begin(), work.copy.end());
        device.busy = busyOfTracks(work.compute, window);
        device.overlap = device.compute + device.copy - device.busy;
        device.copyOnly = device.copy - device.overlap;
        device.idle = window.duration() - device.busy;
        if (const NotComputing* const times = rows.notComputing(key))
            tellApartIn(device, *times, window);
        figures.push_back(device);
    }
    return figures;
}

namespace {

/// Different kernels of one label, as libraries make them from one template, get what distinguishes them.
void distinguishKernels(const Trace& trace, std::vector<NameFigures>& names)
{
    std::map<std::string_view, std::vector<NameFigures*>> labels;
    for (NameFigures& name : names) {
        if (name.kind == EventKind::Kernel)
            labels[name.label].push_back(&name);
    }
    std::vector<std::pair<NameFigures*, std::string>> said;
    for (const auto& [label, alike] : labels) {
        if (alike.size() < 2)
            continue;
        std::vector<std::string_view> whole;
        for (const NameFigures* const name : alike)
            whole.push_back(trace.text(name->name));
        std::vector<std::string> parts = distinctParts(whole);
        for (std::size_t i = 0; i < alike.size(); ++i)
            said.emplace_back(alike[i], std::move(parts[i]));
    }
    for (const auto& [name, part] : said) {
        if (!part.empty())
            name->label += " (" + toUtf8(part) + ")";
    }
}

} // namespace

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
    std::map<std::pair<EventKind, bool>, NameGroups> kinds; // by recordedOnGpu
    for (const TrackRef& ref : asked) {
        const Track& track = trace.track(ref);
        const bool onGpu = isRecordedOnGpu(ref.kind, track);
        kinds.try_emplace({ref.kind, onGpu}, trace, ref.kind, onGpu, window).first->second.addTrack(track);
    }
    NameNumbers numbers(trace);
    for (auto& [key, groups] : kinds) {
        const EventKind kind = key.first;
        const bool counts = !isDerived(kind) || !tracks.empty();
        if (counts)
            stats.events += groups.events();
        std::vector<Ns> durations = groups.finishInto(stats.names, numbers, stop);
        if (stop.stop_requested())
            return stats;
        if (!counts || isGpuWork(kind) != stats.ofGpuWork)
            continue;
        if (stats.durations.empty())
            stats.durations = std::move(durations);
        else
            stats.durations.insert(stats.durations.end(), durations.begin(), durations.end());
    }
    std::ranges::stable_sort(stats.names, std::greater{}, &NameFigures::total);
    distinguishKernels(trace, stats.names);
    stats.copies = copyFigures(trace, asked, window, stop);
    stats.devices = deviceFigures(trace, rows, window);
    stats.counters = allCounterFigures(trace, window);
    return stats;
}

} // namespace warpline
