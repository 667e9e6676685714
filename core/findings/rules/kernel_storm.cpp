// Storms of short kernels: the cost of launches against their computing, and the names that follow one
// another often enough to fuse them. Kernels of graphs do not count, because they share a launch.

#include "core/analysis/idle_gaps.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/communication.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_chains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <span>

namespace warpline::kernel_storm {

namespace {

constexpr std::string_view id = "kernel_storm";
constexpr Threshold shortLimit{"short_ns", "A kernel is short below", "ns", 10'000};
constexpr Threshold minShare{"min_share", "Minimum share of short kernels", "%", 60};
constexpr Threshold minCount{"min_count", "Minimum number of short kernels", "", 500};
constexpr std::array thresholds{shortLimit, minShare, minCount};
constexpr std::array<std::string_view, 2> absorbed{"short_kernels", "gpu_time_util"};
constexpr std::size_t namedChains = 3;

struct Storm {
    std::uint64_t kernels = 0;
    std::uint64_t brief = 0;
    Ns briefTime = 0;
    Ns launching = 0; ///< in calls that do not wait
    std::uint64_t launches = 0; ///< such calls
    std::uint64_t waited = 0; ///< longer ones: the queue of launches was full
    std::vector<EventIndex> first; ///< of each stream, up to the listed number
    TimeRange span; ///< of all of them
    /// raw(), one after another; an empty one where another kernel, or a stream, begins
    std::vector<std::uint32_t> names;
};

Storm measure(const RuleContext& context, Ns brief)
{
    Storm storm;
    TraceAnalysis& facts = context.facts;
    const KernelTable& kernels = context.trace.kernels();
    const CommunicationKernels communicates(context.trace);
    storm.names.reserve(kernels.size() + kernels.lanes.size()); // unused memory is never touched
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, context.window);
        const std::size_t known = storm.first.size();
        storm.names.push_back(0);
        for (const EventIndex i : stoppable(first, last, context.stop)) {
            if (communicates[i]) {
                storm.names.push_back(0); // a small message is short on purpose
                continue;
            }
            ++storm.kernels;
            if (kernels.duration[i] >= brief || kernels.launch(i).graphNodeId != 0) {
                storm.names.push_back(0);
                continue;
            }
            ++storm.brief;
            storm.briefTime += kernels.duration[i];
            if (storm.first.size() - known < maxEvidence)
                storm.first.push_back(i);
            storm.span = storm.span.empty() ? kernels.range(i) : storm.span.unitedWith(kernels.range(i));
            if (const EventIndex call = facts.callOf(EventRef{EventKind::Kernel, i}); call != noIndex) {
                const Ns took = context.trace.apiCalls().duration[call];
                storm.waited += took > launchWorth ? 1 : 0;
                storm.launches += took > launchWorth ? 0 : 1;
                storm.launching += took > launchWorth ? 0 : took;
            }
            storm.names.push_back(raw(kernels.name[i]));
        }
        if (context.stop.stop_requested())
            break;
    }
    return storm;
}

/// The chains most worth fusing, as a sentence; empty: there are none.
Message fusable(const RuleContext& context, std::vector<std::uint32_t> kernels)
{
    std::vector<Message> chains;
    for (const KernelChain& chain :
        repeatedChains(context.trace, std::move(kernels), namedChains, context.stop)) {
        std::vector<Message> names;
        for (const std::string& name : chain.names)
            names.push_back(Message("kernel_storm.kernel", "{kernel}", {{"kernel", Name{toUtf8(name)}}}));
        chains.push_back(Message("kernel_storm.chain",
            "[{kernels}] ({count} kernels, {times, plural, one {# time} other {# times}})",
            {{"kernels", std::move(names)}, {"count", Count{chain.names.size()}},
                {"times", Count{chain.times}}}));
    }
    return chains.empty() ? Message()
                          : Message("kernel_storm.chains", "The most frequent sequences are {chains}.",
                              {{"chains", std::move(chains)}});
}

std::vector<Finding> findStorm(const RuleContext& context)
{
    const Ns brief = static_cast<Ns>(context.threshold(id, shortLimit));
    Storm storm = measure(context, brief);
    if (!context.reachesShare(id, minShare, storm.brief, storm.kernels)
        || !context.reaches(id, minCount, storm.brief))
        return {};
    const double share = static_cast<double>(storm.brief) / static_cast<double>(storm.kernels);
    // Other streams may work at the same time: only idle time of the whole GPU can be saved.
    Finding finding = findingOn(context, 0, -1, context.facts.idleAfterShort(brief));
    finding.group = "short_kernels";
    const std::uint64_t launched = storm.launches + storm.waited; // with a recorded call
    finding.title = Message("kernel_storm.title",
        "{kernels, plural, one {# kernel} other {# kernels}} shorter than {limit}: {launched, plural, =0 {} other {launching takes {launching}, }}running "
        "{running}",
        {{"kernels", Count{storm.brief}}, {"limit", Duration{brief}}, {"launched", Count{launched}},
            {"launching", Duration{storm.launching}}, {"running", Duration{storm.briefTime}}});
    finding.message = Message("kernel_storm.mean",
        "They are {share} of {all} kernels and take {mean} on average{launched, plural, =0 {} other {; their launch calls take {launch}}}.",
        {{"share", Share{share}}, {"all", Count{storm.kernels}},
            {"mean", Duration{storm.briefTime / static_cast<Ns>(storm.brief)}}, {"launched", Count{launched}},
            {"launch",
                Duration{storm.launching / static_cast<Ns>(std::max<std::uint64_t>(1, storm.launches))}}});
    if (launched < storm.brief)
        finding.message
            += Message("kernel_storm.unlaunched", "The launch call of {kernels} of them was not recorded.",
                {{"kernels", Count{storm.brief - launched}}});
    if (storm.waited > 0)
        finding.message += Message("kernel_storm.waited",
            "That leaves out {launches, plural, one {# launch} other {# launches}} longer than {limit}, which mostly waited for "
            "a full queue.",
            {{"launches", Count{storm.waited}}, {"limit", Duration{launchWorth}}});
    finding.message += Message("kernel_storm.saving",
        "Fusing them, or launching them as a graph, could save up to {saving} of idle time between them.",
        {{"saving", Duration{finding.saving}}});
    finding.message += fusable(context, std::move(storm.names));
    // The proof of a storm is where it is densest, not its longest kernels: those in order of time.
    const KernelTable& kernels = context.trace.kernels();
    std::ranges::sort(storm.first, {}, [&](EventIndex i) { return kernels.start[i]; });
    std::vector<EventRef> events;
    for (const EventIndex i : std::span(storm.first).first(std::min(maxEvidence, storm.first.size())))
        events.push_back({EventKind::Kernel, i});
    setEvidence(finding, context.trace, events);
    finding.evidenceTotal = storm.brief;
    finding.where = storm.span;
    finding.cure.edits.push_back(editOfAll(CureKind::LaunchGraph));
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule kernelStorm{
    .id = id,
    .title = "Storm of short kernels",
    .why
    = "A launch takes the host 2 to 10 us, and the GPU one or two between kernels. Kernels that run no longer than that "
      "spend most of the time on launches. Each also reads and writes memory that a fused kernel would keep in "
      "registers.",
    .remedy = "Fuse consecutive kernels, launch the sequence as a CUDA Graph, or give each kernel more work.",
    .caveat
    = "The profiler slows launches down: record without stacks, and compare the step without the profiler.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .check = findStorm,
    .absorbs = absorbed,
};

} // namespace warpline::kernel_storm
