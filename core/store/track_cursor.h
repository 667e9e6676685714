#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// The tracks of events that are asked for one after another: those of one track mostly follow one another,
/// and only the first of them has to be looked up.
class TrackCursor {
public:
    /// `table` outlives the cursor.
    explicit TrackCursor(const EventTable& table)
        : m_table(table)
    {
    }

    /// EventTable::trackIndexOf(i).
    std::uint32_t indexOf(EventIndex i)
    {
        if (i < m_first || i >= m_behind) {
            m_track = m_table.trackIndexOf(i);
            m_first = m_table.tracks[m_track].firstEvent;
            m_behind = m_track + 1 < m_table.tracks.size() ? m_table.tracks[m_track + 1].firstEvent
                                                           : static_cast<EventIndex>(m_table.size());
        }
        return m_track;
    }
    /// EventTable::trackOf(i).
    const Track& of(EventIndex i) { return m_table.tracks[indexOf(i)]; }

private:
    const EventTable& m_table;
    std::uint32_t m_track = 0;
    EventIndex m_first = 0;
    EventIndex m_behind = 0; ///< the events of m_track are [m_first, m_behind)
};

} // namespace warpline
