#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// True for pages of unified memory that move between host and devices. CUPTI gives them context 0 and stream
/// 0, which are no GPU of their own.
constexpr bool isMigration(CopyKind kind)
{
    return kind == CopyKind::UnifiedHtoD || kind == CopyKind::UnifiedDtoH || kind == CopyKind::UnifiedDtoD;
}

// Values of CopyAttributes::migrationCause: ids of ENUM_CUDA_UNIF_MEM_MIGRATION.
inline constexpr std::int32_t causeIsUser = 1; ///< the program requested it (cudaMemPrefetchAsync)
inline constexpr std::int32_t causeIsFault = 2;
inline constexpr std::int32_t causeIsEviction = 4; ///< the GPU needs the room
inline constexpr std::int32_t causeIsAccessCounters = 5; ///< another processor uses the pages often

/// True for migrations that the program did not request: work without a launch.
inline bool isFaultMigration(const CopyAttributes& copy)
{
    return isMigration(copy.kind) && copy.migrationCause != causeIsUser;
}

/// True for pages that move because code touched them, or speculatively: it waits for them. Not so for those
/// that the driver evicts, or moves to where they are used often.
inline bool isAwaited(const CopyAttributes& copy)
{
    return isFaultMigration(copy) && copy.migrationCause != causeIsEviction
        && copy.migrationCause != causeIsAccessCounters;
}

/// True for pages that come to a GPU and a concurrent kernel waits for.
inline bool stallsKernels(const CopyAttributes& copy)
{
    return isAwaited(copy) && copy.kind != CopyKind::UnifiedDtoH;
}

/// True for pages that leave a GPU and code of the host waits for.
inline bool stallsHost(const CopyAttributes& copy)
{
    return isAwaited(copy) && copy.kind == CopyKind::UnifiedDtoH;
}

} // namespace warpline
