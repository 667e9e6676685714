#include "core/findings/kernel_judgement.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_metrics.h"
#include "core/findings/kernel_totals.h"
#include "core/kernels/library_kernels.h"
#include "core/operators/operator_text.h"
#include "core/query/counter_stats.h"
#include "core/query/kernel_occupancy.h"
#include "core/render/render.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace warpline {

namespace {

std::string many(std::int64_t count, std::string_view what)
{
    return counted(static_cast<std::uint64_t>(std::max<std::int64_t>(0, count)), what);
}

/// "5.83 waves", "less than 0.01 waves".
std::string wavesText(double waves)
{
    return waves < 0.01 ? "less than 0.01 waves" : formatReal(waves, waves < 10 ? 2 : 0) + " waves";
}

/// The blocks of other kernels that run on its GPU at the same time, on average over its time.
double blocksBeside(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const Track& own = kernels.trackOf(kernel);
    const TimeRange range = kernels.range(kernel);
    double sum = 0;
    for (const Track& track : kernels.tracks) {
        if (track.owner != own.owner || track.device != own.device)
            continue;
        for (const Lane& lane : kernels.lanesOf(track)) {
            const auto [first, last] = kernels.touching(lane, range);
            for (const EventIndex i : stoppable(first, last, stop)) {
                if (i != kernel && isShapeKnown(kernels.launch(i)))
                    sum += static_cast<double>(kernels.launch(i).grid.volume())
                        * static_cast<double>(kernels.range(i).clippedTo(range).duration());
            }
        }
    }
    return sum / static_cast<double>(std::max<Ns>(1, range.duration()));
}

KernelFact blocksFact(const Residency& residency, bool ofLibrary, double beside)
{
    KernelFact fact{"Blocks", {}, false};
    const std::int64_t all = residency.multiprocessors;
    if (all <= 0) {
        fact.text = fmt::format("{}; the report does not say how many multiprocessors the GPU has.",
            many(residency.blocks, "block"));
        return fact;
    }
    // A library that leaves a few multiprocessors free knows why.
    const bool few = residency.blocks * 4 < all * 3;
    const double inFlight = static_cast<double>(residency.blocks) + beside;
    const std::string together = beside > 0
        ? fmt::format(", {} with the kernels that run at the same time", formatReal(inFlight, 1))
        : std::string();
    if (few && inFlight * 4 >= static_cast<double>(all) * 3) {
        fact.text = fmt::format("{} for {} multiprocessors{}, which all have work.",
            many(residency.blocks, "block"), all, together);
        return fact;
    }
    fact.warns = few && !ofLibrary;
    if (few) {
        fact.text = fmt::format("{} for {} multiprocessors{}: {} of them are idle. {}",
            many(residency.blocks, "block"), all, together,
            formatShare(1 - inFlight / static_cast<double>(all)),
            ofLibrary
                ? "A library chose the grid from the size of its matrices. Larger matrices, or several in one call, fill more of the GPU."
                : "Use several times as many blocks as there are multiprocessors.");
        return fact;
    }
    fact.text = fmt::format("{} for {} multiprocessors: {} has work", many(residency.blocks, "block"), all,
        residency.blocks < all ? "nearly each" : "each");
    const double waves = residency.waves();
    if (waves > 0)
        fact.text += ", " + wavesText(waves);
    const double last = waves - std::floor(waves);
    // The last of few rounds that is nearly empty costs as much as a full one.
    if (waves > 1 && waves < 4 && last > 0 && last < 0.5) {
        fact.text += fmt::format("; the last wave is only {} full", formatShare(last));
        fact.warns = true;
    }
    fact.text += '.';
    return fact;
}

KernelFact threadsFact(const Residency& residency, std::int64_t lanes)
{
    KernelFact fact{"Threads", {}, false};
    fact.text = fmt::format("{} per block", many(residency.threads, "thread"));
    const std::int64_t rest = lanes > 0 ? residency.threads % lanes : 0;
    if (rest != 0) {
        const double empty = 1
            - static_cast<double>(residency.threads)
                / static_cast<double>((residency.threads + lanes - 1) / lanes * lanes);
        fact.warns = true;
        fact.text += fmt::format(
            ", not a multiple of {}: threads run in warps of {}, and {} of their lanes are idle. Use 128 or 256.",
            lanes, lanes, formatShare(empty));
    } else
        fact.text += fmt::format(
            ", in {} of {}.", many(residency.threads / std::max<std::int64_t>(1, lanes), "warp"), lanes);
    return fact;
}

std::string limitOf(const Residency& residency, const KernelLaunch& launch)
{
    switch (residency.limit) {
    case ResidencyLimit::Registers:
        return fmt::format(
            ". Limit: {} registers for each of {} threads", launch.registersPerThread, residency.threads);
    case ResidencyLimit::SharedMemory:
        return fmt::format(". Limit: {} of shared memory per block",
            roundedBytes(static_cast<std::uint64_t>(
                std::max(0, launch.staticSharedMemory) + std::max(0, launch.dynamicSharedMemory))));
    case ResidencyLimit::Blocks:
        return ". Limit: blocks per multiprocessor; use larger blocks";
    case ResidencyLimit::Warps:
        return residency.occupancy < 1 ? ". Limit: the block size" : "";
    case ResidencyLimit::Unknown:
        break;
    }
    return {};
}

KernelFact occupancyFact(const Residency& residency, const KernelLaunch& launch)
{
    KernelFact fact{"Occupancy", {}, false};
    fact.text = fmt::format("Up to {} per multiprocessor, {} of its warps{}.",
        many(residency.blocksAtOnce, "block"), formatShare(residency.occupancy), limitOf(residency, launch));
    if (residency.multiprocessors > 0 && residency.blocks * 4 < residency.multiprocessors * 3) {
        // No warning of its own: that is the blocks'.
        fact.text += fmt::format(" That would fit, but only {} of {} multiprocessors {} a block.",
            residency.blocks, residency.multiprocessors, residency.blocks == 1 ? "has" : "have");
    }
    return fact;
}

/// The operator that launched a kernel, and what it does against the roofline.
struct OperatorFacts {
    std::vector<KernelFact> facts;
    RooflineBound bound = RooflineBound::Unknown;
};

OperatorFacts operatorFacts(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    OperatorFacts made;
    const auto rooflines = operatorRooflinesOf(trace, stop);
    const OperatorRun* const run = rooflines->works().runOf({EventKind::Kernel, kernel});
    const OperatorGpu* const gpu = rooflines->gpuOf(trace, kernel);
    if (!run || !gpu || rooflines->works().shapeOf(*run).isKernel) {
        if (const std::string bound = resultBoundSentence(trace, kernel); !bound.empty())
            made.facts.push_back(
                {"Product", bound + " Shapes and FLOPs are not recorded. " + shapesAdvice(trace), false});
        return made;
    }
    const ShapeUse use = rooflines->useOf(*run, *gpu);
    std::string text = operatorLabel(rooflines->works().shapeOf(*run));
    if (use.flops > 0)
        text += fmt::format(": {}", formatFlopCount(use.flops));
    if (use.bytes > 0)
        text += fmt::format(
            "{}{}", use.flops > 0 ? " and " : ": ", roundedBytes(static_cast<std::uint64_t>(use.bytes)));
    if (run->workCount > 1)
        text += fmt::format(" in {} for {} kernels and copies, including this one", roundedDuration(run->gpu),
            run->workCount);
    made.facts.push_back({"Operator", text + ".", false});
    if (!gpu->peaks || !use.roofline.isKnown())
        return made;
    made.bound = use.bound;
    constexpr double low = 0.3; // of the roofline
    made.facts.push_back({"Roofline", rooflineSentence(use, *gpu->peaks),
        use.share() < low && use.bound != RooflineBound::Launch, true});
    return made;
}

/// Bytes read and written by the GPU's memory while the kernel ran, as its metrics say; empty: not sampled.
KernelFact memoryFact(const Trace& trace, EventIndex kernel)
{
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    if (!device)
        return {};
    const TimeRange range = trace.range({EventKind::Kernel, kernel});
    std::string text;
    double sum = 0;
    for (const auto& [metric, verb] : {std::pair("DRAM Read", "read"), std::pair("DRAM Write", "written")}) {
        const CounterSeries* const series = percentMetric(trace, metric, device->id);
        const auto figures = series
            ? counterFigures(trace, static_cast<std::uint32_t>(series - trace.counters.data()), range)
            : std::nullopt;
        if (!figures || figures->samples == 0)
            continue;
        sum += figures->mean;
        text += fmt::format(
            "{}{}% of the bandwidth {}", text.empty() ? "" : " and ", formatReal(figures->mean, 1), verb);
    }
    if (text.empty())
        return {};
    KernelFact fact{"Memory", text, false};
    if (device->memoryBandwidth > 0)
        fact.text += fmt::format(", about {} in all",
            roundedBytes(static_cast<std::uint64_t>(sum / 100 * static_cast<double>(device->memoryBandwidth)
                * static_cast<double>(range.duration()) / 1e9)));
    fact.text += sum >= 80 ? ". Memory is the limit: reduce the bytes that it moves."
                           : " (whole GPU, sampled while the kernel ran).";
    return fact;
}

} // namespace

Ns pageWaitOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    if (trace.pageFaults().empty() && !hasFaultMigrations(trace, stop))
        return 0;
    const TimeRange range = trace.kernels().range(kernel);
    const Track& track = trace.kernels().trackOf(kernel);
    const auto times = gpuTimes(trace, range, stop);
    const auto own = times.find({processOf(track.owner), track.device});
    const Ns waits = own != times.end() ? totalTime(own->second.stalled, range) : 0;
    return waits * 2 > range.duration() ? waits : 0;
}

std::vector<KernelFact> judgeKernel(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    const Residency residency = residencyOf(trace, kernel);
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    std::vector<KernelFact> facts;
    if (isShapeKnown(trace.kernels().launch(kernel))) {
        facts.push_back(blocksFact(residency, isLibraryKernel(trace.text(trace.kernels().name[kernel])),
            blocksBeside(trace, kernel, stop)));
        facts.push_back(threadsFact(residency, device ? device->threadsPerWarp : 32));
    } else
        facts.push_back({"Launch", "Grid and block size are not recorded.", false});
    if (residency.occupancy > 0)
        facts.push_back(occupancyFact(residency, trace.kernels().launch(kernel)));
    OperatorFacts ofOperator = operatorFacts(trace, kernel, stop);
    std::ranges::move(ofOperator.facts, std::back_inserter(facts));
    if (KernelFact memory = memoryFact(trace, kernel); !memory.text.empty())
        facts.push_back(std::move(memory));
    if (const Ns waits = pageWaitOf(trace, kernel, stop); waits > 0) {
        facts.push_back({"Pages",
            fmt::format(
                "{} of its {} are waits for pages of unified memory. Prefetch them before the launch, then measure again. Nsight Compute covers only the rest.",
                roundedDuration(waits), roundedDuration(trace.kernels().duration[kernel])),
            true});
        return facts;
    }
    // The roofline says which of both is the limit; only counters say why it is not reached.
    const std::string_view missing = ofOperator.bound == RooflineBound::Unknown
        ? "Memory-bound or compute-bound?"
        : "What do its warps wait for?";
    if (gpuMakerOf(trace) != GpuMaker::Nvidia) {
        facts.push_back(
            {"Next", fmt::format("{} Profile it with {}.", missing, kernelProfilerOf(trace)), false});
        return facts;
    }
    const std::string command = ncuCommandOf(trace, kernel, stop);
    std::string note = plain(ncuSkipNote(trace, command));
    note = note.substr(0, note.empty() ? 0 : note.size() - 1);
    facts.push_back({"Next",
        fmt::format("{} Profile it with Nsight Compute{}: {}", missing,
            note.empty() ? "" : fmt::format(" ({})", note), toUtf8(command)),
        false});
    return facts;
}

} // namespace warpline
