#pragma once

#include "core/base/message.h"
#include "core/base/time.h"
#include "core/store/gpu_names.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline {

/// Why a GPU idled: what the thread did that launched the next work. In order of precedence when several
/// apply.
enum class IdleCause : std::uint8_t {
    Profiler, ///< the profiler's own overhead
    RankStart, ///< in MPI_Init, MPI_Finalize and their like
    OtherRanks, ///< in another call of MPI, UCX or NVSHMEM
    DataLoading, ///< inside an NVTX range named after data loading
    CodeLoading, ///< loads modules, compiles just before that, or makes contexts; or the long first launch of
                 ///< a kernel, which loads its code
    Allocation,
    HostWait, ///< in a synchronizing call
    CopyCall, ///< in a copy or memset call
    Launch, ///< in launching calls; in short gaps also from their return until the work begins
    OtherCall, ///< in other calls of CUDA or HIP
    OsCall, ///< in a call of the operating system; by NVTX range, as the next four
    HostPages, ///< stopped at a page of unified memory that has to come from a GPU
    OffCpu, ///< in no known call, and on no CPU by the thread states
    Operator, ///< none of these, inside an operator of a framework; by operator
    OwnCode, ///< none of these: the program's own code
    BetweenLaunches, ///< other calls, OS calls and own code in a short gap: the host gets to the next launch
    Queued, ///< launched, but not begun: the GPU is about to start it, or it depends on something
    Unknown, ///< unknown: the launch of the next work is not recorded
    NoWork, ///< no work follows
};
inline constexpr std::size_t idleCauses = static_cast<std::size_t>(IdleCause::NoWork) + 1;
constexpr std::size_t indexOf(IdleCause cause)
{
    return static_cast<std::size_t>(cause);
}
std::string_view keyOf(IdleCause cause); ///< "idle_data_loading"
bool isIdleKey(std::string_view key); ///< keyOf() of a cause

/// Whether time of `cause` is split by its NVTX range; for operators by the operator.
constexpr bool isByRange(IdleCause cause)
{
    return cause == IdleCause::Operator || cause == IdleCause::DataLoading || cause == IdleCause::OsCall
        || cause == IdleCause::HostPages || cause == IdleCause::OffCpu || cause == IdleCause::OwnCode;
}
/// The cause of the same time where no NVTX ranges are recorded: only they show operators and data loading.
constexpr IdleCause causeWithoutRanges(IdleCause cause)
{
    return cause == IdleCause::Operator || cause == IdleCause::DataLoading ? IdleCause::OwnCode : cause;
}
/// The host's activity for `cause`, completes "while ...": "the host waits in a synchronizing call". The
/// value `communication` names the recorded libraries and may be set.
Message phraseOf(IdleCause cause, GpuApi api);
Message labelOf(IdleCause cause, GpuApi api); ///< short form: "synchronization"

/// Idle time up to this long (ns), in which the launching thread only launches and computes, is launch pace
/// (launch_bound); longer idle time has its own cause (gpu_idle_cause).
inline constexpr Ns launchPace = 1'000'000;

/// Whether idle time of `cause` in a gap of this length counts as the pace of launching. A sleeping thread
/// does not.
constexpr bool isLaunchPace(IdleCause cause, Ns stretch)
{
    return stretch < launchPace
        && (cause == IdleCause::Launch || cause == IdleCause::OtherCall || cause == IdleCause::OsCall
            || cause == IdleCause::OwnCode || cause == IdleCause::Queued);
}

} // namespace warpline
