// Collectives of NCCL by communicator, operation, type and size. What communicates is told by kernels, whose
// names say operation and type and nothing of protocol or reduction: one kernel stands for several. Sizes and
// communicators are in the payloads of NCCL's NVTX ranges (nsys export --include-json true --include-blobs
// true). The fastest of a group is taken for the transfer; what others take beyond it they wait for other
// ranks.
//
// Bandwidth as nccl-tests counts it: algorithm = bytes / time; bus = algorithm x 2 (n - 1) / n for an
// all-reduce, x (n - 1) / n for all-gather, reduce-scatter and all-to-all, where n is the number of ranks;
// NCCL gives the bytes of one rank for all-gather and reduce-scatter, so these count n times.

#include "core/coverage/gpu_times.h"
#include "core/derive/communication.h"
#include "core/derive/nccl_calls.h"
#include "core/kernels/kernel_names.h"
#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpline {

namespace {

/// What kernels have in common that are one row.
struct Kind {
    std::string communicator; ///< its id; empty: not recorded
    std::string operation;
    std::string type; ///< "f32"; empty: the name does not say
    std::int64_t bytes = -1; ///< -1: not recorded
    auto operator<=>(const Kind&) const = default;
};

struct Row {
    std::vector<Ns> durations;
    Ns exposed = 0;
    std::vector<EventRef> events;
};

/// The type in "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)": the word behind the reduction.
std::string typeOf(std::string_view name)
{
    static constexpr std::string_view known[] = {"_i8_", "_u8_", "_i32_", "_u32_", "_i64_", "_u64_", "_f16_",
        "_bf16_", "_f32_", "_f64_", "_f8e4m3_", "_f8e5m2_"};
    for (const std::string_view type : known) {
        if (name.find(type) != std::string_view::npos)
            return std::string(type.substr(1, type.size() - 2));
    }
    return {};
}

/// The ranks of each communicator, by its id: what NCCL says when one is made, or PyTorch with each call.
using RanksOf = std::map<std::string, std::int64_t>;

Kind kindOf(const Trace& trace, const NcclCalls& calls, EventIndex kernel, RanksOf& ranks)
{
    const std::string_view name = trace.text(trace.kernels().name[kernel]);
    Kind kind{{}, std::string(communicationOf(name).operation), typeOf(name), -1};
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

/// Bytes that travel for what NCCL gives as the message size, and the factor of the bus bandwidth.
std::pair<double, double> wireOf(const Kind& kind, std::int64_t ranks)
{
    const auto n = static_cast<double>(ranks);
    const auto bytes = static_cast<double>(kind.bytes);
    if (kind.operation == "all-reduce")
        return {bytes, 2 * (n - 1) / n};
    if (kind.operation == "all-gather" || kind.operation == "reduce-scatter")
        return {bytes * n, (n - 1) / n};
    if (kind.operation == "all-to-all")
        return {bytes, (n - 1) / n};
    return {bytes, 1};
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
    const bool scaled = kind.operation == "all-gather" || kind.operation == "reduce-scatter";
    Cell algorithm;
    Cell bus;
    if (kind.bytes > 0 && times.min > 0 && (n > 1 || !scaled)) {
        const auto [bytes, factor] = wireOf(kind, std::max<std::int64_t>(n, 2));
        const double rate = bytes / static_cast<double>(times.min); // bytes a ns are GB/s
        algorithm = rate;
        if (n > 1)
            bus = rate * factor;
    }
    const auto numberOrNone = [](std::int64_t number) { return number > 0 ? Cell(number) : Cell(); };
    return {kind.operation, kind.type, numberOrNone(kind.bytes), kind.communicator, numberOrNone(n),
        static_cast<std::int64_t>(times.count), times.total, times.median, times.min, times.max, algorithm,
        bus, share(row.exposed), share(waiting)};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    std::map<GpuOfProcess, Coverage> computing;
    for (const auto& [gpu, times] : gpuTimes(trace, whole, query.stop))
        computing.emplace(gpu, Coverage(times.computing));
    const CommunicationKernels communicates(trace);
    const NcclCalls calls(trace);
    RanksOf ranks;
    for (const auto& [id, communicator] : calls.communicators())
        ranks[id] = communicator.ranks;
    std::map<Kind, Row> rows;
    for (const Track& track : kernels.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (!communicates[i] || !isAsked(kernels, i, query.window))
                continue;
            Row& row = rows[kindOf(trace, calls, i, ranks)];
            row.durations.push_back(kernels.duration[i]);
            row.exposed
                += kernels.duration[i] - computing[{track.owner, track.device}].busy(kernels.range(i));
            if (query.wantEvents)
                row.events.push_back({EventKind::Kernel, i});
        }
    }
    std::vector<std::pair<Kind, Row>> sorted(rows.begin(), rows.end());
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& each) {
        Ns total = 0;
        for (const Ns time : each.second.durations)
            total += time;
        return total;
    });
    Cells cells;
    cells.columns = {{"Operation", Unit::Text}, {"Type", Unit::Text}, {"Size (B)", Unit::Bytes},
        {"Communicator", Unit::Text}, {"Ranks", Unit::Integer}, {"Count", Unit::Count},
        {"Total Time (ns)", Unit::Nanoseconds}, {"Med (ns)", Unit::NanosecondsReal},
        {"Min (ns)", Unit::Nanoseconds}, {"Max (ns)", Unit::Nanoseconds},
        {"Algorithm Bandwidth (GB/s)", Unit::Real}, {"Bus Bandwidth (GB/s)", Unit::Real},
        {"Exposed (%)", Unit::Percent}, {"Waiting (%)", Unit::Percent}};
    for (auto& [kind, row] : sorted)
        cells.addRow(cellsOf(kind, row, ranks), row.events);
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
    = "How fast is the communication between GPUs, and what does it cost? Collectives by operation, type, size and communicator: rates of the fastest, and what is "
      "exposed and waits. Sizes need a report with payloads.",
    .arguments = {},
    .applies = hasCommunicationKernels,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu};

} // namespace warpline
