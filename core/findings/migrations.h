#pragma once

#include "core/coverage/intervals.h"
#include "core/store/trace.h"

namespace warpline {

/// True for pages of unified memory that move. CUPTI gives them context 0 and stream 0, which are no GPU of
/// their own.
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

/// The time of `window` in which pages of unified memory of `process` move because of faults.
Intervals migrationTime(const Trace& trace, GlobalId process, TimeRange window);

} // namespace warpline
