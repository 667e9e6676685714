// Every kernel, copy and memset on a GPU, by start. Columns and units are those of nsys' report: extents,
// registers and shared memory for kernels; size, throughput and memory kinds for memory operations.
// Throughput is in 10^6 bytes per second, computed like nsys: bytes times how often the duration fits into a
// second, without the fraction. Ids of 0 mean none: an empty cell.

#include "core/stats/applies.h"
#include "core/stats/kernel_labels.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"
#include "core/store/attributes.h"

#include <array>
#include <memory>

namespace warpline::cuda_gpu_trace {

namespace {

constexpr std::array kinds{EventKind::Kernel, EventKind::Memcpy, EventKind::Memset};
constexpr Ns nsPerSecond = 1'000'000'000;

class GpuTrace {
public:
    GpuTrace(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_labels(trace, query.variant)
    {
        if (m_labels.nameRanges())
            m_innermost = innermostRanges(trace, *callTwinsOf(trace, query.stop), query.stop);
    }

    std::vector<Cell> row(EventRef event) const
    {
        const EventTable& table = m_trace.table(event.kind);
        const Track& track = table.trackOf(event.index);
        std::vector<Cell> cells{table.start[event.index], table.duration[event.index],
            integerCell(table.correlation.empty() ? 0 : table.correlation[event.index])};
        if (event.kind == EventKind::Kernel)
            addKernel(cells, event.index);
        else
            addMemoryOperation(cells, event, table);
        cells.emplace_back(deviceLabel(m_trace, track.owner, track.device));
        cells.push_back(positiveCell(track.context));
        cells.push_back(positiveCell(track.greenContext));
        cells.push_back(positiveCell(track.stream));
        cells.emplace_back(name(event));
        return cells;
    }

private:
    void addKernel(std::vector<Cell>& cells, EventIndex i) const
    {
        const KernelLaunch& launch = m_trace.kernels().launch(i);
        for (const Dim3& extent : {launch.grid, launch.block}) {
            for (const std::int32_t size : {extent.x, extent.y, extent.z})
                cells.push_back(integerCell(size));
        }
        cells.push_back(integerCell(launch.registersPerThread));
        cells.push_back(megabytesCell(static_cast<std::uint64_t>(launch.staticSharedMemory)));
        cells.push_back(megabytesCell(static_cast<std::uint64_t>(launch.dynamicSharedMemory)));
        cells.resize(cells.size() + 4); // bytes, throughput and memory kinds are for memory operations
    }

    void addMemoryOperation(std::vector<Cell>& cells, EventRef event, const EventTable& table) const
    {
        cells.resize(cells.size() + 9); // extents, registers and shared memory are for kernels
        const std::uint64_t bytes = table.bytes[event.index];
        cells.push_back(megabytesCell(bytes));
        const Ns duration = table.duration[event.index];
        if (duration > 0)
            cells.push_back(megabytesCell(bytes * static_cast<std::uint64_t>(nsPerSecond / duration)));
        else
            cells.emplace_back();
        if (event.kind == EventKind::Memcpy) {
            const CopyAttributes& copy = m_trace.memcpys().copy(event.index);
            cells.emplace_back(std::string(labelOf(copy.source)));
            cells.emplace_back(std::string(labelOf(copy.destination)));
        } else {
            cells.emplace_back(std::string(labelOf(memoryOfSet(m_trace, event.index))));
            cells.emplace_back();
        }
    }

    std::string name(EventRef event) const
    {
        if (event.kind == EventKind::Memcpy)
            return copyName(m_trace.memcpys().copy(event.index).kind);
        if (event.kind == EventKind::Memset)
            return std::string(memsetName);
        return m_labels.label(event.index, m_innermost.empty() ? noIndex : m_innermost[event.index]);
    }

    const Trace& m_trace;
    KernelLabels m_labels;
    std::vector<EventIndex> m_innermost;
};

std::vector<Column> columns()
{
    return {{"Start (ns)", Unit::Nanoseconds}, {"Duration (ns)", Unit::Nanoseconds},
        {"CorrId", Unit::Integer}, {"GrdX", Unit::Integer}, {"GrdY", Unit::Integer}, {"GrdZ", Unit::Integer},
        {"BlkX", Unit::Integer}, {"BlkY", Unit::Integer}, {"BlkZ", Unit::Integer}, {"Reg/Trd", Unit::Integer},
        {"StcSMem (MB)", Unit::Megabytes}, {"DymSMem (MB)", Unit::Megabytes}, {"Bytes (MB)", Unit::Megabytes},
        {"Throughput (MB/s)", Unit::Megabytes}, {"SrcMemKd", Unit::Text}, {"DstMemKd", Unit::Text},
        {"Device", Unit::Text}, {"Ctx", Unit::Integer}, {"GreenCtx", Unit::Integer}, {"Strm", Unit::Integer},
        {"Name", Unit::Text}};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const auto rows = std::make_shared<const GpuTrace>(trace, query);
    return heldRows<EventRef>(
        columns(), eventsByStart(trace, kinds, query), [rows](EventRef event) { return rows->row(event); });
}

} // namespace

extern constinit const StatsTable cudaGpuTrace{.id = "cuda_gpu_trace",
    .title = "CUDA GPU Trace",
    .description = "What does the GPU do, in order? Every kernel, copy and memset, in order of start.",
    .arguments = nvtxKernelArguments,
    .applies = hasGpuWork,
    .fill = fill,
    .group = TableGroup::Gpu,
    .shape = TableShape::Trace};

} // namespace warpline::cuda_gpu_trace
