#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// True for copies and pages that move from the host to a GPU.
constexpr bool comesToGpu(CopyKind kind)
{
    return kind == CopyKind::HtoD || kind == CopyKind::HtoA || kind == CopyKind::UnifiedHtoD;
}

/// True for those of the other direction.
constexpr bool leavesGpu(CopyKind kind)
{
    return kind == CopyKind::DtoH || kind == CopyKind::AtoH || kind == CopyKind::UnifiedDtoH;
}

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

/// True for pages that leave a GPU because it needs the room.
inline bool isEviction(const CopyAttributes& copy)
{
    return copy.kind == CopyKind::UnifiedDtoH && copy.migrationCause == causeIsEviction;
}

/// Migrations that the program did not request, in bytes.
struct PageTraffic {
    std::uint64_t toDevice = 0;
    std::uint64_t toHost = 0; ///< evicted ones included
    std::uint64_t evicted = 0;
    std::uint64_t evictions = 0; ///< a count

    void add(const CopyAttributes& copy, std::uint64_t bytes)
    {
        (copy.kind == CopyKind::UnifiedHtoD ? toDevice : toHost) += bytes;
        evicted += isEviction(copy) ? bytes : 0;
        evictions += isEviction(copy) ? 1 : 0;
    }

    /// True for a large part of all that moves.
    bool isMuch(std::uint64_t bytes) const
    {
        constexpr std::uint64_t share = 4;
        return bytes > 0 && bytes * share >= toDevice + toHost;
    }

    /// True where the pages do not fit in GPU memory: most of what goes back makes room for others.
    bool lacksRoom() const { return evicted * 2 > toHost && isMuch(evicted); }
};

} // namespace warpline
