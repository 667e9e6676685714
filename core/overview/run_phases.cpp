#include "core/overview/run_phases.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/host_activity.h"
#include "core/findings/run_facts.h"
#include "core/overview/host_names.h"
#include "core/store/range_words.h"

#include <fmt/format.h>

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

EventIndex failedLaunch(const Trace& trace, RunFacts& facts)
{
    const EventTable& calls = trace.apiCalls();
    for (EventIndex i = 0; i < calls.attribute.size(); ++i) {
        if (calls.attribute[i] != 0 && facts.callKinds()[i] == CallKind::Launch)
            return i;
    }
    return noIndex;
}

std::string textOfOwnRanges(
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
    std::string list;
    for (const NamedTime::Named& each : ranges)
        list += fmt::format("{} {} {}{}", list.empty() ? "" : ",", each.name, roundedDuration(each.time),
            each.stretches > 1 ? fmt::format(" in {} intervals", formatCount(each.stretches))
                               : std::string());
    return fmt::format("{} on the host, in order, from the first to the last GPU work:{}{}.",
        rangesWordOf(trace), list, left > 0 ? fmt::format(", and {} others", left) : std::string());
}

namespace {

/// ", and in shorter ones such as gemm 60.12 µs": what `told` leaves out of `sums` is of the program, too.
std::string shorterText(const Trace& trace, const TimeByName& sums, const std::vector<NamedLength>& told)
{
    constexpr std::size_t most = 4;
    TimeByName rest;
    for (const auto& [name, time] : sums) {
        const std::string pattern = withoutNumbers(toUtf8(trace.text(name)));
        if (time > 0 && std::ranges::find(told, pattern, &NamedLength::pattern) == told.end())
            rest[name] = time;
    }
    return rest.empty() ? std::string() : "; shorter ones: " + longestOf(trace, rest, most);
}

} // namespace

std::string textOfRangesInSteps(
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
    return fmt::format("Host time per step by {} (self time): {}{}.", rangesWordOf(trace),
        longestOf(trace, sums, most), shorterText(trace, sums, longestNamed(trace, sums, most)));
}

} // namespace warpline
