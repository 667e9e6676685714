#include "core/findings/collectives.h"

#include "core/findings/kernel_names.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace warpline {

namespace {

constexpr Ns leastTime = 50'000; ///< no collective is faster, however small its message

/// NCCL's NVTX range around a call, by thread and time.
class NcclRanges {
public:
    explicit NcclRanges(const Trace& trace)
        : m_trace(trace)
    {
    }

    /// The NCCL range that holds `time` on `thread`, or noIndex.
    EventIndex at(GlobalId thread, Ns time) const
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Track& track : nvtx.tracks) {
            if (track.owner != thread || m_trace.text(track.family) != "NCCL")
                continue;
            for (const Lane& lane : nvtx.lanesOf(track)) {
                const EventIndex i = nvtx.firstEndingAfter(lane, time);
                if (i < lane.first + lane.count && nvtx.start[i] <= time)
                    return i;
            }
        }
        return noIndex;
    }

private:
    const Trace& m_trace;
};

std::map<std::pair<GlobalId, std::int32_t>, CollectiveWork> collect(const RuleContext& context)
{
    const KernelTable& kernels = context.trace.kernels();
    std::unordered_map<std::uint32_t, bool> byName;
    std::map<std::pair<GlobalId, std::int32_t>, CollectiveWork> gpus;
    std::map<std::pair<GlobalId, std::int32_t>, std::vector<TimeRange>> computing;
    for (const Track& track : kernels.tracks) {
        const std::pair key{track.owner, track.device};
        for (const Lane& lane : kernels.lanesOf(track)) {
            const auto [first, last] = kernels.touching(lane, context.window);
            for (const EventIndex i : stoppable(first, last, context.stop)) {
                const auto [place, added] = byName.try_emplace(raw(kernels.name[i]), false);
                if (added)
                    place->second = isCollective(context.trace.text(kernels.name[i]));
                if (place->second)
                    gpus[key].collectives.push_back({i, -1, {}, 0});
                else
                    computing[key].push_back(kernels.range(i));
            }
        }
    }
    for (auto& [key, gpu] : gpus) {
        gpu.process = key.first;
        gpu.device = key.second;
        gpu.computing = unionOf(std::move(computing[key]), context.window);
        std::ranges::sort(
            gpu.collectives, {}, [&](const Collective& each) { return kernels.start[each.kernel]; });
    }
    return gpus;
}

/// The bytes of each message, from the NVTX range around the launch.
void describe(const RuleContext& context, CollectiveWork& gpu)
{
    RunFacts& facts = factsOf(context);
    const NcclRanges ranges(context.trace);
    for (Collective& each : stoppableItems(gpu.collectives, context.stop)) {
        const EventIndex call = facts.callOf(EventRef{EventKind::Kernel, each.kernel});
        if (call == noIndex)
            continue;
        const EventIndex range = ranges.at(facts.threadOf(call), context.trace.apiCalls().start[call]);
        if (range == noIndex)
            continue;
        each.bytes = context.trace.nvtx().attributesOf(range).payloadBytes;
        each.range = context.trace.nvtx().name[range];
    }
}

void findWaiting(const RuleContext& context, std::vector<CollectiveWork>& gpus)
{
    const KernelTable& kernels = context.trace.kernels();
    // All ranks run the same collectives: the fastest of any is what one takes without waiting.
    std::map<std::pair<StringId, std::int64_t>, Ns> fastest;
    std::map<StringId, double>
        bestRate; // bytes per ns; of a size that always waits, the rate of others tells
    for (const CollectiveWork& gpu : gpus) {
        for (const Collective& each : stoppableItems(gpu.collectives, context.stop)) {
            const auto [place, added]
                = fastest.try_emplace({kernels.name[each.kernel], each.bytes}, kernels.duration[each.kernel]);
            place->second = std::min(place->second, kernels.duration[each.kernel]);
            double& rate = bestRate[kernels.name[each.kernel]];
            if (each.bytes > 0 && kernels.duration[each.kernel] > 0)
                rate = std::max(rate,
                    static_cast<double>(each.bytes) / static_cast<double>(kernels.duration[each.kernel]));
        }
    }
    for (CollectiveWork& gpu : gpus) {
        std::vector<TimeRange> waits;
        for (Collective& each : stoppableItems(gpu.collectives, context.stop)) {
            Ns needed = fastest.at({kernels.name[each.kernel], each.bytes});
            if (const double rate = bestRate.at(kernels.name[each.kernel]); each.bytes > 0 && rate > 0)
                needed = std::min(
                    needed, std::max(leastTime, static_cast<Ns>(static_cast<double>(each.bytes) / rate)));
            each.waiting = std::max<Ns>(0, kernels.duration[each.kernel] - needed);
            if (each.waiting > 0)
                waits.push_back({kernels.start[each.kernel], kernels.start[each.kernel] + each.waiting});
        }
        gpu.waiting = unionOf(std::move(waits), context.window);
        gpu.exposedWaiting = difference(gpu.waiting, gpu.computing);
    }
}

} // namespace

std::vector<CollectiveWork> collectiveWork(const RuleContext& context)
{
    std::vector<CollectiveWork> gpus;
    for (auto& [key, gpu] : collect(context)) {
        describe(context, gpu);
        std::vector<TimeRange> ranges;
        for (const Collective& each : stoppableItems(gpu.collectives, context.stop))
            ranges.push_back(context.trace.kernels().range(each.kernel));
        gpu.communicating = unionOf(std::move(ranges), context.window);
        gpu.exposed = difference(gpu.communicating, gpu.computing);
        gpus.push_back(std::move(gpu));
    }
    findWaiting(context, gpus);
    return gpus;
}

} // namespace warpline
