// Synchronizing calls go.

#include "core/replay/apply_cure.h"

#include "core/replay/page_fetches.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpline {

namespace {

/// Calls after which the host reads pages of unified memory before its next call: without the wait it would
/// read data that the GPU has not written yet.
std::set<std::uint32_t> awaitedByReads(const GraphEdit& edit)
{
    std::set<std::uint32_t> calls;
    const std::vector<Ns> fetches = pageFetches(edit.trace, edit.graph);
    for (const ReplayCall& call : edit.graph.calls) {
        if (call.previous == noNode)
            continue;
        if (fetchesBefore(edit.graph, call, fetches) > 0)
            calls.insert(call.previous);
    }
    return calls;
}

std::size_t removeSyncs(GraphEdit& edit)
{
    std::vector<std::uint32_t> found;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::size_t, std::uint32_t>> lasts;
    for (std::uint32_t i = 0; i < edit.graph.calls.size(); ++i) {
        const ReplayCall& call = edit.graph.calls[i];
        if (!waits(call.kind) || call.removed || !edit.fits(call))
            continue;
        found.push_back(i);
        auto& [count, last] = lasts[{call.thread, call.step}];
        ++count;
        last = i;
    }
    const std::set<std::uint32_t> needed = awaitedByReads(edit);
    std::erase_if(found, [&](std::uint32_t i) { return needed.contains(i); });
    std::set<std::uint32_t> kept;
    for (const auto& [place, last] : lasts) {
        if (last.first > 1 && edit.cure.events.empty() && !edit.graph.isWhole)
            kept.insert(last.second);
    }
    for (const std::uint32_t i : found) {
        if (!kept.contains(i))
            edit.remove(i);
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(found, [&](std::uint32_t i) { return !kept.contains(i); }));
}

constexpr std::array removeSyncSwitches{
    CureSwitch{.option = "--without",
        .value = "sync",
        .title = "No synchronization",
        .help = "Removes cudaDeviceSynchronize and similar calls, except the last one of a step.",
        .nothing = "no call that synchronizes, or only the last of each step",
        .edits = editsOfAll<CureKind::RemoveSync>},
};

} // namespace

extern constinit const CureEntry removeSync{
    .kind = CureKind::RemoveSync, .key = "remove_sync", .apply = removeSyncs, .switches = removeSyncSwitches};

} // namespace warpline
