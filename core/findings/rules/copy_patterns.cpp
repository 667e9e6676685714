// Copies that waste the link: many tiny ones, whose fixed cost exceeds their transfer; large ones far below
// the best rate of their direction; and data that goes to the host only to come back.

#include "core/coverage/packed_intervals.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::copy_patterns {

namespace {

constexpr std::string_view tinyId = "tiny_copies";
constexpr Threshold tinyBytes{"tiny_bytes", "A copy is tiny below", "B", 64 * 1024};
constexpr Threshold tinyMinCount{"min_count", "Minimum number of tiny copies of one direction", "", 100};
constexpr Threshold minShare{"min_share", "Minimum share of tiny copies in their direction", "%", 50};
constexpr std::array tinyThresholds{tinyBytes, tinyMinCount, minShare};

// Between many copies the host has no time to launch ahead.
constexpr std::array<std::string_view, 4> tinyAbsorbs{
    "cuda_memcpy_sync", "launch_bound", "cuda_api_sync", "pageable_copies"};
constexpr std::uint64_t valueBytes = 4096; ///< smaller copies are values that the host reads

constexpr std::string_view slowId = "copies_below_link_rate";
constexpr Threshold largeBytes{"large_bytes", "Copies large enough to reach the link's bandwidth", "B", 4e6};
constexpr Threshold maxShare{"max_share", "Slow below this share of the best bandwidth seen", "%", 50};
constexpr Threshold minLost{"min_lost", "Minimum share of the measured time lost", "%", 1};
constexpr std::array slowThresholds{largeBytes, maxShare, minLost};

constexpr std::string_view roundTripId = "copy_round_trips";
constexpr Threshold minBytes{"min_bytes", "Minimum bytes of a copy", "B", 64 * 1024};
constexpr Threshold roundTripMinCount{"min_count", "Minimum number of round trips", "", 4};
constexpr Threshold maxGap{"max_gap_ns", "Maximum time on the host", "ns", 50e6};
constexpr std::array roundTripThresholds{minBytes, roundTripMinCount, maxGap};
constexpr std::array<std::string_view, 1> roundTripAbsorbs{"copies_not_overlapped"};

bool crossesTheLink(CopyKind kind)
{
    return kind == CopyKind::HtoD || kind == CopyKind::DtoH;
}

double rateOf(const MemcpyTable& copies, EventIndex i)
{
    return static_cast<double>(copies.bytes[i]) / static_cast<double>(std::max<Ns>(1, copies.duration[i]));
}

/// The copies of `found` that wanted() accepts, by direction.
std::map<CopyKind, std::vector<EventRef>> byDirection(
    const RuleContext& context, const std::function<bool(EventIndex)>& wanted)
{
    std::map<CopyKind, std::vector<EventRef>> directions;
    const MemcpyTable& copies = context.trace.memcpys();
    for (const EventRef& event : longestFirst(context, EventKind::Memcpy,
             [&](EventIndex i) { return crossesTheLink(copies.copy(i).kind) && wanted(i); }))
        directions[copies.copy(event.index).kind].push_back(event);
    return directions;
}

/// The call that most of `copies` were made with: "cudaMemcpyFromSymbol".
std::string_view usualCall(const Trace& trace, const std::vector<EventRef>& copies)
{
    std::map<std::string_view, std::size_t> calls;
    for (const EventRef& copy : copies) {
        if (const EventRef call = trace.apiCallOf(copy); call.valid())
            ++calls[bareCallName(trace.name(call))];
    }
    const auto most = std::ranges::max_element(calls, {}, [](const auto& call) { return call.second; });
    return most != calls.end() ? most->first : std::string_view();
}

std::vector<Finding> findTiny(const RuleContext& context)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const auto most = static_cast<std::uint64_t>(context.threshold(tinyId, tinyBytes));
    const auto all = byDirection(context, [](EventIndex) { return true; });
    std::vector<Finding> findings;
    for (const auto& [direction, events] : byDirection(context,
             [&](EventIndex i) { return copies.bytes[i] > 0 && copies.bytes[i] < most; })) { // 0: unknown
        if (!context.reaches(tinyId, tinyMinCount, events.size())
            || !context.reachesShare(tinyId, minShare, events.size(), all.at(direction).size()))
            continue;
        std::uint64_t bytes = 0;
        Ns calls = 0;
        for (const EventRef& event : events) {
            bytes += copies.bytes[event.index];
            if (const EventRef call = context.trace.apiCallOf(event); call.valid())
                calls += context.trace.range(call).duration();
        }
        double best = 0;
        for (const EventRef& event : all.at(direction))
            best = std::max(best, rateOf(copies, event.index));
        const Ns time = totalDuration(context.trace, events);
        Finding finding = findingOn(
            context, 0, -1, united(besideKernels(context, events), idleBecauseOfCopies(context, events)));
        finding.subject = {Subject::Kind::Direction, std::string(labelOf(direction))};
        const Count count{events.size()};
        finding.title = Message("tiny_copies.title",
            "{copies} tiny {direction} {copies, plural, one {copy} other {copies}} of {bytes} on average",
            {{"copies", count}, {"direction", Name{std::string(labelOf(direction))}},
                {"bytes", Bytes{bytes / events.size()}}});
        finding.message
            = Message("tiny_copies.time", "They copy {bytes} in {time} on the GPU and {calls} of calls.",
                {{"bytes", Bytes{bytes}}, {"time", Duration{time}}, {"calls", Duration{calls}}});
        finding.message += Message("tiny_copies.rate",
            "That is {each} per copy, or {rate}; the best copy in this direction reaches {best}.",
            {{"each", Duration{time / static_cast<Ns>(events.size())}},
                {"rate", Rate{static_cast<double>(bytes) * 1e9 / static_cast<double>(std::max<Ns>(1, time))}},
                {"best", Rate{best * 1e9}}});
        if (const std::string_view call = usualCall(context.trace, events); !call.empty())
            finding.message += Message(
                "tiny_copies.calls", "Most are calls of {call}.", {{"call", Name{std::string(call)}}});
        if (direction == CopyKind::DtoH) {
            finding.topic = "tiny_copies.back";
            finding.remedy
                = Message("tiny_copies.keep", "Keep the result on the GPU and let the next kernel read it.")
                + Message("tiny_copies.rarely",
                    "Or read it every hundredth iteration, or gather the values in one struct and copy that once.");
            if (bytes / events.size() <= valueBytes)
                finding.group = "values that are read back";
        }
        finding.cure.edits.push_back(editOf(CureKind::MergeCopies, events));
        setSizedEvidence(finding, context.trace, events, "tiny_copies.copy", "{bytes}");
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> findSlow(const RuleContext& context)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const auto least = static_cast<std::uint64_t>(context.threshold(slowId, largeBytes));
    const auto isPinned = [&](EventIndex i) {
        const CopyAttributes& copy = copies.copy(i);
        return copies.bytes[i] >= least && copy.source != MemoryKind::Pageable
            && copy.destination != MemoryKind::Pageable;
    };
    std::vector<Finding> findings;
    for (const auto& [direction, events] : byDirection(context, isPinned)) {
        double best = 0;
        for (const EventRef& event : events)
            best = std::max(best, rateOf(copies, event.index));
        std::vector<EventRef> slow;
        double lost = 0;
        for (const EventRef& event : events) {
            if (rateOf(copies, event.index) * 100 >= context.threshold(slowId, maxShare) * best)
                continue;
            slow.push_back(event);
            lost += static_cast<double>(copies.duration[event.index])
                - static_cast<double>(copies.bytes[event.index]) / best;
        }
        if (slow.empty() || !context.reachesShare(slowId, minLost, lost, context.facts.measured()))
            continue;
        Finding finding = findingOn(context, 0, -1, static_cast<Ns>(lost));
        finding.claims = timeOf(context.trace, slow, context.window);
        finding.confidence = Confidence::Possible;
        finding.subject = {Subject::Kind::Direction, std::string(labelOf(direction))};
        finding.title = Message("slow_copies.title",
            "{copies, plural, one {# large copy is} other {# large copies are}} far slower than the best",
            {{"copies", Count{slow.size()}}});
        finding.message = Message("slow_copies.rates",
            "The best {direction} copy reaches {rate}; {slow} of {copies} of that size stay below {share}% of it.",
            {{"direction", Name{std::string(labelOf(direction))}}, {"rate", Rate{best * 1e9}},
                {"slow", Count{slow.size()}}, {"copies", Count{events.size()}},
                {"share", Number{context.threshold(slowId, maxShare), 0}}});
        finding.message += Message("slow_copies.saving", "At the best rate they would take {saving} less.",
            {{"saving", Duration{finding.saving}}});
        setEvidence(finding, context.trace, slow, [&](EventRef event) {
            return Message("slow_copies.copy", "{bytes} at {rate}",
                {{"bytes", Bytes{copies.bytes[event.index]}},
                    {"rate", Rate{rateOf(copies, event.index) * 1e9}}});
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

constexpr double minReturningShare
    = 0.6; ///< of the copies to the device of one size; the rest brings new data

struct RoundTrip {
    EventIndex away = noIndex;
    EventIndex back = noIndex;
};

/// Copies of one size.
struct SameSize {
    std::vector<EventIndex> away; ///< to the host, not yet matched
    std::vector<RoundTrip> trips;
    std::size_t toDevice = 0;
};

struct RoundTrips {
    std::uint64_t exchanged
        = 0; ///< of them, those with an MPI call in between: what came back may be a neighbour's data
    std::vector<EventRef> back; ///< the copies that bring the data back to the device
    std::vector<EventRef> away; ///< those that took it to the host
    std::uint64_t bytes = 0;
    Ns time = 0;
    std::vector<TimeRange> claims;
};

/// True when copy `back` to the device may return the data of copy `gone` to the host: same device, and
/// ordered after it by their stream or by the host, which called it after the data arrived.
bool canReturn(const Trace& trace, EventIndex gone, EventIndex back)
{
    const MemcpyTable& copies = trace.memcpys();
    const Track& from = copies.trackOf(gone);
    const Track& to = copies.trackOf(back);
    if (copies.end(gone) > copies.start[back] || from.device != to.device || from.owner != to.owner)
        return false;
    const EventRef call = trace.apiCallOf({EventKind::Memcpy, back});
    return (from.context == to.context && from.stream == to.stream) || !call.valid()
        || trace.range(call).start >= copies.end(gone);
}

/// Adds the copies of one size, unless most that go to the device have not come from there: those carry input
/// that happens to be as large as the results.
void addTrips(const MemcpyTable& copies, const SameSize& size, RoundTrips& found)
{
    if (static_cast<double>(size.trips.size()) < minReturningShare * static_cast<double>(size.toDevice))
        return;
    for (const RoundTrip& trip : size.trips) {
        found.back.push_back({EventKind::Memcpy, trip.back});
        found.away.push_back({EventKind::Memcpy, trip.away});
        found.bytes += copies.bytes[trip.back];
        found.time += copies.duration[trip.back] + copies.duration[trip.away];
        found.claims.push_back(copies.range(trip.back));
        found.claims.push_back(copies.range(trip.away));
    }
}

/// True when the thread that copies back was in a call of MPI since the copy to the host.
bool isExchange(const RuleContext& context, const RoundTrip& trip)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const EventRef call = context.trace.apiCallOf({EventKind::Memcpy, trip.back});
    if (!call.valid())
        return false;
    TraceAnalysis& facts = context.facts;
    const TimeRange between{copies.end(trip.away), copies.start[trip.back]};
    return !facts.host(facts.threadOf(call.index)).within(IdleCause::OtherRanks, between).empty();
}

/// Copies to the host that are followed by a copy of equal size to the same device.
RoundTrips roundTrips(const RuleContext& context)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const auto least = static_cast<std::uint64_t>(context.threshold(roundTripId, minBytes));
    const Ns longest = static_cast<Ns>(context.threshold(roundTripId, maxGap));
    auto events = longestFirst(context, EventKind::Memcpy,
        [&](EventIndex i) { return crossesTheLink(copies.copy(i).kind) && copies.bytes[i] >= least; });
    std::ranges::sort(events, {}, [&](EventRef event) { return copies.start[event.index]; });
    std::map<std::uint64_t, SameSize> sizes;
    for (const EventRef& event : events) {
        const EventIndex i = event.index;
        SameSize& size = sizes[copies.bytes[i]];
        if (copies.copy(i).kind == CopyKind::DtoH) {
            size.away.push_back(i);
            continue;
        }
        ++size.toDevice;
        // Between large copies more time passes: others of their size are on the link.
        std::erase_if(size.away, [&](EventIndex gone) {
            return copies.start[i] - copies.end(gone) > std::max(longest, 2 * copies.duration[gone]);
        });
        const auto match = std::ranges::find_if(
            size.away, [&](EventIndex gone) { return canReturn(context.trace, gone, i); });
        if (match == size.away.end())
            continue;
        size.trips.push_back({*match, i});
        size.away.erase(match);
    }
    RoundTrips found;
    for (const auto& [bytes, size] : sizes) {
        const std::size_t before = found.back.size();
        addTrips(copies, size, found);
        for (const RoundTrip& trip : size.trips)
            found.exchanged += found.back.size() > before && isExchange(context, trip) ? 1 : 0;
    }
    return found;
}

std::vector<Finding> findRoundTrips(const RuleContext& context)
{
    RoundTrips found = roundTrips(context);
    if (!context.reaches(roundTripId, roundTripMinCount, found.back.size()))
        return {};
    const MemcpyTable& copies = context.trace.memcpys();
    Finding finding;
    std::vector<EventRef> both = found.away;
    both.insert(both.end(), found.back.begin(), found.back.end());
    std::ranges::sort(both, {}, [&](EventRef event) { return copies.start[event.index]; });
    // Without the copies their calls and the resulting idle time vanish, too.
    finding.claims = united(
        unionOf(std::move(found.claims), context.window, context.stop), idleBecauseOfCopies(context, both));
    finding.saving = std::min(totalTime(finding.claims), context.facts.measured());
    finding.cure.edits.push_back(editOf(CureKind::RemoveWork, both));
    // Results of the size of the next input look the same: a guess does not rank with certain findings.
    finding.severity = std::min(Severity::Medium, severityOf(context, finding.saving));
    finding.confidence = Confidence::Possible;
    const Count trips{found.back.size()};
    finding.title = Message("copy_round_trips.title",
        "{trips, plural, one {# round trip} other {# round trips}} device-host-device, {bytes}",
        {{"trips", trips}, {"bytes", Bytes{found.bytes}}});
    finding.message = Message("copy_round_trips.copies",
        "{trips, plural, one {# copy} other {# copies}} to the host: within {gap}, a copy of equal size goes back to the "
        "same device.",
        {{"trips", trips}, {"gap", Duration{static_cast<Ns>(context.threshold(roundTripId, maxGap))}}});
    finding.message
        += Message("copy_round_trips.time", "The copies take {time}.", {{"time", Duration{found.time}}});
    finding.message += Message("copy_round_trips.check",
        "The report does not show which buffer a copy reads: check whether it is the same data.");
    if (found.exchanged * 2 > found.back.size()) {
        finding.topic = "copy_round_trips.exchange";
        finding.title = Message("copy_round_trips.exchange_title",
            "{trips, plural, one {# exchange} other {# exchanges}} with other ranks through the host, {bytes}",
            {{"trips", trips}, {"bytes", Bytes{found.bytes}}});
        finding.message = Message("copy_round_trips.exchanges",
            "{trips, plural, one {# copy} other {# copies}} to the host: an MPI call and a copy of equal size to the device "
            "follow.",
            {{"trips", trips}});
        finding.message += Message(
            "copy_round_trips.exchange_time", "The copies take {time}.", {{"time", Duration{found.time}}});
        finding.message += Message(
            "copy_round_trips.boundary", "The boundary is sent, and that of the neighbor is received.");
        finding.remedy
            = Message("copy_round_trips.mpi",
                  "Pass device pointers to a CUDA-aware MPI (Open MPI or MPICH with UCX, MVAPICH), or use NCCL or "
                  "NVSHMEM.")
            + Message("copy_round_trips.overlap",
                "That removes the copies, and messages can overlap with kernels.");
    }
    sortLongestFirst(context.trace, found.back);
    setSizedEvidence(
        finding, context.trace, found.back, "copy_round_trips.copy", "{bytes} back to the device");
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule tinyCopies{
    .id = tinyId,
    .title = "Many tiny copies",
    .why
    = "Even a small copy takes about a microsecond on the GPU and several on the host. Latency limits tiny copies, "
      "not the link.",
    .remedy
    = "Gather the pieces in one pinned buffer and copy it once, pass small values as kernel arguments, or keep "
      "them on the device.",
    .caveat = "Copies that the program needs at different times cannot be merged.",
    .thresholds = tinyThresholds,
    .applies = hasEvents<EventKind::Memcpy>,
    .check = findTiny,
    .absorbs = tinyAbsorbs,
};

extern constinit const Rule slowCopies{
    .id = slowId,
    .title = "Large copies below the link's bandwidth",
    .why
    = "A large copy should reach the bandwidth of the link. One that does not shares the link with other traffic, "
      "crosses to another CPU socket's memory, or is throttled.",
    .remedy
    = "See what else uses the link at the time (copies in the other direction, other GPUs, storage). Bind the "
      "process to the GPU's NUMA node (numactl --cpunodebind, nvidia-smi topo -m) and check the link's width and "
      "generation (nvidia-smi -q -d PCIE).",
    .caveat = "Copies in both directions at once, and other processes, share the link.",
    .thresholds = slowThresholds,
    .applies = hasEvents<EventKind::Memcpy>,
    .check = findSlow,
};

extern constinit const Rule copyRoundTrips{
    .id = roundTripId,
    .title = "Round trips device-host-device",
    .why
    = "Data that the host does not change can stay on the device. Each round trip uses the link twice and orders "
      "the streams around it.",
    .remedy
    = "Keep the buffer on the device between the kernels. Where the host needs a part of it, copy that part.",
    .caveat = "Found by size and order alone: copies of equal size may hold different data.",
    .thresholds = roundTripThresholds,
    .applies = hasEvents<EventKind::Memcpy>,
    .check = findRoundTrips,
    .absorbs = roundTripAbsorbs,
};

} // namespace warpline::copy_patterns
