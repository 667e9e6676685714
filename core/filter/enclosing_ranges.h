#pragma once

#include "core/derive/helper_threads.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpline {

struct Thread;
class Trace;

/// The NVTX ranges around every event, as paths: the ranges of all domains that are open on its thread when
/// it begins, outermost first; for GPU work those around the launch. Calls outside of ranges on a helper
/// thread (HelperThreads), and their GPU work, use the ranges open on the thread that it works for; ranges of
/// libraries on a helper thread nest in them, too. A range is part of its own path. Paths are numbered; 0 is
/// the empty one, and parents have smaller numbers.
class EnclosingRanges {
public:
    struct Node {
        std::uint32_t parent = 0;
        StringId name{}; ///< of the innermost range
        /// It is open on a helper thread, inside ranges of the thread that it works for: a library's, such as
        /// CUB's in autograd.
        bool byHelper = false;
    };
    /// Where an event is.
    struct Place {
        std::uint32_t path = 0;
        bool byHelper = false; ///< the path begins on a thread which that of the event works for
        friend bool operator==(const Place&, const Place&) = default;
    };

    /// Reads all ranges: O(n log n), and a path for each that is different. Throws Stopped when `stop` is
    /// requested. `trace` must outlive this.
    explicit EnclosingRanges(const Trace& trace, const std::stop_token& stop = {});

    /// The path of each event of `kind`; derived kinds have none, except NvtxProjected. O(events log ranges).
    std::vector<std::uint32_t> pathsOf(EventKind kind, const std::stop_token& stop = {}) const;
    /// The same, with who is there.
    std::vector<Place> placesOf(EventKind kind, const std::stop_token& stop = {}) const;
    /// The path of one event. O(log ranges).
    Place placeOf(EventRef event) const;
    std::uint32_t pathOf(EventRef event) const { return placeOf(event).path; }
    const std::vector<Node>& nodes() const { return m_nodes; }
    /// "step 3/forward/attention".
    std::string textOf(std::uint32_t path) const;

    /// Ranges nested deeper are left out of paths.
    static constexpr std::size_t deepest = 64;

private:
    /// The path on a thread from times[i] until times[i + 1].
    struct Thread {
        std::vector<Ns> times;
        std::vector<std::uint32_t> paths;
        std::uint32_t at(Ns time) const;
    };

    void sweep(std::vector<EventIndex> ranges, Thread& thread, const std::stop_token& stop);
    void readMarks(const std::stop_token& stop);
    /// Puts the ranges of threads that work for another one into those that are open there.
    void putInsideLeaders(const std::stop_token& stop);
    void putInside(Thread& thread, const Thread& leading, const std::stop_token& stop);
    /// `path` with `base` around it, where helpers are.
    std::uint32_t inside(std::uint32_t base, std::uint32_t path);
    std::uint32_t child(std::uint32_t parent, StringId name, bool byHelper = false);
    const Thread* threadOf(GlobalId owner) const;
    const Thread* leaderOf(GlobalId owner) const;
    /// Calls `take(event, place)` for each event of `kind` that has a path.
    template <typename Take> void eachPlace(EventKind kind, const std::stop_token& stop, Take take) const;

    const Trace& m_trace;
    HelperThreads m_helpers;
    std::vector<Node> m_nodes{Node{}};
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;
    std::unordered_map<GlobalId, Thread> m_threads;
    std::vector<std::uint32_t> m_own; ///< of each NVTX event
};

} // namespace warpline
