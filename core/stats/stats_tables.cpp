// The list of all statistics tables, in the order in which they are shown. A new table is one file in tables/
// and one line here.

#include "core/base/list.h"
#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/stats_table.h"
#include "core/store/nvtx_types.h"

#include <algorithm>

namespace warpline {

#define WARPLINE_STATS_TABLES(X)                  \
    X(cuda_work_sums, cudaGpuKernSum)             \
    X(cuda_gpu_kern_gb_sum, cudaGpuKernGbSum)     \
    X(cuda_api_sum, cudaApiSum)                   \
    X(cuda_work_sums, cudaApiGpuSum)              \
    X(cuda_work_sums, cudaGpuSum)                 \
    X(cuda_work_sums, cudaGpuMemTimeSum)          \
    X(cuda_gpu_mem_size_sum, cudaGpuMemSizeSum)   \
    X(cuda_kern_exec_sum, cudaKernExecSum)        \
    X(nvtx_sums, nvtxSum)                         \
    X(nvtx_sums, nvtxPushpopSum)                  \
    X(nvtx_sums, nvtxStartendSum)                 \
    X(nvtx_kern_sum, nvtxKernSum)                 \
    X(nvtx_gpu_proj_sum, nvtxGpuProjSum)          \
    X(osrt_sum, osrtSum)                          \
    X(library_sums, syscallSum)                   \
    X(um_sums, umSum)                             \
    X(um_sums, umTotalSum)                        \
    X(um_cpu_page_faults_sum, umCpuPageFaultsSum) \
    X(library_sums, mpiEventSum)                  \
    X(mpi_msg_size_sum, mpiMsgSizeSum)            \
    X(library_sums, openmpSum)                    \
    X(library_sums, openaccSum)                   \
    X(library_sums, nvvideoApiSum)                \
    X(library_sums, openglKhrRangeSum)            \
    X(library_sums, openglKhrGpuRangeSum)         \
    X(vulkan_api_sum, vulkanApiSum)               \
    X(library_sums, vulkanMarkerSum)              \
    X(library_sums, vulkanGpuMarkerSum)           \
    X(library_sums, dx11PixSum)                   \
    X(library_sums, dx12PixSum)                   \
    X(library_sums, dx12GpuMarkerSum)             \
    X(wddm_queue_sum, wddmQueueSum)               \
    X(network_congestion, networkCongestion)      \
    X(cuda_gpu_trace, cudaGpuTrace)               \
    X(cuda_api_trace, cudaApiTrace)               \
    X(cuda_kern_exec_trace, cudaKernExecTrace)    \
    X(mpi_event_trace, mpiEventTrace)             \
    X(vulkan_api_trace, vulkanApiTrace)           \
    X(nvtx_gpu_proj_trace, nvtxGpuProjTrace)      \
    X(nvtx_pushpop_trace, nvtxPushpopTrace)       \
    X(kern_percentiles, kernPercentiles)          \
    X(gpu_class_sum, gpuClassSum)                 \
    X(nccl_sum, ncclSum)                          \
    X(stream_wait_sum, streamWaitSum)             \
    X(stream_idle_sum, streamIdleSum)             \
    X(kernel_sequences, kernelSequences)          \
    X(kernel_occupancy_sum, kernelOccupancySum)   \
    X(cuda_graph_node_sum, cudaGraphNodeSum)      \
    X(cuda_graph_nvtx_sum, cudaGraphNvtxSum)      \
    X(memory_lifetimes, memoryLifetimesTable)     \
    X(memory_categories, memoryCategoriesTable)   \
    X(memory_timeline, memoryTimeline)            \
    X(gpu_metrics_sums, gpuMetricsKernSum)        \
    X(gpu_metrics_sums, gpuMetricsNvtxSum)        \
    X(nvtx_step_breakdown, nvtxStepBreakdown)     \
    X(nvtx_step_series, nvtxStepSeries)           \
    X(nvtx_tree_sum, nvtxTreeSum)                 \
    X(nvtx_payload_sum, nvtxPayloadSum)           \
    X(torch_ops, torchOps)                        \
    X(torch_modules, torchModules)                \
    X(torch_memory, torchMemory)                  \
    X(torch_recompute, torchRecompute)            \
    X(serving_steps, servingSteps)

WARPLINE_FILE_LIST(StatsTable, allStatsTables, WARPLINE_STATS_TABLES)

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
