#pragma once

#include "core/files/text_source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Events of a trace, one after another as the file has them. BlockEvents reads them.
struct EventBlock {
    std::string text;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> events; ///< first byte, and the one behind the last
    /// Alternatively a run of unsplit events with the text between them. Then `events` is empty.
    std::pair<std::size_t, std::size_t> run;
    std::uint64_t firstEvent = 0; ///< index of the first in the file
};

/// Cuts the JSON of a trace into blocks of whole events without parsing them, so that threads can. It follows
/// only quotes and brackets, and for events formatted as by Kineto only their beginnings. Keeps the text
/// outside of the list of events.
///
/// Hand-written files are sometimes invalid JSON: a quote in a name is not escaped, the end is missing. Such
/// an event is lost; reading continues at the next text that begins like an event.
class EventSplitter {
public:
    /// `blockBytes`: of a block, about.
    explicit EventSplitter(TextSource& source, std::size_t blockBytes = std::size_t{1} << 20U);
    /// Splits a part of a list of events some of which are broken.
    explicit EventSplitter(std::string_view events);

    /// Gets the next block; false when there are no more events.
    bool next(EventBlock& block);

    /// Whether the text begins as a trace does: an object, or a list.
    bool isTrace() const { return m_isTrace; }
    /// Whether it has a list of events.
    bool hasEvents() const { return m_hasList; }
    /// Whether it ended before its end.
    bool cutOff() const { return m_cutOff; }
    /// Number of events that could not be separated.
    std::uint64_t lost() const { return m_lost; }
    /// The values outside of the events by key, as text (keys of the root object); skips values of more than
    /// a megabyte, and more than a thousand.
    const std::vector<std::pair<std::string, std::string>>& fields() const { return m_fields; }

private:
    enum class State : std::uint8_t { Start, Root, Events, Lost, Done };
    bool step();
    bool takeRun(EventBlock& block);
    void handOut(EventBlock& block, std::uint64_t events);
    void start();
    void root();
    void events();
    void findNext();
    std::size_t skipBetween(std::size_t from) const;
    bool more();
    void lose(std::size_t from, std::size_t to);
    void keep(std::string_view key, std::string_view value);
    void cutOffHere();

    TextSource* m_source = nullptr; ///< none: all of the text is there
    std::size_t m_blockBytes;
    std::string m_text; ///< text that was read and not returned yet
    std::size_t m_at = 0; ///< in m_text
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_events; ///< whole, in m_text
    State m_state = State::Start;
    bool m_atEnd = false;
    bool m_isTrace = false;
    bool m_isList = false; ///< the root is the list of events
    bool m_hasList = false;
    bool m_cutOff = false;
    bool m_counted = false; ///< Lost: the event that is broken counts already
    std::uint64_t m_lost = 0;
    std::uint64_t m_handedOut = 0;
    std::vector<std::pair<std::string, std::string>> m_fields;
};

} // namespace warpline
