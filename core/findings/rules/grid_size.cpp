// Kernels that cannot fill the GPU: fewer blocks than multiprocessors (down to a single thread), a last wave
// that leaves most of them idle, and so few resident warps that latency cannot be hidden. NCCL's kernels are
// small on purpose and do not count.

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/communication.h"
#include "core/findings/block_limits.h"
#include "core/findings/evidence.h"
#include "core/findings/migrations.h"
#include "core/findings/run_facts.h"
#include "core/findings/warp_lanes.h"
#include "core/kernels/kernel_math.h"
#include "core/kernels/kernel_names.h"
#include "core/kernels/library_kernels.h"
#include "core/query/event_text.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::string_view tinyId = "tiny_grid";
constexpr Threshold tinyMinDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 10'000};
constexpr Threshold tinyMinShare{"min_share", "Minimum wasted share of the kernels' time", "%", 5};
constexpr std::array tinyThresholds{tinyMinDuration, tinyMinShare};
constexpr std::array<std::string_view, 1> tinyAbsorbs{"tail_waves"};

constexpr std::string_view tailId = "tail_waves";
constexpr Threshold tailMinDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 20'000};
constexpr Threshold maxWaves{"max_waves", "Kernels with more waves do not count", "", 4};
constexpr Threshold tailMinShare{"min_share", "Minimum wasted share of the kernels' time", "%", 15};
constexpr std::array tailThresholds{tailMinDuration, maxWaves, tailMinShare};

constexpr std::string_view occupancyId = "low_occupancy";
constexpr Threshold occupancyMinDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 20'000};
constexpr Threshold maxOccupancy{"max_occupancy", "Theoretical occupancy below this is low", "%", 25};
constexpr Threshold occupancyMinShare{"min_share", "Minimum share of the kernels' time", "%", 15};
constexpr std::array occupancyThresholds{occupancyMinDuration, maxOccupancy, occupancyMinShare};

using Key = std::pair<GlobalId, std::int32_t>;

/// Kernels that waste something, with how much.
struct Wasteful {
    std::vector<EventRef> kernels;
    double lost = 0; ///< ns of whole-GPU time
    Ns time = 0; ///< of these kernels
    Ns all = 0; ///< of all kernels on the GPU
    std::uint64_t shorter = 0; ///< that waste, too, but are too short to count,
    Ns shorterTime = 0; ///< and how long they take
};

/// Sums up, per GPU, the kernels of which waste(kernel, device) says what share of the GPU they leave idle
/// (0: none). The answer depends on launch and device alone, so it is asked once a launch.
template <typename Waste>
std::map<Key, Wasteful> measure(const RuleContext& context, Ns shortest, Waste waste)
{
    const KernelTable& kernels = context.trace.kernels();
    std::map<Key, Wasteful> found;
    for (const Track& track : kernels.tracks) {
        const Device* const device = context.trace.device(track.owner, track.device);
        if (!device || device->multiprocessors <= 0)
            continue;
        Wasteful& sums = found[{track.owner, track.device}];
        std::vector<float> known(kernels.launches.size(), -1);
        const CommunicationKernels communicates(context.trace);
        for (const Lane& lane : kernels.lanesOf(track)) {
            const auto [first, last] = kernels.touching(lane, context.window);
            for (const EventIndex i : stoppable(first, last, context.stop)) {
                if (communicates[i])
                    continue; // the kernels' time is that of kernels that compute
                sums.all += kernels.duration[i];
                float& share = known[kernels.attribute[i]];
                if (share < 0 && !isShapeKnown(kernels.launch(i)))
                    share = 0;
                if (share < 0)
                    share = static_cast<float>(waste(i, *device));
                if (share > 0 && kernels.duration[i] < shortest) {
                    ++sums.shorter;
                    sums.shorterTime += kernels.duration[i];
                }
                if (share <= 0 || kernels.duration[i] < shortest)
                    continue;
                sums.kernels.push_back({EventKind::Kernel, i});
                sums.time += kernels.duration[i];
                sums.lost += static_cast<double>(kernels.duration[i]) * static_cast<double>(share);
            }
        }
    }
    return found;
}

Finding base(const RuleContext& context, const Key& key, Ns saving)
{
    Finding finding;
    finding.process = key.first;
    finding.device = key.second;
    finding.saving = saving;
    finding.severity = severityOf(context, saving);
    return finding;
}

bool isNotable(const RuleContext& context, std::string_view id, const Threshold& least, double lost, Ns all)
{
    return lost > 0 && lost * 100 >= context.threshold(id, least) * static_cast<double>(all);
}

std::string extent(const KernelLaunch& launch)
{
    return fmt::format("<<<{}, {}>>>", launch.grid.volume(), launch.block.volume());
}

/// ": fit_lines"; of several kernels ": fit_lines first", the one with most time.
std::string mostOf(const Trace& trace, const std::vector<EventRef>& kernels)
{
    struct OfLaunch {
        EventRef kernel; ///< one of them
        Ns time = 0;
    };
    const KernelTable& table = trace.kernels();
    std::unordered_map<std::uint64_t, OfLaunch>
        launches; // names and launches are few, kernels may be millions
    for (const EventRef& kernel : kernels) {
        OfLaunch& launch
            = launches[std::uint64_t{raw(table.name[kernel.index])} << 32U | table.attribute[kernel.index]];
        launch.kernel = kernel;
        launch.time += table.duration[kernel.index];
    }
    std::map<std::string_view, Ns> times;
    for (const auto& [looks, launch] : launches)
        times[trace.displayName(launch.kernel)] += launch.time;
    const auto most = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
    if (most == times.end())
        return {};
    return fmt::format(": {}{}", toUtf8(most->first), times.size() > 1 ? " first" : "");
}

/// True where warps of any of `events` have lanes without a thread.
bool isPartial(const KernelTable& kernels, const std::vector<EventRef>& events)
{
    return std::ranges::any_of(
        events, [&](EventRef event) { return lanesInUse(kernels.launch(event.index)) < 1; });
}

std::vector<Finding> findTiny(const RuleContext& context)
{
    const KernelTable& kernels = context.trace.kernels();
    const Ns shortest = static_cast<Ns>(context.threshold(tinyId, tinyMinDuration));
    auto found = measure(context, shortest, [&](EventIndex i, const Device& device) {
        const double blocks = static_cast<double>(kernels.launch(i).grid.volume());
        const double used = blocks / device.multiprocessors;
        return used < 1 ? 1 - used * lanesInUse(kernels.launch(i)) : 0.0;
    });
    std::vector<Finding> findings;
    for (auto& [key, sums] : found) {
        if (!isNotable(context, tinyId, tinyMinShare, sums.lost, sums.all))
            continue;
        const auto single
            = static_cast<std::uint64_t>(std::ranges::count_if(sums.kernels, [&](EventRef event) {
                  const KernelLaunch& launch = kernels.launch(event.index);
                  return launch.grid.volume() == 1 && launch.block.volume() == 1;
              }));
        const std::int32_t units = context.trace.device(key.first, key.second)->multiprocessors;
        // More blocks bring no page of unified memory sooner: that time is not theirs to save.
        const Intervals time = timeOf(context.trace, sums.kernels, context.window);
        longestToFront(context.trace, sums.kernels);
        Intervals claims = difference(
            time, migrationTime(context.trace, key.first, key.second, context.window, context.stop));
        // Kernels that run beside one another idle together.
        const double idle = sums.lost / static_cast<double>(std::max<Ns>(1, sums.time));
        Finding finding = base(context, key, static_cast<Ns>(idle * static_cast<double>(totalTime(claims))));
        finding.claims = std::move(claims);
        finding.confidence = Confidence::Certain;
        finding.title = single > 0
            ? fmt::format("{}: {} with a single thread", gpuName(context.trace, key.first, key.second),
                counted(single, "kernel"))
            : fmt::format("{}: {} with fewer blocks than multiprocessors",
                gpuName(context.trace, key.first, key.second), counted(sums.kernels.size(), "kernel"));
        finding.message = fmt::format(
            "{} of {} or longer {} fewer blocks than the GPU's {} multiprocessors: {}, {} of the "
            "kernels' time, in which most of the GPU is idle.{} Spread over all multiprocessors{} they could "
            "save {} at most; more warps on each can save more.",
            counted(sums.kernels.size(), "kernel"), formatDuration(shortest),
            sums.kernels.size() == 1 ? "launches" : "launch", units, formatDuration(sums.time),
            formatShare(static_cast<double>(sums.time) / static_cast<double>(std::max<Ns>(1, sums.all))),
            single > 0 ? " A single thread uses one of the 32 lanes of a warp on one multiprocessor." : "",
            isPartial(kernels, sums.kernels) ? " and all lanes of their warps" : "",
            formatDuration(finding.saving));
        if (sums.shorter > 0)
            finding.message += fmt::format(
                " {} of under {} with as few blocks, {} in all, are not among them: "
                "launching them costs more.",
                counted(sums.shorter, "kernel"), formatDuration(shortest), formatDuration(sums.shorterTime));
        finding.title += mostOf(context.trace, sums.kernels);
        Ns ofSolvers = 0;
        for (const EventRef& kernel : sums.kernels)
            ofSolvers
                += isSolverKernel(context.trace.name(kernel)) ? context.trace.range(kernel).duration() : 0;
        if (ofSolvers * 2 > totalDuration(context.trace, sums.kernels)) {
            finding.topic = "tiny_grid.solver";
            finding.remedy
                = "These are a library's own kernels (cuSOLVER): their grid follows from the size of "
                  "the matrix. Solve several matrices in one call (the batched functions), take "
                  "another algorithm (cusolverDn<t>gesvda, polar decomposition), or solve matrices of "
                  "this size on the CPU.";
        }
        setEvidence(finding, context.trace, sums.kernels, [&](EventRef event) {
            return fmt::format("{} on {} multiprocessors", extent(kernels.launch(event.index)), units);
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

/// "compute has 40 blocks, of which 28 fit at once: 28, then 12."
std::string wavesText(const Trace& trace, EventIndex kernel)
{
    const std::int64_t blocks = trace.kernels().launch(kernel).grid.volume();
    const auto atOnce = static_cast<std::int64_t>(
        std::llround(static_cast<double>(blocks) / theoreticalWaves(trace, kernel)));
    const std::int64_t whole = atOnce > 0 ? blocks / atOnce : 0;
    const std::int64_t last = blocks - whole * atOnce;
    return fmt::format("{} has {} blocks, of which {} fit at once: {}{}, then {}.",
        toUtf8(trace.displayName({EventKind::Kernel, kernel})),
        formatCount(static_cast<std::uint64_t>(blocks)), formatCount(static_cast<std::uint64_t>(atOnce)),
        whole > 1 ? formatCount(static_cast<std::uint64_t>(whole)) + " times " : "",
        formatCount(static_cast<std::uint64_t>(atOnce)), formatCount(static_cast<std::uint64_t>(last)));
}

/// What of the time of `kernels` is lost where blocks that share a multiprocessor slow one another down: one
/// that has fewer blocks than others is done sooner, however many fit on it at once.
Ns unevenTime(const Trace& trace, const std::vector<EventRef>& kernels, std::int64_t multiprocessors)
{
    double lost = 0;
    for (const EventRef& kernel : kernels) {
        const double each = static_cast<double>(trace.kernels().launch(kernel.index).grid.volume())
            / static_cast<double>(multiprocessors);
        lost += static_cast<double>(trace.kernels().duration[kernel.index])
            * (1 - each / std::max(1.0, std::ceil(each)));
    }
    return static_cast<Ns>(lost);
}

/// Where one more block on each multiprocessor leaves no last wave: how it fits. Else empty.
std::string oneWaveRemedy(const Trace& trace, EventIndex kernel)
{
    const Residency residency = residencyOf(trace, kernel);
    const std::string remedy = residency.limit == ResidencyLimit::Registers
            && (residency.blocksAtOnce + 1) * residency.multiprocessors >= residency.blocks
        ? remedyForLimit(trace, kernel)
        : std::string();
    return remedy.empty() ? remedy
                          : fmt::format("{} Then all {} blocks run at once, and no last wave is left.",
                              remedy, formatCount(static_cast<std::uint64_t>(residency.blocks)));
}

std::vector<Finding> findTails(const RuleContext& context)
{
    auto found = measure(context, static_cast<Ns>(context.threshold(tailId, tailMinDuration)),
        [&](EventIndex i, const Device&) {
            const double waves = theoreticalWaves(context.trace, i);
            return waves > 1 && waves < context.threshold(tailId, maxWaves) ? 1 - waves / std::ceil(waves)
                                                                            : 0.0;
        });
    std::vector<Finding> findings;
    for (auto& [key, sums] : found) {
        if (!isNotable(context, tailId, tailMinShare, sums.lost, sums.all))
            continue;
        Finding finding = base(context, key, static_cast<Ns>(sums.lost));
        finding.claims = timeOf(context.trace, sums.kernels, context.window);
        longestToFront(context.trace, sums.kernels);
        finding.confidence = Confidence::Possible;
        finding.title = fmt::format("{}: last waves of {} leave multiprocessors idle",
            gpuName(context.trace, key.first, key.second), counted(sums.kernels.size(), "kernel"));
        finding.title += mostOf(context.trace, sums.kernels);
        finding.message = fmt::format("{} In the last wave part of the GPU has nothing to do: of {} up to {} "
                                      "could be saved.",
            wavesText(context.trace, sums.kernels.front().index), formatDuration(sums.time),
            formatDuration(finding.saving));
        const Ns uneven = unevenTime(
            context.trace, sums.kernels, context.trace.device(key.first, key.second)->multiprocessors);
        if (const Severity sure = std::max(Severity::Low, severityOf(context, uneven));
            sure < finding.severity) {
            finding.severity = sure;
            finding.lowered = fmt::format("that is so where each block takes as long however many share its "
                                          "multiprocessor; where they slow one another down it is {}",
                formatDuration(uneven));
        }
        finding.remedy = oneWaveRemedy(context.trace, sums.kernels.front().index);
        setEvidence(finding, context.trace, sums.kernels, [&](EventRef event) {
            return formatReal(theoreticalWaves(context.trace, event.index), 2) + " waves";
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> findLowOccupancy(const RuleContext& context)
{
    const double most = context.threshold(occupancyId, maxOccupancy);
    auto found = measure(context, static_cast<Ns>(context.threshold(occupancyId, occupancyMinDuration)),
        [&](EventIndex i, const Device& device) {
            // How many blocks would fit says nothing where no multiprocessor has more than one: see
            // tiny_grid.
            if (context.trace.kernels().launch(i).grid.volume() < device.multiprocessors)
                return 0.0;
            // Matrix kernels keep few warps with many registers by design.
            const MathWork work = mathOf(context.trace.text(context.trace.kernels().name[i])).work;
            if (work == MathWork::Matrix || work == MathWork::Attention)
                return 0.0;
            // In lanes: half a warp's threads do half a warp's work.
            const double lanes = lanesInUse(context.trace.kernels().launch(i));
            const double occupancy = theoreticalOccupancy(context.trace, i) * 100 * lanes;
            return occupancy > 0 && occupancy < most ? 1.0 : 0.0;
        });
    std::vector<Finding> findings;
    for (auto& [key, sums] : found) {
        if (!isNotable(context, occupancyId, occupancyMinShare, static_cast<double>(sums.time), sums.all))
            continue;
        longestToFront(context.trace, sums.kernels);
        Finding finding = base(context, key, 0);
        finding.severity = Severity::Info; // whether it costs time depends on what the kernel waits for
        finding.confidence = Confidence::Possible;
        finding.title = fmt::format("{}: {} with a theoretical occupancy under {:.0f}%",
            gpuName(context.trace, key.first, key.second), counted(sums.kernels.size(), "kernel"), most);
        finding.title += mostOf(context.trace, sums.kernels);
        finding.message = fmt::format("They take {}, {} of the kernels' time. {}", formatDuration(sums.time),
            formatShare(static_cast<double>(sums.time) / static_cast<double>(std::max<Ns>(1, sums.all))),
            limitText(context.trace, sums.kernels.front().index));
        finding.remedy = remedyForLimit(context.trace, sums.kernels.front().index);
        if (finding.remedy.empty() && gpuMakerOf(context.trace) != GpuMaker::Nvidia)
            finding.remedy = fmt::format(
                "Look with {} whether the threads stall on memory. If so: fewer registers (__launch_bounds__), "
                "less shared memory a block, or another block size.",
                kernelProfilerOf(context.trace));
        setEvidence(finding, context.trace, sums.kernels, [&](EventRef event) {
            const KernelLaunch& launch = context.trace.kernels().launch(event.index);
            const double lanes = lanesInUse(launch);
            const double occupancy = theoreticalOccupancy(context.trace, event.index);
            return fmt::format("{} occupancy{}: {}, {} registers a thread, {} shared memory a block",
                formatShare(occupancy * lanes),
                lanes < 1 ? fmt::format(" ({} in warps that are not full)", formatShare(occupancy))
                          : std::string(),
                extent(launch), launch.registersPerThread,
                formatBytes(static_cast<std::uint64_t>(
                    std::max(0, launch.staticSharedMemory + launch.dynamicSharedMemory))));
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

bool hasSizes(const Trace& trace, const std::stop_token&)
{
    return !trace.kernels().empty() && std::ranges::any_of(trace.devices, [](const Device& device) {
        return device.multiprocessors > 0;
    });
}

} // namespace

extern constinit const Rule tinyGrid{
    .id = tinyId,
    .title = "Kernels too small for the GPU",
    .why = "A block runs on one multiprocessor: with fewer blocks than those, the rest of the GPU waits "
           "until the kernel is done.",
    .remedy = "Split the work over more blocks: one thread for each element, a tree reduction (or CUB, "
              "thrust) instead of one thread that sums, split-K for matrix products. Or merge the step into "
              "the kernel before it, or run it beside other kernels in a stream of its own.",
    .thresholds = tinyThresholds,
    .applies = hasSizes,
    .check = findTiny,
    .absorbs = tinyAbsorbs,
};

extern constinit const Rule tailWaves{
    .id = tailId,
    .title = "Nearly empty last waves",
    .why = "Blocks run in waves of as many as fit at once. 1.1 waves take as long as 2, and in the second "
           "nine tenths of the GPU are idle.",
    .remedy = "Choose grid and block so that the waves come out whole or are many: other tile sizes, a "
              "persistent kernel with a grid-stride loop, more work at once, or other kernels beside it.",
    .thresholds = tailThresholds,
    .applies = hasSizes,
    .check = findTails,
};

extern constinit const Rule lowOccupancy{
    .id = occupancyId,
    .title = "Low theoretical occupancy",
    .why = "A multiprocessor hides the latency of memory by switching between warps. With few resident "
           "warps it waits instead, unless each has enough independent work.",
    .remedy
    = "Look with Nsight Compute whether warps stall on memory. If so: fewer registers (__launch_bounds__, "
      "-maxrregcount), less shared memory a block, or another block size.",
    .thresholds = occupancyThresholds,
    .applies = hasSizes,
    .check = findLowOccupancy,
};

} // namespace warpline
