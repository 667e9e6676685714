// Removes the default stream's barrier: its work, and work that waited for it, runs when its own stream is
// free. Order by events stays.

#include "core/replay/apply_cure.h"
#include "core/store/trace.h"

#include "core/replay/work_edges.h"

#include <array>
#include <map>

namespace warpline {

namespace {

std::size_t dropBarriers(GraphEdit& edit)
{
    std::map<std::uint32_t, bool> defaults; // by stream
    for (const ReplayWork& work : edit.graph.works) {
        const auto [place, added] = defaults.try_emplace(work.stream, false);
        if (!added)
            continue;
        const Track& track = edit.trace.track(edit.trace.trackOf(work.event));
        place->second = isDefaultStream(edit.trace, track.owner, {track.device, track.context, track.stream});
    }
    std::size_t changed = 0;
    for (ReplayWork& work : edit.graph.works) {
        if (!isRunning(work) || work.producer == noNode || work.isOrdered || !edit.fits(work.event))
            continue;
        if (!defaults[work.stream] && !defaults[edit.graph.works[work.producer].stream])
            continue;
        work.producer = noNode;
        ++changed;
    }
    return changed;
}

constexpr std::array ownStreamsSwitches{
    CureSwitch{.option = "--without",
        .value = "barriers",
        .title = "No barriers of the default stream",
        .help = "Work of the legacy default stream moves to a stream that does not wait for others.",
        .nothing = "no work that waits for the default stream, and none that it waits for",
        .edits = editsOfAll<CureKind::OwnStreams>},
};

} // namespace

extern constinit const CureEntry ownStreams{.kind = CureKind::OwnStreams,
    .key = "own_streams",
    .apply = dropBarriers,
    .switches = ownStreamsSwitches};

} // namespace warpline
