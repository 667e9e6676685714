#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// True for pages of unified memory that move between host and devices. CUPTI gives them context 0 and stream
/// 0, which are no GPU of their own.
constexpr bool isMigration(CopyKind kind)
{
    return kind == CopyKind::UnifiedHtoD || kind == CopyKind::UnifiedDtoH || kind == CopyKind::UnifiedDtoD;
}

/// CopyAttributes::migrationCause of what the program asked for (cudaMemPrefetchAsync): an id of
/// ENUM_CUDA_UNIF_MEM_MIGRATION.
inline constexpr std::int32_t causeIsUser = 1;

/// True for pages that a fault, or the driver that expects one, moves: work that nobody launched.
inline bool isFaultMigration(const CopyAttributes& copy)
{
    return isMigration(copy.kind) && copy.migrationCause != causeIsUser;
}

/// True for pages that come to a GPU because it missed them, or is expected to: a kernel beside them waits.
/// Pages that leave the GPU are the host's to wait for.
inline bool stallsKernels(const CopyAttributes& copy)
{
    return isFaultMigration(copy) && copy.kind != CopyKind::UnifiedDtoH;
}

} // namespace warpline
