// Python's global interpreter lock, where nsys traced it (--trace=python-gil): how long the launching thread
// waits for it, who holds it, and whether the GPU idles. Also reports that it is not the cause.

#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/store/event_loops.h"
#include "core/store/place_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::gil {

namespace {

constexpr std::string_view id = "gil";
constexpr Threshold minShare{
    "min_share", "Minimum share of the measured time that waits for the lock", "%", 2};
constexpr std::array thresholds{minShare};
constexpr std::array<std::string_view, 1> absorbed{"gpu_idle_cause"};

// Names of nsys' NVTX ranges.
constexpr std::string_view domain = "GIL Trace";
constexpr std::string_view holding = "Holding GIL";
constexpr std::string_view waiting = "Waiting for GIL";

/// The ranges named `name` of the lock's domain, by thread, inside `window`.
std::map<GlobalId, Intervals> lockTimes(const RuleContext& context, std::string_view name, TimeRange window)
{
    const NvtxTable& nvtx = context.trace.nvtx();
    std::map<GlobalId, Intervals> times;
    for (const Track& track : nvtx.tracks) {
        if (context.trace.text(track.family) != domain)
            continue;
        std::vector<TimeRange> ranges;
        for (const EventIndex i : eventsIn(nvtx, track, window, context.stop)) {
            if (context.trace.text(nvtx.name[i]) == name)
                ranges.push_back(nvtx.range(i));
        }
        times[track.owner] = unionOf(std::move(ranges), window, context.stop);
    }
    return times;
}

/// The thread that waits longest for the lock, among those that launch at least a tenth of `gpu`'s work
/// (autograd has its own); 0: unknown.
GlobalId launcherOf(TraceAnalysis& facts, const GpuFacts& gpu, const std::map<GlobalId, Intervals>& waitTimes)
{
    std::map<GlobalId, std::size_t> launches;
    std::size_t all = 0;
    const std::size_t stride = std::max<std::size_t>(1, gpu.work.size() / 1000); // a sample is enough
    for (std::size_t i = 0; i < gpu.work.size(); i += stride) {
        if (const EventIndex call = facts.callOf(gpu.work[i]); call != noIndex) {
            ++launches[facts.threadOf(call)];
            ++all;
        }
    }
    std::pair<Ns, GlobalId> most{-1, 0};
    for (const auto& [thread, count] : launches) {
        const auto waits = waitTimes.find(thread);
        if (count * 10 >= all && waits != waitTimes.end())
            most = std::max(most, {totalTime(waits->second), thread});
    }
    return most.second;
}

/// A sentence on who holds the lock for most of `waits`; empty: unknown.
Message holderOf(const RuleContext& context, GlobalId launcher, const Intervals& waits, TimeRange window)
{
    std::pair<Ns, GlobalId> most{0, 0};
    for (const auto& [thread, times] : lockTimes(context, holding, window)) {
        if (thread != launcher)
            most = std::max(most, {commonTime(times, waits), thread});
    }
    return most.first > 0 ? Message("gil.holder", "{thread} holds it for {time} of that.",
               {{"thread", threadLabel(context.trace, most.second)}, {"time", Duration{most.first}}})
                          : Message();
}

std::vector<Finding> findLock(const RuleContext& context)
{
    std::vector<Finding> findings;
    TraceAnalysis& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    const auto waitTimes = lockTimes(context, waiting, measured);
    for (const GpuFacts& gpu : facts.gpus()) {
        const GlobalId launcher = launcherOf(facts, gpu, waitTimes);
        const auto found = waitTimes.find(launcher);
        if (launcher == 0 || found == waitTimes.end())
            continue;
        const Intervals& waits = found->second;
        const Ns total = totalTime(waits);
        const double share = shareOf(total, measured.duration());
        const bool matters = share * 100 >= context.threshold(id, minShare);
        Finding finding
            = findingOn(context, gpu.process, gpu.device, difference(clipped(waits, gpu.span()), gpu.busy));
        finding.confidence = Confidence::Certain;
        finding.title = matters
            ? Message("gil.title", "The launching thread waits {time} for Python's global lock",
                {{"time", Duration{total}}})
            : Message("gil.title_not",
                "Python's global lock is not the cause: the launching thread {waits, select, no {does not wait} other "
                "{waits {time}}} for it",
                {{"waits", yesOrNo(total > 0)}, {"time", Duration{total}}});
        finding.message
            = Message("gil.waits", "{thread} waits {time} ({share} of the {measured} measured) for the lock.",
                {{"thread", threadLabel(context.trace, launcher)}, {"time", Duration{total}},
                    {"share", Share{share}}, {"measured", Duration{measured.duration()}}});
        finding.message += Message("gil.idle",
            "The GPU is {idle, select, yes {idle for {time} of that} other {never idle in that time}}.",
            {{"idle", Name{finding.claims.empty() ? "no" : "yes"}},
                {"time", Duration{totalTime(finding.claims)}}});
        finding.message += holderOf(context, launcher, waits, measured);
        if (!matters) {
            finding.saving = 0;
            finding.severity = Severity::Info;
            finding.why = Message("gil.why_not",
                              "Python threads that take turns are a common reason for an idle GPU.")
                + Message("gil.traced",
                    "This report traced the lock, and the launching thread hardly waits for it.");
            finding.remedy = Message(
                "gil.nothing", "Leave the lock: see what the other findings say about the idle time.");
        }
        setStretches(finding, waits, "gil.wait", "waits {time} for the lock");
        if (waits.empty())
            finding.where = measured;
        findings.push_back(std::move(finding));
    }
    return findings;
}

bool isTraced(const Trace& trace)
{
    return std::ranges::any_of(
        trace.nvtx().tracks, [&](const Track& track) { return trace.text(track.family) == domain; });
}

} // namespace

extern constinit const Rule globalInterpreterLock{
    .id = id,
    .title = "Python's global lock",
    .why
    = "Only one thread of a Python process runs Python at a time. A thread that waits for the lock launches "
      "nothing, however many cores there are.",
    .remedy
    = "Move the work that holds the lock to other processes (multiprocessing) or to code that releases it (NumPy, compiled extensions). Do it less often (logging, metrics). sys.setswitchinterval() sets "
      "how soon a thread yields.",
    .caveat = "Waits shorter than the resolution of the lock's trace are not seen.",
    .thresholds = thresholds,
    .applies
    = [](const Trace& trace, const std::stop_token&) { return isTraced(trace) && !trace.apiCalls().empty(); },
    .check = findLock,
    .absorbs = absorbed,
};

} // namespace warpline::gil
