// The host loads no data.

#include "core/replay/apply_cure.h"

#include "core/base/glob.h"
#include "core/coverage/intervals.h"
#include "core/replay/data_loading.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <limits>

namespace warpline {

namespace {

/// The time of the edit on the threads of the replay: its own, or that of its NVTX ranges; without either the
/// ranges that load data, see isDataLoading().
std::vector<PackedIntervals> readyTimes(const GraphEdit& edit)
{
    if (!edit.cure.times.empty())
        return std::vector(edit.graph.threads.size(), edit.cure.times);
    std::vector<PackedIntervals> times(edit.graph.threads.size());
    if (edit.cure.name.empty()) {
        // One thread may hand over the data that another one waits for.
        return std::vector(edit.graph.threads.size(), dataLoadingTimes(edit.trace, edit.graph.threads));
    }
    const NvtxTable& table = edit.trace.nvtx();
    for (std::size_t thread = 0; thread < times.size(); ++thread) {
        std::vector<TimeRange> ranges;
        for (const Track& track : table.tracks) {
            if (track.device >= 0 || track.owner != edit.graph.threads[thread])
                continue;
            const TimeRange all{edit.graph.begin, std::numeric_limits<Ns>::max()};
            for (const EventIndex i : eventsIn(table, track, all)) {
                if (table.duration[i] > 0 && matchesGlob(edit.trace.text(table.name[i]), edit.cure.name))
                    ranges.push_back(table.range(i));
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
            // A thread that loads waits for the one that hands it the data.
            if (within(call.thread, {since - 1, since}) > 0)
                call.turn = noNode;
            else
                call.turnGap -= std::min(call.turnGap, within(call.thread, {since, call.made.start}));
        }
        const Ns inside = call.launches ? 0 : within(call.thread, call.made);
        call.length -= std::min(call.length, inside);
        changed += own > 0 || inside > 0 ? 1 : 0;
    }
    return changed;
}

/// The host's own time between pinning a buffer and its copy to the device.
std::vector<CureEdit> stagingEdits(const Trace& trace, const ReplayGraph& graph)
{
    std::vector<std::uint32_t> pinned(graph.threads.size(), noNode); // the call that asked, by thread
    std::vector<TimeRange> times;
    TimeRange all{graph.begin, graph.begin};
    for (std::uint32_t i = 0; i < graph.calls.size(); ++i) {
        const ReplayCall& call = graph.calls[i];
        std::uint32_t& last = pinned[call.thread];
        if (call.launches && last != noNode) {
            if (call.kind == CallKind::Copy) {
                times.push_back({graph.calls[last].made.end, call.made.start});
                all.end = std::max(all.end, call.made.start);
            }
            last = noNode;
        } else if (last == noNode && asksForPinned(trace, call.call, call.kind)) {
            last = i;
        }
    }
    CureEdit edit{.kind = CureKind::ReadyInput};
    edit.times = unionOf(std::move(times), all);
    return edit.times.empty() ? std::vector<CureEdit>{} : std::vector{std::move(edit)};
}

constexpr std::array readyInputSwitches{
    CureSwitch{.option = "--ready-input",
        .title = "Input ready",
        .help = "Removes the host time of NVTX ranges that load data.",
        .nothing = "no NVTX range that loads data",
        .edits = editsOfAll<CureKind::ReadyInput>},
    CureSwitch{.option = "--without",
        .value = "staging",
        .title = "No staging",
        .help = "Removes the host's own time between pinning a buffer and copying it to the device.",
        .nothing = "no buffer that is pinned right before its copy",
        .edits = stagingEdits},
};

} // namespace

extern constinit const CureEntry readyInput{
    .kind = CureKind::ReadyInput, .key = "ready_input", .apply = dropLoading, .switches = readyInputSwitches};

} // namespace warpline
