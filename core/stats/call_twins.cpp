#include "core/stats/call_twins.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

/// Linked calls of one process by correlation id: a direct table where ids are dense, as they are in
/// practice.
class LinkedCalls {
public:
    void widen(std::uint32_t id)
    {
        m_low = std::min(m_low, id);
        m_high = std::max(m_high, id);
        ++m_calls;
    }
    void prepare()
    {
        if (m_calls > 0 && m_high - m_low < m_calls * 16 + 1024)
            m_direct.assign(std::size_t{m_high} - m_low + 1, noIndex);
    }
    void add(std::uint32_t id, EventIndex call)
    {
        if (m_direct.empty())
            m_sparse.try_emplace(id, call);
        else
            m_direct[id - m_low] = call;
    }
    EventIndex find(std::uint32_t id) const
    {
        if (id < m_low || id > m_high)
            return noIndex;
        if (!m_direct.empty())
            return m_direct[id - m_low];
        const auto found = m_sparse.find(id);
        return found != m_sparse.end() ? found->second : noIndex;
    }

private:
    std::uint32_t m_low = noIndex;
    std::uint32_t m_high = 0;
    std::size_t m_calls = 0;
    std::vector<EventIndex> m_direct;
    std::unordered_map<std::uint32_t, EventIndex> m_sparse;
};

template <typename Visit> void forEachCall(const EventTable& api, const std::stop_token& stop, Visit visit)
{
    for (const Track& track : api.tracks) {
        const std::uint32_t pid = pidOf(track.owner);
        for (const EventIndex i : eventsOf(track, stop))
            visit(pid, i);
    }
}

} // namespace

CallTwins::CallTwins(const Trace& trace, const std::stop_token& stop)
{
    const EventTable& api = trace.apiCalls();
    if (!trace.links || api.correlation.empty())
        return;
    const auto& work = trace.links->firstWork;
    std::map<std::uint32_t, LinkedCalls> linked;
    forEachCall(api, stop, [&](std::uint32_t pid, EventIndex i) {
        if (work[i] != noIndex)
            linked[pid].widen(api.correlation[i]);
    });
    for (auto& [pid, calls] : linked)
        calls.prepare();
    forEachCall(api, stop, [&](std::uint32_t pid, EventIndex i) {
        if (work[i] != noIndex)
            linked[pid].add(api.correlation[i], i);
    });
    forEachCall(api, stop, [&](std::uint32_t pid, EventIndex i) {
        if (work[i] != noIndex || api.correlation[i] == 0)
            return;
        const auto calls = linked.find(pid);
        if (calls == linked.end())
            return;
        if (const EventIndex call = calls->second.find(api.correlation[i]); call != noIndex)
            m_twins.emplace_back(call, i);
    });
    std::ranges::sort(m_twins);
}

std::size_t CallTwins::firstOf(EventIndex call) const
{
    if (m_twins.empty())
        return 0;
    const auto found = std::ranges::lower_bound(m_twins, std::pair<EventIndex, EventIndex>{call, 0});
    return static_cast<std::size_t>(found - m_twins.begin());
}

} // namespace warpline
