// The launches between two waits become one launch of a CUDA graph.

#include "core/replay/apply_cure.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Calls that a graph cannot hold end a run of launches, and so does a call of a millisecond: a launch that
/// long loads code, which a graph does not save.
bool endsGraph(const ReplayCall& call)
{
    return call.waited || call.length >= longestWay || waits(call.kind) || allocates(call.kind)
        || call.kind == CallKind::LoadModule || call.gap >= longestWay || call.turn != noNode;
}

std::size_t makeGraph(GraphEdit& edit, const std::vector<std::uint32_t>& run)
{
    std::size_t nodes = 0;
    for (const std::uint32_t i : run)
        nodes += static_cast<std::size_t>(std::ranges::count_if(
            edit.worksOf(i), [&](std::uint32_t work) { return !edit.graph.works[work].removed; }));
    ReplayCall& head = edit.graph.calls[run.front()];
    head.length = edit.scaled(
        edit.pick(cost::graphCall) + static_cast<Ns>(nodes) * edit.pick(cost::graphNode), edit.factor());
    head.room = noNode;
    // Graphs of the recording show the gap between nodes.
    Ns gap = std::min(edit.pick(cost::nodeGap), edit.graph.streamGap);
    if (edit.graph.nodeGap > 0 && edit.estimate != Estimate::Optimistic)
        gap = std::max(gap, edit.graph.nodeGap);
    for (const std::uint32_t i : run) {
        for (const std::uint32_t w : edit.worksOf(i)) {
            ReplayWork& work = edit.graph.works[w];
            work.call = run.front();
            work.latency
                = head.length + std::min(edit.graph.launchLatency, work.latency); // that of copies is shorter
            work.gap = std::min(work.gap, gap);
        }
        if (i == run.front())
            continue;
        ReplayCall& call = edit.graph.calls[i];
        call.removed = true;
        call.length = 0;
        call.gap = 0;
        stopWaiting(call);
    }
    return nodes;
}

std::size_t launchGraphs(GraphEdit& edit)
{
    std::size_t changed = 0;
    std::vector<std::vector<std::uint32_t>> ofThreads(edit.graph.threads.size());
    for (std::uint32_t i = 0; i < edit.graph.calls.size(); ++i) {
        if (edit.graph.calls[i].thread < ofThreads.size())
            ofThreads[edit.graph.calls[i].thread].push_back(i);
    }
    for (const std::vector<std::uint32_t>& calls : ofThreads) {
        std::vector<std::uint32_t> run; // calls, from a launch to a launch
        std::size_t launches = 0;
        std::size_t upToLast = 0;
        const auto close = [&] {
            run.resize(upToLast);
            if (launches > 1)
                changed += makeGraph(edit, run);
            run.clear();
            launches = 0;
            upToLast = 0;
        };
        for (const std::uint32_t i : calls) {
            const ReplayCall& call = edit.graph.calls[i];
            if (call.removed)
                continue;
            if (!run.empty() && (endsGraph(call) || call.step != edit.graph.calls[run.front()].step))
                close();
            const bool isNode = call.launches && !call.waited && call.length < longestWay && edit.fits(call);
            if (!isNode && run.empty())
                continue;
            run.push_back(i);
            if (isNode) {
                ++launches;
                upToLast = run.size();
            }
        }
        close();
    }
    return changed;
}

constexpr std::array launchGraphSwitches{
    CureSwitch{.option = "--graph",
        .title = "CUDA graph",
        .help = "The launches between two waits become one launch of a CUDA graph.",
        .nothing = "no two launches without a wait in between",
        .edits = editsOfAll<CureKind::LaunchGraph>},
    CureSwitch{.option = "--without",
        .value = "launches",
        .title = "No time for launches",
        .help = "Launches, and the host's time between them, take nothing.",
        .nothing = "no two launches without a wait in between",
        .edits =
            [](const Trace&, const ReplayGraph&) {
                return std::vector<CureEdit>{
                    {.kind = CureKind::LaunchGraph, .factor = FactorRange::exactly(0)}};
            }},
};

} // namespace

extern constinit const CureEntry launchGraph{.kind = CureKind::LaunchGraph,
    .key = "launch_graph",
    .apply = launchGraphs,
    .switches = launchGraphSwitches};

} // namespace warpline
