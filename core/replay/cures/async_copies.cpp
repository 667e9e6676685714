// The host waits for no copy.

#include "core/replay/apply_cure.h"

#include <array>

namespace warpline {

namespace {

std::size_t unblockCopies(GraphEdit& edit)
{
    const double factor = edit.factor();
    std::size_t changed = 0;
    for (ReplayWork& work : edit.graph.works) {
        if (!edit.isHostCopy(work) || !edit.fits(work.event))
            continue;
        edit.unblock(work.call);
        work.length = edit.scaled(work.length, factor);
        ++changed;
    }
    return changed;
}

constexpr std::array asyncCopiesSwitches{
    CureSwitch{.option = "--async",
        .value = "copies",
        .title = "Asynchronous copies",
        .help = "The host waits for no copy. Copies stay in their streams.",
        .nothing = "no copy between host and GPU",
        .edits = editsOfAll<CureKind::AsyncCopies>},
};

} // namespace

extern constinit const CureEntry asyncCopies{.kind = CureKind::AsyncCopies,
    .key = "async_copies",
    .apply = unblockCopies,
    .switches = asyncCopiesSwitches};

} // namespace warpline
