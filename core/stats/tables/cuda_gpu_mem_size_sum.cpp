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
    std::vector<DurationSummary> summaries;
    std::vector<Labels> labels;
    std::vector<double> totals;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        summaries.push_back(summarize(groups.values(g)));
        totals.push_back(static_cast<double>(summaries.back().total));
        const std::uint64_t key = groups.key(g);
        labels.push_back({key == memsetKey ? std::string(memsetName) : copyName(static_cast<CopyKind>(key))});
    }
    for (const std::uint32_t g : orderByTotal(totals, labels, {})) {
        const DurationSummary& sizes = summaries[g];
        cells.addRow(
            {totals[g] / megabyte, static_cast<std::int64_t>(sizes.count), sizes.mean / megabyte,
                sizes.median / megabyte, static_cast<double>(sizes.min) / megabyte,
                static_cast<double>(sizes.max) / megabyte, sizes.deviation / megabyte, labels[g].front()},
            groups.events(g));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable cudaGpuMemSizeSum{.id = "cuda_gpu_mem_size_sum",
    .title = "CUDA GPU MemOps Summary (by Size)",
    .description
    = "How many bytes are copied, in which direction? Copies by direction, and memsets, with their bytes.",
    .arguments = {},
    .applies = hasMemoryOperations,
    .fill = fill,
    .group = TableGroup::Gpu};

} // namespace warpline::cuda_gpu_mem_size_sum
