// Collectives slow concurrent kernels down: their blocks occupy multiprocessors while they run or wait, so
// that a kernel that just fills the GPU needs a second wave. Comparing a kernel with equal launches, alone
// and concurrent with a collective, gives the cost; one report is enough.

#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/derive/tracks_of.h"
#include "core/store/trace.h"

#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/coverage/coverage.h"
#include "core/derive/communication.h"
#include "core/findings/evidence.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace warpline::collective_slowdown {

namespace {

constexpr std::string_view slowId = "collective_slows_compute";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time lost", "%", 1};
constexpr Threshold minAlone{"min_alone", "Minimum number of the same kernel alone to compare with", "", 3};
constexpr std::array slowThresholds{minShare, minAlone};
constexpr double mostlyBeside = 0.9; ///< of a kernel's time
constexpr double hardlyBeside = 0.1;

/// Kernels of one name, grid and block on one GPU: grids of equal size but different shape multiply different
/// matrices.
struct Alike {
    std::vector<EventIndex> beside; ///< collectives run during nearly all of their time
    std::vector<Ns> alone; ///< durations without a concurrent collective
    double usual = 0; ///< median length alone; 0: too few
    double lost = 0; ///< ns by which `beside` take longer
};

using LaunchKey = std::pair<StringId, std::array<std::int32_t, 6>>; ///< name; grid and block

LaunchKey keyOf(StringId name, const KernelLaunch& launch)
{
    return {
        name, {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z}};
}

struct Slowed {
    std::map<LaunchKey, Alike> kernels;
    double beside = 0; ///< ns of those that are compared
    double lost = 0;
    double expected = 0; ///< ns that they would take alone
};

double medianOfReal(std::vector<Ns> lengths)
{
    std::ranges::sort(lengths);
    return (static_cast<double>(lengths[(lengths.size() - 1) / 2])
               + static_cast<double>(lengths[lengths.size() / 2]))
        / 2;
}

Slowed measure(const RuleContext& context, const CollectiveWork& gpu)
{
    const KernelTable& kernels = context.trace.kernels();
    const CommunicationKernels communicates(context.trace);
    const Coverage communicating(gpu.communicating);
    Slowed slowed;
    for (const Track& track : TracksOf(context.trace, EventKind::Kernel, gpu.process)) {
        if (track.device != gpu.device)
            continue;
        for (const EventIndex i : eventsIn(kernels, track, context.window, context.stop)) {
            if (communicates[i] || kernels.duration[i] <= 0)
                continue;
            const KernelLaunch& launch = kernels.launch(i);
            const double share = static_cast<double>(communicating.busy(kernels.range(i)))
                / static_cast<double>(kernels.duration[i]);
            if (share > hardlyBeside && share < mostlyBeside)
                continue;
            Alike& alike = slowed.kernels[keyOf(kernels.name[i], launch)];
            if (share >= mostlyBeside)
                alike.beside.push_back(i);
            else
                alike.alone.push_back(kernels.duration[i]);
        }
    }
    const auto least = static_cast<std::size_t>(context.threshold(slowId, minAlone));
    for (auto& [key, alike] : slowed.kernels) {
        if (alike.beside.empty() || alike.alone.size() < std::max<std::size_t>(1, least))
            continue;
        alike.usual = medianOfReal(alike.alone);
        for (const EventIndex i : alike.beside) {
            alike.lost += static_cast<double>(kernels.duration[i]) - alike.usual;
            slowed.beside += static_cast<double>(kernels.duration[i]);
            slowed.expected += alike.usual;
        }
        slowed.lost += alike.lost;
    }
    return slowed;
}

/// How many of the GPU's multiprocessors the collectives hold: a block each, by the most usual grid.
std::int64_t blocksOf(const RuleContext& context, const CollectiveWork& gpu, EventIndex& example)
{
    std::map<std::int64_t, Ns> time;
    for (const Collective& each : gpu.collectives) {
        const std::int64_t blocks = context.trace.kernels().launch(each.kernel).grid.volume();
        time[blocks] += context.trace.kernels().duration[each.kernel];
    }
    const auto most = std::ranges::max_element(time, {}, [](const auto& each) { return each.second; });
    for (const Collective& each : gpu.collectives) {
        if (context.trace.kernels().launch(each.kernel).grid.volume() == most->first)
            example = each.kernel;
    }
    return most->first;
}

/// The resource for which a block of `kernel` and one of the collective `other` cannot share a
/// multiprocessor; empty: they can, or it is unknown.
std::string_view whatTheyCannotShare(
    const Device& device, const KernelLaunch& kernel, const KernelLaunch& other)
{
    const auto registers = [](const KernelLaunch& launch) {
        return saturatingProduct(std::max(0, launch.registersPerThread), launch.block.volume());
    };
    const auto shared = [](const KernelLaunch& launch) {
        return std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory;
    };
    if (device.maxRegistersPerSm > 0
        && saturatingAdd(registers(kernel), registers(other)) > device.maxRegistersPerSm)
        return "registers";
    if (device.maxSharedPerSm > 0 && shared(kernel) + shared(other) > device.maxSharedPerSm)
        return "shared memory";
    return {};
}

/// Sentences on why they slow down the most affected kernel; empty: unknown.
Message reasonOf(const RuleContext& context, const CollectiveWork& gpu, const Alike& alike)
{
    EventIndex collective = noIndex;
    const std::int64_t held = blocksOf(context, gpu, collective);
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    if (!device || device->multiprocessors <= 0)
        return {};
    const KernelTable& kernels = context.trace.kernels();
    const EventIndex kernel = alike.beside.front();
    const auto count = [](std::int64_t number) { return Count{static_cast<std::uint64_t>(number)}; };
    const std::int64_t taken = std::min<std::int64_t>(held, device->multiprocessors);
    Message text("collective_slows_compute.holds",
        "A collective has {blocks, plural, one {# block} other {# blocks}} and holds up to {held} of {all} "
        "multiprocessors.",
        {{"blocks", count(held)}, {"held", count(taken)}, {"all", count(device->multiprocessors)}});
    const double waves = residencyOf(context.trace, kernel).waves();
    const std::int64_t left = device->multiprocessors - taken;
    if (waves > 0 && left > 0) {
        const double wavesLeft = waves * device->multiprocessors / static_cast<double>(left);
        if (std::ceil(wavesLeft) > std::ceil(waves))
            text += Message("collective_slows_compute.waves",
                "The {blocks} blocks of the kernel that loses most need {more, plural, one {# wave} other {# waves}} "
                "instead of {alone} on the other {left} multiprocessors.",
                {{"blocks", count(kernels.launch(kernel).grid.volume())},
                    {"alone", count(static_cast<std::int64_t>(std::ceil(waves)))},
                    {"more", count(static_cast<std::int64_t>(std::ceil(wavesLeft)))}, {"left", count(left)}});
    }
    const std::string_view lacking
        = whatTheyCannotShare(*device, kernels.launch(kernel), kernels.launch(collective));
    if (!lacking.empty())
        text += Message("collective_slows_compute.cannot_share",
            "Its blocks cannot share a multiprocessor with those of the collective: together they need too "
            "{lacking, select, registers {many registers} other {much shared memory}}.",
            {{"lacking", Name{std::string(lacking)}}});
    return text;
}

void describe(const RuleContext& context, const CollectiveWork& gpu, const Slowed& slowed, Finding& finding)
{
    const auto worst
        = std::ranges::max_element(slowed.kernels, {}, [](const auto& each) { return each.second.lost; });
    const KernelTable& kernels = context.trace.kernels();
    std::vector<EventRef> events;
    std::map<EventIndex, double> usual;
    for (const auto& [key, alike] : slowed.kernels) {
        for (const EventIndex i : alike.beside) {
            if (alike.usual <= 0 || static_cast<double>(kernels.duration[i]) <= alike.usual)
                continue;
            events.push_back({EventKind::Kernel, i});
            usual[i] = alike.usual;
        }
    }
    // Sorts ties by index: ids of names depend on which thread read them first.
    std::ranges::sort(events, {}, &EventRef::index);
    std::ranges::stable_sort(events, std::greater{}, [&](EventRef event) {
        return static_cast<double>(kernels.duration[event.index]) - usual[event.index];
    });
    const double factor = slowed.beside / slowed.expected;
    const std::string name = gpuName(context.trace, gpu.process, gpu.device);
    finding.title = Message("collective_slows_compute.title",
        "{gpu}: kernels take {factor} times as long during collectives, {time} longer in all",
        {{"gpu", Name{name}}, {"factor", Number{factor, 1}}, {"time", Duration{finding.saving}}});
    const auto duration = [](double ns) { return Duration{static_cast<Ns>(ns)}; };
    finding.message = Message("collective_slows_compute.times",
        "Kernels that run during a collective take {during}; the same launches alone would take {alone}.",
        {{"during", duration(slowed.beside)}, {"alone", duration(slowed.expected)}});
    finding.message += Message("collective_slows_compute.worst",
        "{kernel} loses most: {launches, plural, one {# launch of {slow}} other {# launches of {slow} each}} instead of "
        "{usual}.",
        {{"kernel",
             Name{std::string(context.trace.displayName({EventKind::Kernel, worst->second.beside.front()}))}},
            {"launches", Count{worst->second.beside.size()}},
            {"slow",
                duration(worst->second.usual
                    + worst->second.lost / static_cast<double>(worst->second.beside.size()))},
            {"usual", duration(worst->second.usual)}});
    finding.message += reasonOf(context, gpu, worst->second);
    finding.message += Message("collective_slows_compute.collectives",
        "The collectives run for {time}, {waiting} of it waiting.",
        {{"time", Duration{totalTime(gpu.communicating)}}, {"waiting", Duration{totalTime(gpu.waiting)}}});
    setEvidence(finding, context.trace, events, [&](EventRef event) {
        return Message("collective_slows_compute.kernel", "{factor} times its time alone",
            {{"factor", Number{static_cast<double>(kernels.duration[event.index]) / usual[event.index], 2}}});
    });
}

std::vector<Finding> findSlowed(const RuleContext& context)
{
    std::vector<Finding> findings;
    const Ns measured = context.facts.measured();
    for (const CollectiveWork& gpu : context.facts.communication(context.window).collectives) {
        const Slowed slowed = measure(context, gpu);
        if (slowed.lost <= 0 || !context.reachesShare(slowId, minShare, slowed.lost, measured))
            continue;
        Finding finding = findingOn(context, gpu.process, gpu.device, static_cast<Ns>(slowed.lost));
        describe(context, gpu, slowed, finding);
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule collectiveSlowsCompute{
    .id = slowId,
    .title = "Kernels slowed down by collectives",
    .why
    = "A collective holds multiprocessors, registers and bandwidth while it runs, and while it waits for another "
      "rank. A kernel that just fills the GPU alone then needs a second wave.",
    .remedy
    = "First end the waiting: see which rank is late. Then try fewer blocks for the collective (NCCL_MAX_CTAS; for "
      "sends and receives NCCL_MAX_P2P_NCHANNELS): kernels run faster, but the transfer takes longer, so measure the "
      "step. Matrix products with smaller tiles, or set to leave multiprocessors free, lose less. So do collectives "
      "on copy engines or NVLS.",
    .caveat = "The same kernel may take longer for another reason, such as other data.",
    .thresholds = slowThresholds,
    .applies = hasCommunication,
    .check = findSlowed,
};

} // namespace warpline::collective_slowdown
