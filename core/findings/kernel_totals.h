#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/findings/rule.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The kernels that are shown under one name: all instances of a template.
struct KernelTotal {
    std::string function; ///< what it is shown as: of a template that runs anybody's code, the code
    bool ofTemplate = false; ///< the function has another name
    Ns time = 0; ///< sum of the durations
    Ns measured = 0; ///< of it in the measured time, see TraceAnalysis::measuredRange()
    std::uint64_t launches = 0;
    EventRef longest = {};
};

/// The kernels of `gpu`, those that take most first. Kernels that communicate wait for others: their time is
/// no work, and they are left out, as are those of the runtime of directives. Nothing when a stop is
/// requested. O(n) in the kernels; each name is looked at once.
std::vector<KernelTotal> kernelTotals(const RuleContext& context, const GpuFacts& gpu);

/// The one total that `kernel` alone makes.
KernelTotal totalOfKernel(const Trace& trace, EventIndex kernel);

/// Grid and block of `kernel`, how often it fills the GPU, and its occupancy; less where the report does not
/// say.
Message launchShape(const Trace& trace, EventIndex kernel);

/// Where the program begins in the command line of mpirun, srun and their like: "mpirun -n 4 ./halo" -> 12.
/// 0: no such launcher stands first, or no program behind it.
std::size_t launchedProgram(std::string_view command);

/// Among which launches ncu counts to the one that is meant.
enum class NcuScope : std::uint8_t {
    Process, ///< all of this name of the process
    NvtxRange, ///< those inside ranges called as the innermost one around the launch, where there is one
};

/// The command that looks into the longest launch of `total`, and nothing else, with Nsight Compute:
/// --launch-skip is the number of launches that its filters let through before. O(n) in the kernels of its
/// process and, for NcuScope::NvtxRange, in the NVTX ranges. Throws Stopped when `stop` is requested.
std::string ncuCommand(const Trace& trace, const KernelTotal& total, const std::stop_token& stop = {},
    NcuScope scope = NcuScope::Process);

/// That of one launch of a kernel, filtered by its NVTX range; for the clipboard.
std::string ncuCommandOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop = {});

/// What to know before `command`, an ncuCommand(), is used: what it counts from may not be the program's
/// start. Without its full stop; empty: nothing.
Message ncuSkipNote(const Trace& trace, std::string_view command);

} // namespace warpline
