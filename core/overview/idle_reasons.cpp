#include "core/overview/idle_reasons.h"

#include "core/base/rounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t reasonsShown = 3;

/// The parts of one reason.
struct Group {
    Ns time = 0;
    Ns most = 0; ///< of one cause
    IdleCause cause = IdleCause::NoWork; ///< that one
    void add(IdleCause each, Ns length)
    {
        time += length;
        if (length > most) {
            most = length;
            cause = each;
        }
    }
};

std::string textOf(const std::string& range, const Group& group, GpuApi api)
{
    if (range.empty())
        return group.cause == IdleCause::Launch || group.cause == IdleCause::BetweenLaunches
            ? "the host launches work or prepares the next launch"
            : std::string(phraseOf(group.cause, api));
    if (group.cause == IdleCause::Operator)
        return fmt::format("the host is inside the operator {}", range);
    return group.most == group.time ? fmt::format("{} in the range {}", phraseOf(group.cause, api), range)
                                    : fmt::format("the host is in the range {}", range);
}

} // namespace

std::vector<IdleReason> idleReasons(const BudgetParts& parts, const Budget& budget)
{
    std::map<std::pair<std::string, IdleCause>, Group> groups; // by range, else by cause
    for (std::size_t i = 0; i < budget.size(); ++i) {
        const BudgetPart& part = parts[i];
        if (part.group != BudgetGroup::Idle || budget[i] <= 0 || part.cause == IdleCause::NoWork)
            continue;
        IdleCause cause = part.cause == IdleCause::BetweenLaunches ? IdleCause::Launch : part.cause;
        if (!part.range.empty())
            cause = IdleCause::NoWork;
        groups[{part.range, cause}].add(part.cause, budget[i]);
    }
    std::vector<IdleReason> reasons;
    const GpuApi api = parts.api();
    for (const auto& [key, group] : groups)
        reasons.push_back({group.time, textOf(key.first, group, api), group.most, group.cause, key.first,
            key.first.empty() ? std::string(labelOf(group.cause, api)) : key.first,
            key.first.empty() || group.most == group.time ? std::string()
                                                          : std::string(phraseOf(group.cause, api))});
    std::ranges::stable_sort(reasons, std::greater{}, &IdleReason::time);
    return reasons;
}

std::string idleReasonsText(const BudgetParts& parts, const Budget& budget, Ns idle)
{
    std::string text;
    std::vector<IdleReason> reasons = idleReasons(parts, budget);
    Ns sum = 0;
    for (const IdleReason& reason : reasons)
        sum += reason.time;
    if (sum > idle) // the profiler's time is distinguished, and no part of `idle`
        std::erase_if(reasons, [&](const IdleReason& reason) {
            return reason.cause == IdleCause::Profiler && reason.range.empty();
        });
    for (std::size_t i = 0; i < std::min(reasonsShown, reasons.size()) && reasons[i].time * 10 >= idle; ++i)
        text += fmt::format("{} {} for {}{}", i == 0 ? ", while" : ",", reasons[i].text,
            roundedDuration(reasons[i].time),
            reasons[i].mostly.empty()
                ? std::string()
                : fmt::format(" ({} of it: {})", roundedDuration(reasons[i].most), reasons[i].mostly));
    return text;
}

std::string meanIdleText(const GpuBudgets& budgets, TimeRange range, std::string_view users)
{
    if (budgets.gpus().empty())
        return {};
    Budget mean(budgets.parts().size(), 0);
    for (const GpuBudget& gpu : budgets.gpus()) {
        const Budget budget = gpu.within(range);
        for (std::size_t i = 0; i < budget.size(); ++i)
            mean[i] += budget[i];
    }
    for (Ns& time : mean)
        time /= static_cast<Ns>(budgets.gpus().size());
    const Ns idle = totalOf(budgets.parts(), mean, BudgetGroup::Idle);
    const std::string reasons = idleReasonsText(budgets.parts(), mean, idle);
    return reasons.empty()
        ? std::string()
        : fmt::format(". On average over {} each is idle for {}{}", users, roundedDuration(idle), reasons);
}

} // namespace warpline
