#include "core/analysis/idle_cause.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// In the order of IdleCause.
constexpr std::array<std::string_view, idleCauses> causeKeys{"idle_profiler", "idle_rank_start",
    "idle_other_ranks", "idle_data_loading", "idle_code_loading", "idle_allocation", "idle_host_wait",
    "idle_copy_call", "idle_launch", "idle_other_call", "idle_os_call", "idle_host_pages", "idle_off_cpu",
    "idle_operator", "idle_own_code", "idle_between_launches", "idle_queued", "idle_unknown", "idle_no_work"};

std::vector<Argument> valuesOf(IdleCause cause, GpuApi api)
{
    return {{"cause", Name{std::string(keyOf(cause))}}, {"api", Name{std::string(nameOf(api))}}};
}

} // namespace

std::string_view keyOf(IdleCause cause)
{
    return causeKeys[indexOf(cause)];
}

bool isIdleKey(std::string_view key)
{
    return std::ranges::find(causeKeys, key) != causeKeys.end();
}

Message phraseOf(IdleCause cause, GpuApi api)
{
    std::vector<Argument> values = valuesOf(cause, api);
    values.push_back({"communication", Message("communication.any", "MPI, UCX or NVSHMEM")});
    return {"idle.phrase",
        "{cause, select, idle_profiler {the profiler works} idle_rank_start {MPI starts or ends (MPI_Init, MPI_Finalize)} "
        "idle_other_ranks {the host is in calls of {communication}} idle_data_loading {the host loads data} "
        "idle_code_loading {the host loads or compiles GPU code} idle_allocation {the host allocates or frees memory} "
        "idle_host_wait {the host waits in a synchronizing call} idle_copy_call {the host is in a memcpy or memset call} "
        "idle_launch {a launch is on its way to the GPU} "
        "idle_other_call {the host is in other {api, select, MTIA {calls of the accelerator} other {{api} calls}}} "
        "idle_os_call {the host is in system calls} "
        "idle_host_pages {the host waits for pages of unified memory that are on the GPU} "
        "idle_off_cpu {the host sleeps or waits, on no CPU} idle_operator {the host is inside PyTorch operators} "
        "idle_own_code {the host runs its own code} idle_between_launches {the host prepares the next launch} "
        "idle_queued {the next work is already launched} idle_unknown {the launch was not recorded} "
        "other {no work follows}}",
        std::move(values)};
}

Message labelOf(IdleCause cause, GpuApi api)
{
    return {"idle.label",
        "{cause, select, idle_profiler {profiler} idle_rank_start {MPI starts or ends} "
        "idle_other_ranks {MPI, UCX, NVSHMEM} idle_data_loading {data loading} "
        "idle_code_loading {code loading or compiling} idle_allocation {allocation} "
        "idle_host_wait {synchronization} idle_copy_call {copy calls} idle_launch {launching} "
        "idle_other_call {{api, select, MTIA {accelerator} other {{api}}} calls} idle_os_call {OS calls} "
        "idle_host_pages {page faults} idle_off_cpu {on no CPU} idle_operator {operators} "
        "idle_own_code {own code} idle_between_launches {launching} idle_queued {queued} "
        "idle_unknown {launch not recorded} other {no work}}",
        valuesOf(cause, api)};
}

} // namespace warpline
