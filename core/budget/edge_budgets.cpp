#include "core/budget/edge_budgets.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/steps/edge_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace warpline {

namespace {

/// Kernels that begin in `range` on the GPU of `steps`.
std::uint64_t kernelsIn(const Trace& trace, const GpuSteps& steps, TimeRange range)
{
    const KernelTable& kernels = trace.kernels();
    std::uint64_t count = 0;
    for (const Track& track : kernels.tracks) {
        if (processOf(track.owner) != steps.process || track.device != steps.device)
            continue;
        for (const Lane& lane : kernels.lanesOf(track)) {
            auto [first, last] = kernels.touching(lane, range);
            while (first < last && kernels.start[first] < range.start)
                ++first;
            count += last - first;
        }
    }
    return count;
}

std::string kernelsText(std::uint64_t count)
{
    return formatCount(count) + (count == 1 ? " kernel" : " kernels");
}

bool isNear(double value, double usual)
{
    constexpr double asGoodAsSame = 0.05;
    return std::abs(value - usual) <= asGoodAsSame * usual;
}

/// "It does the work of the others (1,234 kernels, 14.21 ms of GPU work)." or what of it is less or more.
std::string workText(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps,
    const Budget& own, TimeRange range)
{
    const GpuSteps& found = steps.found;
    Ns work = 0;
    Ns usualWork = 0;
    for (std::size_t part = 0; part < own.size(); ++part) {
        if (parts[part].group == BudgetGroup::Idle)
            continue;
        work += own[part];
        usualWork += part < steps.mean.size() ? steps.mean[part] : 0;
    }
    const std::uint64_t count = kernelsIn(trace, found, range);
    const TimeRange steady{found.gpu.ranges[found.gpu.firstSteady].start, found.gpu.ranges.back().end};
    const double usual = static_cast<double>(kernelsIn(trace, found, steady))
        / static_cast<double>(std::max<std::size_t>(1, found.gpu.steady()));
    if (isNear(static_cast<double>(count), usual)
        && isNear(static_cast<double>(work), static_cast<double>(usualWork)))
        return fmt::format(" Its work equals that of the others ({}, {} of GPU work).", kernelsText(count),
            roundedDuration(work));
    return fmt::format(" It runs {} instead of {} on average, and its GPU work takes {} instead of {}.",
        kernelsText(count), formatCount(static_cast<std::uint64_t>(std::llround(usual))),
        roundedDuration(work), roundedDuration(usualWork));
}

/// " What is less is idle: the host prepares the next launch (6.199 ms instead of 13.72 ms).", the largest
/// two parts at most.
std::string partsText(const BudgetParts& parts, const Budget& mean, const Budget& own, bool less)
{
    constexpr std::size_t maxReported = 2;
    constexpr Ns minReportedDivisor = 5; // a fifth of what all such parts make
    std::vector<std::pair<Ns, std::size_t>> changes;
    Ns all = 0;
    for (std::size_t part = 0; part < std::min(own.size(), mean.size()); ++part) {
        const Ns change = less ? mean[part] - own[part] : own[part] - mean[part];
        if (change <= 0)
            continue;
        changes.emplace_back(change, part);
        all += change;
    }
    std::ranges::stable_sort(changes, std::greater{}, &std::pair<Ns, std::size_t>::first);
    std::string told;
    for (std::size_t i = 0; i < std::min(maxReported, changes.size()); ++i) {
        const auto [change, part] = changes[i];
        if (change * minReportedDivisor < all)
            break;
        std::string title = toUtf8(parts[part].title);
        title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
        told += fmt::format("{}{} ({} instead of {})", told.empty() ? "" : ", ", title,
            roundedDuration(own[part]), roundedDuration(mean[part]));
    }
    return told.empty() ? told
                        : fmt::format(" The part that is {}: mainly {}.", less ? "less" : "more", told);
}

std::string sentencesOf(
    const Trace& trace, const BudgetParts& parts, const StepBudgets& steps, const EdgeStep& edge)
{
    const StepBudget& step = steps.steps[edge.index];
    const bool less = edge.ofUsual < 1;
    const Budget own = step.budget.whole();
    std::string text = fmt::format(
        "The {} step ({}) is {} than all others: {} on the host, {:.2f} x the usual, and {} on the GPU{}.",
        edge.isLast ? "last" : "first", toUtf8(step.name), less ? "shorter" : "longer",
        roundedDuration(step.host.duration()), edge.ofUsual, roundedDuration(step.gpu.duration()),
        edge.isLast ? " to the end of its work" : fmt::format(", {:.2f} x", edge.ofUsualOnGpu));
    text += workText(trace, parts, steps, own, step.gpu) + partsText(parts, steps.mean, own, less);
    return text
        + (edge.isLast ? " It is not part of the statistics of GPU steps, because no next step marks its end."
                       : " It counts among the steady steps.");
}

} // namespace

std::string edgeSentences(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps)
{
    std::string text;
    for (const EdgeStep& edge : edgeSteps(trace, steps.found)) {
        if (!steps.steps[edge.index].outlier)
            text += (text.empty() ? "" : " ") + sentencesOf(trace, parts, steps, edge);
    }
    return text;
}

} // namespace warpline
