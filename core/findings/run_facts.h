#pragma once

#include "core/derive/call_kinds.h"
#include "core/findings/gpu_activity.h"
#include "core/findings/gpu_facts.h"
#include "core/findings/host_activity.h"
#include "core/findings/program_kind.h"
#include "core/replay/what_if.h"
#include "core/steps/steps.h"

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

struct RuleContext;

/// What the rules of one run share: made when first asked for, kept until the run ends. Safe to ask from
/// several threads: who asks for what another one makes waits for it. Throws Stopped while it makes something
/// and `stop` is requested.
class RunFacts {
public:
    /// `stepGlob` names the steps; empty: they are found.
    RunFacts(const Trace& trace, TimeRange window, std::stop_token stop, std::string stepGlob = {});

    const Trace& trace() const { return m_trace; }
    TimeRange window() const { return m_window; }
    const std::string& stepGlob() const { return m_stepGlob; }
    const std::stop_token& stop() const { return m_stop; }
    /// By process, then device. O(n log n) in the GPU work of the window.
    const std::vector<GpuFacts>& gpus();
    /// The iterations of process `process`; empty where there are none to be seen.
    const StepSeries& steps(GlobalId process);
    /// Those of all processes, by pid.
    const std::map<std::uint32_t, StepSeries>& allSteps();
    const CallKinds& callKinds();
    /// The steps that can be replayed with changes, see whatIfTargets().
    const std::vector<WhatIfTarget>& replays();
    /// What the program is written with.
    const ProgramKind& program();
    const HostActivity& host(GlobalId thread);
    /// idleAfterShort() of the window for kernels below `brief`: two rules ask for it.
    const PackedIntervals& idleAfterShort(Ns brief);
    /// The API call that started `work` (Links::pack); noIndex: unknown.
    EventIndex callOf(std::uint32_t work) const;
    EventIndex callOf(EventRef work) const { return callOf(Links::pack(work)); }
    /// The thread of API call `call`. O(log tracks).
    GlobalId threadOf(EventIndex call) const { return m_trace.apiCalls().trackOf(call).owner; }
    /// The time that savings are measured against and that severities are of: how long measuredRange() is.
    /// Zero only for an empty window.
    Ns measured() { return measuredRange().duration(); }
    /// Where that time lies: what scopeOf() judges; the window where that is empty.
    TimeRange measuredRange();

private:
    /// A fact and who may make it. Facts are made of others, but never in a circle.
    template <typename T> class Fact {
    public:
        template <typename Make> const T& made(Make make)
        {
            const std::scoped_lock lock(m_mutex);
            if (!m_value)
                m_value.emplace(make());
            return *m_value;
        }

    private:
        std::mutex m_mutex;
        std::optional<T> m_value;
    };

    std::vector<GpuFacts> findGpus() const;

    const Trace& m_trace;
    TimeRange m_window;
    std::stop_token m_stop;
    std::string m_stepGlob;
    Fact<std::vector<GpuFacts>> m_gpus;
    Fact<std::map<std::uint32_t, StepSeries>> m_steps;
    Fact<CallKinds> m_callKinds;
    Fact<ProgramKind> m_program;
    Fact<std::vector<WhatIfTarget>> m_replays;
    Fact<TimeRange> m_measured;
    std::mutex m_hostsMutex;
    std::map<GlobalId, Fact<HostActivity>> m_hosts; ///< places in this map are kept
    std::mutex m_idleMutex;
    std::map<Ns, Fact<PackedIntervals>> m_idleAfterShort; ///< by the limit
};

/// One GPU of the machine over all processes and contexts.
struct DeviceBusy {
    GlobalId process = 0; ///< the only one that uses it; 0: several do
    std::int32_t ordinal = -1; ///< the CUDA ordinal of that process; its number where several use it
    PackedIntervals busy; ///< the time of any work; concurrent work counts once
};
/// By the GPU's number, see gpuNumber(). No longer than `facts`.
std::map<std::int32_t, DeviceBusy> busyByDevice(const Trace& trace, RunFacts& facts, TimeRange window);

/// High, medium or low by the share that `saving` has of the measured time.
Severity severityOf(const RuleContext& context, Ns saving);
/// "GPU 0", with the process where several use GPUs.
std::string nameOf(const Trace& trace, const GpuFacts& gpu);

} // namespace warpline
