#pragma once

#include "core/replay/cure.h"
#include "core/replay/profiler_cost.h"
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

/// A step without the profiler's own cost.
struct PlainExpectation {
    ExpectedTime asIs;
    ExpectedTime cured;
    /// What the cure saves of it, as shares.
    double leastShare = 0;
    double share = 0;
    double mostShare = 0;
};

/// What a cure is expected to bring. Times are of the mean step that was replayed.
struct Expectation {
    std::size_t steps = 0; ///< that were replayed; 1 with `isWhole`
    bool isWhole = false; ///< there are no steps: it is all from the first to the last GPU work
    Ns measured = 0; ///< the mean step as recorded
    Ns replayed = 0; ///< as the replay of the unchanged program has it; near `measured`, or nothing holds
    Ns explained = 0; ///< the same with usual times wherever nothing explains a delay: withUsualTimes()
    ExpectedTime cured; ///< with the cure
    double modelError = 0; ///< |explained - measured| / measured: what the model does not know of the step
    double spread = 0; ///< standard error of the saving over the steps, as a share of `measured`
    double factors = 0; ///< half the width that the uncertainty of the cure's factors leaves, the same
    double margin = 0; ///< what is added to the interval at least, the same: see docs/whatif.md
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
    /// Of the interval: the least and the most.
    double leastShare() const { return shareLeftBy(cured.high); }
    double mostShare() const { return shareLeftBy(cured.low); }

private:
    double shareLeftBy(Ns length) const;
};

/// Bounds on what is replayed.
struct ReplayLimits {
    std::size_t maxEvents = 120'000; ///< calls of the steps that are replayed, and work
    std::size_t maxSteps = 64;
};
/// Where many cures are replayed that nobody asked for: less than what a person waits for.
inline constexpr ReplayLimits limitsOfMany{.maxEvents = 40'000, .maxSteps = 24};

/// A model of the steady steps of a program that can be run with changes: launches in the order in which each
/// thread makes them with the thread's own time in between, streams that run their work in order, waits of
/// streams and of the host, room in the launch queue, threads that take turns. The method is that of Daydream
/// (Zhu et al., ATC 2020); docs/whatif.md says what it leaves out. Immutable; safe to use from several
/// threads while the trace lives.
class Replay {
public:
    /// Of the steps of the GPU `steps`, those in the middle where there are many; nothing: there are fewer
    /// than two whole steps, or a step has more events than `limits` allow. Throws Stopped.
    static std::optional<Replay> ofSteps(const Trace& trace, const GpuSteps& steps,
        const ReplayLimits& limits = {}, const std::stop_token& stop = {});
    /// Of all that `process` does in `range`.
    static std::optional<Replay> ofRange(const Trace& trace, GlobalId process, TimeRange range,
        const ReplayLimits& limits = {}, const std::stop_token& stop = {});

    /// The step with `cure`; without edits, of the unchanged program. `withPlain`: also what the steps take
    /// without the profiler. O(events log events).
    Expectation expect(const Cure& cure, const std::stop_token& stop = {}, bool withPlain = false) const;
    ProfiledStep profiledStep() const;
    /// What recording costs in these steps.
    const ProfilerCost& profilerCost() const { return m_profilerCost; }
    /// How many calls and pieces of work `edit` changes: 0 means that nothing fits it.
    std::size_t matches(const CureEdit& edit) const;

    const ReplayGraph& graph() const { return m_graph; }
    GlobalId process() const { return m_process; }
    std::int32_t device() const { return m_device; }

private:
    Replay(const Trace& trace, ReplayGraph graph, const ReplayWindow& window);
    /// `unsure`: what the interval of a saving has on each side, of the step.
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
