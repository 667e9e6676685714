#pragma once

#include "core/analysis/idle_cause.h"
#include "core/analysis/program_kind.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/message.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

struct Finding;
struct RuleContext;

/// A gap, and the part of it that a cause explains.
struct PartOfGap {
    TimeRange gap;
    Ns part = 0;
};

/// Fewer gaps are not a loop; a recording of few steps has as many.
inline constexpr std::size_t fewGaps = 3;

/// The time that a GPU idles for one cause.
struct IdleParts {
    Ns total = 0;
    Ns whole = 0; ///< `total` before ranges were taken from it; 0: none was
    bool leads = false; ///< it is the largest part of a gap, and at least half of `whole`
    std::size_t count = 0; ///< gaps that contain some of it
    std::array<Ns, fewGaps> longest{}; ///< its largest times in one gap
    std::vector<PartOfGap> gaps; ///< the gaps that contain some of it, in order of time
    std::map<GlobalId, std::vector<TimeRange>> parts; ///< all its time, by launching thread

    /// Counts `part` of `gap`; its place in `parts` is the caller's.
    void add(TimeRange gap, Ns part);
};

/// All the time of `idle`, of all launching threads.
Intervals timeOf(const RuleContext& context, const IdleParts& idle);

/// Adds to `finding` the functions that CPU samples saw in the time of `idle`, and where to see more; nothing
/// where samples are few or spread widely.
void tellSamples(const RuleContext& context, const IdleParts& idle, Finding& finding);

/// An NVTX range of the program in which launching threads are while a GPU idles.
struct IdleRange {
    std::string pattern; ///< "load", its numbers as '#'; empty: no range holds most of the time
    std::string name; ///< the same to show, see commonName()
    std::size_t steps = 0; ///< steady steps with some of it; without steps the ranges
    IdleParts idle; ///< the time in it
    Ns ownCode = 0; ///< time in which the thread ran own code,
    Ns osCalls = 0; ///< was in calls of the operating system,
    Ns offCpu = 0; ///< or on no CPU
    std::vector<Message> operators; ///< "aten::mm 70 ms" where these hold most of the own code; else empty
    std::string osCall; ///< the call of the operating system that takes most; empty: none is recorded
};

/// The program's range that holds most of the time of `causes` (by IdleCause: own code, system calls, off the
/// CPU), at least `least`, in most steady steps of `gpu`'s process, else in several ranges. Moves its time
/// from `causes` to the result. Whole steps and one-time ranges do not count. A range that sleeps and
/// computes is one place to fix. The next call has the next range.
IdleRange takeIdleRange(
    const RuleContext& context, const GpuFacts& gpu, Ns least, std::span<IdleParts> causes);

/// What the thread does there most of the time.
inline IdleCause mainDoing(const IdleRange& range)
{
    if (range.offCpu > range.ownCode && range.offCpu > range.osCalls)
        return IdleCause::OffCpu;
    return range.osCalls > range.ownCode ? IdleCause::OsCall : IdleCause::OwnCode;
}

/// What it does there, each with its time, as a continuation of "it ".
std::vector<Message> doingsIn(const IdleRange& range);

/// The remedy for a GPU that idles while the launching thread does `doing`. `namesFunctions`: the report
/// names the Python functions that run.
Message idleRemedyFor(IdleCause doing, const ProgramKind& program, bool namesFunctions);
/// The topic of further advice, see adviceFor(); empty: there is none.
std::string_view idleTopicFor(IdleCause doing);

} // namespace warpline
