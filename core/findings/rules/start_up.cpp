// One-time costs of a process before its first GPU work: the CUDA call that creates the context, whatever its
// name, and the first launch, which loads code, or compiles it where the program has none for this GPU.

#include "core/base/median.h"
#include "core/base/stop.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/recording_advice.h"
#include "core/findings/silent_start.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>

namespace warpline::start_up {

namespace {

constexpr std::string_view id = "start_up";
constexpr Threshold minCall{"min_call_ns", "Shorter calls do not count", "ns", 10e6};
constexpr Threshold factor{"factor", "Minimum length of a long first launch (times the median)", "", 20};
constexpr std::array thresholds{minCall, factor};
constexpr std::size_t launchesToCompare = 1000;

struct StartUp {
    EventRef context; ///< the first long call before any work
    EventRef launch; ///< the first launch, when it takes long
    bool hasContext = false; ///< the GPU worked before that launch
};

constexpr std::array gpuWork{EventKind::Kernel, EventKind::GraphTrace, EventKind::Memcpy, EventKind::Memset};
constexpr std::size_t kernelKinds = 2; ///< of these, those that run code of the program

/// When the process of `thread` first has work of `kinds` on `device` (-1: on any GPU); else never.
Ns firstWorkOf(const Trace& trace, GlobalId thread, std::int32_t device, std::span<const EventKind> kinds)
{
    Ns first = std::numeric_limits<Ns>::max();
    for (const EventKind kind : kinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (pidOf(track.owner) != pidOf(thread) || (device >= 0 && track.device != device))
                continue;
            for (const Lane& lane : table.lanesOf(track))
                first = lane.count > 0 ? std::min(first, table.start[lane.first]) : first;
        }
    }
    return first;
}

/// The GPU that the work of `call` runs on; -1: not known.
std::int32_t deviceOf(const Trace& trace, EventIndex call)
{
    std::int32_t device = -1;
    if (call != noIndex)
        trace.visitWork(call, [&](EventRef work) {
            if (isGpuWork(work.kind))
                device = trace.track(trace.trackOf(work)).device;
        });
    return device;
}

StartUp startUpOf(const RuleContext& context, GlobalId thread)
{
    TraceAnalysis& facts = context.facts;
    const EventTable& calls = context.trace.apiCalls();
    const Ns least = static_cast<Ns>(context.threshold(id, minCall));
    StartUp found;
    std::vector<Ns> launches;
    bool begun = false;
    EventIndex first = noIndex;
    const CallKinds& kinds = facts.callKinds();
    forEachOuterCall(context, thread, context.window, [&](EventIndex call) {
        const CallKind kind = kinds[call];
        if (kind == CallKind::Launch) {
            if (first == noIndex)
                first = call;
            if (launches.size() < launchesToCompare)
                launches.push_back(calls.duration[call]);
        }
        begun |= kind == CallKind::Launch || kind == CallKind::Copy || kind == CallKind::Set;
        // The first long call starts the driver; later calls are long because they pin or allocate much
        // memory.
        if (begun || found.context.valid() || calls.duration[call] < least)
            return;
        // A call of the driver makes no context by the way.
        if (kind == CallKind::MakeContext || isRuntimeCall(context.trace.name({EventKind::ApiCall, call})))
            found.context = {EventKind::ApiCall, call};
    });
    // One or two launches have no typical time.
    const double usual = launches.size() > 2 ? static_cast<double>(upperMedian(launches)) : 0.0;
    if (first != noIndex && calls.duration[first] >= least
        && static_cast<double>(calls.duration[first]) >= context.threshold(id, factor) * usual)
        found.launch = {EventKind::ApiCall, first};
    // A recording may begin in a running process, as PyTorch's do. A call during which the process' GPU has
    // work creates no context, and a launch after kernels loads no first code: both wait for earlier
    // launches.
    const Trace& trace = context.trace;
    const std::int32_t device = deviceOf(trace, first);
    if (found.context.valid() && firstWorkOf(trace, thread, device, gpuWork) < trace.range(found.context).end)
        found.context = {};
    if (found.launch.valid()) {
        const Ns begin = trace.range(found.launch).start;
        if (firstWorkOf(trace, thread, device, std::span(gpuWork).first(kernelKinds)) < begin)
            found.launch = {};
        found.hasContext = firstWorkOf(trace, thread, device, gpuWork) < begin;
    }
    return found;
}

/// True when the profiler saw the driver load its compiler of PTX during `when`.
bool compiles(const Trace& trace, TimeRange when, const std::stop_token& stop)
{
    constexpr std::string_view compiler = "ptxjitcompiler";
    for (const EventKind kind : {EventKind::Overhead, EventKind::OsRuntime, EventKind::Library}) {
        const EventTable& table = trace.table(kind);
        for (const EventIndex i : eventsIn(table, when, stop)) {
            const std::string_view name = trace.text(table.name[i]);
            if (name.find(compiler) != std::string_view::npos || name.starts_with("CUDA JIT"))
                return true;
        }
    }
    return false;
}

/// "-arch=sm_86" for the GPUs of the report.
std::string architecture(const Trace& trace)
{
    for (const Device& device : trace.devices) {
        if (device.computeMajor > 0)
            return fmt::format("nvcc -arch=sm_{}{}", device.computeMajor, device.computeMinor);
    }
    return "nvcc -arch=native";
}

/// What the first launch of `found` does during its time.
Message firstLaunchText(const RuleContext& context, const StartUp& found)
{
    const Trace& trace = context.trace;
    const TimeRange launch = trace.range(found.launch);
    const Name call{std::string(bareCallName(trace.name(found.launch)))};
    const Duration time{launch.duration()};
    if (compiles(trace, launch, context.stop))
        return Message("start_up.compiles",
                   "The first {call} takes {time}, in which the driver loads its compiler.",
                   {{"call", call}, {"time", time}})
            + Message("start_up.build_for",
                "The program probably holds no code for this GPU and is compiled at each start: build with {option}.",
                {{"option", Name{architecture(trace)}}});
    if (found.context.valid() || found.hasContext)
        return {"start_up.loads", "The first {call} takes {time}, because it loads the code.",
            {{"call", call}, {"time", time}}};
    return {"start_up.needs_gpu",
        "The first {call} takes {time}: it needs the GPU, so the driver starts, creates a context and loads the code.",
        {{"call", call}, {"time", time}}};
}

/// Where no listed call makes the context, though the first that needs one finds it: see SilentStart.
std::optional<Finding> findSilent(const RuleContext& context, GlobalId thread)
{
    const Trace& trace = context.trace;
    const SilentStart silent = silentStartOf(trace, thread, context.stop);
    const Ns time = silent.when.duration();
    if (!context.reaches(id, minCall, time) || silent.when.clippedTo(context.window) != silent.when)
        return std::nullopt;
    const std::string_view first = bareCallName(trace.name({EventKind::ApiCall, silent.before}));
    Finding finding = findingWith(Severity::Low, Confidence::Likely, processOf(thread));
    finding.once = time;
    finding.subject = {Subject::Kind::Part, "silent"};
    finding.title
        = Message("start_up.silent_title", "Start-up: probably the start of {api}, {time} before {call}",
            {{"api", Name{std::string(gpuApiName(trace))}}, {"time", Duration{time}},
                {"call", Name{std::string(first)}}});
    finding.message = Message("start_up.finds_context",
        "{call} is the first call that needs a context, and takes only {time}: the context exists by then.",
        {{"call", Name{std::string(first)}}, {"time", Duration{trace.apiCalls().duration[silent.before]}}});
    finding.message += Message("start_up.unlisted_call",
        "The driver probably created it in the {time} before, in a call that {recorder} does not list, such as "
        "cudaSetDevice.",
        {{"time", Duration{time}}, {"recorder", recordingAdvice(trace).recorder()}});
    finding.message
        += Message("start_up.unknown", "The report does not show what else the host did in that time.");
    finding.message += Message("start_up.exclude", "Exclude it from your timing.");
    setStretches(finding, std::array{silent.when}, "start_up.once", "one-time cost");
    return finding;
}

std::vector<Finding> findStartUp(const RuleContext& context)
{
    const Trace& trace = context.trace;
    std::vector<Finding> findings;
    if (const auto part = partOf(trace.info); part && part->beginsLater())
        return findings; // its first calls are not the program's
    for (const GlobalId thread : callingThreads(trace)) {
        if (context.stop.stop_requested())
            return {};
        StartUp found = startUpOf(context, thread);
        bool hadContext = false;
        if (std::optional<Finding> silent = findSilent(context, thread)) {
            hadContext = found.context.valid() && trace.range(found.context).start >= silent->where.end;
            findings.push_back(std::move(*silent));
        }
        // Threads that begin together all wait for the one start of their process.
        const auto isTold = [&](const EventRef& call) {
            return call.valid() && std::ranges::any_of(findings, [&](const Finding& told) {
                return pidOf(told.process) == pidOf(thread)
                    && std::ranges::any_of(told.evidence,
                        [&](const Evidence& proof) { return proof.range.overlaps(trace.range(call)); });
            });
        };
        if (isTold(found.context))
            found.context = {};
        if (isTold(found.launch))
            found.launch = {};
        std::vector<EventRef> calls;
        for (const EventRef& call : {found.context, found.launch}) {
            if (call.valid())
                calls.push_back(call);
        }
        if (calls.empty())
            continue;
        Finding finding = findingWith(Severity::Low, Confidence::Certain, processOf(thread));
        finding.once = totalDuration(trace, calls);
        finding.subject = {Subject::Kind::Call, std::string(bareCallName(trace.name(calls.front())))};
        finding.title = Message("start_up.title", "Start-up: {call} takes {time}",
            {{"call", Name{std::string(bareCallName(trace.name(calls.front())))}},
                {"time", Duration{trace.range(calls.front()).duration()}}});
        if (found.context.valid()) {
            const std::string_view name = bareCallName(trace.name(found.context));
            const Name call{std::string(name)};
            const Duration time{trace.range(found.context).duration()};
            finding.message = hadContext
                ? Message("start_up.own_work",
                    "{call} takes {time}, once. The context exists by then: it is work of the call itself.",
                    {{"call", call}, {"time", time}})
                : Message("start_up.context",
                    "{call} takes {time}: it is the first {api} call that needs the GPU, so the driver starts and creates "
                    "a context.",
                    {{"call", call}, {"time", time}, {"api", Name{std::string(gpuApiName(trace))}}});
            finding.message += callKindOf(name) == CallKind::Release || hadContext
                ? Message("start_up.exclude", "Exclude it from your timing.")
                : Message("start_up.exclude_or_call",
                    "Exclude it from your timing, or call {call}(0) before the clock starts.",
                    {{"call", Name{gpuApiOf(trace) == GpuApi::Hip ? "hipFree" : "cudaFree"}}});
        }
        if (found.launch.valid())
            finding.message += firstLaunchText(context, found);
        setEvidence(finding, trace, calls, {"start_up.once", "one-time cost"});
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule startUp{
    .id = id,
    .title = "CUDA start-up",
    .why
    = "The first CUDA call of a process starts the driver and creates a context, which takes a tenth of a second "
      "or more. The first launch loads the code. Both are one-time costs of a run.",
    .remedy
    = "Start the clock after the first launch. To pay the cost early, call cudaFree(0) at the start. To reduce "
      "it, build for your GPU (nvcc -arch=native), link fewer libraries, hide unused GPUs "
      "(CUDA_VISIBLE_DEVICES), and keep the driver loaded between runs (nvidia-persistenced).",
    .caveat = "Start-up is shorter when caches are warm from an earlier run.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::ApiCall>,
    .check = findStartUp,
};

} // namespace warpline::start_up
