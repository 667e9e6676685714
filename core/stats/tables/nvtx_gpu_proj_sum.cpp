// NVTX ranges projected onto the GPU, by name. The projection runs from the first start to the last end of
// the kernels, copies and memsets whose API calls lie completely inside the range on its thread; ranges
// without such work are left out. GPU operations are counted by correlation id, so a graph launch counts
// once. Level is the number of ranges around a range; children are the ranges directly inside that have a
// projection themselves. Longest total projection first; ties by name and style.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/store/nvtx_types.h"

namespace warpline::nvtx_gpu_proj_sum {

namespace {

constexpr std::uint64_t startEndBit = std::uint64_t{1} << 63U;

struct RangeFigures {
    Ns ranges = 0; ///< durations of the ranges themselves
    std::int64_t operations = 0;
    std::int64_t levels = 0;
    std::int64_t children = 0;
};

std::vector<Cell> rowOf(const Labels& labels, const DurationSummary& projected, const RangeFigures& figures)
{
    const auto count = static_cast<double>(projected.count);
    std::vector<Cell> row{
        labels[0], labels[1], projected.total, figures.ranges, static_cast<std::int64_t>(projected.count)};
    addSpreadCells(row, projected);
    row.emplace_back(figures.operations);
    row.emplace_back(static_cast<double>(figures.operations) / count);
    row.emplace_back(static_cast<double>(figures.levels) / count);
    row.emplace_back(static_cast<double>(figures.children) / count);
    return row;
}

std::vector<Column> columns()
{
    std::vector<Column> titles{{"Range", Unit::Text}, {"Style", Unit::Text},
        {"Total Proj Time (ns)", Unit::Nanoseconds}, {"Total Range Time (ns)", Unit::Nanoseconds},
        {"Range Instances", Unit::Count}};
    addSpreadColumns(titles, "Proj ");
    titles.push_back({"Total GPU Ops", Unit::Count});
    titles.push_back({"Avg GPU Ops", Unit::Real});
    titles.push_back({"Avg Range Lvl", Unit::Real});
    titles.push_back({"Avg Num Child", Unit::Real});
    return titles;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    const std::vector<NvtxProjection> projections
        = projectForTables(trace, *callTwinsOf(trace, query.stop), query.stop);
    const NvtxNesting nesting = nestNvtx(trace, query.stop);
    const std::vector<std::uint32_t> children = projectedChildren(projections, nesting);

    Groups groups(query);
    std::unordered_map<std::uint64_t, RangeFigures> figures;
    forEachEvent(nvtx, query, [&](EventIndex i) {
        if (projections[i].operations == 0)
            return;
        const std::uint64_t style = nvtx.attributesOf(i).eventType == nvtxStartEnd ? startEndBit : 0;
        const std::uint64_t key = style | nvtxNameKey(trace, nvtx.trackOf(i), i);
        groups.add(key, projections[i].projected.duration(), {EventKind::Nvtx, i});
        RangeFigures& figure = figures[key];
        figure.ranges += nvtx.duration[i];
        figure.operations += projections[i].operations;
        figure.levels += nesting.level[i];
        figure.children += children[i];
    });
    groups.finish();

    const auto labelsOf = [&](std::uint64_t key) {
        return Labels{nvtxNameOfKey(trace, key & ~startEndBit),
            std::string(nvtxStyle((key & startEndBit) != 0 ? nvtxStartEnd : nvtxPushPop))};
    };
    std::vector<SummaryGroup> summaries = summariesOf(groups);
    Cells cells;
    cells.columns = columns();
    for (const SummaryGroup* const group : inOrder(summaries, {}, labelsOf))
        cells.addRow(rowOf(group->labels, group->durations, figures[group->key]), group->events);
    return cells;
}

} // namespace

extern constinit const StatsTable nvtxGpuProjSum{.id = "nvtx_gpu_proj_sum",
    .title = "NVTX GPU Projection Summary",
    .description
    = "How long does the GPU work for each of the program's ranges? NVTX ranges by the time their work took on the GPU.",
    .applies
    = [](const Trace& trace) { return hasGpuWork(trace) && hasApiCalls(trace) && hasNvtxRanges(trace); },
    .fill = fill,
    .group = TableGroup::Nvtx};

} // namespace warpline::nvtx_gpu_proj_sum
