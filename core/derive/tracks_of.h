#pragma once

#include "core/store/trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace warpline {

/// The tracks of one kind whose owner is a certain thread or process, in their order, for a range-for. Finds
/// them in O(log tracks): an index of each table is made once.
class TracksOf {
public:
    TracksOf(const Trace& trace, EventKind kind, GlobalId owner);
    /// Those of `process` and of all its threads: by owner, then in their order.
    static TracksOf ofProcess(const Trace& trace, EventKind kind, GlobalId process);

    class Iterator {
    public:
        Iterator(const std::vector<Track>& tracks, const std::uint32_t* place)
            : m_tracks(&tracks),
              m_place(place)
        {
        }
        const Track& operator*() const { return (*m_tracks)[*m_place]; }
        Iterator& operator++()
        {
            ++m_place;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return m_place != other.m_place; }

    private:
        const std::vector<Track>* m_tracks;
        const std::uint32_t* m_place;
    };

    Iterator begin() const { return {m_table->tracks, m_places.data()}; }
    Iterator end() const { return {m_table->tracks, m_places.data() + m_places.size()}; }

private:
    TracksOf(const Trace& trace, EventKind kind, GlobalId first, GlobalId last);

    std::shared_ptr<const EventTable> m_table;
    std::shared_ptr<const std::vector<std::uint32_t>> m_byOwner;
    std::span<const std::uint32_t> m_places;
};

} // namespace warpline
