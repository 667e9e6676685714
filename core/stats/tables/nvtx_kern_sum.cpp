// Kernels by the NVTX ranges in which they were launched. A kernel counts for every range of the launching
// thread that contains its whole API call, so nested ranges both show it; kernels launched outside of all
// ranges come first, under an empty name. Of ranges inside each other the 1,000 innermost count. Rows are by
// range, style, process and thread, and within these by total time, longest first, then by kernel name.
//
// "NVTX Inst" and "Kern Inst" count ranges and kernels of a row once. Times count more often where ranges of
// one name nest, and where nsys recorded a call twice under one correlation id (CUDA backtraces), like in
// nsys' own table.

#include "core/stats/applies.h"
#include "core/stats/key_numbers.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace warpline::nvtx_kern_sum {

namespace {

/// Identifies the rows of several kernels: NVTX name key and style (both 0: no range), thread.
struct Place {
    std::uint64_t range = 0;
    std::uint8_t eventType = 0;
    GlobalId thread = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

struct PlaceHash {
    std::size_t operator()(const Place& place) const
    {
        return (place.range * 1099511628211ULL + place.thread) * 31 + place.eventType;
    }
};

/// An open range, with the number of its rows' key.
struct OpenRange {
    EventIndex range = noIndex; ///< noIndex: none is open
    std::uint32_t place = 0;
};

/// The number of distinct events of each of `rows` in `events`, which are pairs of a row and an event.
std::vector<std::int64_t> countsOf(std::vector<std::uint64_t>& events, std::size_t rows)
{
    std::ranges::sort(events);
    events.erase(std::ranges::unique(events).begin(), events.end());
    std::vector<std::int64_t> counts(rows);
    for (const std::uint64_t each : events)
        ++counts[each >> 32U];
    return counts;
}

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
        m_groups.reserve(query.isOfAll() ? trace.kernels().size() : 0);
    }

    void add(const CallInRanges& at);
    Cells finish();

private:
    void enter(GlobalId thread, std::span<const EventIndex> ranges);
    void addToRow(const OpenRange& in, StringId name, EventIndex kernel);
    const Place& placeOf(std::size_t row) const { return m_places.keys()[m_groups.key(row) >> 32U]; }

    const Trace& m_trace;
    const StatsQuery& m_query;
    KernelNaming m_naming;
    TrackCursor m_callTracks;
    TrackCursor m_rangeTracks;
    GlobalId m_thread = 0;
    std::vector<EventIndex> m_around; ///< the ranges of the call before
    std::vector<OpenRange> m_open; ///< the same; one that is none where there are none
    KeyNumbers<Place, PlaceHash> m_places;
    KeyNumbers<std::uint64_t> m_rows; ///< by number of the place, and name of the kernel
    Groups m_groups; ///< numbered as the rows are
    std::vector<std::uint64_t> m_rangesOfRows; ///< row, and range; some more than once
    std::vector<std::uint64_t> m_kernelsOfRows; ///< the same of kernels
    std::vector<EventIndex> m_lastRange; ///< per row
};

/// Consecutive calls are in the same ranges: looks these up only when they change.
void KernelsInRanges::enter(GlobalId thread, std::span<const EventIndex> ranges)
{
    constexpr std::size_t most = 1000; // each takes room for each kernel; Python nests no deeper
    ranges = ranges.last(std::min(ranges.size(), most));
    if (!m_open.empty() && m_thread == thread && std::ranges::equal(m_around, ranges))
        return;
    const NvtxTable& nvtx = m_trace.nvtx();
    m_thread = thread;
    m_around.assign(ranges.begin(), ranges.end());
    m_open.clear();
    for (const EventIndex range : ranges)
        m_open.push_back({range,
            m_places.numberOf({nvtxNameKey(m_trace, m_rangeTracks.of(range), range),
                nvtx.attributesOf(range).eventType, thread})});
    if (ranges.empty())
        m_open.push_back({noIndex, m_places.numberOf({0, 0, thread})});
}

void KernelsInRanges::addToRow(const OpenRange& in, StringId name, EventIndex kernel)
{
    const std::uint64_t key = std::uint64_t{in.place} << 32U | raw(name);
    const std::uint32_t row = m_rows.numberOf(key);
    m_groups.add(key, m_trace.kernels().duration[kernel], {EventKind::Kernel, kernel});
    if (row == m_lastRange.size())
        m_lastRange.push_back(noIndex);
    m_kernelsOfRows.push_back(std::uint64_t{row} << 32U | kernel);
    if (in.range != noIndex && m_lastRange[row] != in.range) { // of a row mostly one after another
        m_lastRange[row] = in.range;
        m_rangesOfRows.push_back(std::uint64_t{row} << 32U | in.range);
    }
}

void KernelsInRanges::add(const CallInRanges& at)
{
    const KernelTable& kernels = m_trace.kernels();
    enter(m_callTracks.of(at.call).owner, at.ranges);
    m_trace.visitWork(at.linked, [&](EventRef work) {
        if (work.kind != EventKind::Kernel || !isAsked(kernels, work.index, m_query))
            return;
        const StringId name = kernelName(m_trace, work.index, m_naming);
        for (const OpenRange& in : m_open)
            addToRow(in, name, work.index);
    });
}

Cells KernelsInRanges::finish()
{
    m_groups.finish();
    const std::vector<std::int64_t> ranges = countsOf(m_rangesOfRows, m_groups.size());
    const std::vector<std::int64_t> kernels = countsOf(m_kernelsOfRows, m_groups.size());
    std::vector<DurationSummary> summaries;
    std::vector<Labels> labels; // range, style, kernel
    for (std::size_t r = 0; r < m_groups.size(); ++r) {
        summaries.push_back(summarize(m_groups.values(r)));
        const Place& place = placeOf(r);
        const bool inRange = place.eventType != 0;
        const auto kernel = static_cast<StringId>(m_groups.key(r) & 0xFFFFFFFFU);
        labels.push_back({inRange ? nvtxNameOfKey(m_trace, place.range) : "",
            inRange ? std::string(nvtxStyle(place.eventType)) : "", std::string(m_trace.text(kernel))});
    }
    std::vector<std::uint32_t> order(m_groups.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const auto place = [&](std::uint32_t r) {
            return std::make_tuple(std::string_view(labels[r][0]), std::string_view(labels[r][1]),
                placeOf(r).thread, -summaries[r].total, std::string_view(labels[r][2]));
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
            std::int64_t{pidOf(placeOf(r).thread)}, std::int64_t{tidOf(placeOf(r).thread)}, ranges[r],
            kernels[r], summaries[r].total};
        addSpreadCells(row, summaries[r]);
        row.emplace_back(std::move(labels[r][2]));
        cells.addRow(std::move(row), m_groups.events(r));
    }
    return cells;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    KernelsInRanges table(trace, query);
    if (hasNvtxRanges(trace)) // otherwise unknown: nsys has no rows then
        forEachCallInRanges(trace, *callTwinsOf(trace, query.stop), query.stop,
            [&](const CallInRanges& at) { table.add(at); });
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

} // namespace warpline::nvtx_kern_sum
