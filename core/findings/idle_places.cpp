#include "core/findings/idle_places.h"

#include "core/analysis/time_by_name.h"
#include "core/base/message_names.h"
#include "core/derive/tracks_of.h"
#include "core/findings/host_story.h"
#include "core/findings/rule.h"
#include "core/steps/step_names.h"
#include "core/steps/steps.h"
#include "core/store/library_domains.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace warpline {

namespace {

/// Adds to `where` the operators that contain most of the own code of `cause`: a framework that records
/// operators separates its own time from the program's.
void placeInOperators(
    const RuleContext& context, const TimeByName& operators, const IdleParts& cause, HostPlaces& where)
{
    Ns all = 0;
    Ns attention = 0;
    for (const auto& [name, time] : operators) {
        all += time;
        attention += isCudnnAttention(context.trace.text(name)) ? time : 0;
    }
    if (all * 2 < cause.total)
        return;
    where.operators = longestTimes(context.trace, operators, 2);
    if (const auto named = longestNamed(context.trace, operators, 2); named.size() == 1)
        where.operatorName = named.front().name;
    where.inCudnnAttention = attention * 2 >= cause.total;
}

} // namespace

Message recordedCommunication(const Trace& trace)
{
    std::set<std::string_view> families;
    for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
        for (const Track& track : trace.table(kind).tracks) {
            if (isCommunicationLibrary(trace.text(track.family)))
                families.insert(trace.text(track.family));
        }
    }
    if (families.empty())
        return {"communication.any", "MPI, UCX or NVSHMEM"};
    const std::string last(*families.rbegin());
    families.erase(last);
    if (families.empty())
        return nameMessage(last);
    std::vector<Message> others;
    for (const std::string_view family : families)
        others.push_back(nameMessage(std::string(family)));
    return {"communication.recorded", "{others} or {last}",
        {{"others", std::move(others)}, {"last", Name{last}}}};
}

std::string_view communicationOf(const Trace& trace, GlobalId thread)
{
    for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
        for (const Track& track : TracksOf(trace, kind, thread)) {
            if (isCommunicationLibrary(trace.text(track.family)))
                return trace.text(track.family);
        }
    }
    return "MPI";
}

HostPlaces whereHostWas(
    const RuleContext& context, const GpuFacts& gpu, IdleCause doing, const IdleParts& cause)
{
    const Trace& trace = context.trace;
    TimeByName calls;
    TimeByName ranges;
    TimeByName operators;
    for (const auto& [thread, parts] : cause.parts) {
        const Intervals time = unionOf(parts, context.window, context.stop);
        if (doing == IdleCause::OwnCode) {
            for (const auto& [name, length] : operatorTimes(trace, thread, time, context.stop))
                operators[name] += length;
        }
        if (doing == IdleCause::OtherRanks)
            addCommunication(trace, thread, time, calls, context.stop);
        addOwnRanges(trace, thread, time, ranges, context.stop);
    }
    // The whole step does not locate anything inside it.
    const std::string& step = context.facts.steps(gpu.process).pattern;
    std::erase_if(ranges, [&](const auto& each) { return withoutNumbers(trace.text(each.first)) == step; });
    // A few microseconds of a long wait do not explain it.
    constexpr Ns minNamedDivisor = 10; // of the cause's time: one part of so many
    if (sumOf(ranges) * minNamedDivisor < cause.total)
        ranges.clear();
    HostPlaces where;
    for (NamedLength call : longestNamed(trace, calls, 2)) {
        for (std::size_t at = 0; (at = call.name.find("MPI_", at)) != std::string::npos;)
            call.name.erase(at, 4);
        where.calls.push_back(Message(
            "host.call_time", "{call} {time}", {{"call", Name{call.name}}, {"time", Duration{call.time}}}));
    }
    where.ranges = longestTimes(trace, ranges, 2);
    placeInOperators(context, operators, cause, where);
    return where;
}

bool comesBack(const RuleContext& context, const GpuFacts& gpu, const IdleParts& cause)
{
    std::vector<PartOfGap> longest = cause.gaps;
    std::ranges::sort(longest, std::greater{}, &PartOfGap::part);
    const Ns most = longest.empty() ? 0 : longest.front().part;
    std::erase_if(longest, [&](const PartOfGap& each) { return each.part * 2 < most; });
    std::map<GlobalId, Intervals> times;
    for (const auto& [thread, parts] : cause.parts)
        times[thread] = unionOf(parts, context.window, context.stop);
    std::set<std::string> common;
    for (std::size_t i = 0; i < longest.size(); ++i) {
        TimeByName ranges;
        for (const auto& [thread, time] : times)
            addOwnRanges(context.trace, thread, clipped(time, longest[i].gap), ranges, context.stop);
        std::set<std::string> names;
        for (const auto& [name, time] : ranges) {
            if (stepRankOf(context.trace.text(name)) != StepRank::OneTime)
                names.insert(withoutNumbers(context.trace.text(name)));
        }
        names.erase(context.facts.steps(gpu.process).pattern);
        if (i == 0)
            common = std::move(names);
        else
            std::erase_if(common, [&](const std::string& name) { return !names.contains(name); });
    }
    return longest.size() > 1 && !common.empty();
}

} // namespace warpline
