#include "core/kineto/record_hashes.h"

namespace warpline {

std::size_t LaunchHash::operator()(const KernelLaunch& launch) const
{
    std::size_t hash = raw(launch.shortName);
    for (const auto part :
        {static_cast<std::uint64_t>(launch.grid.x), static_cast<std::uint64_t>(launch.grid.y),
            static_cast<std::uint64_t>(launch.block.x), static_cast<std::uint64_t>(launch.registersPerThread),
            static_cast<std::uint64_t>(launch.dynamicSharedMemory), launch.graphNodeId})
        hash = hash * 1099511628211ULL + part;
    return hash;
}

std::size_t CopyHash::operator()(const CopyAttributes& copy) const
{
    return (static_cast<std::size_t>(copy.kind) << 16U | static_cast<std::size_t>(copy.source) << 8U
               | static_cast<std::size_t>(copy.destination))
        * 1099511628211ULL
        + copy.graphNodeId;
}

std::size_t AttributesHash::operator()(const NvtxAttributes& a) const
{
    return (std::size_t{raw(a.payload)} * 1099511628211ULL + raw(a.categoryName)) * 1099511628211ULL
        + a.eventType;
}

std::size_t OperationHash::operator()(const GpuMemoryOperation& operation) const
{
    return static_cast<std::size_t>(operation.memory) << 8U | static_cast<std::size_t>(operation.allocates)
        | static_cast<std::size_t>(static_cast<std::uint32_t>(operation.device)) << 16U;
}

} // namespace warpline
