// Copies run on streams of their own.

#include "core/replay/apply_cure.h"

#include <array>

namespace warpline {

namespace {

std::size_t moveCopies(GraphEdit& edit)
{
    const double factor = edit.factor();
    const std::uint32_t first = edit.newStream();
    std::uint32_t lasts[2]{noNode, noNode};
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        ReplayWork& work = edit.graph.works[i];
        if (!edit.isHostCopy(work) || !edit.fits(work.event))
            continue;
        edit.unblock(work.call);
        work.length = edit.scaled(work.length, factor);
        const std::uint32_t up = edit.isUpload(work) ? 1 : 0;
        // Copies to the host follow the work that made their data; copies to the GPU precede the work that
        // needs it.
        const std::uint32_t made = work.previous;
        edit.move(i, first + up, lasts[up]);
        if (up == 0 && made != noNode) {
            work.producer = made;
            work.producerGap = edit.graph.streamGap;
        }
        ++changed;
    }
    edit.closeRanks();
    return changed;
}

constexpr std::array overlapCopiesSwitches{
    CureSwitch{.option = "--overlap",
        .value = "copies",
        .title = "Overlapped copies",
        .help = "Copies between host and GPU run in separate streams, next to kernels, and block nothing.",
        .nothing = "no copy between host and GPU",
        .edits = editsOfAll<CureKind::OverlapCopies>},
};

} // namespace

extern constinit const CureEntry overlapCopies{.kind = CureKind::OverlapCopies,
    .key = "overlap_copies",
    .apply = moveCopies,
    .switches = overlapCopiesSwitches};

} // namespace warpline
