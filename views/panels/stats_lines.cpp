#include "views/panels/stats_lines.h"

#include "core/base/format.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/store/counter_title.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace warpline {

namespace {

CellsModel::Cell number(const std::string& shown, double key)
{
    return {QString::fromStdString(shown), key};
}

/// GPU work comes first; events that only show waiting or profiling come last, because they take most time
/// and are rarely of interest.
int orderOf(EventKind kind)
{
    switch (kind) {
    case EventKind::OsRuntime:
    case EventKind::ThreadState:
    case EventKind::CpuCore:
    case EventKind::Overhead:
    case EventKind::Diagnostic:
        return 2;
    default:
        return isGpuWork(kind) ? 0 : 1;
    }
}

} // namespace

StatsLines nameLines(const Trace& trace, const RangeStats& stats)
{
    StatsLines lines;
    std::vector<std::size_t> order(stats.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return orderOf(stats.names[i].kind); });
    std::array<std::size_t, 3> listed{};
    for (const std::size_t i : order) {
        const NameFigures& name = stats.names[i];
        if (++listed[static_cast<std::size_t>(orderOf(name.kind))] > maxNameLines)
            continue;
        lines.push_back(
            {{textCell(name.label), textCell(plain(titleOf(trace, name.kind, name.recordedOnGpu))),
                 countCell(name.count), timeCell(name.total), shareCell(name.share), timeCell(name.mean),
                 timeCell(name.median), timeCell(name.min), timeCell(name.max),
                 number(
                     name.bytes ? formatBytes(name.bytes) : std::string(), static_cast<double>(name.bytes))},
                i});
    }
    return lines;
}

StatsLines rowLines(const RangeStats& stats, const RowTree& rows, const std::vector<RowId>& asked)
{
    StatsLines lines;
    const double length = std::max<double>(1, static_cast<double>(stats.window.duration()));
    for (std::size_t i = 0; i < stats.rows.size() && i < asked.size(); ++i) {
        const Row& row = rows.row(asked[i]);
        const TrackFigures& figures = stats.rows[i];
        std::string label = plain(row.label);
        if (row.parent != RowTree::root)
            label = plain(rows.row(row.parent).label) + " / " + label;
        const auto busy = static_cast<double>(figures.busy);
        lines.push_back({{textCell(label), timeCell(busy), shareCell(busy / length), countCell(figures.count),
                             countCell(figures.gaps), timeCell(figures.longestGap)},
            i});
    }
    return lines;
}

StatsLines copyLines(const RangeStats& stats)
{
    StatsLines lines;
    for (const CopyFigures& copy : stats.copies) {
        lines.push_back(
            {{textCell(labelOf(copy.kind)), countCell(copy.count), timeCell(copy.total),
                 number(formatBytes(copy.bytes), static_cast<double>(copy.bytes)), timeCell(copy.whole),
                 number(formatThroughput(copy.throughput()), copy.throughput()), countCell(copy.pageable)},
                lines.size()});
    }
    return lines;
}

StatsLines counterLines(const Trace& trace, const RangeStats& stats)
{
    StatsLines lines;
    for (const CounterFigures& figures : stats.counters) {
        const CounterSeries& series = trace.counters[figures.counter];
        const auto value = [&](double shown, std::optional<int> decimals = {}) {
            return number(counterValueText(trace, series, shown, decimals), shown);
        };
        lines.push_back(
            {{textCell(plain(counterTitle(trace, series))), textCell(plain(counterPlace(trace, series))),
                 value(figures.mean, 1), value(static_cast<double>(figures.low)),
                 value(static_cast<double>(figures.high)), countCell(figures.samples)},
                figures.counter});
    }
    return lines;
}

} // namespace warpline
