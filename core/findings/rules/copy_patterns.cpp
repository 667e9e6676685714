// Copies that waste the link: many tiny ones, whose fixed cost outweighs their bytes; large ones far below
// the best rate of their direction; and data that goes to the host only to come back.

#include "core/base/format.h"
#include "core/coverage/united.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_delays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view tinyId = "tiny_copies";
constexpr Threshold tinyBytes{"tiny_bytes", "A copy is tiny below", "B", 64 * 1024};
constexpr Threshold tinyMinCount{"min_count", "Minimum number of tiny copies of one direction", "", 100};
constexpr Threshold minShare{"min_share", "Minimum share of tiny copies in their direction", "%", 50};
constexpr std::array tinyThresholds{tinyBytes, tinyMinCount, minShare};

// Between many copies the host has no time to launch ahead.
constexpr std::array<std::string_view, 2> tinyAbsorbs{"cuda_memcpy_sync", "launch_bound"};
constexpr std::uint64_t valueBytes = 4096; ///< a copy of no more is a value that the host reads

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

/// The copies of `found` that wanted() says, by direction.
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

/// What the GPUs idle because of the calls of `copies`, by the process that made them.
Intervals idleBecauseOf(const RuleContext& context, const std::vector<EventRef>& copies)
{
    const Trace& trace = context.trace;
    RunFacts& facts = context.facts;
    std::map<GlobalId, std::vector<HostDelay>> delays; // by process
    std::map<GlobalId, std::vector<std::uint32_t>> gone;
    for (const EventRef& copy : stoppableItems(copies, context.stop)) {
        const EventRef call = trace.apiCallOf(copy);
        if (!call.valid())
            continue;
        const GlobalId process = processOf(facts.threadOf(call.index));
        delays[process].push_back(withCodeAround(trace, call.index));
        gone[process].push_back(Links::pack(copy));
    }
    for (const GlobalId thread : callingThreads(trace)) {
        const auto ofProcess = delays.find(processOf(thread));
        if (ofProcess == delays.end())
            continue;
        forEachOuterCall(context, thread, context.window, [&](EventIndex call) {
            if (waits(facts.callKinds()[call]))
                ofProcess->second.push_back({trace.apiCalls().range(call), 0, true});
        });
    }
    std::vector<TimeRange> idle;
    for (auto& [process, calls] : delays) {
        std::ranges::sort(calls, {}, [](const HostDelay& delay) { return delay.call.start; });
        const Intervals ofProcess
            = idleBecauseOf(trace, gpusOf(facts, process), calls, context.stop, std::move(gone[process]));
        idle.insert(idle.end(), ofProcess.begin(), ofProcess.end());
    }
    return unionOf(std::move(idle), context.window, context.stop);
}

std::vector<Finding> findTiny(const RuleContext& context)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const auto most = static_cast<std::uint64_t>(context.threshold(tinyId, tinyBytes));
    const auto all = byDirection(context, [](EventIndex) { return true; });
    std::vector<Finding> findings;
    for (const auto& [direction, events] :
        byDirection(context, [&](EventIndex i) { return copies.bytes[i] < most; })) {
        if (static_cast<double>(events.size()) < context.threshold(tinyId, tinyMinCount)
            || static_cast<double>(events.size()) * 100
                < context.threshold(tinyId, minShare) * static_cast<double>(all.at(direction).size()))
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
        Finding finding;
        finding.claims = united(besideKernels(context, events), idleBecauseOf(context, events));
        finding.saving = totalTime(finding.claims);
        finding.severity = severityOf(context, finding.saving);
        finding.subject = {Subject::Kind::Direction, std::string(labelOf(direction))};
        finding.title = fmt::format("{} tiny {} copies of {} on average", formatCount(events.size()),
            labelOf(direction), formatBytes(bytes / events.size()));
        finding.message = fmt::format(
            "They take {} on the GPU and {} of calls for {} in all: {} each, {}. The best copy of this "
            "direction in the report reaches {}.",
            formatDuration(time), formatDuration(calls), formatBytes(bytes),
            formatDuration(time / static_cast<Ns>(events.size())),
            formatThroughput(static_cast<double>(bytes) * 1e9 / static_cast<double>(std::max<Ns>(1, time))),
            formatThroughput(best * 1e9));
        if (const std::string_view call = usualCall(context.trace, events); !call.empty())
            finding.message += fmt::format(" Most are calls of {}.", call);
        if (direction == CopyKind::DtoH) {
            finding.topic = "tiny_copies.back";
            finding.remedy
                = "A result cannot be passed as an argument. Keep it on the GPU and let the next kernel "
                  "read it, look at it every hundredth round, or gather what the host reads in one "
                  "struct and copy that back at once.";
            if (bytes / events.size() <= valueBytes)
                finding.group = "values that are read back";
        }
        finding.cure.edits.push_back(editOf(CureKind::MergeCopies, events));
        setEvidence(finding, context.trace, events,
            [&](EventRef event) { return formatBytes(copies.bytes[event.index]); });
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
        if (slow.empty()
            || lost * 100
                < context.threshold(slowId, minLost) * static_cast<double>(context.facts.measured()))
            continue;
        Finding finding;
        finding.saving = static_cast<Ns>(lost);
        finding.claims = timeOf(context.trace, slow, context.window);
        finding.severity = severityOf(context, finding.saving);
        finding.confidence = Confidence::Possible;
        finding.subject = {Subject::Kind::Direction, std::string(labelOf(direction))};
        finding.title = fmt::format(
            "{} far below the rate of the best", counted(slow.size(), "large copy", "large copies"));
        finding.message = fmt::format(
            "The best {} copy reaches {}; {} of {} of that size stay under {:.0f}% of it. At the best "
            "rate they would take {} less.",
            labelOf(direction), formatThroughput(best * 1e9), formatCount(slow.size()),
            formatCount(events.size()), context.threshold(slowId, maxShare), formatDuration(finding.saving));
        setEvidence(finding, context.trace, slow, [&](EventRef event) {
            return fmt::format("{} at {}", formatBytes(copies.bytes[event.index]),
                formatThroughput(rateOf(copies, event.index) * 1e9));
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

constexpr double leastReturning = 0.6; ///< of the copies to the device of one size; the rest brings new data

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
        = 0; ///< of them, those with a call of MPI in between: what came back is a neighbour's
    std::vector<EventRef> back; ///< the copies that bring the data back to the device
    std::vector<EventRef> away; ///< those that took it to the host
    std::uint64_t bytes = 0;
    Ns time = 0;
    std::vector<TimeRange> claims;
};

/// True when copy `back` to the device can bring what copy `gone` took to the host: on the same device, and
/// ordered behind it by their stream or by the host, which called it when the data was there.
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
    if (static_cast<double>(size.trips.size()) < leastReturning * static_cast<double>(size.toDevice))
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
    RunFacts& facts = context.facts;
    const TimeRange between{copies.end(trip.away), copies.start[trip.back]};
    return !facts.host(facts.threadOf(call.index)).within(HostDoing::Communicating, between).empty();
}

/// Copies to the host that a copy of exactly as many bytes to the same device follows.
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
    if (static_cast<double>(found.back.size()) < context.threshold(roundTripId, roundTripMinCount))
        return {};
    const MemcpyTable& copies = context.trace.memcpys();
    Finding finding;
    std::vector<EventRef> both = found.away;
    both.insert(both.end(), found.back.begin(), found.back.end());
    std::ranges::sort(both, {}, [&](EventRef event) { return copies.start[event.index]; });
    // Without the copies their calls go as well, and what the GPU idles for them.
    finding.claims = united(
        unionOf(std::move(found.claims), context.window, context.stop), idleBecauseOf(context, both));
    finding.saving = std::min(totalTime(finding.claims), context.facts.measured());
    finding.cure.edits.push_back(editOf(CureKind::RemoveWork, both));
    // Results that are as large as the next input look the same: a guess does not rank with what is certain.
    finding.severity = std::min(Severity::Medium, severityOf(context, finding.saving));
    finding.confidence = Confidence::Possible;
    finding.title = fmt::format(
        "{} device-host-device, {}", counted(found.back.size(), "round trip"), formatBytes(found.bytes));
    finding.message = fmt::format(
        "{} to the host are followed within {} by a copy of exactly as many bytes to the same device: "
        "{} of copies. The report does not say which buffer a copy read, so look whether it is the "
        "same data.",
        counted(found.back.size(), "copy", "copies"),
        formatDuration(static_cast<Ns>(context.threshold(roundTripId, maxGap))), formatDuration(found.time));
    if (found.exchanged * 2 > found.back.size()) {
        finding.topic = "copy_round_trips.exchange";
        finding.title = fmt::format("{} with other ranks through the host, {}",
            counted(found.back.size(), "exchange"), formatBytes(found.bytes));
        finding.message
            = fmt::format("{} to the host are followed by a call of MPI and a copy of as many bytes to "
                          "the device: {} of copies. The boundary goes out, the neighbour's comes in.",
                counted(found.back.size(), "copy", "copies"), formatDuration(found.time));
        finding.remedy
            = "Hand device pointers to a CUDA-aware MPI (Open MPI or MPICH with UCX, MVAPICH), or "
              "exchange with NCCL or NVSHMEM: the copies go, and messages can overlap with kernels.";
    }
    std::ranges::stable_sort(
        found.back, std::greater{}, [&](EventRef event) { return copies.duration[event.index]; });
    setEvidence(finding, context.trace, found.back,
        [&](EventRef event) { return formatBytes(copies.bytes[event.index]) + " back to the device"; });
    return only(std::move(finding));
}

bool hasCopies(const Trace& trace, const std::stop_token&)
{
    return !trace.memcpys().empty();
}

} // namespace

extern constinit const Rule tinyCopies{
    .id = tinyId,
    .title = "Many tiny copies",
    .why = "A copy costs about a microsecond on the GPU and several on the host however small it is: tiny "
           "copies are bound by latency, not by the link.",
    .remedy = "Gather the pieces in one pinned buffer and copy it once, pass small values as kernel "
              "arguments, or keep them on the device.",
    .caveat = "Copies that different parts of a program need at different times cannot be joined.",
    .thresholds = tinyThresholds,
    .applies = hasCopies,
    .check = findTiny,
    .absorbs = tinyAbsorbs,
};

extern constinit const Rule slowCopies{
    .id = slowId,
    .title = "Large copies below the link's bandwidth",
    .why
    = "A large copy should reach the bandwidth of the link. One that does not shares it with other traffic, "
      "crosses to another CPU socket's memory, or is throttled.",
    .remedy = "Look what else runs on the link at the time (copies of the other direction, other GPUs, "
              "storage). Bind the process to the GPU's NUMA node (numactl --cpunodebind, nvidia-smi topo "
              "-m) and check the link's width and generation (nvidia-smi -q -d PCIE).",
    .caveat = "Copies in both directions at once, and other processes, share the link.",
    .thresholds = slowThresholds,
    .applies = hasCopies,
    .check = findSlow,
};

extern constinit const Rule copyRoundTrips{
    .id = roundTripId,
    .title = "Round trips device-host-device",
    .why = "Data that the host does not change need not leave the device: each round trip pays the link "
           "twice and orders the streams around it.",
    .remedy
    = "Keep the buffer on the device between the kernels. Where the host needs a part of it, copy that part.",
    .caveat = "Told by size and order alone: data of equal size may be other data.",
    .thresholds = roundTripThresholds,
    .applies = hasCopies,
    .check = findRoundTrips,
    .absorbs = roundTripAbsorbs,
};

} // namespace warpline
