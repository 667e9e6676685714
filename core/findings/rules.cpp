#include "core/findings/rule.h"

#include "core/base/list.h"

namespace warpline {

// One rule per line. The first six are those of nsys analyze, under its names.
#define WARPLINE_RULES(X)                                \
    X(copies_blocking, pageableAsyncCopies)              \
    X(copies_blocking, synchronousCopies)                \
    X(copies_blocking, synchronousMemsets)               \
    X(blocking_synchronization, blockingSynchronization) \
    X(gpu_gaps, gpuGaps)                                 \
    X(low_gpu_utilization, lowGpuUtilization)            \
    X(short_kernels, shortKernels)                       \
    X(copies_not_overlapped, copiesNotOverlapped)        \
    X(gpu_idle_cause, gpuIdleCause)                      \
    X(shared_gpu, sharedGpu)                             \
    X(data_starvation, dataStarvation)                   \
    X(gap_functions, gapFunctions)                       \
    X(gil, globalInterpreterLock)                        \
    X(launch_bound, launchBound)                         \
    X(kernel_storm, kernelStorm)                         \
    X(sync_per_iteration, syncPerIteration)              \
    X(pageable_copies, pageableCopies)                   \
    X(staged_uploads, stagedUploads)                     \
    X(copy_patterns, tinyCopies)                         \
    X(copy_patterns, slowCopies)                         \
    X(copy_patterns, copyRoundTrips)                     \
    X(repeated_uploads, repeatedUploads)                 \
    X(data_region_in_loop, dataRegionInLoop)             \
    X(copy_bound, copyBound)                             \
    X(unified_memory, unifiedMemoryFaults)               \
    X(allocation_in_loop, allocationInLoop)              \
    X(allocation_in_loop, memoryGrowth)                  \
    X(streams_serialized, streamsSerialized)             \
    X(tiny_grid, tinyGrid)                               \
    X(small_blocks, smallBlocks)                         \
    X(separate_attention, separateAttention)             \
    X(layout_conversions, layoutConversions)             \
    X(elementwise_chains, elementwiseChains)             \
    X(memory_fills, memoryFills)                         \
    X(tail_waves, tailWaves)                             \
    X(below_roofline, belowRoofline)                     \
    X(partial_warps, partialWarps)                       \
    X(too_small, tooSmall)                               \
    X(top_kernels, topKernels)                           \
    X(low_occupancy, lowOccupancy)                       \
    X(no_tensor_cores, noTensorCores)                    \
    X(no_tensor_cores, tensorCoreShare)                  \
    X(collectives, ncclExposed)                          \
    X(collectives, collectiveWait)                       \
    X(collective_slowdown, collectiveSlowsCompute)       \
    X(pipeline_bubble, pipelineBubble)                   \
    X(step_outliers, nvtxOutlierSteps)                   \
    X(waiting_phases, phaseHoldsSync)                    \
    X(token_times, tokenTimes)                           \
    X(code_loading, oneTimeCosts)                        \
    X(start_up, startUp)                                 \
    X(host_outside, hostOutside)                         \
    X(code_loading, codeLoadedInLoop)                    \
    X(cpu_contention, cpuContention)                     \
    X(openmp_imbalance, openmpImbalance)                 \
    X(serial_phases, serialPhases)                       \
    X(gpu_metrics_limits, gpuMetricsLimits)              \
    X(failed_calls, failedCalls)                         \
    X(capture_quality, captureQuality)                   \
    X(credentials_in_report, credentialsInReport)

WARPLINE_FILE_LIST(Rule, allRules, WARPLINE_RULES)

} // namespace warpline
