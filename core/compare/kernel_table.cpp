#include "core/compare/compare_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace warpline {

namespace {

std::string shapeText(const KernelGroup& group)
{
    const auto side = [](const Dim3& extent) {
        std::string text = std::to_string(extent.x);
        if (extent.y != 1 || extent.z != 1)
            text += fmt::format("x{}", extent.y);
        return extent.z != 1 ? text + fmt::format("x{}", extent.z) : text;
    };
    return fmt::format("<<<{}, {}>>>", side(group.grid), side(group.block));
}

/// Time by number; of the kernels of many reports it may be more than Ns holds.
using TimeOfEach = std::map<std::uint32_t, double>;

/// Sums of one side of a row.
struct RowOfSide {
    Tally tally;
    TimeOfEach groups;
    TimeOfEach paths; ///< NVTX paths
    bool any() const { return tally.count > 0; }
};

std::uint32_t mostOf(const TimeOfEach& times)
{
    const auto most = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
    return most != times.end() ? most->first : 0;
}

std::vector<RowOfSide> countRows(const TableSources& sources, const KernelMatch& match, Side side)
{
    std::vector<RowOfSide> rows(match.rows.size());
    const SideKernels& kernels = *sources.kernels[side];
    const SideMeasure& measure = *sources.measures[side];
    for (std::size_t i = 0; i < kernels.uses.size(); ++i) {
        const KernelUse& use = kernels.uses[i];
        RowOfSide& row = rows[match.rowOfUse[side][i]];
        row.tally.add(use.duration, use.whole);
        row.groups[use.group] += static_cast<double>(use.duration);
        if (match.rows[match.rowOfUse[side][i]] == MatchedBy::NvtxPath)
            row.paths[use.path] += static_cast<double>(use.duration);
        if (sources.wantEvents)
            row.tally.events.push_back({measure.side.gpus[use.gpu].report, use.event});
    }
    return rows;
}

void nameRow(RowOfSide& row, const SideKernels& kernels, MatchedBy by)
{
    if (!row.any())
        return;
    const KernelGroup& most = kernels.groups[mostOf(row.groups)];
    row.tally.name = most.name;
    row.tally.label = most.label;
    std::set<std::string_view> names;
    for (const auto& [group, time] : row.groups)
        names.insert(kernels.groups[group].label);
    const bool together = by == MatchedBy::Operator || by == MatchedBy::Fused || by == MatchedBy::Graph;
    if (together && names.size() > 1)
        row.tally.label += fmt::format(" and {} more", names.size() - 1);
    const bool byName = by == MatchedBy::Name || by == MatchedBy::NameWithoutArguments;
    if (by == MatchedBy::NameAndShape
        || (byName && row.groups.size() == 1)) // another launch shape is a change
        row.tally.shape = shapeText(most);
}

} // namespace

CompareTable kernelTable(const TableSources& sources, const KernelMatch& match)
{
    std::vector<RowOfSide> a = countRows(sources, match, Side::A);
    std::vector<RowOfSide> b = countRows(sources, match, Side::B);
    std::vector<CompareRow> rows;
    for (std::size_t i = 0; i < match.rows.size(); ++i) {
        nameRow(a[i], *sources.kernels.a, match.rows[i]);
        nameRow(b[i], *sources.kernels.b, match.rows[i]);
        if (!a[i].any() && !b[i].any())
            continue;
        CompareRow row = rowOf(a[i].any() ? &a[i].tally : nullptr, b[i].any() ? &b[i].tally : nullptr,
            match.rows[i], sources.gpuDivisor());
        const KernelGroup& group = a[i].any() ? sources.kernels.a->groups[mostOf(a[i].groups)]
                                              : sources.kernels.b->groups[mostOf(b[i].groups)];
        row.group = sources.rules.classes()[group.kernelClass].title;
        if (!a[i].paths.empty())
            row.where = sources.names.textOf(mostOf(a[i].paths));
        if (const auto known = match.where.find(static_cast<std::uint32_t>(i)); known != match.where.end())
            row.where = known->second;
        rows.push_back(std::move(row));
    }
    return tableOf("kernels", "Kernels", std::move(rows));
}

CompareTable nvtxGpuTable(const TableSources& sources)
{
    Both<Tallies> tallies = sources.noTallies();
    bool any = false;
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        std::unordered_map<std::uint32_t, Tally*> known;
        for (const KernelUse& use : sources.kernels[side]->uses) {
            Tally*& tally = known[use.path];
            if (!tally)
                tally = &tallies[side].of(
                    use.path == 0 ? "(no range)" : sources.names.textOf(sources.names.folded(use.path)));
            any = any || use.path != 0;
            tallies[side].add(
                *tally, use.duration, use.whole, {measure.side.gpus[use.gpu].report, use.event});
        }
    }
    return tableOf("nvtx_gpu", "NVTX paths on the GPU",
        any ? joinTallies(tallies, sources.gpuDivisor()) : std::vector<CompareRow>());
}

} // namespace warpline
