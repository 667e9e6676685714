#pragma once

#include "core/store/event_table.h"

#include <cstddef>

namespace warpline {

// Hashes of records that events share, for RecordPool.

struct LaunchHash {
    std::size_t operator()(const KernelLaunch& launch) const;
};
struct CopyHash {
    std::size_t operator()(const CopyAttributes& copy) const;
};
struct AttributesHash {
    std::size_t operator()(const NvtxAttributes& attributes) const;
};
struct OperationHash {
    std::size_t operator()(const GpuMemoryOperation& operation) const;
};

} // namespace warpline
