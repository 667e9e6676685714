#include "core/stats/call_twins.h"

#include "core/derive/kept_answers.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

/// Linked calls of one process by correlation id. Ids come in runs: those of a stretch of 4,096 are in a
/// table that is made for the first of them, and nothing is held of the stretches between. Where ids are
/// scattered instead they are hashed.
class LinkedCalls {
public:
    void add(std::uint32_t id, EventIndex call)
    {
        ++m_added;
        if (std::vector<EventIndex>* const page = pageFor(id))
            (*page)[id % pageSize] = call;
        else
            m_scattered.try_emplace(id, call);
    }
    EventIndex find(std::uint32_t id) const
    {
        const std::size_t number = id / pageSize;
        if (number < m_places.size() && m_places[number] != none)
            return m_pages[m_places[number]][id % pageSize];
        if (m_scattered.empty())
            return noIndex;
        const auto found = m_scattered.find(id);
        return found != m_scattered.end() ? found->second : noIndex;
    }

private:
    static constexpr std::uint32_t pageSize = 4096;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// nullptr: the stretch has no table, and there are too many of them for so few calls.
    std::vector<EventIndex>* pageFor(std::uint32_t id)
    {
        constexpr std::size_t always = 256;
        constexpr std::size_t worthAPage = 256; ///< calls, on average
        const std::size_t number = id / pageSize; // below 2^20
        if (number >= m_places.size())
            m_places.resize(number + 1, none);
        if (m_places[number] == none) {
            if (m_pages.size() > always + m_added / worthAPage)
                return nullptr;
            m_places[number] = static_cast<std::uint32_t>(m_pages.size());
            m_pages.emplace_back(pageSize, noIndex);
            moveScattered(number, m_pages.back());
        }
        return &m_pages[m_places[number]];
    }

    void moveScattered(std::size_t number, std::vector<EventIndex>& page)
    {
        if (m_scattered.empty())
            return;
        for (std::uint32_t i = 0; i < pageSize; ++i) {
            const auto found = m_scattered.find(static_cast<std::uint32_t>(number * pageSize) + i);
            page[i] = found != m_scattered.end() ? found->second : noIndex;
        }
    }

    std::vector<std::uint32_t> m_places; ///< by number of the stretch
    std::vector<std::vector<EventIndex>> m_pages;
    std::unordered_map<std::uint32_t, EventIndex> m_scattered;
    std::size_t m_added = 0;
};

} // namespace

CallTwins::CallTwins(const Trace& trace, const std::stop_token& stop)
{
    const EventTable& api = trace.apiCalls();
    if (!trace.links || api.correlation.empty())
        return;
    const auto& work = trace.links->firstWork;
    std::map<std::uint32_t, LinkedCalls> linked; // by process
    for (const Track& track : api.tracks) {
        LinkedCalls& calls = linked[pidOf(track.owner)];
        for (const EventIndex i : eventsOf(track, stop)) {
            if (work[i] != noIndex)
                calls.add(api.correlation[i], i);
        }
    }
    for (const Track& track : api.tracks) {
        const LinkedCalls& calls = linked[pidOf(track.owner)];
        for (const EventIndex i : eventsOf(track, stop)) {
            if (work[i] != noIndex || api.correlation[i] == 0)
                continue;
            if (const EventIndex call = calls.find(api.correlation[i]); call != noIndex)
                m_twins.emplace_back(call, i);
        }
    }
    std::ranges::sort(m_twins);
}

std::shared_ptr<const CallTwins> callTwinsOf(const Trace& trace, const std::stop_token& stop)
{
    static KeptAnswers<Links, CallTwins> kept;
    if (!trace.links)
        return std::make_shared<const CallTwins>(trace, stop);
    return kept.of(trace.links, [&] { return CallTwins(trace, stop); });
}

std::size_t CallTwins::firstOf(EventIndex call) const
{
    if (m_twins.empty())
        return 0;
    const auto found = std::ranges::lower_bound(m_twins, std::pair<EventIndex, EventIndex>{call, 0});
    return static_cast<std::size_t>(found - m_twins.begin());
}

} // namespace warpline
