#include "core/query/graph_origins.h"

#include "core/derive/capture_traces.h"
#include "core/derive/kept_answers.h"
#include "core/query/graph_captures.h"
#include "core/steps/step_names.h"
#include "core/steps/steps.h"
#include "core/store/payload_fields.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <map>

namespace warpline {

namespace {

bool holds(std::string_view name, std::string_view part)
{
    return name.find(part) != std::string_view::npos;
}

/// Identity of a node or a piece of work: pairs have equal ones. Names are compared as texts, because traces
/// do not share their pools.
using What = std::size_t;
constexpr What someKernel = 0;
constexpr What someCopy = 1;
constexpr What someSet = 2;

What whatOfKernel(std::string_view name)
{
    return std::max<What>(std::hash<std::string_view>{}(name), someSet + 1);
}

/// A node is named after its kernel, or after the call that made it.
What whatOfNode(std::string_view name)
{
    const bool isCall = name.starts_with("cu") || name.starts_with("hip");
    if (isCall && holds(name, "Memcpy"))
        return someCopy;
    if (isCall && holds(name, "Memset"))
        return someSet;
    return isCall && holds(name, "Launch") ? someKernel : whatOfKernel(name);
}

/// Items by identity, each list in order.
template <typename Item> using ByWhat = std::map<What, std::vector<Item>>;

/// The work that one stream recorded between begin and end of a capture.
struct Capture {
    std::size_t source = 0; ///< 0: the trace itself
    std::int64_t size = -1; ///< requests or tokens that it was made for; -1: unknown
    std::size_t nodes = 0;
    ByWhat<EventIndex> byWhat;
    std::vector<std::pair<What, EventIndex>> inOrder;
};

/// "32" of "capture_32_FULL": the first number in the name.
std::int64_t firstNumberIn(std::string_view name)
{
    std::int64_t number = -1;
    for (const char c : name) {
        if (c < '0' || c > '9') {
            if (number >= 0)
                break;
            continue;
        }
        number = std::max<std::int64_t>(number, 0) * 10 + (c - '0');
        if (number > 1'000'000'000)
            return -1;
    }
    return number;
}

/// Whether events of `track` are the program's annotations, rather than operators and functions.
bool isAnnotated(const Trace& trace, const Track& track)
{
    return trace.text(track.source) == "user_annotation";
}

/// The annotated ranges that hold `time`, outermost first.
std::vector<std::string_view> annotationsAt(const Trace& trace, GlobalId thread, Ns time)
{
    std::vector<std::string_view> names;
    const NvtxTable& nvtx = trace.nvtx();
    for (const EventIndex range : rangesOfThreadAt(trace, thread, time)) {
        if (isAnnotated(trace, nvtx.trackOf(range)))
            names.push_back(trace.text(nvtx.name[range]));
    }
    return names;
}

/// For how many requests, or tokens, the graph of a capture at `time` is.
std::int64_t sizeOfCapture(const Trace& trace, GlobalId thread, Ns time)
{
    for (const std::string_view name : annotationsAt(trace, thread, time)) {
        if (stepRankOf(name) == StepRank::OneTime)
            return firstNumberIn(name);
    }
    return -1;
}

/// How many requests, or tokens, the step around a replay has.
std::int64_t sizeOfReplay(const Trace& trace, GlobalId thread, Ns time)
{
    for (const std::string_view name : annotationsAt(trace, thread, time)) {
        const StepWork work = stepWorkOf(name);
        if (work.requests < 0)
            continue;
        return work.kind == StepKind::Decode ? work.requests : std::max(work.requests, firstNumberIn(name));
    }
    return -1;
}

/// When `thread` began to capture, in order.
std::vector<Ns> beginningsOn(const Trace& trace, GlobalId thread)
{
    const EventTable& calls = trace.apiCalls();
    std::vector<Ns> begun;
    for (const Track& track : calls.tracks) {
        if (track.owner != thread)
            continue;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (holds(trace.text(calls.name[i]), "StreamBeginCapture"))
                begun.push_back(calls.start[i]);
        }
    }
    std::ranges::sort(begun);
    return begun;
}

void addCaptures(const Trace& trace, std::size_t source, std::vector<Capture>& captures)
{
    const GraphEventTable& events = trace.graphEvents();
    for (const Track& track : events.tracks) {
        std::vector<EventIndex> nodes;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (events.nodeOf(i).node == 0)
                nodes.push_back(i);
        }
        std::ranges::sort(nodes, {}, [&](EventIndex i) { return std::pair(events.start[i], i); });
        const std::vector<Ns> begun = beginningsOn(trace, track.owner);
        auto last = begun.begin();
        for (const EventIndex node : nodes) {
            const auto next = std::upper_bound(last, begun.end(), events.start[node]);
            if (next == begun.begin())
                continue; // made by hand, not captured
            if (next != last)
                captures.push_back({source, sizeOfCapture(trace, track.owner, *std::prev(next)), 0, {}, {}});
            last = next;
            const What what = whatOfNode(trace.text(events.name[node]));
            captures.back().byWhat[what].push_back(node);
            captures.back().inOrder.emplace_back(what, node);
            ++captures.back().nodes;
        }
    }
}

/// A launch of a graph, with its work.
struct Replay {
    EventIndex call = noIndex;
    std::size_t works = 0;
    ByWhat<EventRef> byWhat;
};

What whatOfWork(const Trace& trace, EventRef work)
{
    return work.kind == EventKind::Kernel ? whatOfKernel(trace.name(work))
        : work.kind == EventKind::Memcpy  ? someCopy
                                          : someSet;
}

Replay replayOf(const Trace& trace, EventIndex call)
{
    Replay replay;
    replay.call = call;
    trace.visitWork(call, [&](EventRef work) {
        if (work.kind != EventKind::Kernel && work.kind != EventKind::Memcpy
            && work.kind != EventKind::Memset)
            return;
        replay.byWhat[whatOfWork(trace, work)].push_back(work);
        ++replay.works;
    });
    for (auto& [what, works] : replay.byWhat)
        std::ranges::sort(works, {}, [&](EventRef work) { return std::pair(trace.range(work).start, work); });
    return replay;
}

/// The profiler may lose one of so many pieces of a replay's work, mostly at its end.
constexpr std::size_t fewIn = 100;

/// Whether `capture` has as many nodes of each kind as `replay`; kernels whose names the capture lacks match
/// any.
bool fits(const Capture& capture, const Replay& replay)
{
    if (capture.nodes != replay.works)
        return false;
    const auto unnamed = capture.byWhat.find(someKernel);
    std::size_t free = unnamed != capture.byWhat.end() ? unnamed->second.size() : 0;
    std::size_t named = 0;
    for (const auto& [what, nodes] : capture.byWhat) {
        if (what == someKernel)
            continue;
        const auto works = replay.byWhat.find(what);
        if (works == replay.byWhat.end() || works->second.size() < nodes.size())
            return false;
        if (works->second.size() > nodes.size() && (what == someCopy || what == someSet))
            return false;
        named += nodes.size();
    }
    return named + free == replay.works;
}

/// A capture's node and the work that ran as it.
using Pairs = std::vector<std::pair<EventIndex, EventRef>>;

/// The pairs with a capture of slightly more nodes than `replay`, see fewIn, when the rest ran in the
/// capture's order. Empty: it did not.
Pairs pairsInOrder(const Trace& trace, const Capture& capture, const Replay& replay)
{
    const std::size_t lost = capture.nodes - std::min(capture.nodes, replay.works);
    if (lost == 0 || lost > capture.nodes / fewIn)
        return {};
    std::vector<EventRef> works;
    for (const auto& [what, each] : replay.byWhat)
        works.insert(works.end(), each.begin(), each.end());
    std::ranges::sort(works, {}, [&](EventRef work) { return std::pair(trace.range(work).start, work); });
    Pairs pairs;
    for (const auto& [what, node] : capture.inOrder) {
        if (pairs.size() < works.size() && what == whatOfWork(trace, works[pairs.size()]))
            pairs.emplace_back(node, works[pairs.size()]);
    }
    return pairs.size() == works.size() ? pairs : Pairs();
}

/// The pairs of a capture that fits(): by identity, in order.
Pairs pairsByWhat(const Trace& trace, const Capture& capture, const Replay& replay)
{
    Pairs pairs;
    std::vector<EventRef> unnamed;
    for (const auto& [what, works] : replay.byWhat) {
        const auto nodes = capture.byWhat.find(what);
        const std::size_t known = nodes == capture.byWhat.end() ? 0 : nodes->second.size();
        for (std::size_t i = 0; i < std::min(known, works.size()); ++i)
            pairs.emplace_back(nodes->second[i], works[i]);
        unnamed.insert(unnamed.end(), works.begin() + static_cast<std::ptrdiff_t>(known), works.end());
    }
    std::ranges::sort(unnamed, {}, [&](EventRef work) { return std::pair(trace.range(work).start, work); });
    for (std::size_t i = 0; i < unnamed.size(); ++i)
        pairs.emplace_back(capture.byWhat.at(someKernel)[i], unnamed[i]);
    return pairs;
}

/// Captures by number of nodes, and those by work and size, each list ascending. Replays fit all captures of
/// equal work, or none.
using CaptureGroups
    = std::map<std::size_t, std::map<std::pair<std::vector<What>, std::int64_t>, std::vector<std::size_t>>>;

CaptureGroups captureGroupsOf(const std::vector<Capture>& captures)
{
    CaptureGroups groups;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        std::vector<What> work;
        for (const auto& [what, node] : captures[i].inOrder)
            work.push_back(what);
        groups[captures[i].nodes][{std::move(work), captures[i].size}].push_back(i);
    }
    return groups;
}

/// Chooses the captures of a thread's replays, in the order of the replays.
class CaptureChoice {
public:
    CaptureChoice(const std::vector<Capture>& captures, const CaptureGroups& groups)
        : m_captures(captures),
          m_groups(groups)
    {
    }

    /// The best of the captures with `least` to `most` nodes that `fit` for a step of `size` requests;
    /// nullptr: none does.
    template <typename Fit>
    const Capture* next(std::size_t least, std::size_t most, std::int64_t size, Fit fit)
    {
        m_best = nullptr;
        for (auto at = m_groups.lower_bound(least); at != m_groups.end() && at->first <= most; ++at) {
            for (const auto& [work, members] : at->second) {
                if (fit(m_captures[members.front()]))
                    offer(work.second, members, size);
            }
        }
        if (m_best != nullptr)
            m_after = static_cast<std::size_t>(m_best - m_captures.data()) + 1;
        return m_best;
    }

private:
    /// Takes the next of `members`, made for `made` requests, where it is better than the best so far.
    void offer(std::int64_t made, const std::vector<std::size_t>& members, std::int64_t size)
    {
        // Captures that are too small come after those that are large enough or of unknown size.
        const std::int64_t rank = size < 0 || made < 0 ? 0 : made >= size ? made : 2'000'000'000 - made;
        const auto after = std::ranges::lower_bound(members, m_after);
        const std::size_t place = after != members.end() ? *after : members.front();
        const std::pair ranked(rank, (place + m_captures.size() - m_after) % m_captures.size());
        if (m_best == nullptr || ranked < m_bestRank) {
            m_best = &m_captures[place];
            m_bestRank = ranked;
        }
    }

    const std::vector<Capture>& m_captures;
    const CaptureGroups& m_groups;
    std::size_t m_after = 0; ///< behind the one that was replayed last
    const Capture* m_best = nullptr;
    std::pair<std::int64_t, std::size_t> m_bestRank;
};

KeptAnswers<Links, GraphOrigins> keptOrigins;

} // namespace

GraphOrigins::GraphOrigins(const Trace& trace, std::vector<std::shared_ptr<const Trace>> traces)
    : m_captures(std::move(traces))
{
    std::vector<Capture> captures;
    addCaptures(trace, 0, captures);
    for (std::size_t i = 0; i < m_captures.size(); ++i)
        addCaptures(*m_captures[i], i + 1, captures);
    if (captures.empty() || !trace.links)
        return;
    const EventTable& calls = trace.apiCalls();
    std::map<GlobalId, std::vector<EventIndex>> launches;
    for (const Track& track : calls.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (trace.links->firstWork[i] != noIndex && holds(trace.text(calls.name[i]), "GraphLaunch"))
                launches[track.owner].push_back(i);
        }
    }
    const CaptureGroups groups = captureGroupsOf(captures);
    for (auto& [thread, ofThread] : launches) {
        std::ranges::sort(ofThread, {}, [&](EventIndex i) { return calls.start[i]; });
        CaptureChoice choice(captures, groups);
        for (const EventIndex call : ofThread) {
            const Replay replay = replayOf(trace, call);
            const std::int64_t size = sizeOfReplay(trace, thread, calls.start[call]);
            const std::size_t works = replay.works;
            const Capture* capture
                = choice.next(works, works, size, [&](const Capture& each) { return fits(each, replay); });
            Pairs pairs;
            if (capture != nullptr) {
                pairs = pairsByWhat(trace, *capture, replay);
            } else {
                const std::size_t most = works + works / (fewIn - 1); // of which it lost at most one in fewIn
                capture = choice.next(works + 1, most, size,
                    [&](const Capture& each) { return !pairsInOrder(trace, each, replay).empty(); });
                if (capture == nullptr)
                    continue;
                pairs = pairsInOrder(trace, *capture, replay);
            }
            m_paired += pairs.size();
            for (const auto& [node, work] : pairs) {
                auto& origins = m_origin[indexOf(work.kind)];
                origins.resize(trace.table(work.kind).size());
                origins[work.index] = (std::uint64_t{capture->source} + 1) << 32U | node;
            }
        }
    }
}

CapturedAt GraphOrigins::of(const Trace& trace, EventRef work) const
{
    if (!runsOnDevice(work.kind) || work.index >= m_origin[indexOf(work.kind)].size())
        return {};
    const std::uint64_t origin = m_origin[indexOf(work.kind)][work.index];
    const std::size_t source = origin >> 32U;
    if (source == 0)
        return {};
    return {source == 1 ? &trace : m_captures[source - 2].get(), static_cast<EventIndex>(origin)};
}

bool mayHaveGraphOrigins(const Trace& trace)
{
    return trace.links && (!trace.graphEvents().empty() || !captureTracesOf(trace).empty());
}

std::shared_ptr<const GraphOrigins> graphOriginsOf(const Trace& trace)
{
    static const auto none
        = std::make_shared<const GraphOrigins>(Trace(), std::vector<std::shared_ptr<const Trace>>());
    if (!mayHaveGraphOrigins(trace))
        return none;
    return keptOrigins.of(trace.links, [&] { return GraphOrigins(trace, captureTracesOf(trace)); });
}

std::shared_ptr<const GraphOrigins> knownGraphOrigins(const Trace& trace)
{
    return trace.links ? keptOrigins.known(trace.links) : nullptr;
}

std::vector<EventIndex> rangesAroundNode(const CapturedAt& captured)
{
    if (!captured.known())
        return {};
    const EventTable& events = captured.trace->graphEvents();
    return rangesOfThreadAt(
        *captured.trace, events.trackOf(captured.node).owner, events.start[captured.node]);
}

std::string capturedShapes(const CapturedAt& captured)
{
    const auto around = rangesAroundNode(captured);
    for (auto range = around.rbegin(); range != around.rend(); ++range) {
        const NvtxTable& nvtx = captured.trace->nvtx();
        const std::string_view payload = captured.trace->text(nvtx.attributesOf(*range).payload);
        if (const auto shapes = findPayloadField(payload, "Input Dims"))
            return shapes->value;
    }
    return {};
}

std::string classOfModule(std::string_view module)
{
    const std::size_t end = module.find_last_not_of("0123456789");
    const bool numbered = end != std::string_view::npos && end + 1 < module.size() && module[end] == '_';
    return std::string(module.substr(0, numbered ? end : module.size()));
}

namespace {

/// rangesAroundNode() without functions of Python that are no modules.
std::vector<EventIndex> toldRanges(const CapturedAt& captured)
{
    std::vector<EventIndex> ranges = rangesAroundNode(captured);
    std::erase_if(ranges, [&](EventIndex range) {
        const NvtxTable& nvtx = captured.trace->nvtx();
        return captured.trace->text(nvtx.trackOf(range).family) == "Python"
            && !captured.trace->text(nvtx.name[range]).starts_with(modulePrefix);
    });
    return ranges;
}

} // namespace

std::string capturedPath(const CapturedAt& captured)
{
    return captured.known() ? rangePath(*captured.trace, toldRanges(captured)) : std::string();
}

std::string capturedPlace(const CapturedAt& captured)
{
    std::string path;
    for (const EventIndex range : toldRanges(captured)) {
        const std::string_view name = captured.trace->text(captured.trace->nvtx().name[range]);
        const bool annotated = isAnnotated(*captured.trace, captured.trace->nvtx().trackOf(range));
        path += path.empty() ? "" : " / ";
        path += name.starts_with(modulePrefix) ? classOfModule(name.substr(modulePrefix.size()))
            : annotated                        ? withoutNumbers(name)
                                               : std::string(name);
    }
    return path;
}

} // namespace warpline
