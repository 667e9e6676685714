// Removes calls with their GPU work.

#include "core/replay/apply_cure.h"

namespace warpline {

namespace {

std::size_t removeAllCalls(GraphEdit& edit)
{
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < edit.graph.calls.size(); ++i) {
        if (edit.graph.calls[i].removed || !edit.fits(edit.graph.calls[i]))
            continue;
        for (const std::uint32_t work : edit.worksOf(i))
            edit.graph.works[work].removed = true;
        edit.remove(i);
        ++changed;
    }
    return changed;
}

} // namespace

extern constinit const CureEntry removeCalls{
    .kind = CureKind::RemoveCalls, .key = "remove_calls", .apply = removeAllCalls};

} // namespace warpline
