// Streams without concurrency: all work in one own stream although it comes in rounds of copies and kernels;
// work in several streams that never overlaps; and streams that stay empty.

#include "core/analysis/idle_gaps.h"
#include "core/base/stop.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/link_rate.h"
#include "core/replay/work_edges.h"
#include "core/store/event_loops.h"
#include "core/store/track_cursor.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace warpline::streams_serialized {

namespace {

constexpr std::string_view id = "streams_serialized";
constexpr Threshold minRounds{"min_rounds", "Minimum number of rounds or switches", "", 3};
constexpr Threshold minCopyShare{
    "min_copy_share", "Minimum share of copies in the busy time of a single stream", "%", 10};
constexpr Threshold maxOverlap{"max_overlap", "Maximum overlap that counts as none", "%", 5};
constexpr Threshold minStreamShare{
    "min_stream_share", "Minimum share of the work in a second stream", "%", 10};
constexpr std::array thresholds{minRounds, minCopyShare, maxOverlap, minStreamShare};
constexpr std::array<std::string_view, 1> absorbed{"copies_not_overlapped"};
constexpr double nearlyAll = 0.9; ///< of the work: then it is the only stream that counts
constexpr std::uint64_t minSwitches = 20; ///< between streams, for them to take turns
constexpr std::size_t maxOwnStreams = 8; ///< frameworks make streams by the dozen and use few

using StreamKey = std::pair<std::int32_t, std::int32_t>; ///< context, stream

struct StreamWork {
    Ns busy = 0; ///< the time in which it is
    TimeRange last; ///< the current busy stretch
    CopyDirections copying; ///< time of copies over the link
    Ns computing = 0;
    std::vector<EventRef> rounds; ///< copies to the device that kernels follow
    bool isDefault = false;
};

using Streams = std::map<StreamKey, StreamWork>;

/// The streams of the tracks of each kind: neighbours in time are of many streams.
class StreamsOfTracks {
public:
    StreamsOfTracks(const Trace& trace, Streams& streams)
        : m_trace(trace),
          m_streams(streams)
    {
        for (std::size_t kind = 0; kind < deviceKindCount; ++kind) {
            const EventTable& table = trace.table(static_cast<EventKind>(kind));
            m_tracks.emplace_back(table);
            m_known.emplace_back(table.tracks.size(), nullptr);
        }
    }

    Streams::value_type& of(EventRef event)
    {
        const std::size_t kind = indexOf(event.kind);
        const std::uint32_t track = m_tracks[kind].indexOf(event.index);
        Streams::value_type*& known = m_known[kind][track]; // addresses in the map are stable
        if (!known) {
            const Track& key = m_trace.table(event.kind).tracks[track];
            known = &*m_streams.try_emplace({key.context, key.stream}).first;
        }
        return *known;
    }

private:
    const Trace& m_trace;
    Streams& m_streams;
    std::vector<TrackCursor> m_tracks; ///< by kind
    std::vector<std::vector<Streams::value_type*>> m_known; ///< by kind and track
};

/// Page migrations of unified memory have no stream.
bool hasStream(const Trace& trace, EventRef event)
{
    return event.kind != EventKind::Memcpy || !isMigration(trace.memcpys().copy(event.index).kind);
}

/// The work of each stream of `gpu`, in one pass in order of time.
Streams measure(const RuleContext& context, const GpuFacts& gpu, std::uint64_t& switches)
{
    const Trace& trace = context.trace;
    Streams streams;
    std::map<StreamKey, EventRef> pending; // a copy to the device with no kernel yet
    StreamsOfTracks ofTracks(trace, streams);
    const StreamWork* previous = nullptr;
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        if (!hasStream(trace, event))
            continue;
        const TimeRange range = trace.range(event).clippedTo(context.window);
        auto& [key, stream] = ofTracks.of(event);
        if (!stream.last.empty() && range.start <= stream.last.end) {
            stream.busy += std::max<Ns>(0, range.end - stream.last.end);
            stream.last.end = std::max(stream.last.end, range.end);
        } else if (!range.empty()) {
            stream.busy += range.duration();
            stream.last = range;
        }
        switches += previous && previous != &stream ? 1 : 0;
        previous = &stream;
        if (event.kind == EventKind::Kernel || event.kind == EventKind::GraphTrace) {
            stream.computing += range.duration();
            if (pending.empty())
                continue;
            if (const auto waiting = pending.find(key); waiting != pending.end()) {
                stream.rounds.push_back(waiting->second);
                pending.erase(waiting);
            }
        } else if (event.kind == EventKind::Memcpy) {
            const CopyAttributes& copy = trace.memcpys().copy(event.index);
            const bool pinned
                = copy.source != MemoryKind::Pageable && copy.destination != MemoryKind::Pageable;
            if (pinned && (copy.kind == CopyKind::HtoD || copy.kind == CopyKind::DtoH))
                stream.copying.add(copy.kind, range.duration());
            if (pinned && copy.kind == CopyKind::HtoD)
                pending[key] = event;
        }
    }
    for (auto& [key, stream] : streams)
        stream.isDefault = isDefaultStream(trace, gpu.process, {gpu.device, key.first, key.second});
    return streams;
}

/// The time in which stream `key` of `gpu` is busy.
Intervals busyTimeOf(const RuleContext& context, const GpuFacts& gpu, StreamKey key)
{
    const Trace& trace = context.trace;
    std::vector<TimeRange> ranges;
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        const Track& track = trace.track(trace.trackOf(event));
        if (StreamKey{track.context, track.stream} == key && hasStream(trace, event))
            ranges.push_back(trace.range(event));
    }
    return unionOf(std::move(ranges), context.window, context.stop);
}

/// How many different streams the program's own NVTX ranges speak of: "Copy stream 0", "Copy stream 1" ...
std::size_t streamsNamed(const RuleContext& context)
{
    std::set<std::string> numbers;
    forEachName(context.trace.nvtx(), context.stop, [&](StringId name) {
        const std::string_view text = context.trace.text(name);
        if (!containsWord(text, "stream"))
            return;
        std::size_t begin = text.size();
        while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
            --begin;
        if (begin < text.size())
            numbers.emplace(text.substr(begin));
    });
    return numbers.size();
}

Finding base(const RuleContext& context, const GpuFacts& gpu, Ns saving)
{
    Finding finding = findingOn(context, gpu.process, gpu.device, saving);
    finding.severity = std::max(Severity::Low, finding.severity);
    finding.where = gpu.span();
    return finding;
}

/// One own stream does nearly everything, in rounds whose copies could hide behind kernels.
void findSingleStream(
    const RuleContext& context, const GpuFacts& gpu, const Streams& streams, std::vector<Finding>& findings)
{
    const Ns all = totalTime(gpu.busy);
    if (all == 0)
        return;
    for (const auto& [streamId, stream] : streams) {
        const Ns own = stream.busy;
        if (stream.isDefault || static_cast<double>(own) < nearlyAll * static_cast<double>(all)
            || !context.reaches(id, minRounds, stream.rounds.size())
            || !context.reachesShare(id, minCopyShare, stream.copying.sum(), own))
            continue;
        const Ns copying = stream.copying.sum();
        const std::size_t named = streamsNamed(context);
        Finding finding
            = base(context, gpu, hiddenAtMost(copying, stream.computing, stream.copying.longest()));
        finding.confidence = named >= 2 ? Confidence::Certain : Confidence::Likely;
        finding.subject = {Subject::Kind::Part, "one_stream"};
        finding.title = Message("streams_serialized.one_stream_title",
            "{gpu}: all work is in stream {stream}, nothing overlaps",
            {{"gpu", Name{nameOf(context.trace, gpu)}}, {"stream", Ordinal{streamId.second}}});
        finding.message = Message("streams_serialized.one_stream",
            "{copies} of copies and {kernels} of kernels run in turn in stream {stream}, in {rounds, plural, one {# round} "
            "other {# rounds}}.",
            {{"copies", Duration{copying}}, {"kernels", Duration{stream.computing}},
                {"stream", Ordinal{streamId.second}}, {"rounds", Count{stream.rounds.size()}}});
        finding.message += Message("streams_serialized.could_overlap", "Up to {saving} could overlap.",
            {{"saving", Duration{finding.saving}}});
        if (named >= 2)
            finding.message += Message("streams_serialized.named_streams",
                "The program's NVTX ranges name {streams} streams, but the work is in one.",
                {{"streams", Count{named}}});
        setEvidence(finding, context.trace, stream.rounds, [&](EventRef event) {
            return Message("streams_serialized.round",
                "{bytes} to the device, then kernels, in stream {stream}",
                {{"bytes", Bytes{context.trace.memcpys().bytes[event.index]}},
                    {"stream", Ordinal{streamId.second}}});
        });
        finding.claims = busyTimeOf(context, gpu, streamId); // its copies and kernels: none of them overlap
        finding.where = {finding.claims.front().start, finding.claims.back().end};
        findings.push_back(std::move(finding));
    }
}

/// Whether a default stream and another stream of its context work: those wait for each other.
bool hasDefaultAmongOthers(const Streams& streams)
{
    std::map<std::int32_t, std::pair<bool, bool>> contexts; // work in the default stream, in others
    for (const auto& [key, stream] : streams) {
        auto& [inDefault, inOthers] = contexts[key.first];
        (stream.isDefault ? inDefault : inOthers) |= stream.busy > 0;
    }
    return std::ranges::any_of(
        contexts, [](const auto& context) { return context.second.first && context.second.second; });
}

/// The idle time of `gpu` between two turns, in which it waits for the next one: up to `most`.
Ns turningTime(const RuleContext& context, const GpuFacts& gpu, Ns most)
{
    constexpr Ns turning = 100'000;
    Ns between = 0;
    const auto gaps = gpu.gaps();
    for (const IdleGap& gap : stoppableItems(gaps, context.stop)) {
        if (gap.range.duration() < turning)
            between += gap.range.clippedTo(context.facts.measuredRange()).duration();
    }
    return std::min(between, most);
}

/// Several streams take turns and are never busy at once.
void findTurns(const RuleContext& context, const GpuFacts& gpu, const Streams& streams,
    std::uint64_t switches, std::vector<Finding>& findings)
{
    Ns sum = 0;
    std::vector<Ns> each;
    for (const auto& [streamId, stream] : streams) {
        each.push_back(stream.busy);
        sum += each.back();
    }
    std::ranges::sort(each, std::greater{});
    if (each.size() < 2 || switches < minSwitches || !context.reachesShare(id, minStreamShare, each[1], sum))
        return;
    const Ns others = sum - each[0];
    const Ns overlap = sum - totalTime(gpu.busy);
    if (context.reachesShare(id, maxOverlap, overlap, others))
        return;
    // Streams that wait for each other's events take turns by design.
    std::vector<std::uint64_t> calls(context.trace.pool->size()); // by name: names are few, calls are many
    for (const StringId name : context.trace.apiCalls().name)
        ++calls[raw(name)];
    std::uint64_t orders = 0;
    for (std::uint32_t name = 0; name < calls.size(); ++name) {
        if (calls[name] > 0
            && context.trace.text(StringId{name}).find("StreamWaitEvent") != std::string_view::npos)
            orders += calls[name];
    }
    if (orders * 4 >= switches)
        return;
    const bool withDefault = hasDefaultAmongOthers(streams);
    Finding finding = base(context, gpu, others + (withDefault ? turningTime(context, gpu, others) : 0));
    finding.claims = gpu.busy;
    finding.confidence = Confidence::Possible;
    finding.subject = {Subject::Kind::Part, "turns"};
    finding.title = Message("streams_serialized.turns_title",
        "{gpu}: {streams} streams take turns and never run at once",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"streams", Count{each.size()}}});
    finding.message = Message("streams_serialized.turns",
        "The work changes stream {times, plural, one {# time} other {# times}}, but only {overlap} of {sum} overlaps.",
        {{"times", Count{switches}}, {"overlap", Duration{overlap}}, {"sum", Duration{sum}}});
    if (withDefault) {
        finding.message += Message("streams_serialized.with_default",
            "One of them is the default stream: it and all other blocking streams wait for each other.");
        finding.cure.edits.push_back(editOfAll(CureKind::OwnStreams));
    }
    findings.push_back(std::move(finding));
}

/// Whether each of `streams` and the default stream wait for each other: it was created without
/// cudaStreamNonBlocking. Where the report lacks the flag, calls of cudaStreamCreate imply it.
std::map<const StreamWork*, bool> blockingStreams(
    const RuleContext& context, const GpuFacts& gpu, const Streams& streams)
{
    constexpr std::int32_t withoutFlags = 1; // CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT
    std::map<StreamKey, bool> known;
    for (const StreamInfo& info : context.trace.streams) {
        if (pidOf(info.process) == pidOf(gpu.process) && info.flag != 0)
            known.try_emplace({info.context, info.stream}, info.flag == withoutFlags);
    }
    std::optional<bool> implied;
    std::map<const StreamWork*, bool> blocking;
    for (const auto& [key, stream] : streams) {
        const auto place = known.find(key);
        if (place == known.end() && !implied)
            implied = anyName(context.trace.apiCalls(), context.stop,
                [&](StringId name) { return bareCallName(context.trace.text(name)) == "cudaStreamCreate"; });
        blocking[&stream] = !stream.isDefault && (place != known.end() ? place->second : *implied);
    }
    return blocking;
}

/// Kernels of the default stream that part the work of others.
struct DefaultStops {
    std::vector<EventRef> kernels;
    std::vector<TimeRange> stops; ///< from the first of the others that runs dry to the kernel's end
    std::size_t overlapping = 0; ///< kernels of the default stream that overlap work of other streams
    std::size_t others = 0; ///< most streams that one of them separates
};

/// The streams of one context, while its work goes by in order of time.
struct StopsOfContext {
    std::map<const StreamWork*, Ns> ends; ///< of the others, since the last kernel of the default stream
    Ns lastEnd = std::numeric_limits<Ns>::min(); ///< of any other
    std::optional<Ns> defaultEnd; ///< of the default stream's last kernel, if no other has begun since
    std::optional<std::size_t> stop; ///< of that kernel and those before it
};

void addOther(StopsOfContext& context, const StreamWork& stream, TimeRange range, DefaultStops& found)
{
    if (context.defaultEnd) {
        found.overlapping += range.start < *context.defaultEnd ? 1 : 0;
        context.ends.clear();
    }
    context.defaultEnd.reset();
    context.ends[&stream] = std::max(context.ends[&stream], range.end);
    context.lastEnd = std::max(context.lastEnd, range.end);
}

void addDefaultKernel(
    StopsOfContext& context, EventRef kernel, TimeRange range, TimeRange measured, DefaultStops& found)
{
    found.overlapping += range.start < context.lastEnd ? 1 : 0;
    if (context.defaultEnd && context.stop)
        found.stops[*context.stop].end = range.end; // several in a row
    else if (!context.defaultEnd) {
        context.stop.reset();
        if (context.ends.size() > 1 && range.start >= context.lastEnd && measured.contains(range.start)) {
            Ns dry = range.start;
            for (const auto& [other, end] : context.ends)
                dry = std::min(dry, end);
            context.stop = found.stops.size();
            found.kernels.push_back(kernel);
            found.stops.push_back({dry, range.end});
            found.others = std::max(found.others, context.ends.size());
        }
    }
    context.defaultEnd = range.end;
}

DefaultStops measureDefaultStops(const RuleContext& context, const GpuFacts& gpu, Streams& streams)
{
    const Trace& trace = context.trace;
    const TimeRange measured = context.facts.measuredRange();
    std::map<const StreamWork*, bool> blocking = blockingStreams(context, gpu, streams);
    DefaultStops found;
    if (std::ranges::count_if(blocking, [](const auto& stream) { return stream.second; }) < 2)
        return found; // none that a kernel could part
    StreamsOfTracks ofTracks(trace, streams);
    std::map<std::int32_t, StopsOfContext> contexts; // the default stream of one stops no other
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        if (!hasStream(trace, event))
            continue;
        const auto& [key, stream] = ofTracks.of(event);
        if (blocking[&stream])
            addOther(contexts[key.first], stream, trace.range(event), found);
        else if (stream.isDefault && event.kind == EventKind::Kernel)
            addDefaultKernel(contexts[key.first], event, trace.range(event), measured, found);
    }
    return found;
}

/// The default stream waits for all other blocking streams, and they wait for it: a kernel in it is a
/// barrier.
bool findDefaultStops(
    const RuleContext& context, const GpuFacts& gpu, Streams& streams, std::vector<Finding>& findings)
{
    DefaultStops found = measureDefaultStops(context, gpu, streams);
    if (found.kernels.size() < minSwitches
        || static_cast<double>(found.overlapping) * 100
            > context.threshold(id, maxOverlap) * static_cast<double>(found.kernels.size()))
        return false;
    const TimeRange measured = context.facts.measuredRange();
    Finding finding = base(context, gpu, 0);
    finding.claims = unionOf(std::move(found.stops), measured);
    finding.saving = totalTime(finding.claims);
    finding.severity = severityOf(context, finding.saving);
    finding.cure.edits.push_back(editOfAll(CureKind::OwnStreams));
    finding.title = Message("streams_serialized.default_title",
        "{gpu}: the default stream stops {streams} other streams {times, plural, one {# time} other {# times}}",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"streams", Count{found.others}},
            {"times", Count{found.kernels.size()}}});
    finding.message = Message("streams_serialized.default_waits",
        "A kernel in the default stream waits for all work in the other streams, and they wait for its end.");
    finding.message += Message("streams_serialized.default_time",
        "From the first idle stream to the end of such kernels, that takes {time}.",
        {{"time", Duration{finding.saving}}});
    finding.remedy
        = Message("streams_serialized.non_blocking",
              "Move these kernels to a separate stream created with cudaStreamNonBlocking, and order them with events where "
              "they need results of other streams.")
        + Message("streams_serialized.per_thread", "Or compile with --default-stream per-thread.");
    longestToFront(context.trace, found.kernels);
    setEvidence(finding, context.trace, found.kernels,
        {"streams_serialized.in_default", "in the default stream: all other streams wait"});
    findings.push_back(std::move(finding));
    return true;
}

void findEmptyStreams(
    const RuleContext& context, const GpuFacts& gpu, const Streams& streams, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    if (facts.gpusOf(gpu.process).size() > 1)
        return;
    const CallKinds& kinds = facts.callKinds();
    std::vector<EventRef> made;
    for (const GlobalId thread : facts.callersOf(gpu.process)) {
        forEachOuterCall(context, thread, context.window, [&](EventIndex call) {
            if (kinds[call] == CallKind::CreateStream)
                made.push_back({EventKind::ApiCall, call});
        });
    }
    const auto used = static_cast<std::size_t>(
        std::ranges::count_if(streams, [](const auto& entry) { return !entry.second.isDefault; }));
    if (made.size() < 2 || made.size() > maxOwnStreams || used >= made.size())
        return;
    Finding finding = base(context, gpu, 0);
    finding.severity = Severity::Info;
    finding.title = Message("streams_serialized.unused_title",
        "{created, plural, one {# stream} other {# streams}} created, {used} used",
        {{"created", Count{made.size()}}, {"used", Count{used}}});
    finding.message = Message("streams_serialized.unused",
        "Streams created in this range carry no work: either the work should run in them, or they are not needed.");
    setEvidence(finding, context.trace, made);
    findings.push_back(std::move(finding));
}

void findSerialized(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    std::uint64_t switches = 0;
    Streams streams = measure(context, gpu, switches);
    findSingleStream(context, gpu, streams, findings);
    if (!findDefaultStops(context, gpu, streams, findings))
        findTurns(context, gpu, streams, switches, findings);
    findEmptyStreams(context, gpu, streams, findings);
}

} // namespace

extern constinit const Rule streamsSerialized{
    .id = id,
    .title = "Streams that do not run at once",
    .why
    = "Within a stream, everything runs in order. Copies overlap with kernels, and kernels with kernels, only in "
      "different streams that do not wait for each other.",
    .remedy
    = "Create one stream for each chunk, each with its own call: a list that repeats one stream n times is still "
      "one stream. Issue copy, kernels and copy of each chunk in its own stream, from pinned memory, and keep work "
      "off the default stream.",
    .caveat = "Work that depends on earlier work cannot overlap with it.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace, const std::stop_token&) { return trace.kernels().size() > 1; },
    .checkGpu = findSerialized,
    .absorbs = absorbed,
};

} // namespace warpline::streams_serialized
