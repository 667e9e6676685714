#pragma once

#include "core/base/stop.h"
#include "core/store/event_table.h"

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Data about the launches of one stream that one pass over them needs.
struct StreamLaunches {
    const Trace* trace = nullptr; ///< with its links
    std::span<const TrackRef> tracks; ///< of the stream
    /// Begins and ends of graph launches, each sorted: the nodes of a graph share their call, and the last
    /// one ends it.
    std::vector<Ns> graphBegins;
    std::vector<Ns> graphEnds;
    std::size_t count = 0; ///< of all launches; those beyond `most` need not be counted

    /// Looks at the nodes of graphs, and counts launches up to `most` or a little beyond. Throws Stopped when
    /// `stop` is requested.
    StreamLaunches(
        const Trace& from, std::span<const TrackRef> ofStream, std::size_t most, const std::stop_token& stop);
};

/// When the calls that launched a stream's work began, or when that work ended, ascending. Reads the lanes of
/// the stream on demand, so that a stream with millions of launches needs no memory.
class LaunchTimes {
public:
    enum class Of : std::uint8_t { Begins, Ends };
    enum class Order : std::uint8_t {
        AsLanes, ///< as they come in the lanes; see isOutOfOrder()
        Sorted, ///< sorted first, which takes eight bytes a launch
    };
    /// Comes after the last time.
    static constexpr Ns none = std::numeric_limits<Ns>::max();

    LaunchTimes(const StreamLaunches& launches, Of of, Order order, const std::stop_token& stop);

    /// The next time; `none` at the end. Throws Stopped when the token is requested.
    Ns next()
    {
        if (m_sources.empty())
            return none;
        Source& least = *m_sources.front();
        const Ns time = least.times[least.at];
        const std::size_t after = least.at + 1;
        if (after == least.count || least.times[after] > m_others)
            moveOn();
        else
            least.at = after;
        return time;
    }
    /// True after a lane had a descending time, as when several threads launch into one stream: then the
    /// times so far are invalid, and must be read Sorted.
    bool isOutOfOrder() const { return m_outOfOrder; }

private:
    /// One lane, or a list of times; some of its times at a time.
    struct Source {
        const EventTable* work = nullptr; ///< nullptr: of a list
        const std::vector<EventIndex>* apiOf = nullptr;
        bool hasNodes = false; ///< some are nodes of graphs, which are left out
        EventIndex next = 0;
        EventIndex end = 0;
        std::span<const Ns> list;
        std::size_t at = 0;
        std::size_t count = 0; ///< of `times`
        std::array<Ns, 256> times;
    };
    using Place = std::unique_ptr<Source>;
    static bool isLater(const Place& a, const Place& b) { return a->times[a->at] > b->times[b->at]; }

    void addLanes(const StreamLaunches& launches);
    static Place listOf(std::span<const Ns> times);
    /// Takes up `source` unless it has no times.
    void add(Place source);
    /// Reads on; false when nothing is left.
    bool fill(Source& source);
    /// Passes over the first time, and lets the source with the least time be the first.
    void moveOn();
    void findOthers();

    const Trace& m_trace;
    const EventTable& m_calls;
    Of m_of;
    bool m_outOfOrder = false;
    StopCheck m_stop;
    std::vector<Ns> m_sorted;
    std::vector<Place> m_sources; ///< a heap: the one with the least time first
    Ns m_others = none; ///< the least time of those behind it
};

} // namespace warpline
