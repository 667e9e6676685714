// What a program without GPU work did: its threads and their host activity.

#include "core/analysis/time_by_name.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/call_kinds.h"
#include "core/findings/sampled_functions.h"
#include "core/glossary/os_call_words.h"
#include "core/overview/overview_work.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/library_domains.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

constexpr std::string_view openmpFamily = "OpenMP"; ///< separate, because its tasks and loops are not calls
constexpr std::size_t namesShown = 3;
constexpr double minNamedShare = 0.01; ///< of the window, or of the longest name

/// How long and how often something was seen, over all threads.
struct Named {
    Ns time = 0;
    std::uint64_t count = 0;
    std::set<GlobalId> threads;
};
using NamedTimes = std::map<std::string, Named>;

/// The outermost events of `kind` by name, on tracks of threads that `counts` lets through.
template <typename Counts, typename NameOf>
NamedTimes timesOf(const Trace& trace, EventKind kind, TimeRange window, const std::stop_token& stop,
    Counts counts, NameOf nameOf)
{
    const EventTable& table = trace.table(kind);
    NamedTimes names;
    for (const Track& track : table.tracks) {
        if (track.laneCount == 0 || track.device >= 0 || !counts(track))
            continue;
        const auto [first, last] = table.touching(table.lanes[track.firstLane], window);
        for (const EventIndex i : stoppable(first, last, stop)) {
            const std::string name = nameOf(trace.text(table.name[i]));
            if (name.empty())
                continue;
            Named& named = names[name];
            named.time += table.range(i).clippedTo(window).duration();
            ++named.count;
            named.threads.insert(track.owner);
        }
    }
    return names;
}

std::string withoutVersion(std::string_view name)
{
    return toUtf8(bareCallName(name));
}

/// "parse 60.00 ms (1 time), solve 30.00 ms (2 times)"; where several threads took part: "(84 times, on 16
/// threads together)". Empty where none takes a thousandth of `window`.
std::vector<Message> longestOf(
    const NamedTimes& names, TimeRange window, Message (*explain)(std::string_view) = nullptr)
{
    constexpr double minReported = 0.001; // of the window; shorter events are not reported
    std::vector<std::pair<std::string, Named>> ranked(names.begin(), names.end());
    std::ranges::stable_sort(ranked, std::greater{}, [](const auto& each) { return each.second.time; });
    std::vector<Message> list;
    for (std::size_t i = 0; i < std::min(namesShown, ranked.size()); ++i) {
        const Named& named = ranked[i].second;
        if (static_cast<double>(named.time) < minReported * static_cast<double>(window.duration())
            || named.time == 0 || shareOf(named.time, ranked.front().second.time) < minNamedShare)
            break;
        const Message words = explain ? explain(ranked[i].first) : Message();
        list.push_back(Message("ran.name",
            "{name} {time}{noted, select, yes { ({count, plural, one {# time} other {# times}}{threads, plural, =0 {} one {} other {, on # threads together}}{explained, select, yes {: {meaning}} other {}})} other {}}",
            {{"name", Name{ranked[i].first}}, {"time", Duration{named.time}}, {"count", Count{named.count}},
                {"threads", Count{named.threads.size()}},
                {"noted", yesOrNo(named.count > 1 || named.threads.size() > 1 || !words.empty())},
                {"explained", Name{words.empty() ? "no" : "yes"}}, {"meaning", words}}));
    }
    return list;
}

bool isOfFiles(std::string_view call)
{
    const OsCallKind kind = osCallKind(call);
    return kind == OsCallKind::Reads || kind == OsCallKind::Writes || kind == OsCallKind::Files;
}

/// How many threads were on a CPU, and how long: "17 threads are on a CPU for 2.305 s in all, 6.8 of them at
/// once on average."
Message threadsText(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const NamedTimes states = timesOf(
        trace, EventKind::ThreadState, window, stop, [](const Track&) { return true; }, withoutVersion);
    const auto running = states.find("Running");
    if (running == states.end() || running->second.time == 0 || window.empty())
        return {};
    const Named& named = running->second;
    const double atOnce = static_cast<double>(named.time) / static_cast<double>(window.duration());
    return {"ran.threads",
        "{threads, plural, =1 {The only thread with thread states runs for {time} ({share})} other {# threads run for {time} in all, {at_once} at once on average}}.",
        {{"threads", Count{named.threads.size()}}, {"time", Duration{named.time}},
            {"share", Share{shareOf(named.time, window.duration())}}, {"at_once", Number{atOnce, 1}}}};
}

/// How the threads that are on a CPU spread over the time: "For 212.4 ms of 337.0 ms at most one of them is,
/// for 98.31 ms 8 or more." Empty: no thread states, or one thread.
Message spreadText(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const EventTable& states = trace.table(EventKind::ThreadState);
    std::vector<std::pair<Ns, int>> changes;
    for (const Track& track : states.tracks) {
        if (track.laneCount == 0 || track.device >= 0)
            continue;
        const auto [first, last] = states.touching(states.lanes[track.firstLane], window);
        for (const EventIndex i : stoppable(first, last, stop)) {
            const TimeRange range = states.range(i).clippedTo(window);
            if (range.empty() || trace.text(states.name[i]) != "Running")
                continue;
            changes.emplace_back(range.start, 1);
            changes.emplace_back(range.end, -1);
        }
    }
    std::ranges::sort(changes);
    std::map<int, Ns> times; // by how many run
    Ns since = window.start;
    int running = 0;
    for (const auto& [time, change] : changes) {
        times[running] += time - since;
        since = time;
        running += change;
    }
    times[running] += window.end - since;
    const int most = times.empty() ? 0 : times.rbegin()->first;
    if (most < 3)
        return {};
    const int many = (most + 1) / 2;
    Ns alone = 0;
    Ns crowded = 0;
    for (const auto& [count, time] : times) {
        alone += count <= 1 ? time : 0;
        crowded += count >= many ? time : 0;
    }
    return {"ran.spread", "For {alone} of {window}, at most one runs; for {crowded}, {many} or more.",
        {{"alone", Duration{alone}}, {"window", Duration{window.duration()}}, {"crowded", Duration{crowded}},
            {"many", Ordinal{many}}}};
}

/// "OpenMP: 40 parallel regions take 30.59 ms (71.3%); in them threads wait at barriers for 106.4 ms, on 8
/// threads together." Empty: none was recorded.
Message openmpText(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const auto ofOpenmp = [&](const Track& track) { return trace.text(track.family) == openmpFamily; };
    const NamedTimes names = timesOf(trace, EventKind::Library, window, stop, ofOpenmp, withoutVersion);
    const auto regions = names.find("Parallel Region");
    if (regions == names.end())
        return {};
    NamedTimes waits;
    for (const auto& [name, named] : names) {
        if (name.find("Barrier") != std::string::npos)
            waits.insert({name, named});
    }
    std::vector<Message> longest = longestOf(waits, window);
    const Name isWaiting{longest.empty() ? "no" : "yes"};
    return {"ran.openmp",
        "OpenMP: {regions, plural, one {# parallel region takes} other {# parallel regions take}} {time} ({share} of the time){waits, select, yes {; threads wait at barriers: {longest}} other {}}.",
        {{"regions", Count{regions->second.count}}, {"time", Duration{regions->second.time}},
            {"share", Share{shareOf(regions->second.time, window.duration())}}, {"waits", isWaiting},
            {"longest", std::move(longest)}}};
}

/// The title in front of the list of ranges of `domain`.
Message domainTitle(const Trace& trace, std::string_view domain)
{
    if (domain == frameDomain)
        return {"ran.frames", "Longest frames"};
    const Recorder recorder = recorderOf(trace.info);
    return {"ran.domain",
        "{recorder, select, nsys {NVTX ranges of the domain {domain}} torch {{domain, select, PyTorch {PyTorch's operators} Python {Python's functions} "
        "NCCL {Collectives} GPU annotations {The program's annotated ranges on the GPU} other {Annotated ranges of {domain}}}} other {Ranges of the domain {domain}}}",
        {{"recorder",
             Name{recorder == Recorder::NsightSystems        ? "nsys"
                     : recorder == Recorder::PyTorchProfiler ? "torch"
                                                             : "other"}},
            {"domain", Name{toUtf8(domain)}}}};
}

} // namespace

std::vector<Message> whatRanInstead(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    std::vector<Message> sentences;
    const auto add = [&](Message begin, std::vector<Message> names) {
        if (!names.empty())
            sentences.push_back(Message("ran.longest", "{what}: {names}.",
                {{"what", std::move(begin)}, {"names", std::move(names)}}));
    };
    if (Message threads = threadsText(trace, window, stop); !threads.empty())
        sentences.push_back(std::move(threads) + spreadText(trace, window, stop));
    const Message openmp = openmpText(trace, window, stop);
    if (!openmp.empty())
        sentences.push_back(openmp);
    const auto nvtx = [&](auto counts) {
        return longestOf(timesOf(trace, EventKind::Nvtx, window, stop, counts, withoutVersion), window);
    };
    add({"ran.ranges", "Longest {ranges}", {{"ranges", rangesTextOf(trace)}}},
        nvtx([&](const Track& track) { return trace.text(track.family).empty(); }));
    std::set<std::string_view> domains;
    for (const Track& track : trace.nvtx().tracks)
        domains.insert(trace.text(track.family));
    domains.erase("");
    for (const std::string_view domain : domains)
        add(domainTitle(trace, domain),
            nvtx([&](const Track& track) { return trace.text(track.family) == domain; }));
    const auto all = [](const Track&) { return true; };
    add({"ran.api_calls", "Longest {api} calls", {{"api", Name{std::string(gpuApiName(trace))}}}},
        longestOf(timesOf(trace, EventKind::ApiCall, window, stop, all, withoutVersion), window));
    const auto notOpenmp
        = [&](const Track& track) { return openmp.empty() || trace.text(track.family) != openmpFamily; };
    add({"ran.library_calls", "Longest library calls"},
        longestOf(timesOf(trace, EventKind::Library, window, stop, notOpenmp, withoutVersion), window));
    const auto ofFiles = [](std::string_view name) { return isOfFiles(name) ? toUtf8(name) : std::string(); };
    const auto ofOthers
        = [](std::string_view name) { return isOfFiles(name) ? std::string() : toUtf8(name); };
    add({"ran.files", "Reading and writing files"},
        longestOf(timesOf(trace, EventKind::OsRuntime, window, stop, all, ofFiles), window));
    add({"ran.system_calls", "Other system calls"},
        longestOf(timesOf(trace, EventKind::OsRuntime, window, stop, all, ofOthers), window, wordsForOsCall));
    if (Message sampled = sampledOnAllThreads(trace, window, stop); !sampled.empty())
        sentences.push_back(std::move(sampled));
    return sentences;
}

} // namespace warpline
