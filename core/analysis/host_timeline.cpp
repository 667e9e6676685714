#include "core/analysis/host_timeline.h"

#include "core/analysis/first_launches.h"
#include "core/analysis/scope.h"
#include "core/analysis/time_by_name.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/derive/tracks_of.h"
#include "core/replay/data_loading.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/recorder.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t firstCause = indexOf(HostTimeline::first);
constexpr std::size_t coveredCauses = indexOf(HostTimeline::last) - firstCause + 1;

IdleCause causeOf(CallKind kind)
{
    switch (kind) {
    case CallKind::Launch:
        return IdleCause::Launch;
    case CallKind::Copy:
    case CallKind::Set:
        return IdleCause::CopyCall;
    case CallKind::DeviceSync:
    case CallKind::StreamSync:
    case CallKind::EventSync:
        return IdleCause::HostWait;
    case CallKind::Allocate:
    case CallKind::Release:
    case CallKind::PinHost:
        return IdleCause::Allocation;
    case CallKind::LoadModule:
    case CallKind::MakeContext:
        return IdleCause::CodeLoading;
    case CallKind::CreateStream:
    case CallKind::Handle:
    case CallKind::Other:
        break;
    }
    return IdleCause::OtherCall;
}

/// True for calls that start or end ranks: they do not wait for results.
bool startsRanks(std::string_view name)
{
    constexpr std::string_view prefix = "MPI_";
    constexpr std::array<std::string_view, 9> names{"Init", "Init_thread", "Finalize", "Session_init",
        "Session_finalize", "nvshmem_init", "nvshmemx_init_attr", "nvshmem_finalize",
        "nvshmemx_hostlib_init_attr"};
    if (name.starts_with(prefix))
        name.remove_prefix(prefix.size());
    return std::ranges::find(names, name) != names.end();
}

/// Collects the time of each cause and mark on one thread; overlaps are resolved later.
struct Collector {
    const Trace& trace;
    GlobalId thread;
    TimeRange window;
    const std::stop_token& stop;
    std::array<PackedUnion, coveredCauses> causes;
    std::array<PackedUnion, HostTimeline::marks> marked;
    std::size_t mostCalls = 0; ///< of one cause, as a rule; 0: none are added now

    void add(IdleCause cause, TimeRange range)
    {
        if (cause == IdleCause::OwnCode)
            return;
        PackedUnion& time = causes[indexOf(cause) - firstCause];
        if (time.empty())
            time.reserve(mostCalls);
        time.add(range.clippedTo(window));
    }
    void mark(HostTimeline::Mark as, TimeRange range)
    {
        marked[static_cast<std::size_t>(as)].add(range.clippedTo(window));
    }

    /// Hands the events of `kind` of the thread in the window to visit(event).
    template <typename Visit> void visitEvents(EventKind kind, Visit&& visit)
    {
        const EventTable& table = trace.table(kind);
        for (const Track& track : TracksOf(trace, kind, thread)) {
            if (track.device >= 0)
                continue;
            for (const EventIndex i : eventsIn(table, track, window, stop))
                visit(i);
        }
    }

    void addCommunicationCalls()
    {
        for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
            const EventTable& calls = trace.table(kind);
            forEachCommunication(trace, thread, kind, [&](const Track& track) {
                for (const EventIndex i : eventsIn(calls, track, window, stop)) {
                    add(IdleCause::OtherRanks, calls.range(i));
                    if (startsRanks(trace.text(calls.name[i])))
                        mark(HostTimeline::Mark::RankStart, calls.range(i));
                }
            });
        }
    }

    void addDataLoading()
    {
        const NvtxTable& nvtx = trace.nvtx();
        OncePerName loads([&](StringId name) { return isDataLoading(trace.text(name)); });
        visitEvents(EventKind::Nvtx, [&](EventIndex i) {
            if (loads(nvtx.name[i]))
                add(IdleCause::DataLoading, nvtx.range(i));
        });
    }

    /// Ranges of the program, or of XLA, that say they compile.
    void addCompiling()
    {
        const NvtxTable& nvtx = trace.nvtx();
        OncePerName compiles([&](StringId name) { return isCompiling(trace.text(name)); });
        for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
            if (track.device >= 0 || isLibraryDomain(trace.text(track.family)))
                continue;
            for (const EventIndex i : eventsIn(nvtx, track, window, stop)) {
                if (!compiles(nvtx.name[i]))
                    continue;
                add(IdleCause::CodeLoading, nvtx.range(i));
                mark(HostTimeline::Mark::Compiling, nvtx.range(i));
            }
        }
    }

    /// API calls, except those inside a call of an earlier cause or of their own kind: runtime calls contain
    /// as many driver calls, which change nothing.
    void addCalls(const CallKinds& kinds)
    {
        const std::vector<EventIndex> loading = firstLaunches(trace, kinds, stop);
        const EventTable& calls = trace.apiCalls();
        const auto causeOfCall = [&](EventIndex i) {
            const bool loadsCode = calls.duration[i] >= slowLaunch && std::ranges::binary_search(loading, i);
            return loadsCode ? IdleCause::CodeLoading : causeOf(kinds[i]);
        };
        for (const Track& track : TracksOf(trace, EventKind::ApiCall, thread)) {
            if (track.device >= 0)
                continue;
            mostCalls = track.eventCount / 2; // a launch mostly comes with another call
            EventIndex outer = 0;
            EventIndex behind = 0; // the outer calls left are [outer, behind), of the lane above
            for (const Lane& lane : calls.lanesOf(track)) {
                const auto [begin, end] = calls.touching(lane, window);
                for (const EventIndex i : stoppable(begin, end, stop)) {
                    while (outer < behind && calls.end(outer) < calls.end(i))
                        ++outer;
                    const IdleCause cause = causeOfCall(i);
                    const bool inside = outer < behind && calls.start[outer] <= calls.start[i];
                    if (!inside || causeOfCall(outer) > cause)
                        add(cause, calls.range(i));
                    if (kinds[i] == CallKind::LoadModule)
                        mark(HostTimeline::Mark::Modules, calls.range(i));
                }
                outer = begin;
                behind = end;
            }
        }
        mostCalls = 0;
    }

    void addStates()
    {
        const EventTable& system = trace.table(EventKind::OsRuntime);
        visitEvents(EventKind::OsRuntime, [&](EventIndex i) { add(IdleCause::OsCall, system.range(i)); });
        for (const TimeRange range : hostPageWaits(trace, processOf(thread), window, stop))
            add(IdleCause::HostPages, range);
        const EventTable& states = trace.table(EventKind::ThreadState);
        visitEvents(EventKind::ThreadState, [&](EventIndex i) {
            if (trace.text(states.name[i]) != "Running")
                add(IdleCause::OffCpu, states.range(i));
        });
    }

    void markRecorder()
    {
        const EventTable& overhead = trace.table(EventKind::Overhead);
        visitEvents(EventKind::Overhead, [&](EventIndex i) {
            mark(isProfilersOwn(trace.text(overhead.name[i])) ? HostTimeline::Mark::Profiler
                                                              : HostTimeline::Mark::LoadsSeen,
                overhead.range(i));
        });
    }

    void markCompilers()
    {
        OncePerName starts([&](StringId name) { return startsCompiler(trace.text(name)); });
        for (const EventKind kind : {EventKind::Overhead, EventKind::ApiCall, EventKind::OsRuntime}) {
            const EventTable& table = trace.table(kind);
            visitEvents(kind, [&](EventIndex i) {
                if (starts(table.name[i]))
                    mark(HostTimeline::Mark::Compilers, table.range(i));
            });
        }
    }
};

/// Takes the time of `before` off `covered`. Two long lists mostly share none: then nothing is copied.
void subtract(PackedIntervals& covered, const PackedIntervals& before)
{
    const bool areLong = before.size() > covered.size() / 16 && covered.size() > before.size() / 16;
    if (!areLong || commonTime(covered, before) > 0)
        covered = packedDifference(covered, before);
}

/// The end of the last time in any of `lists` that begins before `time`, cut there.
Ns lastEnd(const std::vector<const PackedIntervals*>& lists, Ns time)
{
    Ns last = std::numeric_limits<Ns>::min();
    for (const PackedIntervals* const list : lists) {
        const auto next = std::ranges::lower_bound(*list, time, {}, &TimeRange::start);
        if (next != list->begin())
            last = std::max(last, std::min((*std::prev(next)).end, time));
    }
    return last;
}

/// The same of the time in `lists` outside of `holes`.
Ns lastEndOutside(const PackedIntervals& holes, const std::vector<const PackedIntervals*>& lists, Ns time)
{
    for (Ns last = lastEnd(lists, time);; last = lastEnd(lists, time)) {
        const auto hole = std::ranges::lower_bound(holes, last, {}, &TimeRange::end);
        if (hole == holes.end() || hole->start >= last)
            return last;
        time = hole->start;
    }
}

/// When the last NVTX range of the program on `thread` began or ended before `time`.
Ns lastBoundary(const Trace& trace, GlobalId thread, Ns time)
{
    const NvtxTable& nvtx = trace.nvtx();
    Ns last = std::numeric_limits<Ns>::min();
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
        if (isLibraryDomain(trace.text(track.family)))
            continue;
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const EventIndex behind = nvtx.firstStartingAt(lane, time);
            if (behind == lane.first)
                continue;
            const EventIndex range = behind - 1;
            last = std::max(last, nvtx.end(range) <= time ? nvtx.end(range) : nvtx.start[range]);
        }
    }
    return last;
}

} // namespace

PackedIntervals HostTimeline::ownCodeBeforeLoads(
    const Trace& trace, GlobalId thread, const std::stop_token& stop) const
{
    std::vector<const PackedIntervals*> ends{&of(Mark::Profiler)}; // what comes before them is something else
    for (std::size_t i = 0; i < m_covered.size(); ++i) {
        const auto cause = static_cast<IdleCause>(i + firstCause);
        if (cause != IdleCause::CodeLoading && cause != IdleCause::OtherCall && cause != IdleCause::OsCall
            && cause != IdleCause::OffCpu)
            ends.push_back(&m_covered[i]);
    }
    const std::vector<const PackedIntervals*> loading{&of(IdleCause::CodeLoading), &of(Mark::LoadsSeen)};
    const PackedIntervals& compilers = of(Mark::Compilers);
    PackedIntervals::Builder compiling;
    Ns done = lifeOfGpus(trace).start; // before that the program starts: more than compiling
    for (const TimeRange load : stoppableItems(of(Mark::Modules), stop)) {
        const Ns least = std::max({done, lastBoundary(trace, thread, load.start), lastEnd(ends, load.start)});
        Ns since = std::max(least, lastEndOutside(compilers, loading, load.start));
        if (since < load.start && compilers.timeIn({since, load.start}) > 0)
            since = least;
        done = std::max(done, load.end);
        if (since >= load.start)
            continue;
        const TimeRange before{since, load.start};
        Intervals own = within(IdleCause::OwnCode, before);
        const Intervals system = within(IdleCause::OsCall, before);
        own.insert(own.end(), system.begin(), system.end());
        for (const TimeRange& range : unionOf(std::move(own), before))
            compiling.add(range);
    }
    return compiling.done();
}

HostTimeline::HostTimeline(const Trace& trace, const CallKinds& kinds, GlobalId thread, TimeRange window,
    const std::stop_token& stop)
{
    Collector found{trace, thread, window, stop, {}, {}};
    found.addCommunicationCalls();
    found.addDataLoading();
    found.addCompiling();
    found.addCalls(kinds);
    found.addStates();
    found.markRecorder();
    found.markCompilers();
    for (std::size_t i = 0; i < marks; ++i)
        m_marks[i] = found.marked[i].done(window, stop);
    for (std::size_t i = 0; i < m_covered.size(); ++i) {
        m_covered[i] = found.causes[i].done(window, stop);
        for (std::size_t before = 0; before < i; ++before)
            subtract(m_covered[i], m_covered[before]);
    }
    if (of(Mark::Modules).empty())
        return;
    const PackedIntervals compiling = ownCodeBeforeLoads(trace, thread, stop);
    PackedIntervals& all = m_marks[static_cast<std::size_t>(Mark::Compiling)];
    PackedIntervals& code = m_covered[indexOf(IdleCause::CodeLoading) - firstCause];
    PackedIntervals& system = m_covered[indexOf(IdleCause::OsCall) - firstCause];
    all = united(all, compiling);
    code = united(code, compiling);
    system = packedDifference(system, compiling);
}

CauseTimes HostTimeline::split(TimeRange range) const
{
    CauseTimes parts{};
    Ns known = 0;
    for (std::size_t i = 0; i < m_covered.size(); ++i) {
        parts[firstCause + i] = m_covered[i].timeIn(range);
        known += parts[firstCause + i];
    }
    parts[indexOf(IdleCause::OwnCode)] = std::max<Ns>(0, range.duration() - known);
    return parts;
}

Intervals HostTimeline::within(IdleCause cause, TimeRange range) const
{
    if (cause >= first && cause <= last)
        return clipped(of(cause), range);
    if (cause != IdleCause::OwnCode)
        return {};
    Intervals known;
    for (const PackedIntervals& covered : m_covered) {
        const Intervals some = clipped(covered, range);
        known.insert(known.end(), some.begin(), some.end());
    }
    return gaps(unionOf(std::move(known), range), range);
}

} // namespace warpline
