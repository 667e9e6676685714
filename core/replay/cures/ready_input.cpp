// The host loads no data.

#include "core/replay/apply_cure.h"

#include "core/base/glob.h"
#include "core/coverage/intervals.h"
#include "core/replay/data_loading.h"
#include <algorithm>
#include <array>
#include <limits>

namespace warpline {

namespace {

/// The time of the edit on the threads of the replay: its ranges of NVTX, or its own.
std::vector<PackedIntervals> readyTimes(const GraphEdit& edit)
{
    if (edit.cure.name.empty())
        return std::vector(edit.graph.threads.size(), edit.cure.times);
    std::vector<PackedIntervals> times(edit.graph.threads.size());
    const NvtxTable& table = edit.trace.nvtx();
    for (std::size_t thread = 0; thread < times.size(); ++thread) {
        std::vector<TimeRange> ranges;
        for (const Track& track : table.tracks) {
            if (track.device >= 0 || track.owner != edit.graph.threads[thread])
                continue;
            const TimeRange all{edit.graph.begin, std::numeric_limits<Ns>::max()};
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = table.touching(lane, all);
                for (EventIndex i = first; i < last; ++i) {
                    if (table.duration[i] > 0 && matchesGlob(edit.trace.text(table.name[i]), edit.cure.name))
                        ranges.push_back(table.range(i));
                }
            }
        }
        times[thread] = unionOf(std::move(ranges), {edit.graph.begin, std::numeric_limits<Ns>::max()});
    }
    return times;
}

std::size_t dropLoading(GraphEdit& edit)
{
    const std::vector<PackedIntervals> times = readyTimes(edit);
    const auto within = [&](std::uint32_t thread, TimeRange range) {
        return range.empty() || times[thread].empty() ? Ns{0} : times[thread].timeIn(range);
    };
    std::size_t changed = 0;
    for (ReplayCall& call : edit.graph.calls) {
        const Ns before
            = call.previous != noNode ? edit.graph.calls[call.previous].made.end : edit.graph.begin;
        const Ns own = within(call.thread, {before, call.made.start});
        call.gap -= std::min(call.gap, own);
        if (call.turn != noNode) {
            const Ns since = edit.graph.calls[call.turn].made.end;
            call.turnGap -= std::min(call.turnGap, within(call.thread, {since, call.made.start}));
        }
        const Ns inside = call.launches ? 0 : within(call.thread, call.made);
        call.length -= std::min(call.length, inside);
        changed += own > 0 || inside > 0 ? 1 : 0;
    }
    return changed;
}

constexpr std::array readyInputSwitches{
    CureSwitch{.option = "--ready-input",
        .value = "",
        .title = "Input ready",
        .help = "The host time of NVTX ranges that load data goes.",
        .nothing = "no NVTX range that loads data",
        .edits = [](const Trace&,
                     const ReplayGraph&) { return std::vector<CureEdit>{{.kind = CureKind::ReadyInput}}; }},
};

} // namespace

extern constinit const CureEntry readyInput{
    .kind = CureKind::ReadyInput, .key = "ready_input", .apply = dropLoading, .switches = readyInputSwitches};

} // namespace warpline
