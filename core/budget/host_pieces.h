#pragma once

#include "core/analysis/host_timeline.h"
#include "core/base/max_tree.h"
#include "core/store/event_loops.h"

#include <array>
#include <functional>
#include <limits>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// A stretch of a thread's time in which it did one thing.
struct HostPiece {
    TimeRange range;
    IdleCause doing = IdleCause::OwnCode;
    StringId name{}; ///< the innermost NVTX range of the program's own; of data loading the outermost that
                     ///< does. Empty: none
    StringId operation{}; ///< of own code: the innermost operator of a framework that is open. Empty: none
};

/// Meaning of the NVTX ranges of a trace; each name is examined once. All threads share it.
struct RangeWords {
    explicit RangeWords(const Trace& trace);

    OncePerName<std::function<bool(StringId)>> loadsData;
    OncePerName<std::function<bool(StringId)>> isOperator; ///< see isFrameworkOperator()
};

/// Returns what one thread did and in which range. Ranges must be requested in order of time, so that all of
/// them together cost one pass over what is in them.
class HostPieces {
public:
    /// `host` is the timeline of `thread` and outlives this.
    HostPieces(const Trace& trace, const HostTimeline& host, RangeWords& words, GlobalId thread);

    /// Appends what the thread did in `range` to `pieces`: they follow one another without gaps. `range`
    /// starts no earlier than any asked before ended.
    void append(TimeRange range, std::vector<HostPiece>& pieces);
    /// Begins again, for ranges from the first on.
    void restart();

private:
    /// Ranges that do not overlap: a lane of NVTX, or a part of the timeline.
    struct Source {
        const PackedIntervals* times; ///< nullptr: a lane
        IdleCause doing; ///< in a part of the timeline
        bool ofFramework; ///< a lane: true: the framework's ranges; false: the program's own
        std::size_t first;
        std::size_t last;
        std::size_t next = 0; ///< the range that is open, or opens next
        bool isOpen = false;
    };
    /// When the range of a source begins or ends.
    using Change = std::pair<Ns, std::size_t>;

    void addLanes(const Track& track, bool ofFramework);
    TimeRange rangeOf(const Source& source, std::size_t i) const;
    void advance(Ns time);
    void skipEnded(Source& source, Ns time) const;
    void setOpen(std::size_t source, bool open);
    HostPiece now() const;
    StringId nameIn(const Source& source) const; ///< of its range at hand; empty: a part of the timeline
    StringId operationIn(const HostPiece& piece, Ns since) const;

    const NvtxTable& m_nvtx;
    RangeWords& m_words;
    std::vector<Source> m_sources; ///< own lanes, the innermost last, lanes of the framework, then parts
    std::priority_queue<Change, std::vector<Change>, std::greater<>> m_changes; ///< one per source
    std::array<std::uint32_t, idleCauses> m_active{};
    std::set<std::size_t> m_own; ///< sources of the program's own that are open
    std::set<std::size_t> m_loading; ///< those of them that load data
    MaxTree m_operators; ///< by source of the framework: since when it is open
};

} // namespace warpline
