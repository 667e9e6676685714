// Work that activation checkpointing repeats: operators of the forward pass that run again in the backward
// pass, see core/derive/recomputed_work.h.

#include "core/derive/recomputed_work.h"
#include "core/stats/grouping.h"
#include "core/stats/torch_tree.h"
#include "core/store/trace.h"

#include <map>

namespace warpline::torch_recompute {

namespace {

struct Row {
    std::int64_t calls = 0;
    Ns selfCpu = 0;
    Ns selfGpu = 0;
    Ns gpu = 0;
    std::int64_t others = 0; ///< calls that are not recomputed
    std::vector<EventRef> events;
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Recomputed", Unit::Count}, {"Other Calls", Unit::Count},
        {"Self CPU (ns)", Unit::Nanoseconds}, {"Self GPU (ns)", Unit::Nanoseconds},
        {"GPU Total (ns)", Unit::Nanoseconds}, {"Name", Unit::Text}};
    const std::vector<RecomputedStretch> stretches = recomputedStretches(trace, query.stop);
    if (stretches.empty())
        return cells;
    std::map<std::string, Row> rows;
    for (const TorchNode& node : torchTree(trace, query.window, query.stop)) {
        if (node.event.kind != EventKind::Nvtx
            || !isOperatorTrack(trace, trace.track(trace.trackOf(node.event)))
            || !passes(query.covers, trace.track(trace.trackOf(node.event))))
            continue;
        Row& row = rows[std::string(trace.name(node.event))];
        if (!isRecomputed(
                stretches, trace.track(trace.trackOf(node.event)).owner, trace.range(node.event).start)) {
            ++row.others;
            continue;
        }
        ++row.calls;
        row.selfCpu += node.selfCpu;
        row.selfGpu += node.selfGpu;
        row.gpu += node.gpu;
        if (query.wantEvents)
            row.events.push_back(node.event);
    }
    std::erase_if(rows, [](const auto& row) { return row.second.calls == 0; });
    for (auto* const each : largestFirst(
             rows, [](const auto& row) { return std::pair(row.second.selfGpu, row.second.selfCpu); })) {
        Row& row = each->second;
        cells.addRow(
            {row.calls, row.others, row.selfCpu, row.selfGpu, row.gpu, each->first}, std::move(row.events));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable torchRecompute{.id = "torch_recompute",
    .title = "PyTorch Recomputed Operators",
    .description
    = "What does activation checkpointing cost? Operators of the forward pass that run again in the backward "
      "pass, by name.",
    .applies = [](const Trace& trace) { return !recomputedStretches(trace).empty(); },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown};

} // namespace warpline::torch_recompute
