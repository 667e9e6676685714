#pragma once

#include "core/replay/apply_cure.h"
#include "core/replay/cure.h"
#include "core/replay/replay_graph.h"
#include "core/steps/gpu_steps.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

/// Recording overhead for the program. A launch without a profiler takes about 2.2 us of the host; the
/// typical excess over that is tracing inside the call, and about as much again comes around it, where
/// records are made. Tracing page faults of unified memory costs up to 70% of the faulting time (Nsight
/// Systems' documentation).
struct ProfilerCost {
    ExpectedTime call; ///< of a traced call of CUDA that starts work, on the host; 0: none to be seen
    bool pages = false; ///< pages of unified memory that move by themselves are traced
};

/// From the launches of `graph`, which is of `trace`. O(calls).
ProfilerCost profilerCostOf(const Trace& trace, const ReplayGraph& graph);

/// Takes `cost` out of `graph`, and the profiler's own work on the threads of the program that the report
/// has records of. Optimistic takes the most.
void removeProfilerCost(const Trace& trace, const ProfilerCost& cost, Estimate estimate, ReplayGraph& graph);

/// A step without the profiler's own cost.
struct PlainExpectation {
    ExpectedTime asIs;
    ExpectedTime cured;
    /// The saving of the cure, as shares of it.
    double leastShare = 0;
    double share = 0;
    double mostShare = 0;
};

/// The expected effect of a cure. Times are of the mean replayed step.
struct Expectation {
    std::size_t steps = 0; ///< that were replayed; 1 with `isWhole`
    bool isWhole = false; ///< there are no steps: it is all to the last GPU work, see ReplayLimits::fromStart
    bool isCapped = false; ///< the cure asks for work longer than longestScaled: the replay has none
    Ns measured = 0; ///< the mean step as recorded
    Ns replayed = 0; ///< as the replay of the unchanged program has it; near `measured`, or nothing holds
    Ns explained = 0; ///< the same with usual times wherever nothing explains a delay: withUsualTimes()
    ExpectedTime cured; ///< with the cure
    double modelError = 0; ///< |explained - measured| / measured: the part of the step that the model does
                           ///< not explain
    double spread = 0; ///< standard error of the saving over the steps, as a share of `measured`
    double factors = 0; ///< half the width that the uncertainty of the cure's factors leaves, the same
    double margin = 0; ///< minimum margin of the interval, the same unit: see docs/whatif.md
    /// The same without the profiler; nothing: expect() was not asked.
    std::optional<PlainExpectation> plain;
    std::size_t changed = 0; ///< calls and pieces of work that the cure changes; 0: it matches nothing
    /// How many calls and pieces of work go or take another time, by name, most first: "cudaFree", 24.
    std::vector<std::pair<std::string, std::size_t>> changes;
    /// The part of the step in which kernels of collectives run: they keep their time, waiting for other
    /// ranks included.
    double communication = 0;

    /// Whether the replay explains the program well enough for an interval to mean something.
    bool isTold() const { return modelError <= 0.2; }
    /// The part of the time that the cure saves.
    double share() const { return shareLeftBy(cured.expected); }
    /// The least and the most of the interval.
    double leastShare() const { return shareLeftBy(cured.high); }
    double mostShare() const { return shareLeftBy(cured.low); }

private:
    double shareLeftBy(Ns length) const;
};

/// Limits of the replayed part.
struct ReplayLimits {
    std::size_t maxEvents = 120'000; ///< calls of the steps that are replayed, and work
    std::size_t maxSteps = 64;
    double minWorkShare = 0.5; ///< of the GPU's work in guessed steps: with less the whole run is replayed
    bool fromStart = false; ///< time without steps begins with its range, not with its first GPU work
};
/// For many automatic replays: faster than what a user waits for.
inline constexpr ReplayLimits limitsOfMany{.maxEvents = 40'000, .maxSteps = 24, .minWorkShare = 0};

/// A model of a program's steady steps that can run with changes: each thread's launches in order with its
/// own time in between, streams that run their work in order, waits of streams and of the host, room in the
/// launch queue, threads that take turns. The method is that of Daydream (Zhu et al., ATC 2020);
/// docs/whatif.md lists its limits. Immutable; thread-safe while the trace lives.
class Replay {
public:
    /// For the steps of the GPU `steps`, or those in the middle of many. Nothing: there are fewer than two
    /// whole steps, or a step has more events than `limits` allow. Throws Stopped.
    static std::optional<Replay> ofSteps(const Trace& trace, const GpuSteps& steps,
        const ReplayLimits& limits = {}, const std::stop_token& stop = {});
    /// For all activity of `process` in `range`; with `fromStart`, the wait before its first GPU work too.
    static std::optional<Replay> ofRange(const Trace& trace, GlobalId process, TimeRange range,
        bool fromStart, const ReplayLimits& limits = {}, const std::stop_token& stop = {});

    /// The step with `cure`; without edits, of the unchanged program. `withPlain`: also the time without the
    /// profiler. O(events log events).
    Expectation expect(const Cure& cure, const std::stop_token& stop = {}, bool withPlain = false) const;
    ProfiledStep profiledStep() const;
    /// The recording overhead in these steps.
    const ProfilerCost& profilerCost() const { return m_profilerCost; }
    /// How many calls and pieces of work `edit` changes: 0 means that nothing fits it.
    std::size_t matches(const CureEdit& edit) const;

    const ReplayGraph& graph() const { return m_graph; }
    GlobalId process() const { return m_process; }
    std::int32_t device() const { return m_device; }

private:
    Replay(const Trace& trace, ReplayGraph graph, const ReplayWindow& window);
    /// `unsure`: the margin on each side of a saving's interval, as a share of the step.
    PlainExpectation withoutProfiler(const Cure& cure, double unsure, const std::stop_token& stop) const;

    const Trace* m_trace;
    ReplayGraph m_graph;
    GlobalId m_process;
    std::int32_t m_device;
    Ns m_explained = 0; ///< see Expectation
    ProfilerCost m_profilerCost;
    double m_communication = 0; ///< see Expectation
};

} // namespace warpline
