#include "core/stats/grouping.h"

#include <numeric>

namespace warpline {

void Groups::reserve(std::size_t values)
{
    m_group.reserve(values);
    m_values.reserve(values);
    if (m_keepEvents)
        m_events.reserve(values);
}

void Groups::add(std::uint64_t key, std::int64_t value, EventRef event)
{
    const std::uint32_t group = m_keys.numberOf(key);
    if (group == m_count.size())
        m_count.push_back(0);
    ++m_count[group];
    m_group.push_back(group);
    m_values.push_back(value);
    if (m_keepEvents)
        m_events.push_back(event);
}

void Groups::finish()
{
    StopCheck check(m_stop);
    m_first.resize(m_count.size());
    std::exclusive_scan(m_count.begin(), m_count.end(), m_first.begin(), 0U);
    std::vector<std::uint32_t> next = m_first;
    std::vector<std::int64_t> values(m_values.size());
    std::vector<EventRef> events(m_events.size());
    for (std::size_t i = 0; i < m_group.size(); ++i) {
        check.step();
        const std::uint32_t place = next[m_group[i]]++;
        values[place] = m_values[i];
        if (m_keepEvents)
            events[place] = m_events[i];
    }
    m_values = std::move(values);
    m_events = std::move(events);
    m_group = {};
}

std::span<std::int64_t> Groups::values(std::size_t group)
{
    return std::span(m_values).subspan(m_first[group], m_count[group]);
}

std::span<const EventRef> Groups::events(std::size_t group) const
{
    if (!m_keepEvents)
        return {};
    return std::span(m_events).subspan(m_first[group], m_count[group]);
}

} // namespace warpline
