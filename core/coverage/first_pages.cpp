#include "core/coverage/first_pages.h"

#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>

namespace warpline {

namespace {

/// When pages begin to migrate to the GPU because it missed them, in order.
std::vector<Ns> arrivals(
    const Trace& trace, GlobalId process, std::int32_t device, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<Ns> times;
    if (std::ranges::none_of(copies.copies, stallsKernels)) // few: events share them
        return times;
    for (const Track& track : TracksOf(trace, EventKind::Memcpy, process)) {
        if (track.device != device)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (stallsKernels(copies.copy(i)))
                times.push_back(copies.start[i]);
        }
    }
    std::ranges::sort(times);
    return times;
}

} // namespace

std::vector<TimeRange> waitsForFirstPages(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window, const std::stop_token& stop)
{
    constexpr Ns longestFault = 1'000'000;
    std::vector<TimeRange> waits;
    const std::vector<Ns> pages = arrivals(trace, process, device, stop);
    if (pages.empty())
        return waits;
    const KernelTable& kernels = trace.kernels();
    for (const Track& track : TracksOf(trace, EventKind::Kernel, process)) {
        if (track.device != device)
            continue;
        for (const EventIndex i : eventsIn(kernels, track, window, stop)) {
            const auto page = std::ranges::lower_bound(pages, kernels.start[i]);
            if (page != pages.end() && *page < kernels.end(i) && *page - kernels.start[i] < longestFault)
                waits.push_back({kernels.start[i], *page});
        }
    }
    return waits;
}

} // namespace warpline
