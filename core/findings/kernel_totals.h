#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/findings/rule.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The kernels that are shown under one name: all instances of a template.
struct KernelTotal {
    std::string function; ///< the shown name; for a template that runs a functor, the functor
    bool ofTemplate = false; ///< the function has another name
    Ns inside = 0; ///< sum of the times in the window
    Ns measured = 0; ///< its part in the measured time, see TraceAnalysis::measuredRange()
    std::uint64_t launches = 0;
    EventRef longest = {};
};

/// The kernels of `gpu`, most time in the window first. Excludes kernels that communicate, because they wait
/// for others, and those of directives' runtimes. Empty when a stop is requested. O(n) in the kernels; each
/// name is examined once.
std::vector<KernelTotal> kernelTotals(const RuleContext& context, const GpuFacts& gpu);

/// Grid and block of `kernel`, number of waves, and occupancy, as far as they are known.
Message launchShape(const Trace& trace, EventIndex kernel);

/// The offset of the program in a command line of mpirun, srun and similar: "mpirun -n 4 ./halo" -> 12. 0:
/// there is no launcher first, or no program after it.
std::size_t launchedProgram(std::string_view command);

/// The Nsight Compute command that profiles only the longest launch of `total`, filtered by the name of the
/// innermost NVTX range around it, if there is one: --launch-skip counts the launches that its filters match
/// before. O(n) in the kernels of its process and in the NVTX ranges. Ends before the program where the
/// report does not name it: see ncuText(). Throws Stopped when `stop` is requested.
std::string ncuCommand(const Trace& trace, const KernelTotal& total, const std::stop_token& stop = {});

/// The command for one launch of a kernel; for the clipboard.
std::string ncuCommandOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop = {});

/// `command`, an ncuCommand(), for people: "<your program>" at its end where the report does not name it.
Message ncuText(const Trace& trace, std::string_view command);

/// A note on the ncuCommand() for `kernel`: in a part of a recording, launches may be missing that ncu
/// counts. Without full stop; empty: no note. In such a part O(n) in the NVTX ranges. Throws Stopped.
Message ncuSkipNote(const Trace& trace, EventIndex kernel, const std::stop_token& stop = {});

/// The time of `gpu` in CUDA graphs traced as a whole (--cuda-graph-trace=graph), whose kernels are not in
/// the report: the sum of their overlaps with `range`, or of their whole durations.
inline Ns graphTimeOf(const Trace& trace, const GpuFacts& gpu, TimeRange range)
{
    Ns time = 0;
    if (trace.table(EventKind::GraphTrace).empty())
        return time;
    forEachOfKind(gpu, EventKind::GraphTrace, {},
        [&](EventRef event) { time += std::max<Ns>(0, trace.range(event).clippedTo(range).duration()); });
    return time;
}
inline Ns graphTimeOf(const Trace& trace, const GpuFacts& gpu)
{
    return graphTimeOf(trace, gpu, gpu.span());
}

} // namespace warpline
