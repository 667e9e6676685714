#pragma once

#include "core/steps/helper_threads.h"
#include "core/store/trace.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpline {

/// The NVTX ranges around every event, as paths: the ranges that are open on its thread when it begins, of
/// all domains, outermost first; of GPU work those around the call that launched it. Calls in no range of a
/// thread that works for another one (HelperThreads), and what they launch, are in the ranges that are open
/// there. A range is part of its own path. Paths are numbered, 0 is the empty one, and parents have smaller
/// numbers.
class EnclosingRanges {
public:
    struct Node {
        std::uint32_t parent = 0;
        StringId name{}; ///< of the innermost range
    };

    /// Reads all ranges: O(n log n), and a path for each that is different. Throws Stopped when `stop` is
    /// requested. `trace` must outlive this.
    explicit EnclosingRanges(const Trace& trace, const std::stop_token& stop = {});

    /// The path of each event of `kind`, of no event of derived kinds but NvtxProjected. O(events log
    /// ranges).
    std::vector<std::uint32_t> pathsOf(EventKind kind, const std::stop_token& stop = {}) const;
    /// That of one event. O(log ranges).
    std::uint32_t pathOf(EventRef event) const;
    /// Whether the path of `event` is that of a thread which another one works for. O(log ranges).
    bool isByHelper(EventRef event) const;
    bool hasHelpers() const { return m_helpers.any(); }
    const std::vector<Node>& nodes() const { return m_nodes; }
    /// "step 3/forward/attention".
    std::string textOf(std::uint32_t path) const;

    /// Ranges inside as many others as this are left out of paths.
    static constexpr std::size_t deepest = 64;

private:
    /// The path on a thread from times[i] until times[i + 1].
    struct Thread {
        std::vector<Ns> times;
        std::vector<std::uint32_t> paths;
        std::uint32_t at(Ns time) const;
    };

    void sweep(std::vector<EventIndex> ranges, Thread& thread, const std::stop_token& stop);
    std::uint32_t child(std::uint32_t parent, StringId name);
    const Thread* threadOf(GlobalId owner) const;
    struct Found {
        std::uint32_t path = 0;
        bool byHelper = false;
    };
    Found find(EventRef event) const;

    const Trace& m_trace;
    HelperThreads m_helpers;
    std::vector<Node> m_nodes{Node{}};
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;
    std::unordered_map<GlobalId, Thread> m_threads;
    std::vector<std::uint32_t> m_own; ///< of each NVTX event
};

} // namespace warpline
