#include "core/analysis/collectives.h"

#include "core/base/saturate.h"
#include "core/derive/communication.h"
#include "core/derive/kept_answers.h"
#include "core/derive/nccl_calls.h"
#include "core/kernels/kernel_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace warpline {

namespace {

constexpr Ns minTime = 50'000; ///< no collective is faster, however small its message
/// Tolerance above the fastest: a transfer that is slower by up to this part is ordinary, and no sign of
/// waiting. Without it, the estimate for a single rank exceeds the exact wait from all ranks.
constexpr Ns spreadPart = 4; ///< a quarter

struct Asked {
    const Trace& trace;
    TimeRange window;
    const std::stop_token& stop;
};
using WorkByGpu = std::map<std::pair<GlobalId, std::int32_t>, CollectiveWork>;

WorkByGpu collect(const Asked& asked)
{
    const KernelTable& kernels = asked.trace.kernels();
    const CommunicationKernels communicates(asked.trace);
    WorkByGpu gpus;
    std::map<std::pair<GlobalId, std::int32_t>, std::vector<TimeRange>> computing;
    for (const Track& track : kernels.tracks) {
        const std::pair key{track.owner, track.device};
        for (const EventIndex i : eventsIn(kernels, track, asked.window, asked.stop)) {
            if (!communicates[i])
                computing[key].push_back(kernels.range(i));
            else
                gpus[key].collectives.push_back({.kernel = i});
        }
    }
    for (auto& [key, gpu] : gpus) {
        gpu.process = key.first;
        gpu.device = key.second;
        gpu.computing = unionOf(std::move(computing[key]), asked.window, asked.stop);
        std::ranges::sort(
            gpu.collectives, {}, [&](const Collective& each) { return kernels.start[each.kernel]; });
    }
    return gpus;
}

/// The bytes of each message, from the NVTX range around the launch; of a group, of its last send or receive.
void describe(const Asked& asked, const NcclCalls& calls, CollectiveWork& gpu)
{
    const NvtxTable& nvtx = asked.trace.nvtx();
    const auto isMessage = [&](EventIndex range) {
        const std::string_view name = asked.trace.text(nvtx.name[range]);
        return name == "ncclSend" || name == "ncclRecv";
    };
    for (Collective& each : stoppableItems(gpu.collectives, asked.stop)) {
        const std::vector<EventIndex> ranges = calls.rangesOf(each.kernel);
        if (ranges.empty())
            continue;
        EventIndex range = ranges.back();
        if (const auto last = std::ranges::find_if(ranges.rbegin(), ranges.rend(), isMessage);
            last != ranges.rend()) {
            range = *last;
            each.members = static_cast<std::uint32_t>(std::ranges::count_if(ranges, isMessage));
        } else if (ranges.size() > 1) {
            continue; // a group of collectives: the label may describe only one of them
        }
        each.bytes = nvtx.attributesOf(range).payloadBytes;
        each.range = nvtx.name[range];
    }
}

/// Whether it is a send or a receive itself; an enclosing operator or range with another name decides against
/// it.
bool isSendOrReceive(const NcclCalls& calls, const Collective& each)
{
    return calls.communicationOf(each.kernel).kind == Communication::PointToPoint;
}

/// The largest size of a group of sends and receives between pipeline stages: a stage sends and receives. An
/// all-to-all has a send and a receive for each rank. Groups of two are an all-to-all of two ranks when `gpu`
/// has no single message, such as the first into a pipeline and the last out of it.
std::uint32_t mostOfStages(const NcclCalls& calls, const CollectiveWork& gpu)
{
    constexpr std::uint32_t most = 2;
    const bool hasOther = std::ranges::any_of(gpu.collectives,
        [&](const Collective& each) { return each.members < most && isSendOrReceive(calls, each); });
    return hasOther ? most : 1;
}

/// A measure of a message's size: its bytes, or the size of its kernel's launch.
std::int64_t sizeOf(const KernelTable& kernels, const Collective& each)
{
    return each.bytes >= 0 ? each.bytes
                           : -1 - static_cast<std::int64_t>(kernels.launch(each.kernel).grid.volume());
}

/// Whether collectives of equal kind and size are comparable: not where one kernel runs all operations (RCCL)
/// and no message size is recorded.
bool isComparable(const Trace& trace, const Collective& each)
{
    const KernelTable& kernels = trace.kernels();
    return each.bytes >= 0
        || (kernels.launch(each.kernel).grid.volume() > 0
            && communicationOf(trace.text(kernels.name[each.kernel])).operation != "NCCL");
}

/// With `hasSlack` a transfer may take a quarter longer than the fastest of its size.
void findWaiting(const Asked& asked, std::vector<CollectiveWork>& gpus, bool hasSlack)
{
    const KernelTable& kernels = asked.trace.kernels();
    // All ranks run the same collectives: the fastest on any GPU is the time without waiting.
    std::map<std::pair<StringId, std::int64_t>, Ns> fastest;
    std::map<StringId, double>
        bestRate; // bytes per ns; for a size that always waits, the rate of other sizes is the measure
    for (const CollectiveWork& gpu : gpus) {
        for (const Collective& each : stoppableItems(gpu.collectives, asked.stop)) {
            const auto [place, added] = fastest.try_emplace(
                {kernels.name[each.kernel], sizeOf(kernels, each)}, kernels.duration[each.kernel]);
            place->second = std::min(place->second, kernels.duration[each.kernel]);
            double& rate = bestRate[kernels.name[each.kernel]];
            if (each.bytes > 0 && kernels.duration[each.kernel] > 0)
                rate = std::max(rate,
                    static_cast<double>(each.bytes) / static_cast<double>(kernels.duration[each.kernel]));
        }
    }
    for (CollectiveWork& gpu : gpus) {
        std::vector<TimeRange> waits;
        for (Collective& each : stoppableItems(gpu.collectives, asked.stop)) {
            if (!isComparable(asked.trace, each))
                continue;
            Ns needed = fastest.at({kernels.name[each.kernel], sizeOf(kernels, each)});
            if (const double rate = bestRate.at(kernels.name[each.kernel]); each.bytes > 0 && rate > 0)
                needed = std::min(
                    needed, std::max(minTime, saturatingWhole(static_cast<double>(each.bytes) / rate)));
            each.waiting = std::max<Ns>(
                0, kernels.duration[each.kernel] - needed - (hasSlack ? needed / spreadPart : 0));
            if (each.waiting > 0)
                waits.push_back({kernels.start[each.kernel], kernels.start[each.kernel] + each.waiting});
        }
        gpu.waiting = unionOf(std::move(waits), asked.window, asked.stop);
        gpu.exposedWaiting = difference(gpu.waiting, gpu.computing);
    }
}

/// Those of `found`, all communication, of one kind.
std::vector<CollectiveWork> ofKind(
    const Asked& asked, const NcclCalls& calls, const WorkByGpu& found, bool pointToPoint)
{
    std::vector<CollectiveWork> gpus;
    for (const auto& [key, all] : found) {
        const std::uint32_t most = mostOfStages(calls, all);
        const auto isWanted = [&](const Collective& each) {
            return (each.members <= most && isSendOrReceive(calls, each)) == pointToPoint;
        };
        CollectiveWork gpu;
        gpu.process = all.process;
        gpu.device = all.device;
        std::ranges::copy_if(all.collectives, std::back_inserter(gpu.collectives), isWanted);
        if (gpu.collectives.empty())
            continue;
        gpu.computing = all.computing;
        std::vector<TimeRange> ranges;
        for (const Collective& each : stoppableItems(gpu.collectives, asked.stop))
            ranges.push_back(asked.trace.kernels().range(each.kernel));
        gpu.communicating = unionOf(std::move(ranges), asked.window, asked.stop);
        gpu.exposed = difference(gpu.communicating, gpu.computing);
        gpus.push_back(std::move(gpu));
    }
    // A sending stage has its data: only ranks that meet can wait for each other.
    findWaiting(asked, gpus, !pointToPoint);
    return gpus;
}

} // namespace

CommunicationWork communicationWork(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const Asked asked{trace, window, stop};
    if (!hasCommunication(trace, stop))
        return {};
    const NcclCalls calls(trace);
    WorkByGpu found = collect(asked);
    for (auto& [key, gpu] : found)
        describe(asked, calls, gpu);
    return {ofKind(asked, calls, found, false), ofKind(asked, calls, found, true)};
}

bool isWaitingUnknown(const Trace& trace, const std::vector<CollectiveWork>& gpus)
{
    if (gpus.size() != 1)
        return false;
    Ns all = 0;
    Ns known = 0;
    for (const Collective& each : gpus.front().collectives) {
        all += trace.kernels().duration[each.kernel];
        known += each.bytes >= 0 ? trace.kernels().duration[each.kernel] : 0;
    }
    return known * 2 < all;
}

bool hasCommunication(const Trace& trace, const std::stop_token& stop)
{
    static KeptAnswers<Links, bool> kept; // rules ask again and again
    const auto find = [&] {
        return anyName(
            trace.kernels(), stop, [&](StringId name) { return isCommunication(trace.text(name)); });
    };
    return trace.links ? *kept.of(trace.links, find) : find();
}

} // namespace warpline
