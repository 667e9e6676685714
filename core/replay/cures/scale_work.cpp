// GPU work takes a part of its time.

#include "core/replay/apply_cure.h"

namespace warpline {

namespace {

std::size_t scaleWorks(GraphEdit& edit)
{
    const double factor = edit.factor();
    std::size_t changed = 0;
    for (ReplayWork& work : edit.graph.works) {
        if (!isRunning(work) || !edit.fits(work.event))
            continue;
        work.length = scaled(work.length, factor);
        ++changed;
    }
    return changed;
}

} // namespace

extern constinit const CureEntry scaleWork{
    .kind = CureKind::ScaleWork, .key = "scale_work", .apply = scaleWorks};

} // namespace warpline
