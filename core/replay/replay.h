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
#include <vector>

namespace warpline {

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
    /// The step without the profiler's own cost, as it is and with the cure; nothing: expect() was not asked.
    std::optional<ExpectedTime> plain;
    std::optional<ExpectedTime> plainCured;
    std::size_t changed = 0; ///< calls and pieces of work that the cure changes; 0: it matches nothing

    /// The part of the time that the cure saves; never negative.
    double share() const { return shareLeftBy(cured.expected); }
    /// Of the interval: the least and the most.
    double leastShare() const { return shareLeftBy(cured.high); }
    double mostShare() const { return shareLeftBy(cured.low); }

private:
    double shareLeftBy(Ns length) const;
};

/// Bounds on what is replayed.
struct ReplayLimits {
    std::size_t mostEvents = 120'000; ///< calls of the steps that are replayed, and work
    std::size_t mostSteps = 64;
};
/// Where many cures are replayed that nobody asked for: less than what a person waits for.
inline constexpr ReplayLimits limitsOfMany{.mostEvents = 40'000, .mostSteps = 24};

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
    /// What recording costs in these steps.
    const ProfilerCost& profilerCost() const { return m_profilerCost; }
    /// How many calls and pieces of work `edit` changes: 0 means that nothing fits it.
    std::size_t matches(const CureEdit& edit) const;

    const ReplayGraph& graph() const { return m_graph; }
    GlobalId process() const { return m_process; }
    std::int32_t device() const { return m_device; }

private:
    Replay(const Trace& trace, ReplayGraph graph, const ReplayWindow& window);
    /// The mean step with `cure` without the profiler.
    ExpectedTime plainStep(const Cure& cure) const;

    const Trace* m_trace;
    ReplayGraph m_graph;
    GlobalId m_process;
    std::int32_t m_device;
    Ns m_explained = 0; ///< see Expectation
    ProfilerCost m_profilerCost;
};

} // namespace warpline
