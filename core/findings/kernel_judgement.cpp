#include "core/findings/kernel_judgement.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/saturate.h"
#include "core/base/utf8.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/derive/tracks_of.h"
#include "core/findings/gpu_metrics.h"
#include "core/findings/kernel_totals.h"
#include "core/kernels/kernel_names.h"
#include "core/operators/operator_text.h"
#include "core/query/counter_stats.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace warpline {

namespace {

Count many(std::int64_t count)
{
    return {naturalOf(count)};
}

/// The blocks of other kernels that run on its GPU at the same time, on average over its time.
double blocksBeside(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const Track& own = kernels.trackOf(kernel);
    const TimeRange range = kernels.range(kernel);
    double sum = 0;
    for (const Track& track : TracksOf(trace, EventKind::Kernel, own.owner)) {
        if (track.device != own.device)
            continue;
        for (const EventIndex i : eventsIn(kernels, track, range, stop)) {
            if (i != kernel && isShapeKnown(kernels.launch(i)))
                sum += static_cast<double>(kernels.launch(i).grid.volume())
                    * static_cast<double>(kernels.range(i).clippedTo(range).duration());
        }
    }
    return sum / static_cast<double>(std::max<Ns>(1, range.duration()));
}

KernelFact blocksFact(const Residency& residency, bool ofLibrary, double beside)
{
    KernelFact fact{{"kernel_fact.blocks", "Blocks"}, {}, false};
    const std::int64_t all = residency.multiprocessors;
    if (all <= 0) {
        fact.text = Message("kernel_fact.blocks_of_unknown",
            "{blocks, plural, one {# block} other {# blocks}}; the report does not say how many multiprocessors the GPU has.",
            {{"blocks", many(residency.blocks)}});
        return fact;
    }
    // A library that leaves a few multiprocessors free knows why.
    const bool few = residency.blocks * 4 < all * 3;
    const double inFlight = static_cast<double>(residency.blocks) + beside;
    const double waves = residency.waves();
    const double last = waves - std::floor(waves);
    // A nearly empty last wave costs as much as a full one, which matters when there are few waves.
    const bool isLastEmpty = waves > 1 && waves < 4 && last > 0 && last < 0.5;
    const bool isFilled = inFlight * 4 >= static_cast<double>(all) * 3;
    const std::vector<Argument> values{{"blocks", many(residency.blocks)}, {"all", Ordinal{all}},
        {"beside", yesOrNo(beside > 0)}, {"together", Number{inFlight, 1}},
        {"idle", Share{1 - inFlight / static_cast<double>(all)}},
        {"chosen", Name{ofLibrary ? "library" : "program"}}, {"nearly", yesOrNo(residency.blocks < all)},
        {"wave_count",
            Name{waves <= 0        ? "none"
                    : waves < 0.01 ? "few"
                                   : "some"}},
        {"waves", Number{waves, waves < 10 ? 2 : 0}}, {"empty", yesOrNo(isLastEmpty)}, {"last", Share{last}}};
    if (few && isFilled)
        fact.text = Message("kernel_fact.blocks_together",
            "{blocks, plural, one {# block} other {# blocks}} for {all} multiprocessors{beside, select, yes {, {together} with the kernels that run at the same time} other {}}, which all have work.",
            values);
    else if (few)
        fact.text = Message("kernel_fact.few_blocks",
            "{blocks, plural, one {# block} other {# blocks}} for {all} multiprocessors{beside, select, yes {, {together} with the kernels that run at the same time} other {}}: {idle} of them are idle. "
            "{chosen, select, library {A library chose the grid from the size of its matrices. Larger matrices, or several in one call, fill more of the GPU.} other {Use several times as many blocks as there are multiprocessors.}}",
            values);
    else
        fact.text = Message("kernel_fact.enough_blocks",
            "{blocks, plural, one {# block} other {# blocks}} for {all} multiprocessors: {nearly, select, yes {nearly each} other {each}} has work"
            "{wave_count, select, few {, less than 0.01 waves} some {, {waves} waves} other {}}{empty, select, yes {; the last wave is only {last} full} other {}}.",
            values);
    fact.warns = few ? !isFilled && !ofLibrary : isLastEmpty;
    return fact;
}

KernelFact threadsFact(const Residency& residency, std::int64_t lanes)
{
    const std::int64_t rest = lanes > 0 ? residency.threads % lanes : 0;
    const double empty = rest == 0 ? 0
                                   : 1
            - static_cast<double>(residency.threads)
                / static_cast<double>((residency.threads + lanes - 1) / lanes * lanes);
    return {{"kernel_fact.threads", "Threads"},
        {"kernel_fact.threads_of_block",
            "{threads, plural, one {# thread} other {# threads}} per block"
            "{whole, select, no {, not a multiple of {lanes}: threads run in warps of {lanes}, and {empty} of their lanes are idle. Use 128 or 256.} "
            "other {, in {warps, plural, one {# warp} other {# warps}} of {lanes}.}}",
            {{"threads", many(residency.threads)}, {"whole", Name{rest != 0 ? "no" : "yes"}},
                {"lanes", Ordinal{lanes}}, {"empty", Share{empty}},
                {"warps", many(residency.threads / std::max<std::int64_t>(1, lanes))}}},
        rest != 0};
}

/// A key for a message.
Name limitOf(const Residency& residency)
{
    switch (residency.limit) {
    case ResidencyLimit::Registers:
        return {"registers"};
    case ResidencyLimit::SharedMemory:
        return {"shared_memory"};
    case ResidencyLimit::Blocks:
        return {"blocks"};
    case ResidencyLimit::Warps:
        return {residency.occupancy < 1 ? "block_size" : "none"};
    case ResidencyLimit::Unknown:
        break;
    }
    return {"none"};
}

KernelFact occupancyFact(const Residency& residency, const KernelLaunch& launch)
{
    const std::int64_t shared
        = std::int64_t{std::max(0, launch.staticSharedMemory)} + std::max(0, launch.dynamicSharedMemory);
    Message text("kernel_fact.resident",
        "Up to {blocks, plural, one {# block} other {# blocks}} per multiprocessor, {occupancy} of its warps"
        "{limit, select, registers {. Limit: {registers} registers for each of {threads} threads} shared_memory {. Limit: {bytes} of shared memory per block} "
        "blocks {. Limit: blocks per multiprocessor; use larger blocks} block_size {. Limit: the block size} other {}}.",
        {{"blocks", many(residency.blocksAtOnce)}, {"occupancy", Share{residency.occupancy}},
            {"limit", limitOf(residency)}, {"registers", Ordinal{launch.registersPerThread}},
            {"threads", Ordinal{residency.threads}}, {"bytes", Bytes{static_cast<std::uint64_t>(shared)}}});
    if (residency.multiprocessors > 0 && residency.blocks * 4 < residency.multiprocessors * 3) {
        // Not a warning: the blocks' warning covers it.
        text += Message("kernel_fact.would_fit",
            "That would fit, but only {blocks} of {all} multiprocessors {blocks, plural, one {has} other {have}} a block.",
            {{"blocks", Ordinal{residency.blocks}}, {"all", Ordinal{residency.multiprocessors}}});
    }
    return {{"kernel_fact.occupancy", "Occupancy"}, std::move(text), false};
}

/// The operator that launched a kernel, and its share of the roofline.
struct OperatorFacts {
    std::vector<KernelFact> facts;
    RooflineBound bound = RooflineBound::Unknown;
};

OperatorFacts operatorFacts(
    const Trace& trace, EventIndex kernel, bool isLongest, const std::stop_token& stop)
{
    OperatorFacts made;
    const auto rooflines = operatorRooflinesOf(trace, stop);
    const OperatorRun* const run = rooflines->works().runOf({EventKind::Kernel, kernel});
    const OperatorGpu* const gpu = rooflines->gpuOf(trace, kernel);
    if (!run || !gpu || rooflines->works().shapeOf(*run).isKernel) {
        if (const Message bound = resultBoundSentence(trace, kernel); !bound.empty())
            made.facts.push_back({{"kernel_fact.product", "Product"},
                {"kernel_fact.product_bound", "{bound} Shapes and FLOPs are not recorded. {advice}",
                    {{"bound", bound}, {"advice", shapesAdvice(trace)}}},
                false});
        return made;
    }
    const ShapeUse use = rooflines->useOf(*run, *gpu);
    made.facts.push_back({{"kernel_fact.operator", "Operator"},
        {"kernel_fact.operator_work",
            "{operator}{known, select, both {: {flops} and {bytes}} flops {: {flops}} bytes {: {bytes}} other {}}"
            "{several, select, yes { in {time} for {works} kernels and copies, including this one} other {}}.",
            {{"operator", Name{operatorLabel(rooflines->works().shapeOf(*run))}},
                {"known",
                    Name{use.flops > 0 && use.bytes > 0 ? "both"
                            : use.flops > 0             ? "flops"
                            : use.bytes > 0             ? "bytes"
                                                        : "none"}},
                {"flops", Name{formatFlopCount(use.flops)}},
                {"bytes", Bytes{static_cast<std::uint64_t>(std::max(0.0, use.bytes))}},
                {"several", yesOrNo(run->workCount > 1)}, {"time", Duration{run->gpu}},
                {"works", Ordinal{static_cast<std::int64_t>(run->workCount)}}}},
        false});
    if (!gpu->peaks || !use.roofline.isKnown())
        return made;
    made.bound = use.bound;
    constexpr double low = 0.3; // of the roofline
    const RooflineSubject subject = !isLongest ? RooflineSubject::Use
        : run->workCount > 1                   ? RooflineSubject::LongestCall
                                               : RooflineSubject::LongestLaunch;
    made.facts.push_back({{"kernel_fact.roofline", "Roofline"}, rooflineSentence(use, *gpu->peaks, subject),
        use.share() < low && use.bound != RooflineBound::Launch, true});
    return made;
}

/// DRAM bytes read and written during the kernel, by GPU metrics; empty: not sampled.
KernelFact memoryFact(const Trace& trace, EventIndex kernel)
{
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    if (!device)
        return {};
    const TimeRange range = trace.range({EventKind::Kernel, kernel});
    std::vector<Message> shares;
    double sum = 0;
    for (const auto& [metric, verb] : {std::pair("DRAM Read", "read"), std::pair("DRAM Write", "written")}) {
        const CounterSeries* const series = percentMetric(trace, metric, device->id);
        const auto figures = series
            ? counterFigures(trace, static_cast<std::uint32_t>(series - trace.counters.data()), range)
            : std::nullopt;
        if (!figures || figures->samples == 0)
            continue;
        sum += figures->mean;
        shares.push_back(Message("kernel_fact.bandwidth",
            "{percent}% of the bandwidth {verb, select, read {read} other {written}}",
            {{"percent", Number{figures->mean, 1}}, {"verb", Name{verb}}}));
    }
    if (shares.empty())
        return {};
    const bool isKnown = device->memoryBandwidth > 0;
    const double bytes = sum / 100 * static_cast<double>(isKnown ? device->memoryBandwidth : 0)
        * static_cast<double>(range.duration()) / 1e9;
    return {{"kernel_fact.memory", "Memory"},
        {"kernel_fact.memory_traffic",
            "{first}{two, select, yes { and {second}} other {}}{known, select, yes {, about {bytes} in all} other {}}"
            "{bound, select, yes {. Memory is the limit: reduce the bytes that it moves.} other { (whole GPU, sampled while the kernel ran).}}",
            {{"first", shares.front()}, {"two", yesOrNo(shares.size() > 1)}, {"second", shares.back()},
                {"known", yesOrNo(isKnown)}, {"bytes", Bytes{static_cast<std::uint64_t>(bytes)}},
                {"bound", yesOrNo(sum >= 80)}}},
        false};
}

} // namespace

PageWait pageWaitOf(TraceAnalysis& facts, EventIndex kernel)
{
    const Trace& trace = facts.trace();
    const std::stop_token& stop = facts.stop();
    if (trace.pageFaults().empty() && !hasFaultMigrations(trace, stop))
        return {};
    const TimeRange range = trace.kernels().range(kernel);
    const Track& track = trace.kernels().trackOf(kernel);
    const auto times = gpuTimes(trace, range, std::bind_front(&TraceAnalysis::pageWaits, &facts), {}, stop);
    const GpuOfProcess gpu{processOf(track.owner), track.device};
    const auto own = times.find(gpu);
    const Ns waits = own != times.end() ? totalTime(own->second.stalled, range) : 0;
    if (waits * 2 <= range.duration())
        return {};
    const PageTraffic moved = pageTraffic(trace, gpu, range, stop);
    return {waits, moved.lacksRoom() ? moved.evicted : 0};
}

std::vector<KernelFact> judgeKernel(TraceAnalysis& analysis, EventIndex kernel, bool isLongest)
{
    const Trace& trace = analysis.trace();
    const std::stop_token& stop = analysis.stop();
    const Residency residency = residencyOf(trace, kernel);
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    std::vector<KernelFact> facts;
    if (isShapeKnown(trace.kernels().launch(kernel))) {
        facts.push_back(blocksFact(residency, isLibraryKernel(trace.text(trace.kernels().name[kernel])),
            blocksBeside(trace, kernel, stop)));
        facts.push_back(threadsFact(residency, device ? device->threadsPerWarp : 32));
    } else
        facts.push_back({{"kernel_fact.launch", "Launch"},
            {"kernel_fact.no_shape", "Grid and block size are not recorded."}, false});
    if (residency.occupancy > 0)
        facts.push_back(occupancyFact(residency, trace.kernels().launch(kernel)));
    OperatorFacts ofOperator = operatorFacts(trace, kernel, isLongest, stop);
    std::ranges::move(ofOperator.facts, std::back_inserter(facts));
    if (KernelFact memory = memoryFact(trace, kernel); !memory.text.empty())
        facts.push_back(std::move(memory));
    if (const PageWait waits = pageWaitOf(analysis, kernel); waits.time > 0) {
        facts.push_back({{"kernel_fact.pages", "Pages"},
            {"kernel_fact.page_waits",
                "{waits} of its {time} are waits for pages of unified memory. {room, select, yes {The GPU evicts {evicted} in that time to make room. Make the memory that the kernel touches fit, then measure again.} other {Prefetch them before the launch, then measure again.}} Nsight Compute covers only the rest.",
                {{"waits", Duration{waits.time}}, {"time", Duration{trace.kernels().duration[kernel]}},
                    {"room", yesOrNo(waits.evicted > 0)}, {"evicted", Bytes{waits.evicted}}}},
            true});
        return facts;
    }
    // The roofline shows which resource is the limit; only counters show why it is not reached.
    const bool ofNvidia = gpuMakerOf(trace) == GpuMaker::Nvidia;
    const std::string command = ofNvidia ? ncuCommandOf(trace, kernel, stop) : std::string();
    const Message note = ofNvidia ? ncuSkipNote(trace, kernel, stop) : Message();
    facts.push_back({{"kernel_fact.next", "Next"},
        {"kernel_fact.profile",
            "{bound, select, unknown {Memory-bound or compute-bound?} other {What do its warps wait for?}} Profile it with {maker, select, nvidia {Nsight Compute{noted, select, yes { ({note})} other {}}: {command}} other {{profiler}.}}",
            {{"bound", Name{ofOperator.bound == RooflineBound::Unknown ? "unknown" : "known"}},
                {"maker", Name{ofNvidia ? "nvidia" : "other"}}, {"noted", Name{note.empty() ? "no" : "yes"}},
                {"note", note}, {"command", ofNvidia ? ncuText(trace, command) : Message()},
                {"profiler", kernelProfilerOf(trace)}}},
        false});
    return facts;
}

} // namespace warpline
