#include "core/export/event_cells.h"

#include "core/base/utf8.h"
#include "core/filter/enclosing_ranges.h"
#include "core/query/nested_events.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace warpline {

namespace {

Cell numberOrNothing(bool has, std::int64_t number)
{
    return has ? Cell(number) : Cell();
}

std::vector<Cell> cellsOf(
    const Trace& trace, EventRef event, const EnclosingRanges* ranges, const OperatorRooflines* rooflines)
{
    std::vector<Cell> cells = eventRow(trace, event);
    if (ranges)
        cells.emplace_back(toUtf8(ranges->textOf(ranges->pathOf(event))));
    if (rooflines)
        appendWork(cells,
            event.kind == EventKind::Kernel ? workOfKernel(trace, *rooflines, event.index) : KernelWork());
    return cells;
}

} // namespace

std::vector<Column> eventColumns()
{
    return {{"Kind", Unit::Text}, {"Name", Unit::Text}, {"Start (ns)", Unit::Nanoseconds},
        {"Duration (ns)", Unit::Nanoseconds}, {"PID", Unit::Integer}, {"TID", Unit::Integer},
        {"GPU", Unit::Integer}, {"Stream", Unit::Integer}, {"Bytes", Unit::Bytes},
        {"Correlation", Unit::Integer}};
}

std::vector<Cell> eventRow(const Trace& trace, EventRef event)
{
    const EventTable& table = trace.table(event.kind);
    const EventIndex i = event.index;
    const Track& track = table.trackOf(i);
    const EventRef call = trace.apiCallOf(event);
    const GlobalId thread = call.valid() ? trace.apiCalls().trackOf(call.index).owner : track.owner;
    const std::uint32_t correlation = table.correlation.empty() ? 0 : table.correlation[i];
    return {std::string(kindKeyOf(event.kind, isRecordedOnGpu(event.kind, track))),
        toUtf8(trace.displayName(event)), table.start[i], table.duration[i],
        numberOrNothing(track.owner != 0, pidOf(track.owner)),
        numberOrNothing(tidOf(thread) != 0, tidOf(thread)),
        numberOrNothing(track.device >= 0, gpuNumber(trace, track.owner, track.device)),
        numberOrNothing(track.stream >= 0, track.stream),
        table.bytes.empty() ? Cell() : Cell(static_cast<std::int64_t>(table.bytes[i])),
        numberOrNothing(correlation != 0, correlation)};
}

Cells nestedCells(const Trace& trace, std::span<const EventRef> events, std::size_t most, bool indented)
{
    Cells cells;
    cells.columns = {{"NVTX Path", Unit::Text}, {"Depth", Unit::Count}, {"Events", Unit::Count},
        {"Total (ns)", Unit::Nanoseconds}, {"Own Events", Unit::Count},
        {"Own Total (ns)", Unit::Nanoseconds}};
    const EnclosingRanges ranges(trace);
    const NestedEvents nested(trace, ranges, events);
    std::vector<std::string> texts(nested.nodes().size()); // the whole path of each node
    // Paths are data of scripts, which have one language.
    const std::string byHelpers = indented ? plain(Message("events.other_threads", "(from other threads)"))
                                           : std::string("(from other threads)");
    for (const std::uint32_t at : nested.inOrder()) {
        if (cells.rowCount() >= most)
            break;
        const NestedEvents::Node& node = nested.nodes()[at];
        std::string name = node.path == 0 ? plain(Message("events.no_range", "(no NVTX range)"))
            : node.byHelpers              ? byHelpers
                                          : toUtf8(trace.text(ranges.nodes()[node.path].name));
        const std::string& above = texts[node.parent];
        texts[at] = node.path == 0 ? std::string() : above + (above.empty() ? "" : "/") + name;
        if (indented && node.path != 0)
            name.insert(0, std::size_t{2} * (node.depth - 1), ' ');
        else if (!indented)
            name = texts[at];
        cells.addRow(
            {std::move(name), static_cast<std::int64_t>(node.depth), static_cast<std::int64_t>(node.count),
                node.total, static_cast<std::int64_t>(node.ownCount), node.ownTotal});
    }
    return cells;
}

Cells eventCells(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const EventList> list,
    std::size_t most, bool withPaths)
{
    Cells cells;
    cells.columns = eventColumns();
    std::shared_ptr<const EnclosingRanges> ranges;
    if (withPaths) {
        cells.columns.push_back({"NVTX Path", Unit::Text});
        ranges = std::make_shared<const EnclosingRanges>(*trace);
    }
    // Only where the work of the kernels' operators is known.
    auto rooflines = operatorRooflinesOf(*trace);
    if (rooflines->empty())
        rooflines.reset();
    else
        std::ranges::copy(workColumns(), std::back_inserter(cells.columns));
    RowSource source;
    source.count = std::min(list->size(), most);
    source.cells = [trace, list, ranges, rooflines](std::size_t row) {
        return cellsOf(*trace, (*list)[row], ranges.get(), rooflines.get());
    };
    source.event = [list](std::size_t row) { return (*list)[row]; };
    cells.setSource(std::move(source));
    cells.keep(trace);
    return cells;
}

std::vector<Column> workColumns()
{
    return {{"FLOPs", Unit::Count}, {"TFLOP/s", Unit::Rate}, {"TB/s", Unit::Rate},
        {"Roofline (%)", Unit::Percent}, {"Bound", Unit::Text}};
}

void appendWork(std::vector<Cell>& row, const KernelWork& work)
{
    const auto cellOf = [&](WorkColumn column, double unit) {
        const double value = work.of(column);
        return value < 0 ? Cell() : Cell(value / unit);
    };
    const double flops = work.of(WorkColumn::Flops);
    row.push_back(flops < 0 ? Cell() : Cell(static_cast<std::int64_t>(std::llround(std::min(9e18, flops)))));
    row.push_back(cellOf(WorkColumn::FlopRate, 1e12));
    row.push_back(cellOf(WorkColumn::ByteRate, 1e12));
    row.push_back(cellOf(WorkColumn::Roofline, 0.01));
    row.push_back(work.bound == RooflineBound::Unknown ? Cell() : Cell(std::string(keyOf(work.bound))));
}

} // namespace warpline
