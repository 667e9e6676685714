// Problems that are too small for the GPU: nearly all kernels are short and have fewer blocks than the GPU
// has multiprocessors, and hardly anything is copied. A note for beginners, not a fault.

#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_totals.h"
#include "core/kernels/kernel_names.h"

#include <array>
#include <map>

namespace warpline::too_small {

namespace {

constexpr std::string_view id = "too_small";
constexpr Threshold maxKernel{"max_kernel_ns", "Longer kernels are not small", "ns", 10'000};
constexpr Threshold minShare{"min_share", "Minimum share of small kernels in the kernels' time", "%", 90};
constexpr Threshold maxBytes{"max_bytes", "Maximum bytes copied", "B", 1e6};
constexpr std::array thresholds{maxKernel, minShare, maxBytes};

struct Size {
    std::uint64_t kernels = 0;
    Ns time = 0;
    Ns small = 0;
    std::map<std::int64_t, Ns> byBlocks;
    std::uint64_t inGraphs = 0; ///< kernels that a CUDA graph launched
    std::uint64_t bytes = 0;
    EventRef longest;

    /// Half of the kernels' time is in kernels with at most this many blocks.
    std::int64_t usualBlocks() const
    {
        Ns sum = 0;
        for (const auto& [blocks, each] : byBlocks) {
            sum += each;
            if (sum * 2 >= time)
                return blocks;
        }
        return 0;
    }
};

Size measure(const RuleContext& context, const GpuFacts& gpu, std::int32_t units)
{
    const KernelTable& kernels = context.trace.kernels();
    const Ns most = static_cast<Ns>(context.threshold(id, maxKernel));
    Size size;
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        if (event.kind == EventKind::Memcpy)
            size.bytes += context.trace.memcpys().bytes[event.index];
        if (event.kind != EventKind::Kernel)
            continue;
        ++size.kernels;
        const Ns duration = kernels.duration[event.index];
        const std::int64_t blocks = kernels.launch(event.index).grid.volume();
        size.time += duration;
        size.small += duration < most && blocks < units ? duration : 0;
        size.byBlocks[blocks] += duration;
        size.inGraphs += kernels.launch(event.index).graphNodeId != 0 ? 1 : 0;
        if (!size.longest.valid() || duration > kernels.duration[size.longest.index])
            size.longest = event;
    }
    return size;
}

void findSmall(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    if (!device || device->multiprocessors <= 0)
        return;
    // Other kernels do not represent those in graphs traced as a whole.
    if (graphTimeOf(context.trace, gpu) > 0)
        return;
    const Size size = measure(context, gpu, device->multiprocessors);
    if (size.time == 0 || !size.longest.valid() || !context.reachesShare(id, minShare, size.small, size.time)
        || static_cast<double>(size.bytes) > context.threshold(id, maxBytes))
        return;
    // It comes before all else: see rankFindings().
    Finding finding = findingWith(Severity::Low, Confidence::Possible, gpu.process, gpu.device);
    const Count blocks{static_cast<std::uint64_t>(size.usualBlocks())};
    finding.title = Message("too_small.title",
        "Too small for this GPU: {blocks, plural, one {# block} other {# blocks}} for {units} multiprocessors",
        {{"blocks", blocks}, {"units", Ordinal{device->multiprocessors}}});
    finding.message = Message("too_small.sizes",
        "{kernels, plural, one {# kernel takes} other {# kernels take}} {time} in all, {each} on average, with {blocks, plural, one {# block} other {# blocks}} in the median of that time. {bytes} are copied.",
        {{"kernels", Count{size.kernels}}, {"time", Duration{size.time}},
            {"each", Duration{size.time / static_cast<Ns>(size.kernels)}}, {"blocks", blocks},
            {"bytes", Bytes{size.bytes}}});
    finding.message += Message("too_small.gpu",
        "This GPU, {gpu}, has {units} multiprocessors, and most of them are idle. {launch, select, graph {Even in a CUDA graph, the time between kernels is a large part} other {Each launch takes longer than its kernel}}.",
        {{"gpu", Name{device->name}}, {"units", Ordinal{device->multiprocessors}},
            {"launch", Name{size.inGraphs * 2 > size.kernels ? "graph" : "call"}}});
    finding.message += Message("too_small.cpu", "A CPU may be as fast.");
    setEvidence(finding, context.trace, {size.longest}, {"too_small.longest", "the longest of them"});
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule tooSmall{
    .id = id,
    .title = "A problem too small for this GPU",
    .why
    = "A GPU needs several blocks per multiprocessor, or tens of thousands of threads, to be faster than a CPU. Below that, launches take most of the time.",
    .remedy
    = "Try a larger problem before you optimize, because times at this size say little about the code. If the problem stays this small, put several problems into one launch, or fuse several steps into one kernel.",
    .caveat = "The recording may not be typical: check another one.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findSmall,
};

} // namespace warpline::too_small
