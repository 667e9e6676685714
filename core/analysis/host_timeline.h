#pragma once

#include "core/analysis/idle_cause.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/call_kinds.h"

#include <array>
#include <cstddef>
#include <stop_token>

namespace warpline {

class Trace;

/// A length of time by cause; the parts add up to the whole.
using CauseTimes = std::array<Ns, idleCauses>;

/// What one thread did over a window, as an index that rules, budgets and the overview use to explain a GPU's
/// idle time. Causes have an order of precedence: a call inside a range that loads data counts as data
/// loading.
/// Code is compiled on the host before it is loaded: what the thread does of its own right before a call that
/// loads modules counts as loading, since the GPUs began, in the same NVTX range and since the last launch,
/// copy, wait or allocation. Where a compiler begins in it, libraries that are loaded belong to it, too.
class HostTimeline {
public:
    /// Throws Stopped when `stop` is requested.
    HostTimeline(const Trace& trace, const CallKinds& kinds, GlobalId thread, TimeRange window,
        const std::stop_token& stop = {});

    /// By OtherRanks to OffCpu and OwnCode; starting ranks counts as OtherRanks. O(log n).
    CauseTimes split(TimeRange range) const;
    /// The parts of `range` in which the thread did that, by the causes of split(). O(log n + result).
    Intervals within(IdleCause cause, TimeRange range) const;

    /// Additional marks on the causes of split(); they may overlap.
    enum class Mark : std::uint8_t {
        Profiler, ///< the recorder's own overhead
        RankStart, ///< calls that start or end the work of ranks
        LoadsSeen, ///< loading that the recorder saw
        Modules, ///< calls that load modules
        Compilers, ///< GPU compilers start here, see startsCompiler()
        Compiling, ///< NVTX ranges that say so, and own code before a call that loads modules
    };
    static constexpr std::size_t marks = static_cast<std::size_t>(Mark::Compiling) + 1;
    const PackedIntervals& of(Mark mark) const { return m_marks[static_cast<std::size_t>(mark)]; }
    /// The time of a cause of split() but OwnCode; disjoint from that of the others.
    const PackedIntervals& of(IdleCause cause) const { return m_covered[indexOf(cause) - indexOf(first)]; }

    static constexpr IdleCause first = IdleCause::OtherRanks;
    static constexpr IdleCause last = IdleCause::OffCpu;

private:
    PackedIntervals ownCodeBeforeLoads(
        const Trace& trace, GlobalId thread, const std::stop_token& stop) const;

    std::array<PackedIntervals, indexOf(last) - indexOf(first) + 1> m_covered;
    std::array<PackedIntervals, marks> m_marks;
};

} // namespace warpline
