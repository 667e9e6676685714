#pragma once

#include "core/steps/steps.h"

#include <cstddef>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// The source of the steps.
enum class StepSource : std::uint8_t {
    Nvtx, ///< NVTX ranges of the program
    GraphLaunches, ///< a guess: launches of CUDA graphs that repeat
    KernelSequence, ///< a guess: a sequence of kernels that repeats
};
std::string_view keyOf(StepSource source); ///< "nvtx", "graph_launches", "kernel_sequence"

/// The source of the steps of one thread.
struct StepHost {
    StepSeries series; ///< NVTX ranges; of a guess its `events` are the calls that begin steps
    StepSource foundBy = StepSource::Nvtx;
};

/// A program's steps on one GPU. The host runs ahead of the GPU, so a range on the host shows when a step's
/// work was launched, not how long it took. Step i on the GPU runs from the first work launched in range i to
/// the first launched in range i + 1.
struct GpuSteps {
    StepSeries host; ///< the source: ranges on the host
    StepSource foundBy = StepSource::Nvtx;
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process
    bool isAlone = false; ///< no other thread of the process has steps
    /// The whole steps: `ranges` are contiguous on the GPU; `events` those of `host`; warm-up, median and
    /// groups are by the GPU's times, and warm-up on the host is warm-up here. A step that launched nothing
    /// on this GPU is left out.
    StepSeries gpu;
    SharedList<std::size_t> indexes; ///< of each step of `gpu`: its index in `host`
    /// The last step that launched work, up to the end of that work, because its real end is unknown. Not in
    /// `gpu`. Empty: no step launched work.
    TimeRange last;
    std::size_t lastIndex = 0; ///< in `host`

    Ns median = 0; ///< of the steady whole steps; of an even number the mean of the two in the middle

    /// Range on the GPU of step `index` of `host`; empty: it launched nothing here.
    TimeRange rangeOf(std::size_t index) const;
};

/// The steps of every GPU of every thread that runs steps in `window`; by process, thread and device. Work of
/// threads without own steps, such as autograd's, belongs to the step that is open on the process' thread
/// with steps. `glob` names the ranges, see findSteps(); without it the steps of processes without suitable
/// ranges are guessed, see guessSteps(). O(n) in the API calls; cached. Throws Stopped when `stop` is
/// requested.
std::vector<GpuSteps> findGpuSteps(
    const Trace& trace, TimeRange window, const std::string& glob = {}, const std::stop_token& stop = {});

/// The same from the cache, without a copy.
std::shared_ptr<const std::vector<GpuSteps>> keptGpuSteps(
    const Trace& trace, TimeRange window, const std::string& glob = {}, const std::stop_token& stop = {});

/// The same for `hosts`, the series of threads; of several threads of a process each takes its own work, the
/// first also that of threads without steps.
std::vector<GpuSteps> gpuStepsOf(
    const Trace& trace, const std::vector<StepHost>& hosts, const std::stop_token& stop = {});

/// Guesses iterations of programs without suitable NVTX ranges, from the launches of the thread that launches
/// most. Uses repeated CUDA graph launches, else a repeated sequence of kernels: nine of ten launches must
/// recur with the same name one period later. A step begins at the usually longest pause of the host. One
/// series per process; leaves out those in `known`. O(n) in the launches, and a few tries of O(n).
std::vector<StepHost> guessSteps(
    const Trace& trace, TimeRange window, const std::set<GlobalId>& known, const std::stop_token& stop = {});

/// The period of `symbols`, without its first third, which may be warm-up; 0: there is none.
std::size_t periodOf(const std::vector<std::uint64_t>& symbols);

} // namespace warpline
