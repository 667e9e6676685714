// Waits of the host in every iteration: a value read from the GPU (a small copy, then a wait), or a
// synchronizing call in the loop. The cost is the GPU's idle time because nothing was launched ahead, until
// its queue is filled again: see idleBecauseOf().

#include "core/base/median.h"
#include "core/coverage/interval_times.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_delays.h"
#include "core/findings/waits.h"
#include "core/store/place_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::sync_per_iteration {

namespace {

constexpr std::string_view id = "sync_per_iteration";
constexpr Threshold minSteps{"min_steps", "Minimum share of the steps that wait", "%", 80};
constexpr Threshold minCount{"min_count", "Minimum number of waits where there are no steps", "", 20};
constexpr Threshold valueBytes{"value_bytes", "A copy of at most this is a value that is read", "B", 4096};
constexpr Threshold minWait{
    "min_wait", "Minimum share of the measured time spent waiting, for waits that read no value", "%", 1};
constexpr std::array thresholds{minSteps, minCount, valueBytes, minWait};
// A wait between the launches is why each finds the queue empty, and why kernels stand apart.
constexpr std::array<std::string_view, 5> absorbed{
    "cuda_api_sync", "gpu_idle_cause", "launch_bound", "kernel_storm", "tiny_copies"};
constexpr std::size_t minStepCount = 3;

enum class WaitKind : std::uint8_t { Value, Device, Stream, Event };
constexpr std::size_t waitKinds = 4;

std::string_view keyOf(WaitKind kind)
{
    constexpr std::array<std::string_view, waitKinds> keys{"value", "device", "stream", "event"};
    return keys[static_cast<std::size_t>(kind)];
}

struct Waits {
    std::vector<EventRef> calls;
    std::vector<Ns> times;
    std::vector<std::uint32_t> copies; ///< Links::pack() of the copies that bring the read values
    std::uint64_t rounds = 0; ///< waits with a launch since the one before
};

/// The copy before a wait, which shows what the wait is for.
struct LastCopy {
    CopyKind kind = CopyKind::Unknown;
    std::uint64_t bytes = 0;
    bool fresh = false; ///< no launch since
    std::uint32_t work = noIndex; ///< Links::pack()
};

class WaitCollector {
public:
    explicit WaitCollector(const RuleContext& context)
        : m_context(context),
          m_kinds(context.facts.callKinds()),
          m_valueBytes(static_cast<std::uint64_t>(context.threshold(id, valueBytes)))
    {
    }

    void visit(EventIndex call)
    {
        const CallKind kind = m_kinds[call];
        if (kind == CallKind::Launch) {
            m_launched = true;
            m_copy.fresh = false;
        } else if (kind == CallKind::Copy) {
            noteCopy(call);
        } else if (waits(kind)) {
            add(kind, call);
        }
    }
    const std::array<Waits, waitKinds>& found() const { return m_found; }
    /// All waits, in order of time.
    const std::vector<EventRef>& all() const { return m_all; }

private:
    void noteCopy(EventIndex call)
    {
        const Trace& trace = m_context.trace;
        m_copy = {};
        for (const EventRef& work : trace.workOf({EventKind::ApiCall, call})) {
            if (work.kind == EventKind::Memcpy)
                m_copy = {trace.memcpys().copy(work.index).kind, trace.memcpys().bytes[work.index], true,
                    Links::pack(work)};
        }
        const std::string_view name = bareCallName(trace.name({EventKind::ApiCall, call}));
        const bool blocks = name.find("Async") == std::string_view::npos;
        if (blocks && readsValue())
            add(CallKind::Copy, call);
    }
    bool readsValue() const
    {
        return m_copy.fresh && m_copy.kind == CopyKind::DtoH && m_copy.bytes > 0
            && m_copy.bytes <= m_valueBytes;
    }
    void add(CallKind kind, EventIndex call)
    {
        m_all.push_back({EventKind::ApiCall, call});
        // A wait right after a copy to the device belongs to the copy: the rules about copies report it.
        if (m_copy.fresh && !readsValue())
            return;
        const WaitKind wait = readsValue() ? WaitKind::Value
            : kind == CallKind::DeviceSync ? WaitKind::Device
            : kind == CallKind::EventSync  ? WaitKind::Event
                                           : WaitKind::Stream;
        Waits& waits = m_found[static_cast<std::size_t>(wait)];
        waits.calls.push_back({EventKind::ApiCall, call});
        waits.times.push_back(m_context.trace.apiCalls().start[call]);
        if (wait == WaitKind::Value)
            waits.copies.push_back(m_copy.work);
        waits.rounds += m_launched ? 1 : 0;
        m_launched = false;
        m_copy.fresh = false;
    }

    const RuleContext& m_context;
    const CallKinds& m_kinds;
    std::uint64_t m_valueBytes;
    std::array<Waits, waitKinds> m_found;
    std::vector<EventRef> m_all;
    LastCopy m_copy;
    bool m_launched = false;
};

Message remedyFor(WaitKind kind)
{
    switch (kind) {
    case WaitKind::Value:
        return {"sync_per_iteration.keep_value",
            "Keep the value on the GPU: accumulate there and read it every hundredth iteration, or copy it asynchronously and "
            "read it one iteration later."};
    case WaitKind::Device:
        return {"sync_per_iteration.no_device_wait",
            "Remove cudaDeviceSynchronize from the loop: keep it around timed sections only, and use events for timing."};
    case WaitKind::Stream:
        return {"sync_per_iteration.order_streams",
            "Order streams on the GPU with cudaStreamWaitEvent instead of waiting on the host, and wait only where the host "
            "uses the result."};
    case WaitKind::Event:
        break;
    }
    return Message("sync_per_iteration.stream_waits",
               "Let the other stream wait (cudaStreamWaitEvent) instead of the host (cudaEventSynchronize), or poll with "
               "cudaEventQuery.")
        + Message("sync_per_iteration.previous_event",
            "Or wait for the event of the previous iteration, so that one iteration is always in flight.");
}

std::string_view topicFor(WaitKind kind)
{
    switch (kind) {
    case WaitKind::Value:
        return "sync_per_iteration.value";
    case WaitKind::Device:
        return "sync_per_iteration.device";
    case WaitKind::Event:
        return "sync_per_iteration.event";
    case WaitKind::Stream:
        break;
    }
    return "sync_per_iteration.stream";
}

/// How often the host waits in a step; where single steps wait far more often, also how often these do.
Message timesAStep(const StepSeries& steps, const StepHits& hits, const std::vector<Ns>& times)
{
    if (hits.hits == hits.steps)
        return {"sync_per_iteration.once", "once per step"};
    std::vector<Ns> counts(steps.size());
    for (const Ns time : times) {
        if (const std::size_t step = steps.at(time); step < steps.size() && steps.ranges[step].contains(time))
            ++counts[step];
    }
    counts.erase(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(steps.firstSteady));
    const Ns most = counts.empty() ? 0 : *std::ranges::max_element(counts);
    const Ns middle = upperMedian(counts);
    if (middle > 0 && most > 3 * middle)
        return {"sync_per_iteration.uneven",
            "{usual, plural, one {once} other {# times}} per step, {most} times in one of them",
            {{"usual", Count{static_cast<std::uint64_t>(middle)}},
                {"most", Count{static_cast<std::uint64_t>(most)}}}};
    return {"sync_per_iteration.times", "{times} times per step",
        {{"times", Number{static_cast<double>(hits.hits) / static_cast<double>(hits.steps), 1}}}};
}

/// The waits in steady steps: others come before them, or between.
std::vector<EventRef> inSteadySteps(const StepSeries& steps, const Waits& waits)
{
    std::vector<EventRef> calls;
    for (std::size_t i = 0; i < waits.calls.size(); ++i) {
        if (isInSteadyStep(steps, waits.times[i]))
            calls.push_back(waits.calls[i]);
    }
    return calls;
}

/// The time that the GPU idles because of `waits`; the other ones of `all`, the thread's waits, stay.
Intervals idleBecauseOf(
    const RuleContext& context, GlobalId thread, const Waits& waits, const std::vector<EventRef>& all)
{
    std::vector<HostDelay> delays;
    auto goes = waits.calls.begin();
    for (const EventRef& call : stoppableItems(all, context.stop)) {
        const bool isGone = goes != waits.calls.end() && *goes == call;
        delays.push_back(isGone ? withCodeAround(context.trace, call.index, true)
                                : HostDelay{context.trace.range(call), 0, true});
        goes += isGone ? 1 : 0;
    }
    // Values that are not read need no copy.
    for (const std::uint32_t copy : waits.copies) {
        const EventRef call = context.trace.apiCallOf(Links::unpack(copy));
        if (call.valid() && !std::ranges::binary_search(waits.calls, call))
            delays.push_back(withCodeAround(context.trace, call.index));
    }
    std::ranges::stable_sort(delays, {}, [](const HostDelay& delay) { return delay.call.start; });
    TraceAnalysis& facts = context.facts;
    return lostIdleOf(context.trace, facts, thread,
        idleBecauseOf(context.trace, facts.gpusOf(thread), delays, context.stop, waits.copies));
}

Message costText(Ns idle)
{
    return idle == 0
        ? Message("sync_per_iteration.no_cost",
            "The GPU has other work in that time, so it loses nothing; but the host cannot run ahead.")
        : Message("sync_per_iteration.cost",
            "Because of them, the GPU is idle for up to {time}, until launches fill its queue again.",
            {{"time", Duration{idle}}});
}

void report(const RuleContext& context, GlobalId thread, WaitKind kind, const WaitCollector& collector,
    std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const Waits& waits = collector.found()[static_cast<std::size_t>(kind)];
    const StepSeries& steps = facts.steps(thread);
    const StepHits hits = hitsInSteadySteps(steps, waits.times);
    const bool perStep = steps.steady() >= minStepCount && hits.steps >= minStepCount
        && context.reachesShare(id, minSteps, hits.steps, steps.steady());
    const bool inLoop = steps.empty() && context.reaches(id, minCount, waits.rounds);
    if (!perStep && !inLoop)
        return;
    std::vector<EventRef> calls = perStep ? inSteadySteps(steps, waits) : waits.calls;
    const Ns waited = totalDuration(context.trace, calls);
    Finding finding
        = findingOn(context, processOf(thread), -1, idleBecauseOf(context, thread, waits, collector.all()));
    const double share = static_cast<double>(std::max(waited, finding.saving))
        / static_cast<double>(std::max<Ns>(1, facts.measured()));
    if (kind != WaitKind::Value && share * 100 < context.threshold(id, minWait))
        return;
    finding.confidence = kind == WaitKind::Value ? Confidence::Certain : Confidence::Likely;
    finding.subject = {Subject::Kind::Part, std::string(keyOf(kind))};
    const Message often = perStep
        ? timesAStep(steps, hits, waits.times)
        : Message("sync_per_iteration.in_loop", "{times, plural, one {# time} other {# times}} in a loop",
            {{"times", Count{calls.size()}}});
    finding.title = Message("sync_per_iteration.title",
        "The host {kind, select, value {reads a value back from the GPU and waits for it} device {waits for the whole device} stream {waits for a "
        "stream} other {waits for an event}} {often}",
        {{"kind", Name{std::string(keyOf(kind))}}, {"often", often}});
    finding.message = perStep
        ? Message("sync_per_iteration.in_steps",
            "{waits, plural, one {# wait} other {# waits}} in {hits} of {steps} steady steps ({pattern}): {time} in all.",
            {{"waits", Count{calls.size()}}, {"hits", Count{hits.steps}}, {"steps", Count{steps.steady()}},
                {"pattern", Name{steps.pattern}}, {"time", Duration{waited}}})
        : Message("sync_per_iteration.waits", "{waits, plural, one {# wait} other {# waits}}: {time} in all.",
            {{"waits", Count{calls.size()}}, {"time", Duration{waited}}});
    finding.message += costText(finding.saving);
    finding.cure.edits.push_back(editOf(CureKind::RemoveSync, calls));
    if (!waits.copies.empty()) {
        std::vector<EventRef> copies;
        for (const std::uint32_t copy : waits.copies)
            copies.push_back(Links::unpack(copy));
        finding.cure.edits.push_back(editOf(CureKind::RemoveWork, std::move(copies)));
    }
    longestToFront(context.trace, calls);
    const PackedIntervals others = timeOfOthers(context.trace, facts, thread, context.window);
    setEvidence(finding, context.trace, calls, [&](EventRef call) {
        const TimeRange idle = costOf(facts.gpusOf(thread), context.trace.range(call)).idle;
        return Message("sync_per_iteration.wait", "the GPU is idle for {time} around it",
            {{"time", Duration{idle.duration() - others.timeIn(idle)}}});
    });
    finding.remedy = remedyFor(kind);
    finding.topic = topicFor(kind);
    if (kind == WaitKind::Value)
        finding.group = "values that are read back"; // tiny copies of which are the same calls
    findings.push_back(std::move(finding));
}

/// Distinguishes threads of a process that do the same.
void nameThreads(const Trace& trace, const std::vector<GlobalId>& threads, std::vector<Finding>& findings)
{
    std::map<std::pair<GlobalId, Subject>, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < findings.size(); ++i)
        found[{findings[i].process, findings[i].subject}].push_back(i);
    for (const auto& [of, alike] : found) {
        for (std::size_t i = 0; alike.size() > 1 && i < alike.size(); ++i) {
            Finding& finding = findings[alike[i]];
            finding.subject.thread = std::to_string(i);
            finding.title = Message("sync_per_iteration.in_thread", "{finding}, in {thread}",
                {{"finding", finding.title}, {"thread", threadLabel(trace, threads[alike[i]])}});
        }
    }
}

std::vector<Finding> findWaits(const RuleContext& context)
{
    std::vector<Finding> findings;
    std::vector<GlobalId> threads; // of each finding
    for (const GlobalId thread : callingThreads(context.trace)) {
        WaitCollector collector(context);
        forEachOuterCall(context, thread, context.window, [&](EventIndex call) { collector.visit(call); });
        for (std::size_t kind = 0; kind < waitKinds; ++kind) {
            if (!collector.found()[kind].calls.empty())
                report(context, thread, static_cast<WaitKind>(kind), collector, findings);
        }
        threads.resize(findings.size(), thread);
        if (context.stop.stop_requested())
            break;
    }
    nameThreads(context.trace, threads, findings);
    return findings;
}

} // namespace

extern constinit const Rule syncPerIteration{
    .id = id,
    .title = "A wait in every iteration",
    .why
    = "A host that waits for the GPU in every iteration cannot prepare the next one in that time. The GPU goes idle at "
      "each wait, and launch latency counts in full.",
    .remedy = "Wait only where the host uses a result, and one step later than the GPU computes it.",
    .caveat = "A stopping criterion may need the value on the host in every iteration.",
    .thresholds = thresholds,
    .applies
    = [](const Trace& trace,
          const std::stop_token&) { return !trace.apiCalls().empty() && trace.kernels().size() > 1; },
    .check = findWaits,
    .absorbs = absorbed,
};

} // namespace warpline::sync_per_iteration
