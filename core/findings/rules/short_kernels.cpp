// Kernels so short that launching them costs more than running them, where they dominate by number. The bound
// on the saving is the idle time of the GPU between neighbours on the same stream, up to a launch's worth
// each: fusing or a graph removes at most that.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_activity.h"
#include "core/findings/run_facts.h"
#include "core/kernels/kernel_label.h"
#include "core/kernels/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::string_view id = "short_kernels";
constexpr Threshold shortLimit{"short_ns", "A kernel is short below", "ns", 10'000};
constexpr Threshold minShare{"min_share", "Minimum share of short kernels", "%", 60};
constexpr Threshold minCount{"min_count", "Minimum number of kernels", "", 200};
constexpr std::array thresholds{shortLimit, minShare, minCount};
constexpr Ns launchWorth = 20'000; ///< a longer gap has another cause

struct Storm {
    std::uint64_t kernels = 0;
    std::uint64_t brief = 0;
    Ns briefTime = 0;
    std::vector<TimeRange> between; ///< from one to its next neighbour in the stream, up to a launch's worth
    std::unordered_map<std::uint32_t, std::uint64_t> names;
};

std::string nameOf(std::string_view kernel)
{
    return std::string(kernelLabel(kernel, shortFunctionName(kernel)));
}

Storm measure(const RuleContext& context, Ns brief)
{
    Storm storm;
    const KernelTable& kernels = context.trace.kernels();
    std::unordered_map<std::uint32_t, bool> communicates; // names are few
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, context.window);
        for (const EventIndex i : stoppable(first, last, context.stop)) {
            const auto [known, added] = communicates.try_emplace(raw(kernels.name[i]), false);
            if (added)
                known->second = isCommunication(context.trace.text(kernels.name[i]));
            if (known->second)
                continue; // a small message is short on purpose
            ++storm.kernels;
            const bool byGraph = kernels.launch(i).graphNodeId != 0;
            if (kernels.duration[i] >= brief || byGraph)
                continue;
            ++storm.brief;
            storm.briefTime += kernels.duration[i];
            ++storm.names[raw(kernels.name[i])];
            if (i + 1 < last)
                storm.between.push_back(
                    {kernels.end(i), std::min(kernels.end(i) + launchWorth, kernels.start[i + 1])});
        }
    }
    return storm;
}

std::vector<Finding> findShortKernels(const RuleContext& context)
{
    const Ns brief = static_cast<Ns>(context.threshold(id, shortLimit));
    Storm storm = measure(context, brief);
    if (static_cast<double>(storm.kernels) < context.threshold(id, minCount)
        || static_cast<double>(storm.brief) * 100
            < context.threshold(id, minShare) * static_cast<double>(storm.kernels))
        return {};
    const auto most = std::ranges::max_element(storm.names, {}, [](const auto& name) { return name.second; });
    const KernelTable& kernels = context.trace.kernels();
    const StringId mostName{most->first};
    const auto events = longestFirst(context, EventKind::Kernel, [&](EventIndex i) {
        return kernels.duration[i] < brief && kernels.name[i] == mostName
            && kernels.launch(i).graphNodeId == 0;
    });
    Finding finding;
    // Other streams may work meanwhile: only what is idle time of the whole GPU can be saved.
    finding.claims = unionOf(std::move(storm.between), context.window);
    for (const GpuFacts& gpu : factsOf(context).gpus())
        finding.claims = difference(finding.claims, gpu.busy);
    finding.saving = totalTime(finding.claims);
    finding.severity = severityOf(context, finding.saving);
    finding.title = fmt::format("{} of {} kernels run for under {}", formatCount(storm.brief),
        formatCount(storm.kernels), formatDuration(brief));
    finding.message = fmt::format(
        "{} kernels ({}) are shorter than {}: {} on average, with {} of idle time between them and "
        "their next neighbour. The most frequent, {}, runs {} times.",
        formatCount(storm.brief),
        formatShare(static_cast<double>(storm.brief) / static_cast<double>(storm.kernels)),
        formatDuration(brief), formatDuration(storm.briefTime / static_cast<Ns>(storm.brief)),
        formatDuration(finding.saving), nameOf(context.trace.text(mostName)), formatCount(most->second));
    setEvidence(finding, context.trace, events, [](EventRef) { return std::string(); });
    finding.where = context.window;
    finding.group = id;
    return {std::move(finding)};
}

} // namespace

extern constinit const Rule shortKernels{
    .id = id,
    .title = "Short kernels dominate",
    .why = "Launching a kernel takes the host several microseconds and the GPU one or two: kernels that run "
           "no longer than "
           "that leave the GPU waiting for launches.",
    .remedy = "Fuse neighbouring kernels, launch the sequence as a CUDA Graph, or give each kernel more to "
              "do.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return !trace.kernels().empty(); },
    .check = findShortKernels,
};

} // namespace warpline
