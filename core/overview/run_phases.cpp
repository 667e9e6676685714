#include "core/overview/run_phases.h"

#include "core/analysis/time_by_name.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/host_story.h"
#include "core/overview/host_names.h"
#include "core/store/range_words.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace warpline {

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
    std::vector<NamedTime::Named> ranges = time.named();
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
            {{"name", textOf(each.name)}, {"time", Duration{each.time}}, {"times", Count{each.stretches}}}));
    return {"overview.own_ranges",
        "{ranges} on the host, in order, from the first to the last GPU work: {list}{left, plural, =0 {} other {, and # others}}.",
        {{"ranges", rangesTextOf(trace)}, {"list", std::move(list)}, {"left", Count{left}}}};
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
