// Kernels by name with percentiles of their durations, interpolated between the two nearest ranks. Order and
// shares are those of cuda_gpu_kern_sum.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/summary_rows.h"

#include <array>

namespace warpline::kern_percentiles {

namespace {

constexpr std::array<std::pair<const char*, double>, 6> percentiles{{{"P5 (ns)", 0.05}, {"P25 (ns)", 0.25},
    {"P50 (ns)", 0.5}, {"P75 (ns)", 0.75}, {"P95 (ns)", 0.95}, {"P99 (ns)", 0.99}}};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    const KernelNaming naming = parseVariant(query.variant).kernels;
    Groups groups(query);
    forEachEvent(kernels, query, [&](EventIndex i) {
        groups.add(raw(kernelName(trace, i, naming)), kernels.duration[i], {EventKind::Kernel, i});
    });
    groups.finish();

    Cells cells;
    cells.columns = {{"Time (%)", Unit::Percent}, {"Total Time (ns)", Unit::Nanoseconds},
        {"Instances", Unit::Count}, {"Min (ns)", Unit::Nanoseconds}};
    for (const auto& [title, share] : percentiles)
        cells.columns.push_back({title, Unit::NanosecondsReal});
    cells.columns.push_back({"Max (ns)", Unit::Nanoseconds});
    cells.columns.push_back({"Name", Unit::Text});
    SummaryLayout layout;
    layout.fewerFirst = true;
    const auto labelsOf
        = [&](std::uint64_t key) { return Labels{std::string(trace.text(static_cast<StringId>(key)))}; };
    std::vector<SummaryGroup> summaries = summariesOf(groups);
    const double all = totalOf(summaries);
    for (const SummaryGroup* const group : inOrder(summaries, layout, labelsOf)) {
        const DurationSummary& durations = group->durations;
        std::vector<Cell> row{all > 0 ? group->total() * 100.0 / all : 0.0, durations.total,
            static_cast<std::int64_t>(durations.count), durations.min};
        for (const auto& [title, share] : percentiles)
            row.emplace_back(percentile(group->values, share));
        row.emplace_back(durations.max);
        row.emplace_back(group->labels.front());
        cells.addRow(std::move(row), group->events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable kernPercentiles{.id = "kern_percentiles",
    .title = "CUDA GPU Kernel Percentiles",
    .description
    = "Which kernels vary in length? Kernels by name with the 5th to the 99th percentile of their durations.",
    .arguments = kernelArguments,
    .applies = hasKernels,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

} // namespace warpline::kern_percentiles
