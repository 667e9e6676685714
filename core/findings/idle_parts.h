#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/base/message.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace warpline {

struct Finding;
struct RuleContext;

/// A gap, and what of it a cause explains.
struct PartOfGap {
    TimeRange gap;
    Ns part = 0;
};

/// Gaps that no loop has made; a recording of few steps has as many.
inline constexpr std::size_t fewGaps = 3;

/// The time that a GPU idles for one cause.
struct IdleParts {
    Ns total = 0;
    bool leads = false; ///< it is the largest part of a gap
    std::size_t count = 0; ///< gaps with some of it
    std::array<Ns, fewGaps> longest{}; ///< most of it in one gap, the next ...
    std::vector<PartOfGap> gaps; ///< those with some of it, in order of time
    std::map<GlobalId, std::vector<TimeRange>> parts; ///< all of it, by launching thread

    /// Counts `part` of `gap`; its place in `parts` is the caller's.
    void add(TimeRange gap, Ns part);
};

/// All the time of `idle`, of all launching threads.
Intervals timeOf(const RuleContext& context, const IdleParts& idle);

/// Says in `finding` which functions CPU samples saw in the time of `idle`, and where to see more of them;
/// nothing where there are too few samples, or too spread.
void tellSamples(const RuleContext& context, const IdleParts& idle, Finding& finding);

/// An NVTX range of the program in which launching threads are while a GPU idles.
struct IdleRange {
    std::string pattern; ///< "load", its numbers as '#'; empty: no range holds most of the time
    std::size_t steps = 0; ///< steady steps with some of it; without steps the ranges
    IdleParts idle; ///< the time in it
    Ns ownCode = 0; ///< of it: the thread ran own code,
    Ns osCalls = 0; ///< was in calls of the operating system,
    Ns offCpu = 0; ///< or on no CPU
    std::vector<Message> operators; ///< "aten::mm 70 ms" where these hold most of the own code; else empty
    std::string osCall; ///< the call of the operating system that takes most; empty: none is recorded
};

/// The range of the program that holds most of the time in `causes` (by IdleCause: own code, calls of the
/// operating system, off the CPU), at least `least` of it, in most steady steps of `gpu`'s process, else in
/// several ranges; what lies in it is moved from `causes` to the result. The step as a whole is no such
/// range, nor is what happens once. A range that sleeps and computes is one place to fix.
IdleRange takeIdleRange(
    const RuleContext& context, const GpuFacts& gpu, Ns least, std::span<IdleParts> causes);

/// What the thread does most of the time there.
inline IdleCause mainDoing(const IdleRange& range)
{
    if (range.offCpu > range.ownCode && range.offCpu > range.osCalls)
        return IdleCause::OffCpu;
    return range.osCalls > range.ownCode ? IdleCause::OsCall : IdleCause::OwnCode;
}

/// What it does there, each with its time, to follow "it ".
std::vector<Message> doingsIn(const IdleRange& range);

} // namespace warpline
