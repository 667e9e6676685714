// Copies by direction, and sets, by the bytes they moved. Megabytes are 10^6 bytes. Equal totals are in the
// order of the names.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/summary_rows.h"

namespace warpline::cuda_gpu_mem_size_sum {

namespace {

constexpr std::uint64_t memsetKey = 0xFF; // distinct from the copy kinds
constexpr double megabyte = 1e6;

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Groups groups(query);
    const MemcpyTable& copies = trace.memcpys();
    forEachEvent(copies, query, [&](EventIndex i) {
        groups.add(static_cast<std::uint64_t>(copies.copy(i).kind),
            static_cast<std::int64_t>(copies.bytes[i]), {EventKind::Memcpy, i});
    });
    const EventTable& sets = trace.table(EventKind::Memset);
    forEachEvent(sets, query, [&](EventIndex i) {
        groups.add(memsetKey, static_cast<std::int64_t>(sets.bytes[i]), {EventKind::Memset, i});
    });
    groups.finish();

    Cells cells;
    cells.columns = {{"Total (MB)", Unit::Megabytes}, {"Count", Unit::Count}};
    addSpreadColumns(cells.columns, "", true);
    cells.columns.push_back({"Operation", Unit::Text});
    const auto labelsOf = [](std::uint64_t key) {
        return Labels{key == memsetKey ? std::string(memsetName) : copyName(static_cast<CopyKind>(key))};
    };
    std::vector<SummaryGroup> summaries = summariesOf(groups);
    for (const SummaryGroup* const group : inOrder(summaries, {}, labelsOf)) {
        const DurationSummary& sizes = group->durations;
        cells.addRow(
            {group->total() / megabyte, static_cast<std::int64_t>(sizes.count), sizes.mean / megabyte,
                sizes.median / megabyte, static_cast<double>(sizes.min) / megabyte,
                static_cast<double>(sizes.max) / megabyte, sizes.deviation / megabyte, group->labels.front()},
            group->events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable cudaGpuMemSizeSum{.id = "cuda_gpu_mem_size_sum",
    .title = "CUDA GPU MemOps Summary (by Size)",
    .description
    = "How many bytes are copied, in which direction? Copies by direction, and memsets, with their bytes.",
    .applies = hasMemoryOperations,
    .fill = fill,
    .group = TableGroup::Gpu};

} // namespace warpline::cuda_gpu_mem_size_sum
