#pragma once

#include "core/analysis/host_timeline.h"
#include "core/store/event_loops.h"

#include <array>
#include <functional>
#include <span>
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
/// them together cost one pass over its timeline and its ranges.
class HostPieces {
public:
    /// `host` is the timeline of `thread` and outlives this.
    HostPieces(const Trace& trace, const HostTimeline& host, RangeWords& words, GlobalId thread);

    /// Appends what the thread did in `range` to `pieces`: they follow one another without gaps. `range`
    /// starts no earlier than any asked before.
    void append(TimeRange range, std::vector<HostPiece>& pieces);

private:
    /// The NVTX ranges of one lane, from the first that can still matter.
    struct Source {
        EventIndex next;
        EventIndex last;
        bool ofFramework; ///< true: the framework's ranges; false: the program's own
    };
    /// A part of the timeline, in the same way.
    struct Part {
        const PackedIntervals* times;
        IdleCause doing;
        std::size_t next = 0;
    };
    struct Boundary {
        Ns time;
        bool begins;
        std::uint16_t source;
        IdleCause doing;
        StringId name;
        Ns since = 0; ///< when the event began, which may be before the range that is asked about
    };
    static constexpr std::uint16_t noSource = 0xFFFF; ///< of boundaries of a part of the timeline

    void addLanes(const Track& track, bool ofFramework);
    void addBoundaries(TimeRange piece, const Boundary& what);
    void collect(TimeRange range);
    HostPiece now() const;

    const NvtxTable& m_nvtx;
    RangeWords& m_words;
    std::vector<Part> m_parts;
    std::vector<Source> m_sources; ///< those of the program's own first, the innermost last
    std::vector<Boundary> m_boundaries;
    std::array<std::uint32_t, idleCauses> m_active{};
    /// The range of a source that is open.
    struct Open {
        StringId name{};
        bool loads = false;
        Ns since = 0;
    };
    StringId operationIn(const HostPiece& piece, Ns since) const;

    std::vector<Open> m_names; ///< by source
};

} // namespace warpline
