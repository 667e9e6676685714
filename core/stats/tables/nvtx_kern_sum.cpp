// Kernels by the NVTX ranges they were launched in. A kernel counts for every range of the launching thread
// that holds its whole API call, so ranges that nest both show it; kernels launched outside of all ranges
// come first, under an empty name. Rows are by range, style, process and thread, and within these by total
// time, longest first, then by kernel name. "NVTX Inst" counts the ranges that launched the kernel.
//
// Where nsys recorded a call twice under one correlation id (CUDA backtraces), the times of its kernels count
// twice, but the kernels themselves once: nsys' own table says so.

#include "core/stats/applies.h"
#include "core/stats/key_numbers.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace warpline {

namespace {

/// What a row is about: NVTX name key and style (both 0: no range), thread, kernel name.
struct RowIds {
    std::uint64_t range = 0;
    std::uint8_t eventType = 0;
    GlobalId thread = 0;
    StringId kernel{};
    friend bool operator==(const RowIds&, const RowIds&) = default;
};

struct RowIdsHash {
    std::size_t operator()(const RowIds& ids) const
    {
        return ((ids.range * 1099511628211ULL + ids.thread) * 31 + ids.eventType) * 1099511628211ULL
            + raw(ids.kernel);
    }
};

class KernelsInRanges {
public:
    KernelsInRanges(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query),
          m_naming(parseVariant(query.variant).kernels),
          m_callTracks(trace.apiCalls()),
          m_rangeTracks(trace.nvtx()),
          m_groups(query)
    {
    }

    void add(const CallInRanges& at);
    Cells finish();

private:
    void addToRow(const RowIds& ids, EventIndex kernel, EventIndex range, bool newKernel);

    const Trace& m_trace;
    const StatsQuery& m_query;
    KernelNaming m_naming;
    TrackCursor m_callTracks;
    TrackCursor m_rangeTracks;
    Groups m_groups;
    KeyNumbers<RowIds, RowIdsHash> m_ids; ///< numbers are rows
    std::vector<std::uint32_t> m_kernels; ///< per row
    std::vector<std::uint32_t> m_instances; ///< NVTX ranges per row
    std::vector<EventIndex> m_lastRange; ///< per row
};

void KernelsInRanges::addToRow(const RowIds& ids, EventIndex kernel, EventIndex range, bool newKernel)
{
    const std::uint32_t row = m_ids.numberOf(ids);
    if (row == m_kernels.size()) {
        m_kernels.push_back(0);
        m_instances.push_back(0);
        m_lastRange.push_back(noIndex);
    }
    if (newKernel)
        ++m_kernels[row];
    // Calls of a thread come in order of time, so a range of a row is seen in one run unless ranges of one
    // name overlap.
    if (range != noIndex && m_lastRange[row] != range) {
        ++m_instances[row];
        m_lastRange[row] = range;
    }
    m_groups.add(row, m_trace.kernels().duration[kernel], {EventKind::Kernel, kernel});
}

void KernelsInRanges::add(const CallInRanges& at)
{
    const EventTable& api = m_trace.apiCalls();
    const NvtxTable& nvtx = m_trace.nvtx();
    const KernelTable& kernels = m_trace.kernels();
    const GlobalId thread = m_callTracks.of(at.call).owner;
    forEachWork(*m_trace.links, at.linked, [&](EventRef work) {
        if (work.kind != EventKind::Kernel || !isAsked(kernels, work.index, m_query.window))
            return;
        const StringId name = kernelName(m_trace, work.index, m_naming);
        if (at.ranges.empty())
            addToRow({0, 0, thread, name}, work.index, noIndex, at.call == at.linked);
        for (const EventIndex range : at.ranges) {
            const bool linkedInside
                = nvtx.start[range] <= api.start[at.linked] && nvtx.end(range) >= api.end(at.linked);
            const RowIds ids{nvtxNameKey(m_trace, m_rangeTracks.of(range), range),
                nvtx.attributesOf(range).eventType, thread, name};
            addToRow(ids, work.index, range, at.call == at.linked || !linkedInside);
        }
    });
}

Cells KernelsInRanges::finish()
{
    m_groups.finish();
    std::vector<DurationSummary> summaries;
    std::vector<Labels> labels; // range, style, kernel
    for (std::size_t r = 0; r < m_ids.size(); ++r) {
        summaries.push_back(summarize(m_groups.values(r)));
        const RowIds& ids = m_ids.keys()[r];
        const bool inRange = ids.eventType != 0;
        labels.push_back({inRange ? nvtxNameOfKey(m_trace, ids.range) : "",
            inRange ? std::string(nvtxStyle(ids.eventType)) : "", std::string(m_trace.text(ids.kernel))});
    }
    std::vector<std::uint32_t> order(m_ids.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const auto place = [&](std::uint32_t r) {
            return std::make_tuple(std::string_view(labels[r][0]), std::string_view(labels[r][1]),
                m_ids.keys()[r].thread, -summaries[r].total, std::string_view(labels[r][2]));
        };
        return place(a) < place(b);
    });

    Cells cells;
    cells.columns
        = {{"NVTX Range", Unit::Text}, {"Style", Unit::Text}, {"PID", Unit::Integer}, {"TID", Unit::Integer},
            {"NVTX Inst", Unit::Count}, {"Kern Inst", Unit::Count}, {"Total Time (ns)", Unit::Nanoseconds}};
    addSpreadColumns(cells.columns, "");
    cells.columns.push_back({"Kernel Name", Unit::Text});
    for (const std::uint32_t r : order) {
        std::vector<Cell> row{std::move(labels[r][0]), std::move(labels[r][1]),
            std::int64_t{pidOf(m_ids.keys()[r].thread)}, std::int64_t{tidOf(m_ids.keys()[r].thread)},
            std::int64_t{m_instances[r]}, std::int64_t{m_kernels[r]}, summaries[r].total};
        addSpreadCells(row, summaries[r]);
        row.emplace_back(std::move(labels[r][2]));
        cells.addRow(std::move(row), m_groups.events(r));
    }
    return cells;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    KernelsInRanges table(trace, query);
    forEachCallInRanges(
        trace, *callTwinsOf(trace, query.stop), query.stop, [&](const CallInRanges& at) { table.add(at); });
    return table.finish();
}

} // namespace

extern constinit const StatsTable nvtxKernSum{.id = "nvtx_kern_sum",
    .title = "NVTX Range Kernel Summary",
    .description
    = "Which kernels belong to which of the program's ranges? Kernels by the NVTX ranges they were launched in.",
    .arguments = kernelArguments,
    .applies = [](const Trace& trace) { return hasKernelsAndCalls(trace) && hasNvtxRanges(trace); },
    .fill = fill,
    .group = TableGroup::Nvtx};

} // namespace warpline
