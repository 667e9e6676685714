#include "core/overview/overview_work.h"

#include "core/analysis/time_by_name.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/budget/edge_budgets.h"
#include "core/budget/step_budgets.h"
#include "core/findings/host_story.h"
#include "core/overview/host_names.h"
#include "core/overview/idle_reasons.h"
#include "core/steps/step_judge.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

namespace {

/// Finds the largest part of the mean step: computing as a whole, each other part, or one reason for idling.
void findBound(const BudgetParts& parts, const StepBudgets& main, OverviewSteps& steps)
{
    Ns whole = 0;
    Ns most = totalOf(parts, main.mean, BudgetGroup::Compute);
    steps.bound = Message("overview.bound_computing", "computing");
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
        const IdleReason& reason = reasons.front();
        most = reason.time;
        const bool isMostly = reason.most * 2 > most && !reason.mostly.empty();
        steps.bound = Message("overview.bound_idle",
            "idle time while {reason}{several, select, yes { (mostly: {mostly})} other {}}",
            {{"reason", reason.text}, {"several", yesOrNo(isMostly)}, {"mostly", reason.mostly}});
    }
    steps.boundShare = shareOf(most, whole);
}

/// "Per step, the GPU computes for 4.9%, ... Largest part: idle time while ... (73.2%)."
Message textOfStep(const BudgetParts& parts, const StepBudgets& main, const OverviewSteps& steps)
{
    Ns whole = 0;
    for (const Ns time : main.mean)
        whole += time;
    std::vector<Message> list;
    const auto add = [&](std::string_view part, Ns time) {
        if (time > 0)
            list.push_back(Message("overview.step_part",
                "{part, select, compute {computes} pages {waits for pages or moves them} communication {communicates} copies {copies} other {is idle}} for {share}",
                {{"part", Name{std::string(part)}}, {"share", Share{shareOf(time, whole)}}}));
    };
    const Ns pages = main.mean[parts.pages()];
    add("compute", totalOf(parts, main.mean, BudgetGroup::Compute));
    add("pages", pages);
    add("communication", totalOf(parts, main.mean, BudgetGroup::Communication));
    add("copies", totalOf(parts, main.mean, BudgetGroup::Copies) - pages);
    add("idle", totalOf(parts, main.mean, BudgetGroup::Idle));
    // The shares are of the mean: a few long steps move it away from the median.
    const Ns mean = whole;
    const bool isEven = std::abs(mean - steps.median) * 20 <= steps.median;
    return {"overview.step",
        "{even, select, yes {Per step,} some {Per complete step,} other {Over all steps (mean {mean}),}} the GPU {parts}. Largest part: {bound} ({share}).",
        {{"even",
             Name{!isEven                                            ? "no"
                     : steps.whole > 0 && steps.whole < steps.steady ? "some"
                                                                     : "yes"}},
            {"mean", Duration{mean}}, {"parts", std::move(list)}, {"bound", steps.bound},
            {"share", Share{steps.boundShare}}}};
}

/// How much of the GPU's work lies inside steps, and around them.
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
Message coverText(const Cover& cover)
{
    const bool isBefore = cover.before > 0;
    return {"overview.steps_cover",
        "They contain {covered} of {whole} of GPU work ({share}); the GPU also works for "
        "{where, select, both {{before} before them and for {after} after} before {{before} before them} other {{after} after them}}.",
        {{"covered", Duration{cover.covered}}, {"whole", Duration{cover.whole}},
            {"share", Share{cover.share()}},
            {"where",
                Name{isBefore && cover.after > 0 ? "both"
                        : isBefore               ? "before"
                                                 : "after"}},
            {"before", Duration{isBefore ? cover.before : 0}}, {"after", Duration{cover.after}}}};
}

/// For a recording of one step, whose end no later step shows.
std::optional<StepsSaid> describeLast(const Trace& trace, const BudgetParts& parts, const StepBudgets& main)
{
    if (!main.found.gpu.empty() || main.found.last.empty() || main.found.foundBy != StepSource::Nvtx)
        return std::nullopt;
    StepsSaid said;
    said.steps.pattern = main.found.host.pattern;
    said.steps.count = main.found.host.size();
    said.steps.steady = main.found.host.steady();
    said.steps.median = main.found.last.duration();
    findBound(parts, main, said.steps);
    said.text
        = Message("overview.one_step",
              "{steps, plural, one {One step was recorded} other {Only the last of # steps has GPU work}} ({name}): {gpu} on the GPU from its first to its last work, {host} on the host.",
              {{"steps", Count{said.steps.count}},
                  {"name", Name{std::string(trace.name(main.found.host.events[main.found.lastIndex]))}},
                  {"gpu", Duration{said.steps.median}},
                  {"host", Duration{main.found.host.ranges[main.found.lastIndex].duration()}}})
        + textOfStep(parts, main, said.steps);
    said.where = main.found.last;
    return said;
}

/// "median 73.43 ms on the GPU over 4 complete steps".
Message medianText(const OverviewSteps& steps)
{
    const bool isOne = steps.whole == 1 && steps.steady > 1;
    return {"overview.step_median",
        "{steps, select, one {{median} on the GPU for the one complete step} all {median {median} on the GPU} "
        "other {median {median} on the GPU over {whole} complete steps}}",
        {{"steps",
             Name{isOne                            ? "one"
                     : steps.whole >= steps.steady ? "all"
                                                   : "some"}},
            {"median", Duration{steps.median}}, {"whole", Count{steps.whole}}}};
}

/// For a range that cuts all its steps: states only that there are some. Nothing where no range cuts them.
std::optional<StepsSaid> noneWhole(const Trace& trace, const StepBudgets& main)
{
    const StepSeries& host = main.found.host;
    const CutSteps cut = cutSteps(trace, host);
    if (!cut.first && !cut.last)
        return std::nullopt;
    StepsSaid said;
    said.text = Message("overview.steps_cut",
        "This range overlaps {steps, plural, one {# step} other {# steps}} ({pattern}), but none runs entirely inside it on the GPU, so no step time is given.",
        {{"steps", Count{host.size()}}, {"pattern", Name{host.pattern}}});
    return said;
}

} // namespace

std::optional<StepsSaid> describeSteps(const Trace& trace, const GpuBudgets& budgets, TimeRange window,
    const std::string& stepGlob, const std::stop_token& stop)
{
    const std::vector<StepBudgets> all
        = stepMeans(trace, budgets, findGpuSteps(trace, window, stepGlob, stop));
    const StepBudgets* const main = mainOf(all);
    if (!main)
        return std::nullopt;
    if (main->steady == 0) {
        auto cut = noneWhole(trace, *main);
        return cut ? std::move(cut) : describeLast(trace, budgets.parts(), *main);
    }
    // Each rank has its own steps: the sentences are about the GPU that spends most time in steps.
    StepsSaid said;
    said.steps.pattern = main->found.host.pattern;
    said.steps.count = main->found.host.size();
    said.steps.steady = main->found.host.steady();
    said.steps.whole = main->steady;
    said.steps.median = main->found.median;
    findBound(budgets.parts(), *main, said.steps);
    const CutSteps cut = cutSteps(trace, main->found.host);
    said.text = Message("overview.steps",
        "{of, select, one {Process {process}: } other {}}{steps, plural, one {# step} other {# steps}} ({pattern}), {steady, select, all {all steady} other {{count} of them steady}}: {median}.",
        {{"of", Name{all.size() > 1 ? "one" : "all"}}, {"process", processLabel(trace, main->found.process)},
            {"steps", Count{said.steps.count}}, {"pattern", Name{said.steps.pattern}},
            {"steady", Name{said.steps.steady == said.steps.count ? "all" : "some"}},
            {"count", Count{said.steps.steady}}, {"median", medianText(said.steps)}});
    const Message range = rangeTextOf(trace);
    if (main->found.foundBy != StepSource::Nvtx)
        said.text += Message(
            "overview.steps_guessed", "The steps are a guess: no {range} names them.", {{"range", range}});
    const GpuBudget* const gpu = budgets.find(main->found.process, main->found.device);
    const TimeRange whole = main->found.gpu.empty() ? TimeRange{} : main->found.gpu.span();
    if (gpu && !whole.empty() && !cut.first && !cut.last) {
        constexpr double nearlyAll = 0.8;
        constexpr double littleOfIt = 0.1;
        const Cover cover = coverOf(budgets.parts(), *gpu,
            main->found.last.empty() ? whole : whole.unitedWith(main->found.last), window);
        if (main->found.foundBy != StepSource::Nvtx && cover.share() < littleOfIt) {
            said.text = Message("overview.repeats",
                "{pattern} repeat {count} times, {median}. They may be steps, but no {range} names them. They take {covered} of the {whole} of work of this GPU ({share}).",
                {{"pattern", Name{said.steps.pattern}}, {"count", Count{said.steps.count}},
                    {"median", medianText(said.steps)}, {"range", range},
                    {"covered", Duration{cover.covered}}, {"whole", Duration{cover.whole}},
                    {"share", Share{cover.share()}}});
            said.isMost = false;
            said.where = whole;
            return said;
        }
        if (cover.share() < nearlyAll)
            said.text += coverText(cover);
        said.isMost = cover.share() >= 0.5;
    }
    said.text += textOfStep(budgets.parts(), *main, said.steps);
    said.edges = edgeSentences(trace, budgets.parts(), *main);
    if (!said.edges.empty())
        said.edgesWhere = main->edges.back().second.gpu;
    said.where = whole;
    return said;
}

Ns firstKernel(const Trace& trace, TimeRange within)
{
    Ns first = within.end;
    for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            const auto [begin, end] = table.touching(lane, within);
            first = begin < end ? std::min(first, table.start[begin]) : first;
        }
    }
    return first;
}

EventIndex failedLaunch(const Trace& trace, TraceAnalysis& facts)
{
    const EventTable& calls = trace.apiCalls();
    for (EventIndex i = 0; i < calls.attribute.size(); ++i) {
        if (calls.attribute[i] != 0 && facts.callKinds()[i] == CallKind::Launch)
            return i;
    }
    return noIndex;
}

Message textOfOwnRanges(
    const RunOverview& overview, const Trace& trace, GlobalId thread, const std::stop_token& stop)
{
    constexpr double minNamedShare = 0.01; // of the time from the first to the last GPU work
    constexpr double minReportedShare = 0.3; // all together
    constexpr std::size_t most = 9;
    NamedTime time({overview.life}, stop);
    nameByRanges(trace, thread, time, stop);
    std::vector<NamedTime::Named> ranges = time.named(trace);
    Ns all = 0;
    for (const NamedTime::Named& each : ranges)
        all += each.time;
    std::erase_if(ranges, [&](const NamedTime::Named& each) {
        return shareOf(each.time, overview.life.duration()) < minNamedShare;
    });
    if (ranges.size() < 2 || shareOf(all, overview.life.duration()) < minReportedShare)
        return {};
    std::ranges::stable_sort(ranges, std::greater{}, &NamedTime::Named::time);
    const std::size_t left = ranges.size() - std::min(most, ranges.size());
    ranges.resize(std::min(most, ranges.size()));
    std::ranges::stable_sort(ranges, {}, [](const NamedTime::Named& each) { return each.where.start; });
    std::vector<Message> list;
    for (const NamedTime::Named& each : ranges)
        list.push_back(Message("overview.own_range",
            "{name} {time}{times, plural, =0 {} one {} other { in # intervals}}",
            {{"name", textOf(HostName{each.name.kind, each.shown})}, {"time", Duration{each.time}},
                {"times", Count{each.stretches}}}));
    return {"overview.own_ranges",
        "{ranges} on the host, in order, from the first to the last GPU work: {list}{left, plural, =0 {} other {, and # others}}.",
        {{"ranges", rangesTitleOf(trace)}, {"list", std::move(list)}, {"left", Count{left}}}};
}

Message textOfRangesInSteps(
    const Trace& trace, GlobalId thread, const StepSeries& steps, const std::stop_token& stop)
{
    constexpr double minReportedShare = 0.3; // of the steps, all together
    constexpr std::size_t most = 6;
    Intervals steady;
    for (std::size_t i = steps.firstSteady; i < steps.size(); ++i)
        steady.push_back(steps.ranges[i]);
    if (steady.empty())
        return {};
    steady = unionOf(std::move(steady), steps.span(), stop);
    TimeByName sums;
    addOwnRanges(trace, thread, steady, sums, stop);
    std::erase_if(
        sums, [&](const auto& each) { return withoutNumbers(trace.text(each.first)) == steps.pattern; });
    Ns all = 0;
    for (auto& [name, time] : sums) {
        all += time;
        time /= static_cast<Ns>(steps.steady());
    }
    if (sums.size() < 2 || shareOf(all, totalTime(steady)) < minReportedShare)
        return {};
    const std::vector<NamedLength> told = longestNamed(trace, sums, most);
    TimeByName shorter; // time of ranges that `told` leaves out is the program's, too
    for (const auto& [name, time] : sums) {
        const std::string pattern = withoutNumbers(toUtf8(trace.text(name)));
        if (time > 0 && std::ranges::find(told, pattern, &NamedLength::pattern) == told.end())
            shorter[name] = time;
    }
    constexpr std::size_t maxShorter = 4;
    return {"overview.ranges_in_steps",
        "Host time per step by {ranges} (self time): {list}{more, select, yes {; shorter ones: {shorter}} other {}}.",
        {{"ranges", rangesTextOf(trace)}, {"list", longestTimes(trace, sums, most)},
            {"more", Name{shorter.empty() ? "no" : "yes"}},
            {"shorter", longestTimes(trace, shorter, maxShorter)}}};
}

} // namespace warpline
