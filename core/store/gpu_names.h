#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace warpline {

class Trace;

/// The number of GPU `cuda` of process `owner` that Warpline shows everywhere: the machine's, as in the
/// report and nvidia-smi. A process may count differently (CUDA_VISIBLE_DEVICES), and two processes may both
/// number different GPUs 0. `cuda` where it is unknown.
std::int32_t gpuNumber(const Trace& trace, GlobalId owner, std::int32_t cuda);
/// Whether equal numbers of two processes are one GPU. Of several GPUs, exports before 2024.7 do not show
/// which ones a process counts.
bool areNumbersCommon(const Trace& trace);
/// A GPU of the machine: gpuNumber(), and the pid where equal numbers of two processes may be two GPUs, else
/// 0.
using MachineGpu = std::pair<std::int32_t, std::uint32_t>;
MachineGpu machineGpu(const Trace& trace, GlobalId owner, std::int32_t cuda);

/// "GPU 1", or "MTIA 1" of an accelerator that is none.
std::string gpuName(const Trace& trace, GlobalId owner, std::int32_t cuda);
/// "GPU 1 (CUDA device 0 of its process)", or HIP device, where the two numbers differ, else "GPU 1".
Message gpuNameWithOrdinal(const Trace& trace, GlobalId owner, std::int32_t cuda);

/// The maker of a report's GPUs, which decides which other tools to suggest. By name and warp size.
enum class GpuMaker : std::uint8_t { Nvidia, Amd, Other };
/// Nvidia where the report does not name its GPUs: most recorders see no others.
GpuMaker gpuMakerOf(const Trace& trace);
/// The API with which the program launches GPU work.
enum class GpuApi : std::uint8_t { Cuda, Hip, Mtia };
/// By its calls; where none was recorded, by the maker of the GPUs.
GpuApi gpuApiOf(const Trace& trace);
std::string_view nameOf(GpuApi api); ///< "CUDA", "HIP", "MTIA"
std::string_view gpuApiName(const Trace& trace); ///< the name of gpuApiOf()
/// The tool that profiles kernels on these GPUs: "Nsight Compute"; for use in a sentence.
Message kernelProfilerOf(const Trace& trace);

} // namespace warpline
