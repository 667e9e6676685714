// OpenMP on the host: parallel loops in which one thread has far more work than the others, who wait for it
// at the barrier; and all waits at barriers and for critical sections. Needs no GPU.

#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/store/event_loops.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace warpline::openmp_imbalance {

namespace {

constexpr std::string_view id = "openmp_imbalance";
constexpr Threshold factorLimit{
    "factor", "Minimum work of one thread in an uneven loop (times the mean)", "", 1.5};
constexpr Threshold minShare{
    "min_share", "Minimum share of the parallel regions' time that threads wait", "%", 5};
constexpr std::array thresholds{factorLimit, minShare};

/// Kinds of OpenMP events, by nsys' names.
enum class Part : std::uint8_t { Other, Region, Loop, Barrier, Critical, Task };

Part partOf(std::string_view name)
{
    const auto holds = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (name == "Parallel Region")
        return Part::Region;
    if (name == "Loop Region")
        return Part::Loop;
    if (name == "Explicit Task")
        return Part::Task;
    if (holds("Barrier") || holds("Taskwait"))
        return Part::Barrier;
    return name.starts_with("Waiting to enter") ? Part::Critical : Part::Other;
}

struct Parts {
    std::vector<EventIndex> regions;
    std::vector<EventIndex> loops;
    std::map<GlobalId, std::array<std::vector<TimeRange>, 3>> waits; ///< barriers, critical sections; tasks
};

Parts partsOf(const RuleContext& context)
{
    const EventTable& calls = context.trace.table(EventKind::Library);
    Parts parts;
    for (const Track& track : calls.tracks) {
        if (context.trace.text(track.family) != "OpenMP")
            continue;
        for (const EventIndex i : eventsIn(calls, track, context.window, context.stop)) {
            const Part part = partOf(context.trace.text(calls.name[i]));
            if (part == Part::Region)
                parts.regions.push_back(i);
            else if (part == Part::Loop)
                parts.loops.push_back(i);
            else if (part != Part::Other)
                parts.waits[track.owner][part == Part::Barrier ? 0
                             : part == Part::Critical          ? 1
                                                               : 2]
                    .push_back(calls.range(i));
        }
    }
    std::ranges::sort(parts.regions, {}, [&](EventIndex i) { return calls.start[i]; });
    std::ranges::sort(parts.loops, {}, [&](EventIndex i) { return calls.start[i]; });
    return parts;
}

/// One worksharing loop as the threads of a parallel region ran it: a part of each thread.
struct Loop {
    EventIndex longest = noIndex;
    Ns mean = 0;
    Ns most = 0;
    Ns sum = 0;
    std::size_t threads = 0;
};

/// The loops of the regions of one process. `loops` are its parts in order of time; `next` is the first that
/// no previous region took. The first part of each thread belongs to one loop, the second to the next ...
std::vector<Loop> loopsOf(
    const EventTable& calls, EventIndex region, const std::vector<EventIndex>& parts, std::size_t& next)
{
    std::vector<Loop> loops;
    std::map<GlobalId, std::size_t> done; // parts of each thread
    while (next < parts.size() && calls.start[parts[next]] < calls.start[region])
        ++next;
    for (; next < parts.size() && calls.start[parts[next]] < calls.end(region); ++next) {
        const EventIndex i = parts[next];
        const std::size_t number = done[calls.trackOf(i).owner]++;
        if (number == loops.size())
            loops.emplace_back();
        Loop& loop = loops[number];
        ++loop.threads;
        loop.sum += calls.duration[i];
        if (loop.longest == noIndex || calls.duration[i] > loop.most) {
            loop.longest = i;
            loop.most = calls.duration[i];
        }
    }
    return loops;
}

struct Uneven {
    std::vector<Loop> loops;
    Ns lost = 0; ///< wall time: the longest less the mean
    std::map<GlobalId, std::size_t> late; ///< how often a thread was the longest
    std::vector<TimeRange> claims;
};

Uneven unevenLoops(const RuleContext& context, const Parts& parts)
{
    const EventTable& calls = context.trace.table(EventKind::Library);
    const double factor = context.threshold(id, factorLimit);
    Uneven found;
    std::map<GlobalId, std::vector<EventIndex>> byProcess;
    for (const EventIndex loop : parts.loops)
        byProcess[processOf(calls.trackOf(loop).owner)].push_back(loop);
    std::map<GlobalId, std::size_t> next;
    for (const EventIndex region : parts.regions) {
        const GlobalId process = processOf(calls.trackOf(region).owner);
        for (Loop& loop : loopsOf(calls, region, byProcess[process], next[process])) {
            if (loop.threads < 2)
                continue;
            loop.mean = loop.sum / static_cast<Ns>(loop.threads);
            if (static_cast<double>(loop.most) < factor * static_cast<double>(loop.mean))
                continue;
            found.lost += loop.most - loop.mean;
            ++found.late[calls.trackOf(loop.longest).owner];
            found.claims.push_back({calls.start[loop.longest] + loop.mean, calls.end(loop.longest)});
            found.loops.push_back(loop);
        }
    }
    return found;
}

/// The time that all threads wait in parallel regions: at barriers, without the tasks that they run there,
/// and for critical sections. Waits between regions do not count.
std::array<Ns, 2> waitsOf(const RuleContext& context, Parts& parts)
{
    const EventTable& calls = context.trace.table(EventKind::Library);
    std::map<GlobalId, std::vector<TimeRange>> regions; // by process
    for (const EventIndex region : parts.regions)
        regions[processOf(calls.trackOf(region).owner)].push_back(calls.range(region));
    std::array<Ns, 2> waits{};
    for (auto& [thread, times] : parts.waits) {
        const Intervals inside = unionOf(regions[processOf(thread)], context.window, context.stop);
        const Intervals tasks = unionOf(std::move(times[2]), context.window, context.stop);
        const Intervals barriers = unionOf(std::move(times[0]), context.window, context.stop);
        waits[0] += commonTime(difference(barriers, tasks), inside);
        waits[1] += commonTime(unionOf(std::move(times[1]), context.window, context.stop), inside);
    }
    return waits;
}

/// Mentions that threads are created in the first region; empty: that is fast.
Message firstRegionText(const EventTable& calls, const std::vector<EventIndex>& regions)
{
    constexpr std::size_t fewest = 5; // of fewer none is usual
    if (regions.size() < fewest)
        return {};
    Ns longest = 0;
    for (const EventIndex region : std::span(regions).subspan(1))
        longest = std::max(longest, calls.duration[region]);
    const Ns first = calls.duration[regions.front()];
    return first < 2 * longest
        ? Message()
        : Message("openmp_imbalance.first_region",
            "The first region takes {first}, because it creates the threads; the longest of the others takes {longest}.",
            {{"first", Duration{first}}, {"longest", Duration{longest}}});
}

std::vector<Finding> findImbalance(const RuleContext& context)
{
    const EventTable& calls = context.trace.table(EventKind::Library);
    Parts parts = partsOf(context);
    Ns regions = 0;
    for (const EventIndex region : parts.regions)
        regions += calls.duration[region];
    Uneven uneven = unevenLoops(context, parts);
    const auto waits = waitsOf(context, parts);
    const auto threads = static_cast<Ns>(std::max<std::size_t>(1, parts.waits.size()));
    const double share = shareOf(waits[0] + waits[1], regions * threads);
    if (regions == 0 || share * 100 < context.threshold(id, minShare))
        return {};
    Finding finding = findingOn(context, processOf(calls.trackOf(parts.regions.front()).owner), -1,
        unionOf(std::move(uneven.claims), context.window, context.stop));
    finding.severity = uneven.loops.empty() ? Severity::Low : std::max(Severity::Low, finding.severity);
    finding.confidence = Confidence::Certain;
    finding.message = Message("openmp_imbalance.regions",
        "{regions, plural, one {# parallel region takes} other {# parallel regions take}} {time}.",
        {{"regions", Count{parts.regions.size()}}, {"time", Duration{regions}}});
    finding.message += Message("openmp_imbalance.waits",
        "{threads, plural, one {# thread waits} other {# threads wait}} {barriers} at barriers and {locks} for critical "
        "sections, {share} of their time.",
        {{"threads", Count{static_cast<std::uint64_t>(threads)}}, {"barriers", Duration{waits[0]}},
            {"locks", Duration{waits[1]}}, {"share", Share{share}}});
    finding.message += firstRegionText(calls, parts.regions);
    if (uneven.loops.empty()) {
        finding.title = Message("openmp_imbalance.waits_title",
            "OpenMP: threads wait {time} at barriers and locks", {{"time", Duration{waits[0] + waits[1]}}});
        finding.where = calls.range(parts.regions.front());
        return only(std::move(finding));
    }
    std::ranges::stable_sort(uneven.loops, std::greater{}, &Loop::most);
    const auto late
        = std::ranges::max_element(uneven.late, {}, [](const auto& entry) { return entry.second; });
    const Loop& worst = uneven.loops.front();
    finding.title = Message("openmp_imbalance.title",
        "OpenMP: in {loops, plural, one {# loop} other {# loops}}, one thread has {factor} times the mean work",
        {{"loops", Count{uneven.loops.size()}},
            {"factor",
                Number{
                    static_cast<double>(worst.most) / static_cast<double>(std::max<Ns>(1, worst.mean)), 1}}});
    finding.message += Message("openmp_imbalance.even",
        "With even shares, these loops could take {saving} less; {thread} is the last in {loops} of them.",
        {{"saving", Duration{finding.saving}}, {"thread", threadLabel(context.trace, late->first)},
            {"loops", Count{late->second}}});
    finding.message += Message("openmp_imbalance.which_loop",
        "The report does not name the loops: add NVTX ranges or record CPU samples.");
    std::vector<EventRef> longest;
    for (const Loop& loop : uneven.loops)
        longest.push_back({EventKind::Library, loop.longest});
    setEvidence(finding, context.trace, longest, {"openmp_imbalance.last", "the others wait for it"});
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule openmpImbalance{
    .id = id,
    .title = "OpenMP threads that wait for each other",
    .why
    = "A parallel loop takes as long as its slowest thread. schedule(static) gives each thread as many "
      "iterations, not as much work. Where some iterations are longer, the other threads wait at the barrier.",
    .remedy
    = "Distribute the work at run time: #pragma omp parallel for schedule(dynamic, 1), guided, or more and "
      "smaller tasks. Replace critical sections by a reduction, an atomic, or one partial result per thread. "
      "Use nowait where no barrier is needed.",
    .caveat = "Threads at a barrier may in fact wait for the GPU, through the thread that launches.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            return std::ranges::any_of(trace.table(EventKind::Library).tracks,
                [&](const Track& track) { return trace.text(track.family) == "OpenMP"; });
        },
    .check = findImbalance,
};

} // namespace warpline::openmp_imbalance
