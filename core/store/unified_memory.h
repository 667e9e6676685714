#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// True for pages of unified memory that move between host and devices. CUPTI gives them context 0 and stream
/// 0, which are no GPU of their own.
constexpr bool isMigration(CopyKind kind)
{
    return kind == CopyKind::UnifiedHtoD || kind == CopyKind::UnifiedDtoH || kind == CopyKind::UnifiedDtoD;
}

/// CopyAttributes::migrationCause of requested migrations (cudaMemPrefetchAsync): an id of
/// ENUM_CUDA_UNIF_MEM_MIGRATION.
inline constexpr std::int32_t causeIsUser = 1;

/// True for migrations due to a fault, or the driver's speculation: work without a launch.
inline bool isFaultMigration(const CopyAttributes& copy)
{
    return isMigration(copy.kind) && copy.migrationCause != causeIsUser;
}

/// True for pages that come to a GPU because of a fault, or speculatively: a concurrent kernel waits. For
/// pages that leave the GPU the host waits.
inline bool stallsKernels(const CopyAttributes& copy)
{
    return isFaultMigration(copy) && copy.kind != CopyKind::UnifiedDtoH;
}

} // namespace warpline
