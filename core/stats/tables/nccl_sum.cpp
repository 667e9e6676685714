// NCCL's collectives by communicator, operation, type and size. Kernels' names show operation and type, but
// neither protocol nor reduction: one kernel is used for several. Sizes and communicators come from the
// payloads of NCCL's NVTX ranges (nsys export --include-json true --include-blobs true). The fastest of a
// group counts as the transfer; the rest of the others' time is waiting for other ranks.

#include "core/coverage/gpu_times.h"
#include "core/derive/collective_bandwidth.h"
#include "core/derive/communication.h"
#include "core/derive/nccl_calls.h"
#include "core/kernels/kernel_names.h"
#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <map>
#include <numeric>

namespace warpline::nccl_sum {

namespace {

/// Common properties of the kernels of a row.
struct Kind {
    std::string communicator; ///< its id; empty: not recorded
    std::string operation;
    std::string type; ///< "f32", "bytes"; empty: unknown
    std::int64_t bytes = -1; ///< -1: not recorded
    auto operator<=>(const Kind&) const = default;
};

struct Row {
    std::vector<Ns> durations;
    Ns exposed = 0;
    std::vector<EventRef> events;
};

/// The number of ranks of each communicator, by id: from NCCL when it is created, or from PyTorch with each
/// call.
using RanksOf = std::map<std::string, std::int64_t>;

Kind kindOf(const Trace& trace, const NcclCalls& calls, EventIndex kernel, RanksOf& ranks)
{
    const std::string_view name = trace.text(trace.kernels().name[kernel]);
    Kind kind{
        {}, std::string(calls.communicationOf(kernel).operation), std::string(elementOfCollective(name)), -1};
    const std::vector<EventIndex> ranges = calls.rangesOf(kernel);
    // A group may hold several: its payload is that of none of them.
    if (ranges.size() != 1 || trace.text(trace.nvtx().name[ranges.front()]) == "ncclGroupEnd")
        return kind;
    const NcclCalls::Operation operation = calls.operation(ranges.front());
    kind.communicator = operation.communicator;
    kind.bytes = operation.bytes;
    if (operation.ranks > 0)
        ranks.emplace(operation.communicator, operation.ranks);
    return kind;
}

std::vector<Cell> cellsOf(const Kind& kind, Row& row, const RanksOf& ranks)
{
    const DurationSummary times = summarize(row.durations);
    const Ns waiting = times.total - times.min * static_cast<Ns>(times.count);
    const auto share = [&](Ns part) {
        return times.total > 0 ? static_cast<double>(part) * 100 / static_cast<double>(times.total) : 0.0;
    };
    const auto known = ranks.find(kind.communicator);
    const std::int64_t n = known != ranks.end() && !kind.communicator.empty() ? known->second : 0;
    const CollectiveBandwidth rates = collectiveBandwidth(kind.operation, kind.bytes, n, times.min);
    return {kind.operation, kind.type, positiveCell(kind.bytes), kind.communicator, positiveCell(n),
        static_cast<std::int64_t>(times.count), times.total, times.median, times.min, times.max,
        positiveCell(rates.algorithm), positiveCell(n > 1 ? rates.bus : 0), share(row.exposed),
        share(waiting)};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    std::map<GpuOfProcess, GpuTimes> times = gpuTimes(trace, whole, query.stop);
    const CommunicationKernels communicates(trace);
    const NcclCalls calls(trace);
    RanksOf ranks;
    for (const auto& [id, communicator] : calls.communicators())
        ranks[id] = communicator.ranks;
    std::map<Kind, Row> rows;
    for (const Track& track : kernels.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (!communicates[i] || !isAsked(kernels, i, query))
                continue;
            Row& row = rows[kindOf(trace, calls, i, ranks)];
            row.durations.push_back(kernels.duration[i]);
            row.exposed += kernels.duration[i]
                - times[{track.owner, track.device}].computing.timeIn(kernels.range(i));
            if (query.wantEvents)
                row.events.push_back({EventKind::Kernel, i});
        }
    }
    const auto totalOf = [](const auto& row) {
        return std::accumulate(row.second.durations.begin(), row.second.durations.end(), Ns{0});
    };
    Cells cells;
    cells.columns = {{"Operation", Unit::Text}, {"Type", Unit::Text}, {"Size (B)", Unit::Bytes},
        {"Communicator", Unit::Text}, {"Ranks", Unit::Integer}, {"Count", Unit::Count},
        {"Total Time (ns)", Unit::Nanoseconds}, {"Med (ns)", Unit::NanosecondsReal},
        {"Min (ns)", Unit::Nanoseconds}, {"Max (ns)", Unit::Nanoseconds},
        {"Algorithm Bandwidth (GB/s)", Unit::Real}, {"Bus Bandwidth (GB/s)", Unit::Real},
        {"Exposed (%)", Unit::Percent}, {"Waiting (%)", Unit::Percent}};
    for (auto* const each : largestFirst(rows, totalOf))
        cells.addRow(cellsOf(each->first, each->second, ranks), each->second.events);
    return cells;
}

bool hasCommunicationKernels(const Trace& trace)
{
    return anyName(trace.kernels(), {}, [&](StringId name) { return isCommunication(trace.text(name)); });
}

} // namespace

extern constinit const StatsTable ncclSum{.id = "nccl_sum",
    .title = "NCCL Collective Summary",
    .description
    = "How fast is the communication between GPUs, and what does it cost? Collectives by operation, type, size and communicator: best rates, exposed time and waits. Sizes need a report with payloads.",
    .applies = hasCommunicationKernels,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu};

} // namespace warpline::nccl_sum
