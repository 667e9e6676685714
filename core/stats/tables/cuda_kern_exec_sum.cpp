// Launch, queue and execution of kernels, by process, thread, device, API function and kernel. One event for
// each pair of a kernel and an API call with its process and correlation id; kernels without a call are left
// out.
//
// For each pair: A is the API call. Q, the queue time, runs from the end of the call to the start of the
// kernel, and exists only when it is not negative: QCount is the number of such pairs; without any the
// statistics are empty, but the deviation is 0. K is the kernel. T runs from the start of the call to the end
// of the kernel or of the call, whichever is later. Rows are sorted by the mean of T, longest first; ties by
// process, thread, device, API function and kernel. API names are shown without a version suffix of four
// digits.

#include "core/stats/applies.h"
#include "core/stats/call_twins.h"
#include "core/stats/kernel_labels.h"
#include "core/stats/key_numbers.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

namespace warpline::cuda_kern_exec_sum {

namespace {

constexpr std::array<std::string_view, 4> phases{"T", "A", "Q", "K"};
enum Phase : std::size_t { Total, Api, Queue, Kernel };

/// Identifies a row, with names as text so that ties sort by them.
using RowKey = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::string_view, std::string>;

class ExecutionTable {
public:
    ExecutionTable(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_labels(trace, query.variant),
          m_groups{
              Groups(query), Groups(false, query.stop), Groups(false, query.stop), Groups(false, query.stop)},
          m_callTracks(trace.apiCalls())
    {
    }

    void addKernels(const StatsQuery& query)
    {
        if (!m_trace.links)
            return;
        const auto kept = callTwinsOf(m_trace, query.stop);
        const CallTwins& twins = *kept;
        if (m_labels.nameRanges())
            m_innermost = innermostRangesOfCalls(m_trace, twins, query.stop);
        const KernelTable& kernels = m_trace.kernels();
        const auto& callOf = m_trace.links->apiOf[indexOf(EventKind::Kernel)];
        TrackCursor tracks(kernels);
        if (query.isOfAll()) {
            for (Groups& groups : m_groups)
                groups.reserve(kernels.size());
        }
        forEachEvent(kernels, query, [&](EventIndex i) {
            if (callOf[i] == noIndex)
                return;
            const std::int32_t device = tracks.of(i).device;
            add(i, device, callOf[i]);
            twins.forEachTwin(callOf[i], [&](EventIndex twin) { add(i, device, twin); });
        });
    }

    Cells finish();

private:
    void add(EventIndex kernel, std::int32_t device, EventIndex call)
    {
        const EventTable& api = m_trace.apiCalls();
        const TimeRange apiTime = api.range(call);
        const TimeRange work = m_trace.kernels().range(kernel);
        const std::uint32_t row = rowOf(kernel, device, call);
        m_groups[Total].add(
            row, std::max(work.end, apiTime.end) - apiTime.start, {EventKind::Kernel, kernel});
        m_groups[Api].add(row, apiTime.duration(), {});
        if (work.start >= apiTime.end)
            m_groups[Queue].add(row, work.start - apiTime.end, {});
        m_groups[Kernel].add(row, work.duration(), {});
    }

    /// The number of the row, by ids; rowOfKey() has the texts.
    std::uint32_t rowOf(EventIndex kernel, std::int32_t device, EventIndex call)
    {
        const std::uint32_t label
            = m_labels.numberOf(kernel, m_innermost.empty() ? noIndex : m_innermost[call]);
        const Ids ids{m_callTracks.indexOf(call), device, raw(m_trace.apiCalls().name[call]), label};
        const std::uint32_t number = m_ids.numberOf(ids);
        if (number == m_rowOfIds.size())
            m_rowOfIds.push_back(rowOfKey(ids));
        return m_rowOfIds[number];
    }

    struct Ids {
        std::uint32_t callTrack = 0;
        std::int32_t device = 0;
        std::uint32_t apiName = 0;
        std::uint32_t label = 0;
        friend bool operator==(const Ids&, const Ids&) = default;
    };
    struct IdsHash {
        std::size_t operator()(const Ids& ids) const
        {
            return ((ids.callTrack * 31ULL + static_cast<std::uint32_t>(ids.device)) * 1099511628211ULL
                       + ids.apiName)
                * 1099511628211ULL
                + ids.label;
        }
    };

    /// Calls of one thread may come from several tables, and names may differ in their version only: one row
    /// all the same.
    std::uint32_t rowOfKey(const Ids& ids)
    {
        const GlobalId thread = m_trace.apiCalls().tracks[ids.callTrack].owner;
        const RowKey key{pidOf(thread), tidOf(thread), ids.device,
            withoutVersion(m_trace.text(StringId{ids.apiName})), m_labels.labelOf(ids.label)};
        const auto [place, added] = m_rowOfKey.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
        if (added)
            m_keys.push_back(key);
        return place->second;
    }

    const Trace& m_trace;
    KernelLabels m_labels;
    std::vector<EventIndex> m_innermost; ///< NVTX range of each call, with "nvtx-name"
    std::array<Groups, 4> m_groups; ///< by Phase
    TrackCursor m_callTracks;
    KeyNumbers<Ids, IdsHash> m_ids;
    std::vector<std::uint32_t> m_rowOfIds; ///< by number of the ids
    std::map<RowKey, std::uint32_t> m_rowOfKey;
    std::vector<RowKey> m_keys;
};

Cells ExecutionTable::finish()
{
    std::vector<std::array<DurationSummary, 4>> summaries(m_keys.size());
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
        m_groups[phase].finish();
        for (std::size_t g = 0; g < m_groups[phase].size(); ++g)
            summaries[m_groups[phase].key(g)][phase] = summarize(m_groups[phase].values(g));
    }
    std::vector<std::uint32_t> order(m_keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const double meanA = summaries[a][Total].mean;
        const double meanB = summaries[b][Total].mean;
        return meanA != meanB ? meanA > meanB : m_keys[a] < m_keys[b];
    });

    Cells cells;
    cells.columns = {{"PID", Unit::Integer}, {"TID", Unit::Integer}, {"DevId", Unit::Integer},
        {"Count", Unit::Count}, {"QCount", Unit::Count}};
    for (const std::string_view phase : phases)
        addSpreadColumns(cells.columns, phase);
    cells.columns.push_back({"API Name", Unit::Text});
    cells.columns.push_back({"Kernel Name", Unit::Text});
    for (const std::uint32_t r : order) {
        const auto& [pid, tid, device, apiName, kernel] = m_keys[r];
        std::vector<Cell> row{std::int64_t{pid}, std::int64_t{tid}, std::int64_t{device},
            static_cast<std::int64_t>(summaries[r][Total].count),
            static_cast<std::int64_t>(summaries[r][Queue].count)};
        for (const DurationSummary& summary : summaries[r])
            addSpreadCells(row, summary);
        row.emplace_back(std::string(apiName));
        row.emplace_back(kernel);
        cells.addRow(
            std::move(row), m_groups[Total].events(r)); // every row has a total, so groups are numbered alike
    }
    return cells;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    ExecutionTable table(trace, query);
    table.addKernels(query);
    return table.finish();
}

} // namespace

extern constinit const StatsTable cudaKernExecSum{.id = "cuda_kern_exec_sum",
    .title = "CUDA Kernel Launch & Exec Time Summary",
    .description
    = "Do kernels wait longer than they run? How long kernels took to launch, how long they waited, and how long they ran.",
    .arguments = nvtxKernelArguments,
    .applies = hasKernelsAndCalls,
    .fill = fill,
    .group = TableGroup::CudaLaunches};

} // namespace warpline::cuda_kern_exec_sum
