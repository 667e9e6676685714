#pragma once

#include "core/kineto/event_splitter.h"
#include "core/kineto/raw_event.h"

#include <cstdint>
#include <optional>

namespace warpline {

/// Reads the events of a block one by one. In an unsplit run of events, those after a broken one are split,
/// so that only the broken one is lost.
class BlockEvents {
public:
    /// `block` must outlive this.
    explicit BlockEvents(const EventBlock& block);

    /// The next event that is whole, parts of the text of the block or of this; false at the end.
    bool next(RawEvent& event);
    /// Number in the file of the event read last, counted from 1.
    std::uint64_t number() const { return m_number; }
    /// Number of events that were not valid JSON.
    std::uint64_t broken() const { return m_broken; }
    /// Number of events that could not be separated from the surrounding text.
    std::uint64_t lost() const { return m_splitter ? m_splitter->lost() : 0; }

private:
    bool nextOfRun(RawEvent& event);
    bool nextToldApart(RawEvent& event);

    const EventBlock* m_block;
    JsonReader m_run;
    std::optional<EventSplitter> m_splitter; ///< for the text after a broken event
    EventBlock m_rest; ///< the block that it splits
    std::size_t m_at = 0; ///< in the events of m_block
    std::uint64_t m_number;
    std::uint64_t m_broken = 0;
};

} // namespace warpline
