// The purpose of memory of PyTorch's allocator: see core/stats/memory_categories.h.

#include "core/stats/memory_categories.h"

#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>

namespace warpline::memory_categories {

namespace {

struct Row {
    std::int64_t blocks = 0;
    std::int64_t allocated = 0;
    std::int64_t held = 0;
    std::int64_t most = 0;
    std::int64_t atPeak = 0;
    std::vector<EventRef> events;
};

/// Of the changes in the window of `query`; what is held when it begins counts for the most and the peak.
std::array<Row, memoryCategoryCount> rowsOf(
    const std::vector<CategoryChange>& changes, const StatsQuery& query)
{
    std::array<Row, memoryCategoryCount> rows;
    std::int64_t held = 0;
    std::int64_t most = 0;
    for (const CategoryChange& change : changes) {
        if (!query.window.empty() && change.time >= query.window.end)
            break;
        Row& row = rows[static_cast<std::size_t>(change.category)];
        held += change.bytes;
        row.held += change.bytes;
        if (!query.window.empty() && change.time < query.window.start) {
            most = held;
            for (Row& each : rows)
                each.most = each.atPeak = each.held;
            continue;
        }
        row.most = std::max(row.most, row.held);
        if (change.bytes > 0) {
            ++row.blocks;
            row.allocated += change.bytes;
            if (query.wantEvents && change.event.valid())
                row.events.push_back(change.event);
        }
        if (held > most) {
            most = held;
            for (Row& each : rows)
                each.atPeak = each.held;
        }
    }
    return rows;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"GPU", Unit::Integer}, {"Category", Unit::Text}, {"Blocks", Unit::Count},
        {"Allocated (B)", Unit::Bytes}, {"Most (B)", Unit::Bytes}, {"At Peak (B)", Unit::Bytes},
        {"At End (B)", Unit::Bytes}};
    if (!hasMemoryCategories(trace))
        return cells;
    for (const auto& [gpu, changes] : memoryCategories(trace, query.stop)) {
        if (!passesGpu(query.covers, gpu.first, gpu.second))
            continue;
        auto rows = rowsOf(changes, query);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].blocks == 0 && rows[i].most == 0)
                continue;
            const bool before = i == static_cast<std::size_t>(MemoryCategory::Before);
            cells.addRow({std::int64_t{gpuNumber(trace, gpu.first, gpu.second)},
                             std::string(labelOf(static_cast<MemoryCategory>(i))),
                             before ? Cell{} : Cell{rows[i].blocks}, rows[i].allocated, rows[i].most,
                             rows[i].atPeak, rows[i].held},
                std::move(rows[i].events));
        }
    }
    return cells;
}

} // namespace

extern constinit const StatsTable memoryCategoriesTable{.id = "memory_categories",
    .title = "GPU Memory by Category",
    .description
    = "What is GPU memory used for? Activations, gradients, optimizer state and temporaries of PyTorch: the peak of each, and its share at peak use.",
    .applies = hasMemoryCategories,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

} // namespace warpline::memory_categories
