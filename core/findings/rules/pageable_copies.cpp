// All copies that touch pageable host memory: by runtime or driver, blocking or "asynchronous". The saving of
// pinning is at most the exposed time of the copies, minus the time of the pinned copies that kernels cannot
// hide. Pinned copies run at the best rate of pinned copies in this report, or the typical bandwidth of the
// link.

#include "core/base/message_names.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/packed_intervals.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/link_rate.h"
#include "core/query/event_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace warpline::pageable_copies {

namespace {

constexpr std::string_view id = "pageable_copies";
constexpr Threshold minBytes{"min_bytes", "Minimum bytes in total", "B", 1e6};
constexpr Threshold largeBytes{"large_bytes", "Copies large enough to show the link's bandwidth", "B", 1e6};
constexpr std::array thresholds{minBytes, largeBytes};
constexpr std::array<std::string_view, 5> absorbed{
    "cuda_memcpy_async", "cuda_memcpy_sync", "copies_not_overlapped", "gpu_idle_cause", "copy_bound"};

bool isPageable(const CopyAttributes& copy)
{
    return copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable;
}

struct Pageable {
    std::uint64_t bytes = 0;
    Ns time = 0;
    Ns calls = 0; ///< time the host spent in the copy calls
    double pinned = 0; ///< ns the same bytes would take pinned, where that is known
    bool compared = true;
    bool measured = true; ///< ... by copies of this report
};

Pageable measure(const RuleContext& context, const std::vector<EventRef>& found)
{
    const Trace& trace = context.trace;
    const auto large = static_cast<std::uint64_t>(context.threshold(id, largeBytes));
    std::map<std::tuple<GlobalId, std::int32_t, CopyKind>, LinkRate> rates;
    Pageable sums;
    sums.calls = timeInCalls(trace, found);
    for (const EventRef& event : found) {
        const TimeRange range = trace.range(event);
        const Track& track = trace.memcpys().trackOf(event.index);
        const CopyKind kind = trace.memcpys().copy(event.index).kind;
        sums.bytes += trace.memcpys().bytes[event.index];
        sums.time += range.duration();
        const auto [rate, added] = rates.try_emplace({track.owner, track.device, kind});
        if (added)
            rate->second = linkRate(context, track.owner, track.device, kind, large);
        sums.compared &= rate->second.bytesPerNs > 0;
        sums.measured &= rate->second.measured;
        if (sums.compared)
            sums.pinned += static_cast<double>(trace.memcpys().bytes[event.index]) / rate->second.bytesPerNs;
    }
    return sums;
}

/// The time of kernels that pinned copies could hide behind: none where there is but one kernel, which needs
/// its input before and gives its result after it.
Ns hidingPlace(const RuleContext& context)
{
    Ns kernels = 0;
    if (context.trace.kernels().size() < 2)
        return 0;
    for (const GpuFacts& gpu : context.facts.gpus())
        kernels += totalTime(gpu.compute);
    return kernels;
}

/// The time of the calls that make the copies.
Intervals callTime(const RuleContext& context, const std::vector<EventRef>& found)
{
    std::vector<TimeRange> calls;
    for (const EventRef& event : found) {
        if (const EventRef call = context.trace.apiCallOf(event); call.valid())
            calls.push_back(context.trace.range(call));
    }
    return unionOf(std::move(calls), context.window, context.stop);
}

/// The time of the copies' calls in which kernels run: a blocking copy waits for those before it.
Ns underKernels(const RuleContext& context, const std::vector<EventRef>& found)
{
    const Intervals time = callTime(context, found);
    Ns most = 0;
    for (const GpuFacts& gpu : context.facts.gpus())
        most = std::max(most, commonTime(time, gpu.compute));
    return most;
}

/// True when no buffer seems to be copied twice in one direction: pinning it would cost more than it gains.
bool eachOnce(const Trace& trace, const std::vector<EventRef>& found)
{
    std::set<std::pair<CopyKind, std::uint64_t>> seen;
    return std::ranges::all_of(found, [&](EventRef event) {
        return seen.emplace(trace.memcpys().copy(event.index).kind, trace.memcpys().bytes[event.index])
            .second;
    });
}

/// True when next to all of the bytes come before the first of many kernels: a program that loads.
bool isLoading(const RuleContext& context, const std::vector<EventRef>& found)
{
    constexpr std::size_t manyKernels = 50;
    constexpr double nearlyAll = 0.9;
    if (context.trace.kernels().size() < manyKernels)
        return false;
    Ns begun = context.window.end;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        if (!gpu.compute.empty())
            begun = std::min(begun, gpu.compute.front().start);
    }
    std::uint64_t before = 0;
    std::uint64_t all = 0;
    for (const EventRef& event : found) {
        all += context.trace.memcpys().bytes[event.index];
        before += context.trace.range(event).end <= begun ? context.trace.memcpys().bytes[event.index] : 0;
    }
    return static_cast<double>(before) >= nearlyAll * static_cast<double>(all);
}

/// The time of the copies in which no kernel runs, and that of their calls in which the GPU idles.
Intervals heldTime(const RuleContext& context, const std::vector<EventRef>& found)
{
    Intervals copying = timeOf(context.trace, found, context.window);
    Intervals waiting = callTime(context, found);
    for (const GpuFacts& gpu : context.facts.gpus()) {
        copying = difference(copying, gpu.compute);
        waiting = difference(waiting, gpu.busy);
    }
    return united(copying, waiting);
}

/// Mentions when copies to the host are far slower than copies to the device: their memory is new to the
/// program, and the operating system allocates each page at first touch. Else empty.
Message firstTouch(const Trace& trace, const std::vector<EventRef>& found)
{
    constexpr std::uint64_t much = 64'000'000; ///< bytes, each way
    constexpr double farSlower = 3;
    std::array<std::uint64_t, 2> bytes{}; // to the device, to the host
    std::array<Ns, 2> times{};
    for (const EventRef& event : found) {
        const CopyKind kind = trace.memcpys().copy(event.index).kind;
        const std::size_t way = kind == CopyKind::DtoH || kind == CopyKind::AtoH ? 1 : 0;
        bytes[way] += trace.memcpys().bytes[event.index];
        times[way] += trace.range(event).duration();
    }
    if (bytes[0] < much || bytes[1] < much)
        return {};
    const auto rate = [&](std::size_t way) {
        return static_cast<double>(bytes[way]) * 1e9 / static_cast<double>(std::max<Ns>(1, times[way]));
    };
    return rate(0) < farSlower * rate(1)
        ? Message()
        : Message("pageable_copies.rates",
              "Copies to the host run at {back}, those to the device at {there}.",
              {{"back", Rate{rate(1)}}, {"there", Rate{rate(0)}}})
            + Message("pageable_copies.first_touch",
                "The program probably touches that host memory for the first time.")
            + Message("pageable_copies.reuse", "Reused memory is faster, pinned or not.");
}

/// Copies of one size and direction that take far longer than the typical one.
struct FirstTouches {
    Ns longest = 0;
    Ns usual = 1; ///< of the size of the longest
    Intervals excess; ///< their excess in the measured time: a one-time cost, pinned or not
};

FirstTouches firstTouches(const RuleContext& context, const std::vector<EventRef>& found)
{
    constexpr std::size_t fewest = 4; // of a size: of fewer none is usual
    constexpr Ns farSlower = 5;
    const Trace& trace = context.trace;
    const TimeRange measured = context.facts.measuredRange();
    std::map<std::pair<CopyKind, std::uint64_t>, std::vector<TimeRange>> bySize;
    for (const EventRef& event : found)
        bySize[{trace.memcpys().copy(event.index).kind, trace.memcpys().bytes[event.index]}].push_back(
            trace.range(event));
    FirstTouches touches;
    std::vector<TimeRange> excess;
    for (auto& [size, times] : bySize) {
        std::ranges::sort(times, {}, &TimeRange::duration);
        const Ns median = std::max<Ns>(1, times[times.size() / 2].duration());
        if (times.size() < fewest)
            continue;
        for (const TimeRange& time : times) {
            if (time.duration() < farSlower * median)
                continue;
            if (time.duration() > touches.longest) {
                touches.longest = time.duration();
                touches.usual = median;
            }
            if (measured.contains(time.start))
                excess.push_back({time.start + median, time.end});
        }
    }
    touches.excess = unionOf(std::move(excess), measured, context.stop);
    return touches;
}

/// The copy that takes far longer than others of its size, where that is much of all their time; else empty.
Message slowestText(const FirstTouches& touches, Ns all)
{
    return touches.longest * 10 < all
        ? Message()
        : Message("pageable_copies.slowest",
              "One copy takes {time}, {factor} times the usual: the program probably touches that memory for the first "
              "time.",
              {{"time", Duration{touches.longest}},
                  {"factor", Count{static_cast<std::uint64_t>(touches.longest / touches.usual)}}})
            + Message("pageable_copies.slowest_once",
                "The {time} above the usual are a one-time cost, pinned or not, and not part of the saving.",
                {{"time", Duration{totalTime(touches.excess)}}});
}

/// The time of the copies' calls in which the driver copies to or from its staging buffer while the GPU
/// idles, limited around each copy to the time that staging takes. Longer calls wait for something else.
Intervals stagingTime(const RuleContext& context, const std::vector<EventRef>& found)
{
    constexpr Ns bytesInNs = 10; // 10 GB/s, by one core
    std::vector<TimeRange> calls;
    for (const EventRef& event : found) {
        const EventRef call = context.trace.apiCallOf(event);
        if (!call.valid())
            continue;
        const TimeRange own = context.trace.range(event);
        const Ns staging
            = callMargin + static_cast<Ns>(context.trace.memcpys().bytes[event.index]) / bytesInNs;
        calls.push_back(context.trace.range(call).clippedTo({own.start - staging, own.end + staging}));
    }
    Intervals time = unionOf(std::move(calls), context.window, context.stop);
    Ns begun = context.window.end; // the first call may make the context
    std::vector<PackedIntervals> busy;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        busy.push_back(gpu.busy);
        begun = std::min(begun, gpu.span().start);
    }
    time = difference(time, unitedAll(std::move(busy)));
    return clipped(time, {begun, context.window.end});
}

/// Idle time of the GPUs right before and after the calls of `found` because of them; copies that run ahead
/// delay no launch. More distant waits have other causes.
Intervals delayedBy(const RuleContext& context, const std::vector<EventRef>& found)
{
    constexpr Ns near = 200'000;
    std::vector<TimeRange> around;
    for (const EventRef& event : found) {
        if (const EventRef call = context.trace.apiCallOf(event); call.valid()) {
            const TimeRange range = context.trace.range(call);
            around.push_back({range.start - near, range.end + near});
        }
    }
    return intersection(
        idleBecauseOfCopies(context, found), unionOf(std::move(around), context.window, context.stop));
}

/// The time of pinned copies, and where it could be hidden.
Message comparison(const Pageable& sums, Ns hidden)
{
    Message text;
    if (sums.compared)
        text = Message("pageable_copies.pinned",
            "Pinned, they would take {time}, at {rate, select, measured {the best rate of pinned copies in this report} "
            "other {the usual bandwidth of the link}}.",
            {{"time", Duration{static_cast<Ns>(sums.pinned)}},
                {"rate", Name{sums.measured ? "measured" : "usual"}}});
    text += hidden > 0
        ? Message("pageable_copies.hidden", "Asynchronous copies could hide behind up to {time} of kernels.",
            {{"time", Duration{hidden}}})
        : Message("pageable_copies.not_hidden",
            "No second kernel could hide them, so only the faster rate counts.");
    text += Message("pageable_copies.pinning_takes_time",
        "Pinning takes time, too: it pays off for buffers that are copied more than a few times.");
    return text;
}

std::vector<Finding> findPageable(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const auto found = longestFirst(context, EventKind::Memcpy, [&](EventIndex i) {
        return isPageable(trace.memcpys().copy(i)) && isBetweenHostAndGpu(trace.memcpys().copy(i).kind);
    });
    const Pageable sums = measure(context, found);
    if (!context.reaches(id, minBytes, sums.bytes))
        return {};
    Finding finding;
    // Pinned copies take the link's time; some of the excess may stay.
    const double pinned
        = sums.compared && sums.time > 0 ? std::min(1.0, sums.pinned / static_cast<double>(sums.time)) : 1.0;
    finding.cure.edits.push_back(
        editOf(CureKind::AsyncCopies, found, {pinned, pinned, std::min(1.0, 1.5 * pinned)}));
    // Pinned copies are shorter, and as much of them can hide as kernels run; no more is saved.
    const Ns hidden = hidingPlace(context);
    const Ns waited = underKernels(context, found);
    const Ns left = sums.compared ? std::max<Ns>(0, static_cast<Ns>(sums.pinned) - hidden) : 0;
    const Ns beside = totalTime(united(besideKernels(context, found), stagingTime(context, found)));
    const Ns most = sums.compared || hidden > 0 ? beside - left : 0;
    finding.saving = std::max<Ns>(0, sums.compared ? most : std::min(most, hidden));
    const Intervals delayed = hidden > 0 ? delayedBy(context, found) : Intervals{};
    if (sums.compared && !delayed.empty())
        finding.saving = std::max(finding.saving,
            totalTime(united(united(besideKernels(context, found), stagingTime(context, found)), delayed))
                - left);
    const FirstTouches touches = firstTouches(context, found);
    if (touches.longest * 10 >= sums.time) {
        finding.once = std::min(finding.saving, totalTime(touches.excess));
        finding.saving -= finding.once;
    }
    finding.severity = severityOf(context, finding.saving);
    if (eachOnce(trace, found) && finding.severity > Severity::Medium) {
        finding.severity = Severity::Medium;
        finding.lowered = Message("pageable_copies.lowered",
            "each size is copied only once in its direction, and pinning takes about as long as a copy");
    }
    finding.confidence = Confidence::Certain;
    // The calls hold the host up before and after their copies, so more than the copies can be saved.
    finding.title = Message("pageable_copies.title",
        "{copies, plural, one {# copy} other {# copies}} from or to pageable memory: {bytes} {copies, plural, one {takes} "
        "other {take}} {time}{more, select, yes {, {around} with the calls around} other {}}",
        {{"copies", Count{found.size()}}, {"bytes", Bytes{sums.bytes}}, {"time", Duration{sums.time}},
            {"more", yesOrNo(finding.saving > sums.time)}, {"around", Duration{beside}}});
    finding.message = Message("pageable_copies.rate",
        "The average rate is {rate}; the host spends {calls} in the calls{waits, select, yes {, {waited} of it waiting for "
        "kernels} other {}}.",
        {{"rate",
             Rate{static_cast<double>(sums.bytes) * 1e9 / static_cast<double>(std::max<Ns>(1, sums.time))}},
            {"calls", Duration{sums.calls}}, {"waits", yesOrNo(waited > 0)}, {"waited", Duration{waited}}});
    finding.message += comparison(sums, hidden);
    finding.message += firstTouch(trace, found);
    finding.message += slowestText(touches, sums.time);
    if (beside > sums.time) {
        finding.message += Message("pageable_copies.counted",
            "The saving counts {time}: copies while no kernel runs, and the driver's own copying in their calls, at 10 "
            "GB/s.",
            {{"time", Duration{beside}}});
        if (left > 0)
            finding.message += Message("pageable_copies.left",
                "It leaves out {time} of pinned copies that no kernel could hide.",
                {{"time", Duration{left}}});
        if (const Ns delay = finding.saving - most; delay > 0)
            finding.message += Message("pageable_copies.delayed",
                "The calls also delay the launches after them: up to {time} more.",
                {{"time", Duration{delay}}});
    }
    setEvidence(finding, trace, found, [&](EventRef event) {
        const CopyAttributes& copy = trace.memcpys().copy(event.index);
        const double rate = static_cast<double>(trace.memcpys().bytes[event.index]) * 1e9
            / static_cast<double>(std::max<Ns>(1, trace.range(event).duration()));
        return Message("pageable_copies.copy", "{bytes}, {source} to {destination}, {rate}",
            {{"bytes", Bytes{trace.memcpys().bytes[event.index]}},
                {"source", Name{std::string(labelOf(copy.source))}},
                {"destination", Name{std::string(labelOf(copy.destination))}}, {"rate", Rate{rate}}});
    });
    if (isLoading(context, found)) {
        finding.once += finding.saving;
        finding.saving = 0;
        finding.severity = Severity::Low;
        finding.message += Message("pageable_copies.loads",
            "Nearly all of it comes before the first kernel: the program loads its data, a one-time cost.");
        finding.topic = "pageable_copies.loading";
        return only(std::move(finding));
    }
    finding.claims = united(heldTime(context, found), delayed);
    if (finding.once > 0)
        finding.claims = difference(finding.claims, touches.excess);
    // Call time outside of the copies saves nothing, and is not part of the one-time cost either.
    const TimeRange measured = context.facts.measuredRange();
    const Intervals own = besideKernels(context, found);
    if (!own.empty() && own.front().start >= measured.start - callMargin
        && own.back().end <= measured.end + callMargin)
        finding.claims = clipped(finding.claims, measured);
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule pageableCopies{
    .id = id,
    .title = "Copies from or to pageable memory",
    .why
    = "The GPU cannot read memory that the system may page out. The driver copies it through its own pinned buffer, at a fraction of the link's bandwidth. It blocks the calling thread even in an asynchronous call.",
    .remedy
    = "Allocate the host memory with cudaMallocHost or cudaHostAlloc, or pin it with cudaHostRegister, and copy with "
      "cudaMemcpyAsync in a stream.",
    .caveat = "The rate of pinned memory comes from other copies, or from the link's bandwidth.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Memcpy>,
    .check = findPageable,
    .absorbs = absorbed,
};

} // namespace warpline::pageable_copies
