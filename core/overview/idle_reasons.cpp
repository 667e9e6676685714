#include "core/overview/idle_reasons.h"

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
    Ns most = 0; ///< of the largest cause
    IdleCause cause = IdleCause::NoWork; ///< the largest cause
    void add(IdleCause each, Ns length)
    {
        time += length;
        if (length > most) {
            most = length;
            cause = each;
        }
    }
};

Message textOf(const std::string& range, const Group& group, GpuApi api)
{
    if (range.empty())
        return group.cause == IdleCause::Launch || group.cause == IdleCause::BetweenLaunches
            ? Message("idle.launches", "the host launches work or prepares the next launch")
            : phraseOf(group.cause, api);
    const bool isOne = group.cause != IdleCause::Operator && group.most == group.time;
    return {"idle.in_range",
        "{kind, select, operator {the host is inside the operator {range}} one {{phrase} in the range {range}} "
        "other {the host is in the range {range}}}",
        {{"kind",
             Name{group.cause == IdleCause::Operator ? "operator"
                     : isOne                         ? "one"
                                                     : "several"}},
            {"phrase", isOne ? phraseOf(group.cause, api) : Message()}, {"range", Name{range}}}};
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
            key.first.empty() ? labelOf(group.cause, api)
                              : Message("idle.range_label", "{range}", {{"range", Name{key.first}}}),
            key.first.empty() || group.most == group.time ? Message() : phraseOf(group.cause, api)});
    std::ranges::stable_sort(reasons, std::greater{}, &IdleReason::time);
    return reasons;
}

Message idleReasonsText(const BudgetParts& parts, const Budget& budget, Ns idle)
{
    std::vector<IdleReason> reasons = idleReasons(parts, budget);
    Ns sum = 0;
    for (const IdleReason& reason : reasons)
        sum += reason.time;
    if (sum > idle) // the profiler's time is listed on its own and not part of `idle`
        std::erase_if(reasons, [&](const IdleReason& reason) {
            return reason.cause == IdleCause::Profiler && reason.range.empty();
        });
    std::vector<Message> told;
    for (std::size_t i = 0; i < std::min(reasonsShown, reasons.size()) && reasons[i].time * 10 >= idle; ++i)
        told.push_back(Message("idle.reason",
            "{text} for {time}{several, select, yes { ({most} of it: {mostly})} other {}}",
            {{"text", std::move(reasons[i].text)}, {"time", Duration{reasons[i].time}},
                {"several", Name{reasons[i].mostly.empty() ? "no" : "yes"}},
                {"most", Duration{reasons[i].most}}, {"mostly", std::move(reasons[i].mostly)}}));
    return told.empty() ? Message()
                        : Message("idle.reasons", ", while {reasons}", {{"reasons", std::move(told)}});
}

Budget meanBudget(const GpuBudgets& budgets, const std::function<Budget(const GpuBudget&)>& of)
{
    std::vector<double> sums(budgets.parts().size(), 0); // of any number of GPUs: beyond 63 bits
    for (const GpuBudget& gpu : budgets.gpus()) {
        const Budget budget = of(gpu);
        for (std::size_t i = 0; i < budget.size(); ++i)
            sums[i] += static_cast<double>(budget[i]);
    }
    Budget mean;
    for (const double time : sums)
        mean.push_back(static_cast<Ns>(time / static_cast<double>(budgets.gpus().size())));
    return mean;
}

Message meanIdleText(const GpuBudgets& budgets, TimeRange range, const Message& users)
{
    if (budgets.gpus().empty())
        return {};
    const Budget mean = meanBudget(budgets, [&](const GpuBudget& gpu) { return gpu.within(range); });
    const Ns idle = totalOf(budgets.parts(), mean, BudgetGroup::Idle);
    Message reasons = idleReasonsText(budgets.parts(), mean, idle);
    return reasons.empty()
        ? Message()
        : Message("idle.mean", ". On average over {users} each is idle for {idle}{reasons}",
            {{"users", users}, {"idle", Duration{idle}}, {"reasons", std::move(reasons)}});
}

} // namespace warpline
