#include "core/filter/enclosing_ranges.h"

#include "core/base/both_ends.h"
#include "core/store/attributes.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

/// The open ranges over time, with their path.
class OpenRanges {
public:
    template <typename Child> void open(EventIndex range, StringId name, Child&& child)
    {
        m_open.push_back(range);
        m_names.push_back(name);
        if (m_open.size() <= EnclosingRanges::deepest)
            m_paths.push_back(child(path(), name));
    }

    template <typename Child> void close(EventIndex range, Child&& child)
    {
        const auto found = std::ranges::find(m_open.rbegin(), m_open.rend(), range);
        if (found == m_open.rend())
            return;
        const auto place = static_cast<std::size_t>(m_open.rend() - found - 1);
        m_open.erase(m_open.begin() + static_cast<std::ptrdiff_t>(place));
        m_names.erase(m_names.begin() + static_cast<std::ptrdiff_t>(place));
        m_paths.resize(std::min(m_paths.size(), place));
        for (std::size_t i = m_paths.size(); i < std::min(m_open.size(), EnclosingRanges::deepest); ++i)
            m_paths.push_back(child(path(), m_names[i]));
    }

    std::uint32_t path() const { return m_paths.empty() ? 0 : m_paths.back(); }

private:
    std::vector<EventIndex> m_open;
    std::vector<StringId> m_names;
    std::vector<std::uint32_t> m_paths; ///< of the first, the first two ...
};

/// Whether other events can be inside `event` of the Nvtx table.
bool isAround(const NvtxTable& nvtx, EventIndex event)
{
    return nvtx.attributesOf(event).eventType != nvtxMark && nvtx.duration[event] > 0;
}

} // namespace

std::uint32_t EnclosingRanges::Thread::at(Ns time) const
{
    const auto after = std::ranges::upper_bound(times, time);
    return after == times.begin() ? 0 : paths[static_cast<std::size_t>(after - times.begin()) - 1];
}

EnclosingRanges::EnclosingRanges(const Trace& trace, const std::stop_token& stop)
    : m_trace(trace),
      m_helpers(trace),
      m_own(trace.nvtx().size(), 0)
{
    const NvtxTable& nvtx = trace.nvtx();
    std::map<GlobalId, std::vector<EventIndex>> threads;
    for (const Track& track : nvtx.tracks) {
        std::vector<EventIndex>& ranges = threads[track.owner];
        for (const EventIndex i : eventsOf(track, stop)) {
            if (isAround(nvtx, i))
                ranges.push_back(i);
        }
    }
    for (auto& [owner, ranges] : threads) {
        std::ranges::sort(ranges, [&](EventIndex a, EventIndex b) {
            if (nvtx.start[a] != nvtx.start[b])
                return nvtx.start[a] < nvtx.start[b];
            return nvtx.duration[a] != nvtx.duration[b] ? nvtx.duration[a] > nvtx.duration[b]
                                                        : nvtx.sourceRow[a] < nvtx.sourceRow[b];
        });
        sweep(std::move(ranges), m_threads[owner], stop);
    }
    putInsideLeaders(stop);
    readMarks(stop);
}

void EnclosingRanges::readMarks(const std::stop_token& stop)
{
    const NvtxTable& nvtx = m_trace.nvtx();
    for (const Track& track : nvtx.tracks) {
        const Thread* const thread = threadOf(track.owner);
        const Thread* const leading = leaderOf(track.owner);
        for (const EventIndex i : eventsOf(track, stop)) {
            if (isAround(nvtx, i))
                continue;
            const std::uint32_t own = thread ? thread->at(nvtx.start[i]) : 0;
            const std::uint32_t around = own == 0 && leading ? leading->at(nvtx.start[i]) : own;
            m_own[i] = child(around, nvtx.name[i], m_nodes[around].byHelper || around != own);
        }
    }
}

void EnclosingRanges::putInsideLeaders(const std::stop_token& stop)
{
    const NvtxTable& nvtx = m_trace.nvtx();
    for (const Track& track : nvtx.tracks) {
        const Thread* const leading = leaderOf(track.owner);
        if (!leading)
            continue;
        for (const EventIndex i : eventsOf(track, stop))
            m_own[i] = inside(leading->at(nvtx.start[i]), m_own[i]);
    }
    for (auto& [owner, thread] : m_threads) {
        if (const Thread* const leading = leaderOf(owner)) // the leading thread is not a helper
            putInside(thread, *leading, stop);
    }
}

void EnclosingRanges::putInside(Thread& thread, const Thread& leading, const std::stop_token& stop)
{
    Thread placed;
    const auto note = [&](Ns time, std::uint32_t base, std::uint32_t path) {
        placed.times.push_back(time);
        placed.paths.push_back(inside(base, path));
    };
    for (const std::size_t i : stoppable(std::size_t{0}, thread.times.size(), stop)) {
        const Ns from = thread.times[i];
        const std::uint32_t path = thread.paths[i];
        note(from, leading.at(from), path);
        if (path == 0)
            continue; // the caller tests the leader itself
        const Ns until = i + 1 < thread.times.size() ? thread.times[i + 1] : std::numeric_limits<Ns>::max();
        for (auto next = std::ranges::upper_bound(leading.times, from);
             next != leading.times.end() && *next < until; ++next)
            note(*next, leading.paths[static_cast<std::size_t>(next - leading.times.begin())], path);
    }
    thread = std::move(placed);
}

std::uint32_t EnclosingRanges::inside(std::uint32_t base, std::uint32_t path)
{
    if (base == 0 || path == 0)
        return path;
    const Node node = m_nodes[path];
    return child(node.parent == 0 ? base : inside(base, node.parent), node.name, true);
}

void EnclosingRanges::sweep(std::vector<EventIndex> ranges, Thread& thread, const std::stop_token& stop)
{
    const NvtxTable& nvtx = m_trace.nvtx();
    std::vector<EventIndex> ends(ranges.rbegin(), ranges.rend()); // of equal ends, the innermost comes first
    std::ranges::stable_sort(ends, {}, [&](EventIndex i) { return nvtx.end(i); });
    const auto makeChild = [&](std::uint32_t parent, StringId name) { return child(parent, name); };
    OpenRanges open;
    const auto note = [&](Ns time) {
        if (thread.times.empty() || thread.times.back() != time) {
            thread.times.push_back(time);
            thread.paths.push_back(0);
        }
        thread.paths.back() = open.path();
    };
    std::size_t closing = 0;
    StopCheck check(stop);
    const auto closeUntil = [&](Ns time) {
        for (; closing < ends.size() && nvtx.end(ends[closing]) <= time; ++closing) {
            check.step();
            open.close(ends[closing], makeChild);
            note(nvtx.end(ends[closing]));
        }
    };
    for (const EventIndex range : stoppableItems(ranges, stop)) {
        closeUntil(nvtx.start[range]);
        open.open(range, nvtx.name[range], makeChild);
        m_own[range] = open.path();
        note(nvtx.start[range]);
    }
    closeUntil(std::numeric_limits<Ns>::max());
}

std::uint32_t EnclosingRanges::child(std::uint32_t parent, StringId name, bool byHelper)
{
    const std::uint64_t key
        = (byHelper ? std::uint64_t{1} << 63U : 0) | std::uint64_t{parent} << 32U | raw(name);
    const auto [place, added] = m_children.try_emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
    if (added)
        m_nodes.push_back({parent, name, byHelper});
    return place->second;
}

const EnclosingRanges::Thread* EnclosingRanges::threadOf(GlobalId owner) const
{
    const auto found = m_threads.find(owner);
    return found != m_threads.end() ? &found->second : nullptr;
}

const EnclosingRanges::Thread* EnclosingRanges::leaderOf(GlobalId owner) const
{
    const auto leader = m_helpers.worksFor(owner);
    return leader ? threadOf(*leader) : nullptr;
}

template <typename Take>
void EnclosingRanges::eachPlace(EventKind kind, const std::stop_token& stop, Take take) const
{
    const EventTable& table = m_trace.table(kind);
    if (m_threads.empty() || kind == EventKind::CpuCore)
        return;
    if (runsOnDevice(kind) || kind == EventKind::Nvtx || kind == EventKind::NvtxProjected
        || (kind == EventKind::ApiCall && m_helpers.any())) {
        for (const EventIndex i : everyEvent(table, stop))
            take(i, placeOf({kind, i}));
        return;
    }
    for (const Track& track : table.tracks) {
        if (const Thread* const thread = threadOf(track.owner)) {
            for (const EventIndex i : eventsOf(track, stop)) {
                const std::uint32_t path = thread->at(table.start[i]);
                take(i, Place{path, m_nodes[path].byHelper});
            }
        }
    }
}

std::vector<std::uint32_t> EnclosingRanges::pathsOf(EventKind kind, const std::stop_token& stop) const
{
    if (kind == EventKind::Nvtx)
        return m_own;
    std::vector<std::uint32_t> paths(m_trace.table(kind).size(), 0);
    eachPlace(kind, stop, [&](EventIndex i, const Place& place) { paths[i] = place.path; });
    return paths;
}

std::vector<EnclosingRanges::Place> EnclosingRanges::placesOf(
    EventKind kind, const std::stop_token& stop) const
{
    std::vector<Place> places(m_trace.table(kind).size());
    eachPlace(kind, stop, [&](EventIndex i, const Place& place) { places[i] = place; });
    return places;
}

EnclosingRanges::Place EnclosingRanges::placeOf(EventRef event) const
{
    const auto placed = [&](std::uint32_t path) { return Place{path, m_nodes[path].byHelper}; };
    if (event.kind == EventKind::Nvtx)
        return placed(m_own[event.index]);
    if (event.kind == EventKind::NvtxProjected)
        return placed(m_own[rangeProjectedBy(m_trace, event.index)]);
    if (event.kind == EventKind::CpuCore)
        return {};
    const EventRef at = runsOnDevice(event.kind) ? m_trace.apiCallOf(event) : event;
    if (!at.valid())
        return {};
    const EventTable& table = m_trace.table(at.kind);
    const GlobalId owner = table.trackOf(at.index).owner;
    const Ns time = table.start[at.index];
    const Thread* const thread = threadOf(owner);
    const std::uint32_t own = thread ? thread->at(time) : 0;
    if (own != 0 || at.kind != EventKind::ApiCall)
        return placed(own);
    const Thread* const leading = leaderOf(owner);
    const std::uint32_t path = leading ? leading->at(time) : 0;
    return {path, path != 0};
}

std::string EnclosingRanges::textOf(std::uint32_t path) const
{
    NestedNames names; // a list of events has many
    while (path != 0 && names.add(m_trace.text(m_nodes[path].name)))
        path = m_nodes[path].parent;
    return names.text();
}

} // namespace warpline
