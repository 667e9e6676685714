#include "core/budget/idle_times.h"

#include "core/base/sorted_search.h"
#include "core/derive/kept_answers.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

KeptAnswers<Links, IdleTimes> keptIdleTimes;

} // namespace

bool isSameReason(const BudgetPart& a, const BudgetPart& b)
{
    const auto told
        = [](IdleCause cause) { return cause == IdleCause::BetweenLaunches ? IdleCause::Launch : cause; };
    return a.range == b.range && told(a.cause) == told(b.cause);
}

Message idleText(const BudgetPart& part, GpuApi api)
{
    return {"idle.bar", "Idle: {reason}",
        {{"reason", part.range.empty() ? Value(labelOf(part.cause, api)) : Value(Name{part.range})}}};
}

IdleTimes::IdleTimes(const GpuBudgets& budgets)
    : m_api(budgets.parts().api())
{
    const BudgetParts& parts = budgets.parts();
    std::vector<std::uint16_t> numbers(parts.size(), 0);
    const auto numberOf = [&](std::size_t part) {
        if (numbers[part] != 0)
            return numbers[part];
        const auto known = std::ranges::find_if(
            m_parts, [&](const BudgetPart& each) { return isSameReason(each, parts[part]); });
        const auto place = known - m_parts.begin();
        if (known == m_parts.end())
            m_parts.push_back(parts[part]);
        return numbers[part] = static_cast<std::uint16_t>(place + 1);
    };
    for (const GpuBudget& budget : budgets.gpus()) {
        Gpu& gpu = m_gpus[{budget.process, budget.device}];
        gpu.start.reserve(budget.stretches());
        gpu.number.reserve(budget.stretches());
        for (std::size_t i = 0; i < budget.stretches(); ++i) {
            const auto [start, part] = budget.stretch(i);
            if (parts[part].group != BudgetGroup::Idle)
                continue;
            const std::uint16_t number = numberOf(part);
            if (!gpu.number.empty() && gpu.number.back() == number)
                continue;
            gpu.start.push_back(start);
            gpu.number.push_back(number);
        }
        gpu.start.shrink_to_fit();
        gpu.number.shrink_to_fit();
    }
}

std::shared_ptr<const IdleTimes> IdleTimes::of(const Trace& trace, const std::stop_token& stop)
{
    const auto find = [&] { return IdleTimes(GpuBudgets(trace, kernelClassRules(), stop)); };
    return trace.links ? keptIdleTimes.of(trace.links, find) : std::make_shared<const IdleTimes>(find());
}

std::shared_ptr<const IdleTimes> IdleTimes::known(const Trace& trace)
{
    return trace.links ? keptIdleTimes.known(trace.links) : nullptr;
}

void IdleTimes::keep(const Trace& trace, const GpuBudgets& budgets)
{
    if (trace.links)
        keptIdleTimes.of(trace.links, [&] { return IdleTimes(budgets); });
}

const BudgetPart* IdleTimes::at(const GpuOfProcess& gpu, Ns time) const
{
    const auto found = m_gpus.find(gpu);
    if (found == m_gpus.end())
        return nullptr;
    const auto after = std::ranges::upper_bound(found->second.start, time);
    return after == found->second.start.begin()
        ? nullptr
        : &partOf(found->second.number[static_cast<std::size_t>(after - found->second.start.begin()) - 1]);
}

void IdleTimes::along(
    const GpuOfProcess& gpu, TimeRange window, int pixels, std::vector<std::uint16_t>& out) const
{
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), 0);
    const auto found = m_gpus.find(gpu);
    if (found == m_gpus.end() || found->second.start.empty())
        return;
    const Gpu& of = found->second;
    const double width = static_cast<double>(window.duration()) / std::max(1, pixels);
    const auto timeAt = [&](std::size_t column) {
        return window.start + static_cast<Ns>((static_cast<double>(column) + 0.5) * width);
    };
    std::size_t place = 0; // stretches that begin at or before the column
    for (std::size_t x = 0; x < out.size();) {
        place = x == 0
            ? static_cast<std::size_t>(std::ranges::upper_bound(of.start, timeAt(0)) - of.start.begin())
            : firstNotBefore(of.start, place, of.start.size(), timeAt(x) + 1);
        const std::uint16_t number = place == 0 ? std::uint16_t{0} : of.number[place - 1];
        // Long stretches fill many columns: one search for all of them.
        do
            out[x++] = number;
        while (x < out.size() && (place == of.start.size() || timeAt(x) < of.start[place]));
    }
}

std::vector<std::pair<const BudgetPart*, Ns>> IdleTimes::within(
    const GpuOfProcess& gpu, TimeRange window, const std::function<Ns(TimeRange)>& busyIn) const
{
    std::vector<std::pair<const BudgetPart*, Ns>> idle;
    const auto found = m_gpus.find(gpu);
    if (found == m_gpus.end())
        return idle;
    const Gpu& of = found->second;
    std::vector<Ns> times(m_parts.size(), 0);
    const auto after = std::ranges::upper_bound(of.start, window.start);
    for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - of.start.begin() - 1));
         i < of.start.size() && of.start[i] < window.end; ++i) {
        const Ns end = i + 1 < of.start.size() ? of.start[i + 1] : window.end;
        const TimeRange stretch = TimeRange{of.start[i], end}.clippedTo(window);
        times[of.number[i] - 1U] += stretch.duration() - busyIn(stretch);
    }
    for (std::size_t part = 0; part < times.size(); ++part) {
        if (times[part] > 0)
            idle.emplace_back(&m_parts[part], times[part]);
    }
    std::ranges::stable_sort(idle, std::greater{}, &std::pair<const BudgetPart*, Ns>::second);
    return idle;
}

std::size_t IdleTimes::stretches() const
{
    std::size_t all = 0;
    for (const auto& [key, gpu] : m_gpus)
        all += gpu.start.size();
    return all;
}

} // namespace warpline
