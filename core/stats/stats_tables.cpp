// The list of all statistics tables, in the order in which they are shown. A new table is one file in tables/
// and one line here.

#include "core/base/list.h"
#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/stats_table.h"
#include "core/store/nvtx_types.h"

#include <algorithm>

namespace warpline {

#define WARPLINE_STATS_TABLES(X) \
    X(cudaGpuKernSum)            \
    X(cudaGpuKernGbSum)          \
    X(cudaApiSum)                \
    X(cudaApiGpuSum)             \
    X(cudaGpuSum)                \
    X(cudaGpuMemTimeSum)         \
    X(cudaGpuMemSizeSum)         \
    X(cudaKernExecSum)           \
    X(nvtxSum)                   \
    X(nvtxPushpopSum)            \
    X(nvtxStartendSum)           \
    X(nvtxKernSum)               \
    X(nvtxGpuProjSum)            \
    X(osrtSum)                   \
    X(syscallSum)                \
    X(umSum)                     \
    X(umTotalSum)                \
    X(umCpuPageFaultsSum)        \
    X(mpiEventSum)               \
    X(mpiMsgSizeSum)             \
    X(openmpSum)                 \
    X(openaccSum)                \
    X(nvvideoApiSum)             \
    X(openglKhrRangeSum)         \
    X(openglKhrGpuRangeSum)      \
    X(vulkanApiSum)              \
    X(vulkanMarkerSum)           \
    X(vulkanGpuMarkerSum)        \
    X(dx11PixSum)                \
    X(dx12PixSum)                \
    X(dx12GpuMarkerSum)          \
    X(wddmQueueSum)              \
    X(networkCongestion)         \
    X(cudaGpuTrace)              \
    X(cudaApiTrace)              \
    X(cudaKernExecTrace)         \
    X(mpiEventTrace)             \
    X(vulkanApiTrace)            \
    X(nvtxGpuProjTrace)          \
    X(nvtxPushpopTrace)          \
    X(kernPercentiles)           \
    X(gpuClassSum)               \
    X(ncclSum)                   \
    X(streamWaitSum)             \
    X(streamIdleSum)             \
    X(kernelSequences)           \
    X(kernelOccupancySum)        \
    X(cudaGraphNodeSum)          \
    X(cudaGraphNvtxSum)          \
    X(memoryLifetimesTable)      \
    X(memoryCategoriesTable)     \
    X(memoryTimeline)            \
    X(gpuMetricsKernSum)         \
    X(gpuMetricsNvtxSum)         \
    X(nvtxStepBreakdown)         \
    X(nvtxStepSeries)            \
    X(nvtxTreeSum)               \
    X(nvtxPayloadSum)            \
    X(torchOps)                  \
    X(torchModules)              \
    X(torchMemory)               \
    X(torchRecompute)            \
    X(servingSteps)

WARPLINE_LIST(StatsTable, allStatsTables, WARPLINE_STATS_TABLES)

const StatsTable* findStatsTable(std::string_view id)
{
    const auto tables = allStatsTables();
    const auto found = std::ranges::find(tables, id, [](const StatsTable* table) { return table->id; });
    return found != tables.end() ? *found : nullptr;
}

bool hasAnyNvtxRange(const Trace& trace)
{
    return hasNvtxRanges(trace) || hasNvtxRanges(trace, graphicsFrame);
}

bool hasNvtxRanges(const Trace& trace, std::uint8_t eventType)
{
    return std::ranges::any_of(trace.nvtx().attributes, [eventType](const NvtxAttributes& attributes) {
        return eventType == 0 ? attributes.eventType == nvtxPushPop || attributes.eventType == nvtxStartEnd
                              : attributes.eventType == eventType;
    });
}

} // namespace warpline
