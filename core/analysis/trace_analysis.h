#pragma once

#include "core/analysis/collectives.h"
#include "core/analysis/gpu_facts.h"
#include "core/analysis/host_timeline.h"
#include "core/analysis/program_kind.h"
#include "core/base/ids.h"
#include "core/coverage/gpu_times.h"
#include "core/derive/call_kinds.h"
#include "core/derive/started_work.h"
#include "core/replay/what_if.h"
#include "core/steps/steps.h"
#include "core/store/gpu_names.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// A GPU of the machine, by the processes that use it.
struct SharedGpu {
    std::vector<const GpuFacts*> users;
    bool isShared = false; ///< by processes of several pids
    PackedIntervals any; ///< when it works for any; only of a GPU that is shared
    PackedIntervals several; ///< when it works for two pids or more
};

/// Data that all analyses of a window share: computed at first use, and kept as long as this object.
/// Thread-safe: callers wait for a computation in progress. Throws Stopped when `stop` is requested during a
/// computation.
class TraceAnalysis {
public:
    /// `stepGlob` names the steps; empty: they are found.
    TraceAnalysis(const Trace& trace, TimeRange window, std::stop_token stop, std::string stepGlob = {});
    /// For a part of the window of `whole`, which provides what does not depend on the window, and must
    /// outlive this.
    TraceAnalysis(TraceAnalysis& whole, TimeRange part);
    /// Shares the facts of `same`: each sees what the other computes. Computations of this one stop with
    /// `stop`.
    TraceAnalysis(const TraceAnalysis& same, std::stop_token stop);

    const Trace& trace() const { return m_trace; }
    TimeRange window() const { return m_window; }
    const std::string& stepGlob() const { return m_stepGlob; }
    const std::stop_token& stop() const { return m_stop; }
    /// By process, then device. O(n log n) in the GPU work of the window.
    const std::vector<GpuFacts>& gpus();
    /// Those of the process with the pid of `process`.
    const std::vector<const GpuFacts*>& gpusOf(GlobalId process);
    /// How processes share the GPU of number `number`, see gpuNumber(); one that does work. Equal numbers
    /// count as one GPU also where that is not known: less of the idle time is then lost.
    const SharedGpu& sharingOf(std::int32_t number);
    /// The threads of the process with the pid of `process` that make API calls, in the order of their
    /// tracks, each once.
    const std::vector<GlobalId>& callersOf(GlobalId process);
    /// The iterations of process `process`; empty where there are none to be seen.
    const StepSeries& steps(GlobalId process);
    /// The iterations of all processes, by pid.
    const std::map<std::uint32_t, StepSeries>& allSteps();
    const CallKinds& callKinds();
    /// What the calls of the whole report start, also outside the window.
    const StartedWork& startedWork();
    /// The steps that can be replayed with changes, see whatIfTargets().
    const std::vector<WhatIfTarget>& replays();
    /// The program's languages and frameworks.
    const ProgramKind& program();
    /// The activity of `thread` in the window.
    const HostTimeline& host(GlobalId thread);
    /// The communication in `part` of the window: see CommunicationWork.
    const CommunicationWork& communication(TimeRange part);
    /// idleAfterShort() of the window for kernels below `brief`: two rules ask for it.
    const PackedIntervals& idleAfterShort(Ns brief);
    /// waitsBetweenPages() of `gpu`.
    const PageWaits& pageWaits(const GpuOfProcess& gpu);
    using TimesOfGpus = std::map<GpuOfProcess, GpuTimes>;
    /// gpuTimes() of `range`. Only one of the computed ranges is cached, because each may hold millions of
    /// intervals; ranges inside it are cut from it.
    std::shared_ptr<const TimesOfGpus> gpuTimes(TimeRange range);
    /// The API call that started `work` (Links::pack); noIndex: unknown.
    EventIndex callOf(std::uint32_t work) const;
    EventIndex callOf(EventRef work) const { return callOf(Links::pack(work)); }
    /// The thread of API call `call`. O(log tracks).
    GlobalId threadOf(EventIndex call) const;
    /// The time that savings are measured against and that severities are of: how long measuredRange() is.
    /// Zero only for an empty window.
    Ns measured() { return measuredRange().duration(); }
    /// The measured time: scopeOf(), or the window where that is empty.
    TimeRange measuredRange();

private:
    /// A fact and the mutex that guards its computation. Facts use other facts, but never in a circle.
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
    /// Facts by key, with stable addresses.
    template <typename Key, typename T> class Facts {
    public:
        template <typename Make> const T& made(const Key& key, Make make)
        {
            Fact<T>* fact = nullptr;
            {
                const std::scoped_lock lock(m_mutex);
                fact = &m_facts[key];
            }
            return fact->made(make);
        }

    private:
        std::mutex m_mutex;
        std::map<Key, Fact<T>> m_facts;
    };

    struct Made {
        Fact<std::vector<GpuFacts>> gpus;
        Fact<std::map<std::uint32_t, std::vector<const GpuFacts*>>> gpusByPid;
        Fact<std::map<std::int32_t, SharedGpu>> sharing; ///< by the number of the GPU
        Fact<std::map<std::uint32_t, std::vector<GlobalId>>> callers; ///< by pid
        Fact<std::map<std::uint32_t, StepSeries>> steps;
        Fact<CallKinds> callKinds;
        Fact<StartedWork> startedWork;
        Fact<ProgramKind> program;
        Fact<std::vector<WhatIfTarget>> replays;
        Fact<TimeRange> measured;
        Facts<GlobalId, HostTimeline> hosts; ///< by thread
        Facts<Ns, PackedIntervals> idleAfterShort; ///< by the limit
        Facts<std::pair<Ns, Ns>, CommunicationWork> communication; ///< by start and end
        Facts<GpuOfProcess, PageWaits> pageWaits;
        std::mutex timesMutex;
        TimeRange timesOf;
        std::shared_ptr<const TimesOfGpus> times; ///< of timesOf
    };

    std::vector<GpuFacts> findGpus() const;
    std::map<std::int32_t, SharedGpu> findSharing();

    TraceAnalysis* m_whole = nullptr;
    const Trace& m_trace;
    TimeRange m_window;
    std::stop_token m_stop;
    std::string m_stepGlob;
    std::shared_ptr<Made> m_made = std::make_shared<Made>();
};

/// One GPU of the machine over all processes and contexts.
struct DeviceBusy {
    GlobalId process = 0; ///< the only one that uses it; 0: several do
    std::int32_t ordinal = -1; ///< the CUDA ordinal of that process; its number where several use it
    PackedIntervals busy; ///< the time of any work; concurrent work counts once
};
/// By machineGpu(). No longer than `facts`.
std::map<MachineGpu, DeviceBusy> busyByDevice(const Trace& trace, TraceAnalysis& facts, TimeRange window);

/// "GPU 0", with the process where several use GPUs.
std::string nameOf(const Trace& trace, const GpuFacts& gpu);

} // namespace warpline
