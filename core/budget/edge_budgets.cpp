#include "core/budget/edge_budgets.h"

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/store/trace.h"

#include <algorithm>
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

bool isNear(double value, double usual)
{
    constexpr double asGoodAsSame = 0.05;
    return std::abs(value - usual) <= asGoodAsSame * usual;
}

/// "It does the work of the others (1,234 kernels, 14.21 ms of GPU work).", or how its work differs.
Message workText(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps, const Budget& own,
    TimeRange range)
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
        return {"step_edge.same_work",
            "Its work equals that of the others ({kernels, plural, one {# kernel} other {# kernels}}, {work} of GPU work).",
            {{"kernels", Count{count}}, {"work", Duration{work}}}};
    return {"step_edge.other_work",
        "It runs {kernels, plural, one {# kernel} other {# kernels}} instead of {usual} on average, and its GPU work takes {work} instead of {usual_work}.",
        {{"kernels", Count{count}}, {"usual", Count{static_cast<std::uint64_t>(std::llround(usual))}},
            {"work", Duration{work}}, {"usual_work", Duration{usualWork}}}};
}

/// "What is less is idle: the host prepares the next launch (6.199 ms instead of 13.72 ms).": the two largest
/// parts.
Message partsText(const BudgetParts& parts, const Budget& mean, const Budget& own, bool less)
{
    constexpr std::size_t maxReported = 2;
    constexpr Ns minReportedDivisor = 5; // a fifth of the sum of these parts
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
    std::vector<Message> told;
    for (std::size_t i = 0; i < std::min(maxReported, changes.size()); ++i) {
        const auto [change, part] = changes[i];
        if (change * minReportedDivisor < all)
            break;
        told.push_back(Message("step_edge.part", "{part} ({own} instead of {mean})",
            {{"part", titleInSentence(parts[part].group, parts[part].name)}, {"own", Duration{own[part]}},
                {"mean", Duration{mean[part]}}}));
    }
    return told.empty() ? Message()
                        : Message("step_edge.parts",
                            "The part that is {less, select, yes {less} other {more}}: mainly {parts}.",
                            {{"less", yesOrNo(less)}, {"parts", std::move(told)}});
}

Message sentencesOf(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps,
    const EdgeStep& edge, const StepBudget& step)
{
    const bool less = edge.ofUsual < 1;
    const Budget own = step.budget.whole();
    const Name isLast = yesOrNo(edge.isLast);
    return Message("step_edge.step",
               "The {last, select, yes {last} other {first}} step ({name}) is {less, select, yes {shorter} other {longer}} than all others: {host} on the host, {of_usual} x the usual, and {gpu} on the GPU"
               "{last, select, yes { to the end of its work} other {, {of_usual_gpu} x}}.",
               {{"last", isLast}, {"name", Name{toUtf8(step.name)}}, {"less", yesOrNo(less)},
                   {"host", Duration{step.host.duration()}}, {"of_usual", Number{edge.ofUsual, 2}},
                   {"gpu", Duration{step.gpu.duration()}}, {"of_usual_gpu", Number{edge.ofUsualOnGpu, 2}}})
        + workText(trace, parts, steps, own, step.gpu) + partsText(parts, steps.mean, own, less)
        + Message("step_edge.counts",
            "{last, select, yes {It is not part of the statistics of GPU steps, because no next step marks its end.} other {It counts among the steady steps.}}",
            {{"last", isLast}});
}

} // namespace

Message edgeSentences(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps)
{
    Message text;
    for (const auto& [edge, step] : steps.edges) {
        if (!step.outlier)
            text += sentencesOf(trace, parts, steps, edge, step);
    }
    return text;
}

} // namespace warpline
