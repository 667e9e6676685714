#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// Looks up the tracks of events: consecutive events are mostly of one track, for which only the first needs
/// a search.
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
