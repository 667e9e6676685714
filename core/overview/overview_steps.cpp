#include "core/overview/overview_steps.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/budget/edge_budgets.h"
#include "core/budget/step_budgets.h"
#include "core/findings/evidence.h"
#include "core/overview/idle_reasons.h"
#include "core/steps/edge_steps.h"
#include "core/steps/step_judge.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace warpline {

namespace {

/// What most time of the mean step goes to: computing as a whole, each other part, or one reason to idle.
void findBound(const BudgetParts& parts, const StepBudgets& main, OverviewSteps& steps)
{
    Ns whole = 0;
    Ns most = totalOf(parts, main.mean, BudgetGroup::Compute);
    steps.bound = "computing";
    for (std::size_t i = 0; i < main.mean.size(); ++i) {
        whole += main.mean[i];
        if (parts[i].group == BudgetGroup::Compute || parts[i].group == BudgetGroup::Idle
            || main.mean[i] <= most)
            continue;
        most = main.mean[i];
        steps.bound = parts[i].title;
    }
    if (const std::vector<IdleReason> reasons = idleReasons(parts, main.mean);
        !reasons.empty() && reasons.front().time > most) {
        most = reasons.front().time;
        steps.bound = "idle time while " + reasons.front().text;
        if (reasons.front().most * 2 > most && !reasons.front().mostly.empty())
            steps.bound += fmt::format(" (mostly: {})", reasons.front().mostly);
    }
    steps.boundShare = shareOf(most, whole);
}

/// "Per step, the GPU computes for 4.9%, ... Largest part: idle time while ... (73.2%)."
std::string textOfStep(const BudgetParts& parts, const StepBudgets& main, const OverviewSteps& steps)
{
    Ns whole = 0;
    for (const Ns time : main.mean)
        whole += time;
    std::string list;
    for (const auto& [group, verb] :
        {std::pair(BudgetGroup::Compute, "computes"), std::pair(BudgetGroup::Communication, "communicates"),
            std::pair(BudgetGroup::Copies, "copies"), std::pair(BudgetGroup::Idle, "is idle")}) {
        if (const Ns time = totalOf(parts, main.mean, group); time > 0)
            list += fmt::format(
                "{}{} for {}", list.empty() ? "" : ", ", verb, formatShare(shareOf(time, whole)));
    }
    // The shares are of the mean: a few long steps move it away from the median.
    const Ns mean = whole;
    const bool isEven = std::abs(mean - steps.median) * 20 <= steps.median;
    return fmt::format("{} the GPU {}. Largest part: {} ({}).",
        isEven ? std::string("Per step,") : fmt::format("Over all steps (mean {}),", roundedDuration(mean)),
        list, steps.bound, formatShare(steps.boundShare));
}

/// How much of what the GPU works lies in steps, and around them.
struct Cover {
    Ns whole = 0;
    Ns covered = 0;
    Ns before = 0;
    Ns after = 0;

    double share() const { return shareOf(covered, whole); }
};

Cover coverOf(const BudgetParts& parts, const GpuBudget& gpu, TimeRange steps, TimeRange window)
{
    const auto work = [&](TimeRange range) {
        const Budget budget = gpu.within(range);
        Ns all = 0;
        for (const Ns time : budget)
            all += time;
        return range.empty() ? Ns{0} : all - totalOf(parts, budget, BudgetGroup::Idle);
    };
    return {work(window), work(steps), work({window.start, steps.start}), work({steps.end, window.end})};
}

/// "They contain 1.4 s of 6.2 s of GPU work (22.6%); the GPU also works for 3.8 s before them and for 1.0 s
/// after."
std::string coverText(const Cover& cover)
{
    const std::string elsewhere = cover.before > 0 && cover.after > 0
        ? fmt::format(
            "{} before them and for {} after", roundedDuration(cover.before), roundedDuration(cover.after))
        : fmt::format(
            "{} {} them", roundedDuration(cover.before + cover.after), cover.before > 0 ? "before" : "after");
    return fmt::format(" They contain {} of {} of GPU work ({}); the GPU also works for {}.",
        roundedDuration(cover.covered), roundedDuration(cover.whole), formatShare(cover.share()), elsewhere);
}

/// Of a recording of one step, whose end no later one tells.
std::optional<StepsSaid> describeLast(const BudgetParts& parts, const StepBudgets& main)
{
    if (!main.found.gpu.empty() || main.found.last.empty() || main.found.foundBy != StepSource::Nvtx)
        return std::nullopt;
    StepsSaid said;
    said.steps.pattern = main.found.host.pattern;
    said.steps.count = main.steps.size();
    said.steps.steady = main.found.host.steady();
    said.steps.median = main.found.last.duration();
    findBound(parts, main, said.steps);
    said.text = fmt::format("{} ({}): {} on the GPU from its first to its last work, {} on the host. {}",
        said.steps.count == 1 ? std::string("One step was recorded")
                              : "Only the last of " + counted(said.steps.count, "step") + " has GPU work",
        main.steps[main.found.lastIndex].name, roundedDuration(said.steps.median),
        roundedDuration(main.found.host.ranges[main.found.lastIndex].duration()),
        textOfStep(parts, main, said.steps));
    said.where = main.found.last;
    return said;
}

/// "median 73.43 ms on the GPU over 4 complete steps".
std::string medianText(const OverviewSteps& steps)
{
    const std::string median = roundedDuration(steps.median);
    if (steps.whole == 1 && steps.steady > 1)
        return fmt::format("{} on the GPU for the one complete step", median);
    return fmt::format("median {} on the GPU{}", median,
        steps.whole >= steps.steady ? std::string()
                                    : fmt::format(" over {} complete steps", formatCount(steps.whole)));
}

/// Of a range that cuts all its steps: that there are some, and no more. Nothing where no range cuts them.
std::optional<StepsSaid> noneWhole(const Trace& trace, const StepBudgets& main)
{
    const StepSeries& host = main.found.host;
    const CutSteps cut = cutSteps(trace, host);
    if (!cut.first && !cut.last)
        return std::nullopt;
    StepsSaid said;
    said.text = fmt::format(
        "This range overlaps {} ({}), but none runs entirely inside it on the GPU, so no step time is given.",
        counted(host.size(), "step"), host.pattern);
    return said;
}

} // namespace

std::optional<StepsSaid> describeSteps(const Trace& trace, const GpuBudgets& budgets, TimeRange window,
    const std::string& stepGlob, const std::stop_token& stop)
{
    const std::vector<StepBudgets> all
        = stepBudgets(trace, budgets, findGpuSteps(trace, window, stepGlob, stop));
    const StepBudgets* const main = mainOf(all);
    if (!main)
        return std::nullopt;
    if (main->steady == 0) {
        auto cut = noneWhole(trace, *main);
        return cut ? std::move(cut) : describeLast(budgets.parts(), *main);
    }
    // The steps of each rank are its own: the sentences are about those of the GPU that spends most in them.
    const std::string whose
        = all.size() > 1 ? "Process " + processLabel(trace, main->found.process) : std::string();
    StepsSaid said;
    said.steps.pattern = main->found.host.pattern;
    said.steps.count = main->steps.size();
    said.steps.steady = main->found.host.steady();
    said.steps.whole = main->steady;
    said.steps.median = main->found.median;
    findBound(budgets.parts(), *main, said.steps);
    const CutSteps cut = cutSteps(trace, main->found.host);
    said.text = fmt::format("{}{} ({}), {}: {}.", whose.empty() ? "" : whose + ": ",
        counted(said.steps.count, "step"), said.steps.pattern,
        said.steps.steady == said.steps.count ? std::string("all steady")
                                              : formatCount(said.steps.steady) + " of them steady",
        medianText(said.steps));
    if (main->found.foundBy != StepSource::Nvtx)
        said.text += fmt::format(" The steps are a guess: no {} names them.", rangeWordOf(trace));
    const GpuBudget* const gpu = budgets.find(main->found.process, main->found.device);
    const TimeRange whole = main->found.gpu.empty() ? TimeRange{} : main->found.gpu.span();
    if (gpu && !whole.empty() && !cut.first && !cut.last) {
        constexpr double nearlyAll = 0.8;
        constexpr double littleOfIt = 0.1;
        const Cover cover = coverOf(budgets.parts(), *gpu,
            main->found.last.empty() ? whole : whole.unitedWith(main->found.last), window);
        if (main->found.foundBy != StepSource::Nvtx && cover.share() < littleOfIt) {
            said.text = fmt::format(
                "{} repeat {} times, {}. They may be steps, but no {} names them. They take {} of the {} of work of this GPU ({}).",
                said.steps.pattern, formatCount(said.steps.count), medianText(said.steps), rangeWordOf(trace),
                roundedDuration(cover.covered), roundedDuration(cover.whole), formatShare(cover.share()));
            said.isMost = false;
            said.where = whole;
            return said;
        }
        if (cover.share() < nearlyAll)
            said.text += coverText(cover);
        said.isMost = cover.share() >= 0.5;
    }
    said.text += " " + textOfStep(budgets.parts(), *main, said.steps);
    said.edges = edgeSentences(trace, budgets.parts(), *main);
    if (const auto edges = edgeSteps(trace, main->found); !said.edges.empty() && !edges.empty())
        said.edgesWhere = main->found.rangeOf(edges.back().index);
    said.where = whole;
    return said;
}

} // namespace warpline
