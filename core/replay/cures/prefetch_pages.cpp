// Pages of unified memory are where they are needed.

#include "core/replay/apply_cure.h"
#include "core/store/trace.h"

#include "core/replay/page_fetches.h"
#include "core/store/event_loops.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::uint64_t showsRateOfPages = 65'536; ///< bytes of a copy that shows the rate of the link
/// Kernels that take this much longer than the quickest like them are slowed down by faults.
constexpr double slowedByFaults = 1.5;

/// Kernels that faults slow down take the time of the quickest like them; pages that take `moving` in all
/// go with them.
std::size_t scaleToFaultFree(GraphEdit& edit, Ns moving)
{
    std::map<std::pair<StringId, std::uint32_t>, Ns> quickest; // by name and launch
    const auto alike = [&](const ReplayWork& work) {
        const KernelTable& kernels = edit.trace.kernels();
        return std::pair(kernels.name[work.event.index], kernels.attribute[work.event.index]);
    };
    for (const ReplayWork& work : edit.graph.works) {
        if (work.event.kind != EventKind::Kernel || !isRunning(work))
            continue;
        const auto [place, added] = quickest.try_emplace(alike(work), work.length);
        place->second = std::min(place->second, work.length);
    }
    std::vector<std::uint32_t> slowed;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        ReplayWork& work = edit.graph.works[i];
        if (work.event.kind != EventKind::Kernel || !isRunning(work) || !edit.fits(work.event))
            continue;
        const Ns least = quickest.at(alike(work));
        if (static_cast<double>(work.length) > slowedByFaults * static_cast<double>(least)) {
            work.length = least;
            slowed.push_back(i);
        }
    }
    for (const std::uint32_t i : slowed)
        edit.graph.works[i].length += moving / static_cast<Ns>(slowed.size());
    return slowed.size();
}

std::size_t prefetch(GraphEdit& edit)
{
    const MemcpyTable& copies = edit.trace.memcpys();
    TimeRange all{edit.graph.begin, edit.graph.begin};
    for (const ReplayCall& call : edit.graph.calls)
        all.end = std::max(all.end, call.made.end);
    bool toDevice = false;
    double bytes = 0;
    double rate = 0;
    for (const Track& track : copies.tracks) {
        for (const EventIndex i : eventsIn(copies, track, all)) {
            if (!isFaultMigration(copies.copy(i)))
                continue;
            bytes += static_cast<double>(copies.bytes[i]);
            if (copies.bytes[i] >= showsRateOfPages && copies.duration[i] > 0)
                rate = std::max(
                    rate, static_cast<double>(copies.bytes[i]) / static_cast<double>(copies.duration[i]));
            toDevice |= copies.copy(i).kind == CopyKind::UnifiedHtoD;
        }
    }
    if (bytes <= 0)
        return 0;
    const std::vector<Ns> fetches = pageFetches(edit.trace, edit.graph);
    const Ns each = cost::hostPageFault.low + cost::hostPageFault.high - edit.pick(cost::hostPageFault);
    const double moving = std::min(bytes / (rate > 0 ? rate : cost::linkRate / 1e9), cost::longest);
    std::size_t changed = scaleToFaultFree(edit, static_cast<Ns>(moving));
    // Kernels that wait in each of their launches never show their time without faults, so that the saving is
    // unknown.
    if (changed == 0 && toDevice)
        return 0;
    for (ReplayCall& call : edit.graph.calls) {
        const Ns goes = waitForPages(fetchesBefore(edit.graph, call, fetches), each, call.gap);
        if (goes == 0)
            continue;
        call.gap -= goes;
        ++changed;
    }
    return changed;
}

constexpr std::array prefetchPagesSwitches{
    CureSwitch{.option = "--without",
        .value = "faults",
        .title = "Pages prefetched",
        .help = "Kernels and the host no longer wait for pages of unified memory.",
        .nothing = "no wait for pages of unified memory whose length without faults is known",
        .edits = editsOfAll<CureKind::PrefetchPages>},
};

} // namespace

extern constinit const CureEntry prefetchPages{.kind = CureKind::PrefetchPages,
    .key = "prefetch_pages",
    .apply = prefetch,
    .switches = prefetchPagesSwitches};

} // namespace warpline
