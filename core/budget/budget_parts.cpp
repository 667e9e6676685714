#include "core/budget/budget_parts.h"

#include "core/base/enum_key.h"
#include "core/base/utf8.h"
#include "core/kernels/kernel_classes.h"
#include "core/steps/steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t maxNamed = 400; ///< parts named by NVTX ranges

} // namespace

std::string_view keyOf(BudgetGroup group)
{
    return keyIn<BudgetGroup::Idle>({"compute", "communication", "copies", "idle"}, group);
}

bool isOfHost(BudgetGroup group, std::string_view id)
{
    return group == BudgetGroup::Idle && id != keyOf(IdleCause::Queued) && id != keyOf(IdleCause::OtherRanks);
}

Message nameOfPart(std::string_view id, GpuApi api, const KernelClassRules& rules)
{
    const std::size_t colon = id.find(':');
    const std::string_view part = id.substr(0, colon);
    const std::string_view behind = colon < id.size() ? id.substr(colon + 1) : std::string_view();
    const bool isOtherCall = part == keyOf(IdleCause::OtherCall);
    Value title = Name{toUtf8(id)};
    if (part.starts_with("compute_")) {
        const auto known = std::ranges::find(rules.classes(), part.substr(8), &KernelClass::id);
        title = known != rules.classes().end() ? Value(titleOf(*known)) : title;
    }
    Message name("budget.part",
        "{part, select, wait_for_pages {Pages of unified memory} "
        "communication_wait {Communication: waiting for other ranks} "
        "communication_transfer {Communication: transfer} "
        "communication_unsplit {Communication: transfer and waiting} copy_to_gpu {Copies to the GPU} "
        "copy_to_host {Copies to the host} copy_other {Copies within and between GPUs} set {Memsets} "
        "idle_profiler {the profiler} idle_rank_start {MPI starts or ends} "
        "idle_other_ranks {the host is in MPI, UCX or NVSHMEM} idle_data_loading {data loading} "
        "idle_code_loading {the host loads or compiles GPU code} "
        "idle_allocation {the host allocates or frees memory} "
        "idle_host_wait {the host waits in synchronization} "
        "idle_copy_call {the host is in a memcpy or memset call} idle_launch {a launch is on its way to the GPU} "
        "idle_other_call {the host is in other {api, select, MTIA {calls of the accelerator} other {{api} calls}}} "
        "idle_os_call {calls of the operating system} "
        "idle_host_pages {the host waits for pages of unified memory} "
        "idle_off_cpu {the host sleeps or waits, on no CPU} idle_operator {inside operators} "
        "idle_own_code {own code} idle_between_launches {the host prepares the next launch} "
        "idle_queued {the next work is queued} idle_unknown {launch not recorded} "
        "idle_no_work {no work follows} other {{title}}}",
        {{"part", Name{std::string(part)}},
            {"api", Name{std::string(isOtherCall && !behind.empty() ? behind : nameOf(api))}},
            {"title", std::move(title)}});
    if (behind.empty() || isOtherCall || !isIdleKey(part))
        return name;
    return {"budget.part_in", "{cause, select, idle_operator {inside {range}} other {{part} in {range}}}",
        {{"cause", Name{std::string(part)}}, {"part", std::move(name)},
            {"range", Name{std::string(behind)}}}};
}

Message titleOfPart(BudgetGroup group, Message name)
{
    return group != BudgetGroup::Idle ? name
                                      : Message("budget.idle", "Idle: {part}", {{"part", std::move(name)}});
}

Message titleInSentence(BudgetGroup group, Message name)
{
    return group != BudgetGroup::Idle
        ? name
        : Message("budget.idle_in_sentence", "idle: {part}", {{"part", std::move(name)}});
}

BudgetParts::BudgetParts(const KernelClassRules& rules, GpuApi api)
    : m_api(api)
{
    for (const KernelClass& each : rules.classes())
        add("compute_" + each.id, BudgetGroup::Compute, IdleCause::NoWork, rules);
    m_pages = m_parts.size();
    add(std::string(pagesPart), BudgetGroup::Copies);
    add("communication_wait", BudgetGroup::Communication);
    add("communication_transfer", BudgetGroup::Communication);
    add("copy_to_gpu", BudgetGroup::Copies);
    add("copy_to_host", BudgetGroup::Copies);
    add("copy_other", BudgetGroup::Copies);
    add("set", BudgetGroup::Copies);
    add("communication_unsplit", BudgetGroup::Communication);
    for (std::size_t i = 0; i < idleCauses; ++i)
        add(std::string(keyOf(static_cast<IdleCause>(i))), BudgetGroup::Idle, static_cast<IdleCause>(i));
}

void BudgetParts::add(std::string id, BudgetGroup group, IdleCause cause, const KernelClassRules& rules)
{
    Message name = nameOfPart(id, m_api, rules);
    m_parts.push_back({std::move(id), titleOfPart(group, name), name, group, cause, {}});
}

void BudgetParts::showRange(BudgetPart& part, const std::string& range) const
{
    part.range = range;
    part.name = nameOfPart(fmt::format("{}:{}", keyOf(part.cause), range), m_api);
    part.title = titleOfPart(part.group, part.name);
}

std::size_t BudgetParts::idleIn(IdleCause cause, std::string_view range)
{
    const std::string name = toUtf8(range);
    const std::string pattern = withoutNumbers(name);
    auto ofPattern = m_named.find(pattern);
    const bool isKnown = ofPattern != m_named.end() && ofPattern->second.contains(cause);
    const std::string before
        = ofPattern == m_named.end() ? std::string() : m_parts[ofPattern->second.begin()->second].range;
    const std::string shown = commonName(before, name);
    if (!isKnown && m_namedParts < maxNamed) {
        add(fmt::format("{}:{}", keyOf(cause), pattern), BudgetGroup::Idle, cause);
        ofPattern = m_named.try_emplace(pattern).first;
        ofPattern->second.emplace(cause, m_parts.size() - 1);
        ++m_namedParts;
    }
    if (ofPattern == m_named.end())
        return idle(cause);
    for (const auto& [each, part] : ofPattern->second) { // all causes have one name for it
        if (m_parts[part].range != shown)
            showRange(m_parts[part], shown);
    }
    const auto part = ofPattern->second.find(cause);
    return part == ofPattern->second.end() ? idle(cause) : part->second;
}

} // namespace warpline
