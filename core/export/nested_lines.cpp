#include "core/export/nested_lines.h"

#include <limits>

namespace warpline {

namespace {

constexpr Ns noEvent = std::numeric_limits<Ns>::max(); ///< room for any

} // namespace

std::size_t NestedLines::lineFor(TimeRange time)
{
    for (; !m_ends.empty() && m_ends.top().first <= time.start; m_ends.pop()) {
        const std::size_t line = m_ends.top().second;
        m_open[line].pop_back(); // those inside ended before
        m_room.set(line, m_open[line].empty() ? noEvent : m_open[line].back());
    }
    const std::size_t line = m_room.first(time.end).value_or(m_open.size());
    if (line == m_open.size())
        m_open.emplace_back();
    if (line == m_room.size()) { // none has room for this event: all have one
        m_room.reset(2 * line);
        for (std::size_t i = 0; i < line; ++i)
            m_room.set(i, m_open[i].back());
    }
    m_open[line].push_back(time.end);
    m_ends.emplace(time.end, line);
    m_room.set(line, time.end);
    return line;
}

} // namespace warpline
