#include "core/findings/link_rate.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

LinkRate usualRate(const Device* device)
{
    if (!device || device->computeMajor <= 0)
        return {};
    if (device->computeMajor >= 9)
        return {52, false, "PCIe 5.0 x16"};
    if (device->computeMajor >= 8)
        return {26, false, "PCIe 4.0 x16"};
    return {13, false, "PCIe 3.0 x16"};
}

} // namespace

LinkRate linkRate(
    const RuleContext& context, GlobalId process, std::int32_t device, CopyKind kind, std::uint64_t least)
{
    const MemcpyTable& copies = context.trace.memcpys();
    double best = 0;
    for (const Track& track : TracksOf(context.trace, EventKind::Memcpy, process)) {
        if (track.device != device)
            continue;
        for (const EventIndex i : eventsOf(track, context.stop)) {
            const CopyAttributes& copy = copies.copy(i);
            if (copy.kind != kind || copies.bytes[i] < least || copies.duration[i] <= 0
                || copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable)
                continue;
            best = std::max(
                best, static_cast<double>(copies.bytes[i]) / static_cast<double>(copies.duration[i]));
        }
    }
    return best > 0 ? LinkRate{best, true, {}} : usualRate(context.trace.device(process, device));
}

} // namespace warpline
