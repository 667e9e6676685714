#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/stop.h"
#include "core/derive/communication.h"
#include "core/findings/rule.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/trace.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Kernels that waste something, with how much.
struct Wasteful {
    std::vector<EventRef> kernels;
    double lost = 0; ///< ns of whole-GPU time
    Ns time = 0; ///< of these kernels
    Ns all = 0; ///< of all kernels on the GPU
    std::uint64_t shorter = 0; ///< that waste, too, but are too short to count,
    Ns shorterTime = 0; ///< and how long they take
};

/// Sums, per GPU, the kernels for which waste(kernel, device) returns the share of the GPU that they leave
/// idle (0: none). The result must only depend on launch and device: it is computed once per distinct launch.
template <typename Waste>
std::map<GpuOfProcess, Wasteful> measureWaste(const RuleContext& context, Ns shortest, Waste waste)
{
    const KernelTable& kernels = context.trace.kernels();
    const CommunicationKernels communicates(context.trace);
    std::map<GpuOfProcess, Wasteful> found;
    for (const Track& track : kernels.tracks) {
        const Device* const device = context.trace.device(track.owner, track.device);
        if (!device || device->multiprocessors <= 0)
            continue;
        Wasteful& sums = found[{track.owner, track.device}];
        std::vector<float> known(kernels.launches.size(), -1);
        for (const EventIndex i : eventsIn(kernels, track, context.window, context.stop)) {
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
    return found;
}

/// The share of warp lanes that a kernel's blocks fill: 1 where a block is a multiple of 32 threads, 0.5 for
/// blocks of 16. Other lanes idle.
inline double lanesInUse(const KernelLaunch& launch)
{
    constexpr std::int64_t warp = 32;
    const std::int64_t threads = launch.block.volume();
    if (threads <= 0)
        return 1;
    const std::int64_t warps = threads / warp + (threads % warp != 0 ? 1 : 0);
    return static_cast<double>(threads) / (static_cast<double>(warps) * static_cast<double>(warp));
}

/// Mean idle shares of a GPU.
struct IdleShares {
    double units = 0; ///< of its multiprocessors
    double warps = 0; ///< of the warps that they could hold: no less
};

/// The idle shares of GPU `gpu` while any of `few` runs; the shares of concurrent kernels add up. O(n log n)
/// in the kernels of that GPU. Throws Stopped.
IdleShares idleBeside(const RuleContext& context, const GpuOfProcess& gpu, const std::vector<EventRef>& few,
    std::int32_t units);

/// "<<<40, 256>>>": blocks, and threads of each.
std::string launchExtent(const KernelLaunch& launch);

/// The kernel with most time of several.
struct MostWasteful {
    std::string name;
    std::size_t names = 0; ///< how many kernels of different names there are
};
MostWasteful mostWasteful(const Trace& trace, const std::vector<EventRef>& kernels);

/// Whether there are kernels, and a GPU with a known number of multiprocessors.
bool hasKernelSizes(const Trace& trace, const std::stop_token& stop);

/// The resource that limits the blocks of `kernel` on a multiprocessor, with its numbers.
Message limitText(const Trace& trace, EventIndex kernel);

/// How one more block fits, as a line to paste: __launch_bounds__ with the registers that it leaves a thread.
/// Empty where registers are not the limit.
Message remedyForLimit(const Trace& trace, EventIndex kernel);

} // namespace warpline
