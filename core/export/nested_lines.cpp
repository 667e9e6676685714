#include "core/export/nested_lines.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

constexpr Ns noLine = std::numeric_limits<Ns>::min();
constexpr Ns noEvent = std::numeric_limits<Ns>::max(); ///< room for any

} // namespace

void NestedLines::setRoom(std::size_t line, Ns until)
{
    std::size_t node = m_room.size() / 2 + line;
    m_room[node] = until;
    for (node /= 2; node > 0; node /= 2)
        m_room[node] = std::max(m_room[2 * node], m_room[2 * node + 1]);
}

std::size_t NestedLines::lineFor(TimeRange time)
{
    for (; !m_ends.empty() && m_ends.top().first <= time.start; m_ends.pop()) {
        const std::size_t line = m_ends.top().second;
        m_open[line].pop_back(); // those inside ended before
        setRoom(line, m_open[line].empty() ? noEvent : m_open[line].back());
    }
    const std::size_t leaves = m_room.size() / 2;
    std::size_t line = m_open.size();
    if (leaves > 0 && m_room[1] >= time.end) {
        std::size_t node = 1;
        while (node < leaves)
            node = m_room[2 * node] >= time.end ? 2 * node : 2 * node + 1;
        line = node - leaves;
    } else {
        m_open.emplace_back();
    }
    if (line == leaves) { // twice as many
        m_room.assign(std::max<std::size_t>(2, 4 * leaves), noLine);
        for (std::size_t i = 0; i < line; ++i)
            setRoom(i, m_open[i].back());
    }
    m_open[line].push_back(time.end);
    m_ends.emplace(time.end, line);
    setRoom(line, time.end);
    return line;
}

} // namespace warpline
