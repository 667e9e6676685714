#include "core/import/importer.h"

#include "core/base/list.h"

namespace warpline {

// One line per importer: declared, then listed. Order matters: facts before events; call stacks before the
// samples that are named after them, but after events that can be shown without them; CUDA event records
// after the API calls that give them their time; NVTX last, because open ranges end with the session.
#define WARPLINE_IMPORTERS(X)                   \
    X(targets, targets)                         \
    X(programs, mpiPrograms)                    \
    X(programs, programOutput)                  \
    X(cuda_kernels, cudaKernels)                \
    X(cuda_copies, cudaCopies)                  \
    X(cuda_device_events, cudaMemsets)          \
    X(cuda_device_events, cudaGraphs)           \
    X(cuda_device_events, cudaSynchronizations) \
    X(cuda_device_events, cudaHostFunctions)    \
    X(cuda_device_events, cudaDecompressions)   \
    X(cuda_api, cudaApi)                        \
    X(cuda_event_records, cudaEventRecords)     \
    X(gpu_memory, gpuMemory)                    \
    X(gpu_memory, gpuMemoryPools)               \
    X(gpu_metrics, gpuMetrics)                  \
    X(network_metrics, networkWaitTimes)        \
    X(network_metrics, networkMetrics)          \
    X(thread_calls, libraries)                  \
    X(graph_creation, graphCreation)            \
    X(cpu_activity, contextSwitches)            \
    X(thread_calls, osRuntime)                  \
    X(call_stacks, callStacks)                  \
    X(cpu_activity, cpuSamples)                 \
    X(small_events, pageFaults)                 \
    X(small_events, fileAccesses)               \
    X(thread_calls, overheads)                  \
    X(gpu_memory, videoMemory)                  \
    X(nvtx, nvtxRanges)                         \
    X(graphics_frames, graphicsFrames)          \
    X(small_events, diagnostics)

WARPLINE_FILE_LIST(Importer, allImporters, WARPLINE_IMPORTERS)

} // namespace warpline
