#include "core/steps/serving.h"

#include "core/base/median.h"
#include "core/base/saturate.h"
#include "core/steps/launched_work.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace warpline {

namespace {

double perSecond(std::int64_t tokens, Ns time)
{
    return tokens >= 0 && time > 0 ? static_cast<double>(tokens) * 1e9 / static_cast<double>(time) : -1;
}

/// `sum` plus `more`; -1 if one of them is unknown.
void addKnown(std::int64_t& sum, std::int64_t more)
{
    sum = sum < 0 || more < 0 ? -1 : saturatingAdd(sum, more);
}

/// The steps of `series` and the prompts between them in order of time; none overlaps another.
std::vector<ServingStep> rangesOf(const Trace& trace, const StepSeries& series)
{
    std::vector<ServingStep> all;
    const auto add = [&](EventRef event, TimeRange range, bool counts, bool isStep) {
        all.push_back({event, servedWorkOf(trace.name(event)), range, counts, isStep, range.end, 0});
    };
    for (std::size_t i = 0; i < series.size(); ++i)
        add(series.events[i], series.ranges[i], i >= series.firstSteady, true);
    for (const EventRef& prompt : series.prefills)
        add(prompt, trace.range(prompt), true, false);
    std::ranges::stable_sort(all, {},
        [](const ServingStep& step) { return std::tuple(step.host.start, !step.isStep, -step.host.end); });
    std::vector<ServingStep> apart;
    for (const ServingStep& step : all) {
        if (step.isStep || apart.empty() || step.host.start >= apart.back().host.end)
            apart.push_back(step);
    }
    return apart;
}

std::vector<ServingStep> servedStepsOf(
    const Trace& trace, const StepSeries& series, const std::stop_token& stop)
{
    std::vector<ServingStep> steps = rangesOf(trace, series);
    std::vector<TimeRange> ranges;
    for (const ServingStep& step : steps)
        ranges.push_back(step.host);
    LaunchedByDevice launched;
    for (const Track& track : trace.apiCalls().tracks) {
        if (track.owner == series.thread && !ranges.empty() && trace.links)
            addLaunched(trace, track, ranges, launched, stop);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        ServingStep& step = steps[i];
        Ns begins = std::numeric_limits<Ns>::max(); // the first work on a GPU
        for (const auto& [device, work] : launched) {
            if (i >= work.size() || !work[i].any())
                continue;
            step.done = std::max(step.done, work[i].lastEnd);
            begins = std::min(begins, work[i].firstStart);
        }
        if (step.done == step.host.end || begins > step.done)
            begins = step.host.start;
        if (hasFurtherTokens(step))
            step.tokenTime = step.done - (i == 0 ? begins : steps[i - 1].done);
        else
            step.tokenTime = step.done - step.host.start;
    }
    return steps;
}

ServingGroup groupOf(const Serving& serving, std::vector<std::size_t> members)
{
    ServingGroup group;
    group.steps = std::move(members);
    group.promptTokens = group.outputTokens = 0;
    std::vector<Ns> lengths;
    std::vector<Ns> firsts;
    std::vector<Ns> further;
    for (const std::size_t i : group.steps) {
        const ServingStep& step = serving.steps[i];
        group.kind = step.served.kind;
        group.requests = step.served.requests;
        group.total += step.tokenTime;
        addKnown(group.promptTokens, step.served.promptTokens);
        addKnown(group.outputTokens, step.served.outputTokens);
        lengths.push_back(step.host.duration());
        if (hasPrompts(step))
            firsts.push_back(step.done - step.host.start);
        if (hasFurtherTokens(step))
            further.push_back(step.tokenTime);
    }
    group.median = middleOf(lengths);
    group.firstToken = firsts.empty() ? -1 : middleOf(firsts);
    group.perToken = further.empty() ? -1 : middleOf(further);
    return group;
}

} // namespace

bool hasPrompts(const ServingStep& step)
{
    return step.served.kind == StepKind::Prefill || step.served.kind == StepKind::Mixed;
}

bool hasFurtherTokens(const ServingStep& step)
{
    return step.served.kind == StepKind::Decode || step.served.kind == StepKind::Mixed;
}

Serving servingOf(const Trace& trace, const StepSeries& series, const std::stop_token& stop)
{
    Serving serving;
    serving.thread = series.thread;
    serving.pattern = series.pattern;
    serving.steps = servedStepsOf(trace, series, stop);
    serving.outputTokens = 0;
    std::map<std::pair<StepKind, std::int64_t>, std::vector<std::size_t>> groups;
    std::vector<Ns> firsts;
    std::vector<Ns> further;
    for (std::size_t i = 0; i < serving.steps.size(); ++i) {
        const ServingStep& step = serving.steps[i];
        if (!step.counts)
            continue;
        groups[{step.served.kind, step.served.requests}].push_back(i);
        if (hasPrompts(step))
            firsts.push_back(step.done - step.host.start);
        if (hasFurtherTokens(step))
            further.push_back(step.tokenTime);
        if (!step.isStep)
            continue;
        addKnown(serving.outputTokens, step.served.outputTokens);
        const TimeRange time{step.host.start, step.done};
        serving.span = serving.span.empty() ? time : serving.span.unitedWith(time);
    }
    if (serving.steps.size() == 1 && !serving.span.empty()) // a lone step waits for what was launched before
        serving.span.start = serving.span.end - serving.steps.front().tokenTime;
    for (auto& [key, members] : groups)
        serving.groups.push_back(groupOf(serving, std::move(members)));
    serving.firstToken = firsts.empty() ? -1 : middleOf(firsts);
    serving.perToken = further.empty() ? -1 : middleOf(further);
    return serving;
}

double ServingGroup::tokensPerSecond() const
{
    return perSecond(outputTokens, total);
}

double Serving::tokensPerSecond() const
{
    return perSecond(outputTokens, span.duration());
}

std::vector<Serving> servingOf(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    std::vector<Serving> all;
    for (const StepSeries& series : findStepsOfThreads(trace, window, glob, stop)) {
        const bool serves = std::ranges::any_of(series.events,
            [&](const EventRef& event) { return servedWorkOf(trace.name(event)).kind != StepKind::Plain; });
        if (serves)
            all.push_back(servingOf(trace, series, stop));
    }
    return all;
}

} // namespace warpline
