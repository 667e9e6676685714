#include "core/derive/links.h"

#include "core/base/sorted_runs.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

/// API calls of one process by correlation id. Calls of the driver that a runtime call made share its id: the
/// outermost call, which comes first, counts.
class CallsById {
public:
    /// Collects the calls of `tracks`, which are of one process.
    CallsById(const EventTable& api, const std::vector<const Track*>& tracks, const std::stop_token& stop)
    {
        std::size_t calls = 0;
        std::uint32_t highest = 0;
        m_lowest = noIndex;
        visit(api, tracks, stop, [&](std::uint32_t id, EventIndex) {
            ++calls;
            m_lowest = std::min(m_lowest, id);
            highest = std::max(highest, id);
        });
        if (calls == 0)
            return;
        // A direct table where ids are dense, as they are in practice.
        const std::size_t width = std::size_t{highest} - m_lowest + 1;
        if (width > calls * 4 + 1024) {
            m_calls.reserve(calls);
            visit(api, tracks, stop,
                [&](std::uint32_t id, EventIndex call) { m_calls.emplace_back(id, call); });
            std::ranges::stable_sort(m_calls, {}, &Call::first);
            for (std::size_t i = 1, first = 0; i < m_calls.size(); ++i) {
                if (m_calls[i].first == m_calls[first].first)
                    noteSecond(api, m_calls[first].second, m_calls[i].second);
                else
                    first = i;
            }
            return;
        }
        m_direct.assign(width, noIndex);
        visit(api, tracks, stop, [&](std::uint32_t id, EventIndex call) {
            EventIndex& place = m_direct[id - m_lowest];
            if (place == noIndex)
                place = call;
            else
                noteSecond(api, place, call);
        });
    }

    /// For each call with the id of another one that it is not a part of: that other call.
    const std::vector<EventIndex>& shared() const { return m_shared; }

    EventIndex find(std::uint32_t id) const
    {
        if (!m_direct.empty())
            return id >= m_lowest && id - m_lowest < m_direct.size() ? m_direct[id - m_lowest] : noIndex;
        const auto found = std::ranges::lower_bound(m_calls, id, {}, &Call::first);
        return found != m_calls.end() && found->first == id ? found->second : noIndex;
    }

    /// Calls visit(id, call) for each id.
    template <typename Visit> void forEach(Visit&& visit) const
    {
        for (std::size_t i = 0; i < m_direct.size(); ++i) {
            if (m_direct[i] != noIndex)
                visit(static_cast<std::uint32_t>(m_lowest + i), m_direct[i]);
        }
        for (const auto& [id, call] : m_calls)
            visit(id, call);
    }

private:
    using Call = std::pair<std::uint32_t, EventIndex>;

    template <typename Visit>
    static void visit(const EventTable& api, const std::vector<const Track*>& tracks,
        const std::stop_token& stop, Visit&& visit)
    {
        for (const Track* const track : tracks) {
            for (const EventIndex i : eventsOf(*track, stop)) {
                if (api.correlation[i] != 0)
                    visit(api.correlation[i], i);
            }
        }
    }

    void noteSecond(const EventTable& api, EventIndex first, EventIndex call)
    {
        const bool isPart = api.start[first] <= api.start[call] && api.end(call) <= api.end(first)
            && &api.trackOf(first) == &api.trackOf(call);
        if (!isPart)
            m_shared.push_back(first);
    }

    std::vector<Call> m_calls;
    std::vector<EventIndex> m_direct;
    std::vector<EventIndex> m_shared;
    std::uint32_t m_lowest = 0;
};

std::map<std::uint32_t, CallsById> callsByProcess(const EventTable& api, const std::stop_token& stop)
{
    std::map<std::uint32_t, std::vector<const Track*>> processes;
    for (const Track& track : api.tracks)
        processes[pidOf(track.owner)].push_back(&track);
    std::map<std::uint32_t, CallsById> calls;
    for (const auto& [pid, tracks] : processes)
        calls.try_emplace(pid, api, tracks, stop);
    return calls;
}

/// The calls of all processes; of those that share an id, the one of the lowest pid.
class CallsOfAny {
public:
    EventIndex find(const std::map<std::uint32_t, CallsById>& calls, std::uint32_t id)
    {
        constexpr std::size_t few = 16; // then looking at each takes no memory
        if (calls.size() <= few) {
            for (const auto& [pid, ofProcess] : calls) {
                if (const EventIndex call = ofProcess.find(id); call != noIndex)
                    return call;
            }
            return noIndex;
        }
        if (!m_isMade) {
            for (const auto& [pid, ofProcess] : calls)
                ofProcess.forEach(
                    [&](std::uint32_t each, EventIndex call) { m_calls.try_emplace(each, call); });
        }
        m_isMade = true;
        const auto found = m_calls.find(id);
        return found != m_calls.end() ? found->second : noIndex;
    }

private:
    bool m_isMade = false;
    std::unordered_map<std::uint32_t, EventIndex> m_calls;
};

void linkKind(const EventTable& work, const std::map<std::uint32_t, CallsById>& calls, CallsOfAny& ofAny,
    const std::stop_token& stop, Links& links)
{
    auto& apiOf = links.apiOf[indexOf(work.kind)];
    apiOf.assign(work.size(), noIndex);
    for (const Track& track : work.tracks) {
        const auto ofProcess = calls.find(pidOf(track.owner));
        if (ofProcess == calls.end() && track.owner != 0)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            const std::uint32_t id = work.correlation[i];
            if (id == 0)
                continue;
            const EventIndex call
                = ofProcess != calls.end() ? ofProcess->second.find(id) : ofAny.find(calls, id);
            apiOf[i] = call;
            if (call == noIndex)
                continue;
            const std::uint32_t packed = Links::pack({work.kind, i});
            if (links.firstWork[call] == noIndex)
                links.firstWork[call] = packed;
            else
                links.moreWork.emplace_back(call, packed);
        }
    }
}

} // namespace

std::shared_ptr<const Links> linkWork(const Trace& trace, const std::stop_token& stop)
{
    auto links = std::make_shared<Links>();
    const EventTable& api = trace.apiCalls();
    links->firstWork.assign(api.size(), noIndex);
    const auto calls = callsByProcess(api, stop);
    CallsOfAny ofAny;
    for (std::size_t kind = 0; kind < deviceKindCount; ++kind) {
        const EventTable& work = trace.table(static_cast<EventKind>(kind));
        if (!work.correlation.empty())
            linkKind(work, calls, ofAny, stop, *links);
        else
            links->apiOf[kind].assign(work.size(), noIndex);
    }
    for (const auto& [pid, ofProcess] : calls)
        links->sharedIds += static_cast<std::uint64_t>(std::ranges::count_if(
            ofProcess.shared(), [&](EventIndex first) { return links->firstWork[first] != noIndex; }));
    sortRuns(links->moreWork, std::less{}, stop);
    return links;
}

} // namespace warpline
