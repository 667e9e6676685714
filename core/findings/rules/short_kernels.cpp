// Kernels so short that launching costs more than running them, where most are such kernels. The saving is at
// most the GPU's idle time between neighbours on a stream, up to a launch each: fusing or a graph removes no
// more.

#include "core/analysis/gpu_activity.h"
#include "core/analysis/idle_gaps.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/derive/communication.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/kernels/kernel_label.h"
#include "core/kernels/kernel_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warpline::short_kernels {

namespace {

constexpr std::string_view id = "short_kernels";
constexpr Threshold shortLimit{"short_ns", "A kernel is short below", "ns", 10'000};
constexpr Threshold minShare{"min_share", "Minimum share of short kernels", "%", 60};
constexpr Threshold minCount{"min_count", "Minimum number of kernels", "", 200};
constexpr std::array thresholds{shortLimit, minShare, minCount};

struct Storm {
    std::uint64_t kernels = 0;
    std::uint64_t brief = 0;
    Ns briefTime = 0;
    StringId mostName{}; ///< of the most frequent of them
    std::uint64_t mostTimes = 0;
};

std::string nameOf(std::string_view kernel)
{
    return std::string(kernelLabel(kernel, shortFunctionName(kernel)));
}

Storm measure(const RuleContext& context, Ns brief)
{
    Storm storm;
    const KernelTable& kernels = context.trace.kernels();
    const CommunicationKernels communicates(context.trace);
    std::vector<std::uint64_t> times(context.trace.pool->size()); // by name
    for (const EventIndex i : eventsIn(kernels, context.window, context.stop)) {
        if (communicates[i])
            continue; // a small message is short on purpose
        ++storm.kernels;
        const bool byGraph = kernels.launch(i).graphNodeId != 0;
        if (kernels.duration[i] >= brief || byGraph)
            continue;
        ++storm.brief;
        storm.briefTime += kernels.duration[i];
        ++times[raw(kernels.name[i])];
    }
    // Sorts ties by name: ids depend on which thread read the names first.
    for (std::uint32_t name = 0; name < times.size(); ++name) {
        if (times[name] > storm.mostTimes
            || (times[name] > 0 && times[name] == storm.mostTimes
                && context.trace.text(StringId{name}) < context.trace.text(storm.mostName))) {
            storm.mostName = StringId{name};
            storm.mostTimes = times[name];
        }
    }
    return storm;
}

/// The longest short kernels named `name`, up to the listed number, because there may be millions.
std::vector<EventRef> longestOfName(const RuleContext& context, Ns brief, StringId name)
{
    const KernelTable& kernels = context.trace.kernels();
    const auto longer = [&](EventIndex a, EventIndex b) {
        return kernels.duration[a] != kernels.duration[b] ? kernels.duration[a] > kernels.duration[b]
                                                          : kernels.start[a] < kernels.start[b];
    };
    std::vector<EventIndex> longest; // a heap with the shortest of them in front
    for (const EventIndex i : eventsIn(kernels, context.window)) {
        if (kernels.name[i] != name || kernels.duration[i] >= brief
            || (longest.size() == maxEvidence && !longer(i, longest.front()))
            || kernels.launch(i).graphNodeId != 0)
            continue;
        if (longest.size() == maxEvidence) {
            std::ranges::pop_heap(longest, longer);
            longest.pop_back();
        }
        longest.push_back(i);
        std::ranges::push_heap(longest, longer);
    }
    std::ranges::sort_heap(longest, longer);
    std::vector<EventRef> events;
    for (const EventIndex i : longest)
        events.push_back({EventKind::Kernel, i});
    return events;
}

std::vector<Finding> findShortKernels(const RuleContext& context)
{
    const Ns brief = static_cast<Ns>(context.threshold(id, shortLimit));
    Storm storm = measure(context, brief);
    if (!context.reaches(id, minCount, storm.kernels)
        || !context.reachesShare(id, minShare, storm.brief, storm.kernels))
        return {};
    // Other streams may work at the same time: only idle time of the whole GPU can be saved.
    Finding finding = findingOn(context, 0, -1, context.facts.idleAfterShort(brief));
    finding.title = Message("short_kernels.title",
        "{short} of {kernels, plural, one {# kernel} other {# kernels}} {short, plural, one {takes} other {take}} less "
        "than {limit}",
        {{"short", Count{storm.brief}}, {"kernels", Count{storm.kernels}}, {"limit", Duration{brief}}});
    finding.message
        = Message("short_kernels.mean", "They are {share} of all kernels and take {mean} on average.",
            {{"share", Share{static_cast<double>(storm.brief) / static_cast<double>(storm.kernels)}},
                {"mean", Duration{storm.briefTime / static_cast<Ns>(storm.brief)}}});
    finding.message += Message("short_kernels.idle",
        "The GPU is idle for {idle} between them and the kernels that follow.",
        {{"idle", Duration{finding.saving}}});
    finding.message += Message("short_kernels.most",
        "The most frequent is {kernel}, with {launches, plural, one {# launch} other {# launches}}.",
        {{"kernel", Name{nameOf(context.trace.text(storm.mostName))}}, {"launches", Count{storm.mostTimes}}});
    setEvidence(finding, context.trace, longestOfName(context, brief, storm.mostName));
    finding.evidenceTotal = storm.mostTimes;
    finding.where = context.window;
    finding.group = id;
    finding.cure.edits.push_back(editOfAll(CureKind::LaunchGraph));
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule shortKernels{
    .id = id,
    .title = "Short kernels dominate",
    .why
    = "Launching a kernel takes the host several microseconds and the GPU one or two. Kernels that run no "
      "longer than that leave the GPU waiting for launches.",
    .remedy = "Fuse adjacent kernels, launch the sequence as a CUDA Graph, or give each kernel more work.",
    .caveat
    = "The profiler slows launches down: record without stacks, and compare the step without the profiler.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .check = findShortKernels,
};

} // namespace warpline::short_kernels
