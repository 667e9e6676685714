// The copies of a step become one for each direction.

#include "core/replay/apply_cure.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace warpline {

namespace {

constexpr std::uint64_t showsRate = 1'000'000; ///< bytes of a copy that shows the rate of the link

/// Bytes a second of the link in one direction, as the quickest large copy shows it.
double observedLinkRate(const GraphEdit& edit, bool up)
{
    double rate = 0;
    for (const ReplayWork& work : edit.graph.works) {
        if (!edit.isHostCopy(work) || edit.isUpload(work) != up)
            continue;
        const std::uint64_t bytes = edit.trace.memcpys().bytes[work.event.index];
        if (bytes >= showsRate && work.ran.duration() > 0)
            rate
                = std::max(rate, static_cast<double>(bytes) * 1e9 / static_cast<double>(work.ran.duration()));
    }
    return rate > 0 ? rate : cost::linkRate;
}

std::size_t joinCopies(GraphEdit& edit)
{
    struct Sum {
        std::uint32_t first = noNode;
        double bytes = 0;
        Ns length = 0;
        Ns longest = 0;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, Sum> sums; // step, stream, direction
    std::size_t changed = 0;
    for (std::uint32_t i = 0; i < edit.graph.works.size(); ++i) {
        const ReplayWork& work = edit.graph.works[i];
        if (!edit.isHostCopy(work) || !edit.fits(work.event))
            continue;
        Sum& sum = sums[{work.step, work.stream, edit.isUpload(work)}];
        sum.bytes += static_cast<double>(edit.trace.memcpys().bytes[work.event.index]);
        sum.length += work.length;
        sum.longest = std::max(sum.longest, work.length);
        if (sum.first == noNode) {
            sum.first = i;
            continue;
        }
        const std::uint32_t call = work.call;
        edit.removeWork(i);
        edit.removeWaitBehind(call);
        ++changed;
    }
    for (const auto& [place, sum] : sums) {
        const auto ideal = static_cast<Ns>(
            std::min(sum.bytes * 1e9 / observedLinkRate(edit, std::get<2>(place)), cost::longest));
        edit.graph.works[sum.first].length = std::min(sum.length, std::max(sum.longest, ideal));
    }
    return changed;
}

constexpr std::array mergeCopiesSwitches{
    CureSwitch{.option = "--merge",
        .value = "copies",
        .title = "One copy per step and direction",
        .help = "All copies of a step in one direction become one. Removes the waits right after them.",
        .nothing = "no step with several copies in one direction",
        .edits = editsOfAll<CureKind::MergeCopies>},
};

} // namespace

extern constinit const CureEntry mergeCopies{.kind = CureKind::MergeCopies,
    .key = "merge_copies",
    .apply = joinCopies,
    .switches = mergeCopiesSwitches};

} // namespace warpline
