// Runs of neighbouring kernels become one each.

#include "core/replay/apply_cure.h"

#include <map>

namespace warpline {

namespace {

std::size_t fuseRuns(GraphEdit& edit)
{
    const double factor = edit.factor();
    std::map<std::uint32_t, std::uint32_t> heads; // by stream: the kernel that others join
    std::map<std::uint32_t, Ns> sums; // by head
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        const ReplayWork& work = edit.graph.works[i];
        if (work.removed)
            continue;
        const bool joins = work.event.kind == EventKind::Kernel && isRunning(work) && edit.fits(work.event);
        const auto head = heads.find(work.stream);
        if (!joins) {
            if (head != heads.end())
                heads.erase(head);
            continue;
        }
        ++changed;
        if (head == heads.end() || edit.graph.works[head->second].step != work.step) {
            heads[work.stream] = i;
            sums[i] = work.length;
            continue;
        }
        sums[head->second] += work.length;
        const std::uint32_t call = work.call;
        edit.removeWork(i);
        // The host does not come by the operators that are gone.
        if (edit.graph.calls[call].removed && edit.graph.calls[call].gap < longestWay)
            edit.graph.calls[call].gap = 0;
    }
    for (const auto& [head, sum] : sums)
        edit.graph.works[head].length = edit.scaled(sum, factor);
    return changed;
}

} // namespace

extern constinit const CureEntry fuseKernels{
    .kind = CureKind::FuseKernels, .key = "fuse_kernels", .apply = fuseRuns};

} // namespace warpline
