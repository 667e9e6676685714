#include "core/budget/budget_parts.h"

#include "core/base/utf8.h"
#include "core/steps/steps.h"

#include <fmt/format.h>

#include <array>

namespace warpline {

namespace {

constexpr std::size_t maxNamed = 400; ///< parts named by NVTX ranges

struct CauseWords {
    std::string_view id;
    std::string_view name; ///< behind "Idle: "
    std::string_view phrase;
    std::string_view label;
};

/// In the order of IdleCause.
constexpr std::array<CauseWords, idleCauses> causeWords{{{"idle_profiler", "the profiler",
                                                             "the profiler works", "profiler"},
    {"idle_rank_start", "MPI starts or ends", "MPI starts or ends (MPI_Init, MPI_Finalize)",
        "MPI starts or ends"},
    {"idle_other_ranks", "the host is in MPI, UCX or NVSHMEM", "the host is in calls of MPI, UCX or NVSHMEM",
        "MPI, UCX, NVSHMEM"},
    {"idle_data_loading", "data loading", "the host loads data", "data loading"},
    {"idle_code_loading", "the host loads or compiles GPU code", "the host loads or compiles GPU code",
        "code loading, or compiling"},
    {"idle_allocation", "the host allocates or frees memory", "the host allocates or frees memory",
        "allocation"},
    {"idle_host_wait", "the host waits in synchronization", "the host waits in a synchronizing call",
        "synchronization"},
    {"idle_copy_call", "the host is in a memcpy or memset call", "the host is in a memcpy or memset call",
        "copy calls"},
    {"idle_launch", "the host is in launch calls", "the host is in launch calls", "launching"},
    {"idle_other_call", "the host is in other CUDA calls", "the host is in other CUDA calls", "CUDA calls"},
    {"idle_os_call", "calls of the operating system", "the host is in system calls", "OS calls"},
    {"idle_host_pages", "the host waits for pages of unified memory",
        "the host waits for pages of unified memory that are on the GPU", "page faults"},
    {"idle_off_cpu", "the host sleeps or waits, on no CPU", "the host sleeps or waits, on no CPU",
        "on no CPU"},
    {"idle_operator", "inside operators", "the host is inside PyTorch operators", "operators"},
    {"idle_own_code", "own code", "the host runs its own code", "own code"},
    {"idle_between_launches", "the host prepares the next launch", "the host prepares the next launch",
        "launching"},
    {"idle_queued", "the next work is queued", "the next work is already launched", "queued"},
    {"idle_unknown", "launch not recorded", "the host's activity was not recorded", "unknown"},
    {"idle_no_work", "no work follows", "no work follows", "no work"}}};
constexpr CauseWords otherHipCall{
    "idle_other_call", "the host is in other HIP calls", "the host is in other HIP calls", "HIP calls"};
constexpr CauseWords otherMtiaCall{"idle_other_call", "the host is in other calls of the accelerator",
    "the host is in other calls of the accelerator", "accelerator calls"};

const CauseWords& wordsOf(IdleCause cause, GpuApi api)
{
    if (cause == IdleCause::OtherCall && api == GpuApi::Mtia)
        return otherMtiaCall;
    return cause == IdleCause::OtherCall && api == GpuApi::Hip ? otherHipCall
                                                               : causeWords[static_cast<std::size_t>(cause)];
}

} // namespace

std::string_view keyOf(BudgetGroup group)
{
    switch (group) {
    case BudgetGroup::Compute:
        return "compute";
    case BudgetGroup::Communication:
        return "communication";
    case BudgetGroup::Copies:
        return "copies";
    case BudgetGroup::Idle:
        break;
    }
    return "idle";
}

std::string_view phraseOf(IdleCause cause, GpuApi api)
{
    return wordsOf(cause, api).phrase;
}

std::string_view labelOf(IdleCause cause, GpuApi api)
{
    return wordsOf(cause, api).label;
}

BudgetParts::BudgetParts(const KernelClassRules& rules, GpuApi api)
    : m_api(api)
{
    for (const KernelClass& each : rules.classes())
        add("compute_" + each.id, each.title, BudgetGroup::Compute);
    m_pages = m_parts.size();
    add("wait_for_pages", "Pages of unified memory", BudgetGroup::Copies);
    add("communication_wait", "Communication: waiting for other ranks", BudgetGroup::Communication);
    add("communication_transfer", "Communication: transfer", BudgetGroup::Communication);
    add("copy_to_gpu", "Copies to the GPU", BudgetGroup::Copies);
    add("copy_to_host", "Copies to the host", BudgetGroup::Copies);
    add("copy_other", "Copies within and between GPUs", BudgetGroup::Copies);
    add("set", "Memsets", BudgetGroup::Copies);
    add("communication_unsplit", "Communication: transfer and waiting", BudgetGroup::Communication);
    for (std::size_t i = 0; i < idleCauses; ++i) {
        const CauseWords& words = wordsOf(static_cast<IdleCause>(i), api);
        addIdle(std::string(words.id), std::string(words.name), static_cast<IdleCause>(i));
    }
}

void BudgetParts::add(std::string id, const std::string& title, BudgetGroup group)
{
    m_parts.push_back({std::move(id), title, title, group, IdleCause::NoWork, {}});
}

void BudgetParts::addIdle(std::string id, std::string name, IdleCause cause)
{
    std::string title = "Idle: " + name;
    m_parts.push_back({std::move(id), std::move(title), std::move(name), BudgetGroup::Idle, cause, {}});
}

std::size_t BudgetParts::idleIn(IdleCause cause, std::string_view range)
{
    const std::string name = withoutNumbers(toUtf8(range));
    const auto known = m_named.find({cause, name});
    if (known != m_named.end())
        return known->second;
    if (m_named.size() == maxNamed)
        return idle(cause);
    const CauseWords& words = wordsOf(cause, m_api);
    addIdle(fmt::format("{}:{}", words.id, name),
        cause == IdleCause::Operator ? "inside " + name : fmt::format("{} in {}", words.name, name), cause);
    m_parts.back().range = name;
    m_named.emplace(std::pair(cause, name), m_parts.size() - 1);
    return m_parts.size() - 1;
}

} // namespace warpline
