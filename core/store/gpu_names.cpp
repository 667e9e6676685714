#include "core/store/gpu_names.h"

#include "core/store/trace.h"

#include <fmt/format.h>

namespace warpline {

std::int32_t gpuNumber(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    // The importer has checked that ordinals lead to GPUs; what is not there keeps its number.
    for (const DeviceOrdinal& ordinal : trace.ordinals) {
        if (ordinal.pid == pidOf(owner) && ordinal.cuda == cuda)
            return ordinal.device;
    }
    return cuda;
}

std::string gpuName(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    return fmt::format("GPU {}", gpuNumber(trace, owner, cuda));
}

std::string gpuNameWithOrdinal(const Trace& trace, GlobalId owner, std::int32_t cuda)
{
    const std::int32_t number = gpuNumber(trace, owner, cuda);
    return number == cuda ? fmt::format("GPU {}", number)
                          : fmt::format("GPU {} (CUDA device {} of its process)", number, cuda);
}

} // namespace warpline
