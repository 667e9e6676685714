#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// The number under which GPU `cuda` of process `owner` goes everywhere in Warpline: the machine's, as the
/// report and nvidia-smi count. A process may count otherwise (CUDA_VISIBLE_DEVICES), and two processes may
/// both call different GPUs their 0. `cuda` where the report does not say.
std::int32_t gpuNumber(const Trace& trace, GlobalId owner, std::int32_t cuda);

/// "GPU 1", or "MTIA 1" of an accelerator that is none.
std::string gpuName(const Trace& trace, GlobalId owner, std::int32_t cuda);
/// "GPU 1 (CUDA device 0 of its process)", or HIP device, where the two numbers differ, else "GPU 1".
Message gpuNameWithOrdinal(const Trace& trace, GlobalId owner, std::int32_t cuda);

/// Who made the GPUs of a report: which other tools know more of them. By name and width of a warp.
enum class GpuMaker : std::uint8_t { Nvidia, Amd, Other };
/// Nvidia where the report does not name its GPUs: most recorders see no others.
GpuMaker gpuMakerOf(const Trace& trace);
/// What the program of a report calls to give its GPUs work.
enum class GpuApi : std::uint8_t { Cuda, Hip, Mtia };
/// By its calls; where none was recorded, by the maker of the GPUs.
GpuApi gpuApiOf(const Trace& trace);
std::string_view nameOf(GpuApi api); ///< "CUDA", "HIP", "MTIA"
std::string_view gpuApiName(const Trace& trace); ///< the name of gpuApiOf()
/// What tells how a kernel of these GPUs does on the inside: "Nsight Compute"; to be put into a sentence.
Message kernelProfilerOf(const Trace& trace);

} // namespace warpline
