// Synchronizing calls go.

#include "core/replay/apply_cure.h"

#include <array>
#include <map>
#include <set>

namespace warpline {

namespace {

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
    std::set<std::uint32_t> kept;
    for (const auto& [place, last] : lasts) {
        if (last.first > 1 && edit.cure.events.empty() && !edit.graph.isWhole)
            kept.insert(last.second);
    }
    for (const std::uint32_t i : found) {
        if (!kept.contains(i))
            edit.remove(i);
    }
    return found.size() - kept.size();
}

constexpr std::array removeSyncSwitches{
    CureSwitch{.option = "--without",
        .value = "sync",
        .title = "No synchronization",
        .help = "cudaDeviceSynchronize and similar calls go. Of several in a step the last one stays.",
        .nothing = "no call that synchronizes, or only the last of each step",
        .edits = [](const Trace&,
                     const ReplayGraph&) { return std::vector<CureEdit>{{.kind = CureKind::RemoveSync}}; }},
};

} // namespace

extern constinit const CureEntry removeSync{
    .kind = CureKind::RemoveSync, .key = "remove_sync", .apply = removeSyncs, .switches = removeSyncSwitches};

} // namespace warpline
