#include "core/budget/step_budgets.h"

#include "core/base/both_ends.h"
#include "core/base/parallel.h"
#include "core/stats/duration_summary.h"
#include "core/steps/outlying_steps.h"
#include "core/steps/step_judge.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

bool isSteady(const StepBudget& step)
{
    return step.whole && !step.warmUp;
}

/// Step `i`, but for what its time on the GPU makes of it.
StepBudget budgetOf(const Trace& trace, const GpuBudget& gpu, const GpuSteps& found, std::size_t i)
{
    StepBudget step;
    step.name = found.foundBy == StepSource::Nvtx ? bothEnds(trace.name(found.host.events[i]), longestShown)
                                                  : fmt::format("#{}", i);
    step.event = found.host.events[i];
    step.host = found.host.ranges[i];
    step.gpu = found.rangeOf(i);
    step.whole = false;
    step.budget = SparseBudget(gpu.within(step.gpu));
    return step;
}

/// The steps themselves, but for which are outliers.
std::vector<StepBudget> eachOf(const Trace& trace, const GpuBudget& gpu, const GpuSteps& found)
{
    constexpr std::size_t minPerThread = 10'000; ///< steps
    std::vector<StepBudget> steps(found.host.size());
    inParallel(threadsFor(steps.size(), minPerThread), steps.size(),
        [&](std::size_t, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                steps[i] = budgetOf(trace, gpu, found, i);
        });
    for (std::size_t i = 0; i < found.gpu.size(); ++i) {
        steps[found.indexes[i]].whole = true;
        steps[found.indexes[i]].warmUp = i < found.gpu.firstSteady;
    }
    return steps;
}

/// `slow`: what an outlier is, where the steps themselves are wanted.
StepBudgets budgetsOf(const Trace& trace, const GpuBudget& gpu, GpuSteps found, const SlowStepLimits* slow)
{
    StepBudgets all;
    const StepSeries& host = found.host;
    if (slow)
        all.steps = eachOf(trace, gpu, found);
    for (const EdgeStep& edge : edgeSteps(trace, found))
        all.edges.emplace_back(edge, budgetOf(trace, gpu, found, edge.index));
    if (slow || !all.edges.empty()) {
        for (const OutlyingStep& step : outlyingSteps(found, slow ? *slow : SlowStepLimits())) {
            if (slow)
                all.steps[step.index].outlier = true;
            for (auto& [edge, own] : all.edges)
                own.outlier = own.outlier || edge.index == step.index;
        }
    }
    // Steps on the GPU meet one another: together they are one range.
    all.steady = found.gpu.steady();
    all.mean = meanOf(all.steady == 0
            ? gpu.within(TimeRange{})
            : gpu.within({found.gpu.ranges[found.gpu.firstSteady].start, found.gpu.ranges.back().end}),
        all.steady);
    // Without a whole step, as in a recording of one step, the last one is used up to the end of its work.
    if (found.gpu.empty() && !found.last.empty())
        all.mean = gpu.within(found.last);
    std::vector<Ns> hostLengths;
    const CutSteps cut = cutSteps(trace, host);
    for (std::size_t i = host.firstSteady; slow && i < host.size(); ++i) {
        if (!cut.holds(i))
            hostLengths.push_back(host.ranges[i].duration());
    }
    all.medianHost = std::llround(summarize(hostLengths).median);
    all.found = std::move(found);
    return all;
}

std::vector<StepBudgets> budgetsOfAll(
    const Trace& trace, const GpuBudgets& budgets, std::vector<GpuSteps> found, const SlowStepLimits* slow)
{
    std::vector<StepBudgets> all;
    for (GpuSteps& steps : found) {
        if (const GpuBudget* const gpu = budgets.find(steps.process, steps.device))
            all.push_back(budgetsOf(trace, *gpu, std::move(steps), slow));
    }
    return all;
}

} // namespace

std::vector<StepBudgets> stepBudgets(
    const Trace& trace, const GpuBudgets& budgets, std::vector<GpuSteps> found, const SlowStepLimits& slow)
{
    return budgetsOfAll(trace, budgets, std::move(found), &slow);
}

std::vector<StepBudgets> stepMeans(const Trace& trace, const GpuBudgets& budgets, std::vector<GpuSteps> found)
{
    return budgetsOfAll(trace, budgets, std::move(found), nullptr);
}

Ns timeInSteps(const StepBudgets& steps)
{
    const StepSeries& gpu = steps.found.gpu;
    return gpu.empty() ? steps.found.last.duration() : gpu.span().duration();
}

const StepBudgets* mainOf(const std::vector<StepBudgets>& all)
{
    const auto most = std::ranges::max_element(all, {}, timeInSteps);
    return most != all.end() ? &*most : nullptr;
}

StepSummary summaryOf(const StepBudgets& steps, const BudgetParts& parts)
{
    StepSummary summary;
    std::vector<Ns> lengths;
    for (const StepBudget& step : steps.steps) {
        if (isSteady(step))
            lengths.push_back(step.gpu.duration());
    }
    summary.steady = lengths.size();
    const DurationSummary figures = summarize(lengths);
    summary.medianNs = figures.median;
    summary.meanNs = figures.mean;
    summary.p90Ns = percentile(lengths, 0.90);
    summary.p99Ns = percentile(lengths, 0.99);
    summary.medianHostNs = static_cast<double>(steps.medianHost);
    Ns whole = 0;
    for (const Ns part : steps.mean)
        whole += part;
    const auto share = [&](BudgetGroup group) {
        return whole > 0 ? static_cast<double>(totalOf(parts, steps.mean, group)) / static_cast<double>(whole)
                         : 0;
    };
    summary.exposedCommunication = share(BudgetGroup::Communication);
    summary.idle = share(BudgetGroup::Idle);
    summary.compute = share(BudgetGroup::Compute);
    return summary;
}

SparseBudget::SparseBudget(const Budget& budget)
    : m_size(static_cast<std::uint32_t>(budget.size()))
{
    m_parts.reserve(budget.size() - static_cast<std::size_t>(std::ranges::count(budget, 0)));
    for (std::uint32_t part = 0; part < m_size; ++part) {
        if (budget[part] != 0)
            m_parts.push_back({budget[part], part});
    }
}

Ns SparseBudget::operator[](std::size_t part) const
{
    const auto found = std::ranges::find(m_parts, part, &Part::part);
    return found == m_parts.end() ? 0 : found->time;
}

void SparseBudget::addTo(Budget& sums) const
{
    for (const Part& each : m_parts)
        sums[each.part] += each.time;
}

Budget SparseBudget::whole() const
{
    Budget budget(m_size, 0);
    addTo(budget);
    return budget;
}

} // namespace warpline
