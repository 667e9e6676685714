#include "core/import/importer.h"

#include "core/base/list.h"

namespace warpline {

// One line an importer: declared, then listed. Order matters: facts before events, call stacks before the
// samples that are named after them but behind what can be shown without, CUDA event records after the API
// calls that give them their time, NVTX last because open ranges end with the session.
#define WARPLINE_IMPORTERS(X) \
    X(targets)                \
    X(mpiPrograms)            \
    X(programOutput)          \
    X(cudaKernels)            \
    X(cudaCopies)             \
    X(cudaMemsets)            \
    X(cudaGraphs)             \
    X(cudaSynchronizations)   \
    X(cudaHostFunctions)      \
    X(cudaDecompressions)     \
    X(cudaApi)                \
    X(cudaEventRecords)       \
    X(gpuMemory)              \
    X(gpuMemoryPools)         \
    X(gpuMetrics)             \
    X(networkWaitTimes)       \
    X(networkMetrics)         \
    X(libraries)              \
    X(graphCreation)          \
    X(contextSwitches)        \
    X(osRuntime)              \
    X(callStacks)             \
    X(cpuSamples)             \
    X(pageFaults)             \
    X(fileAccesses)           \
    X(overheads)              \
    X(videoMemory)            \
    X(nvtxRanges)             \
    X(graphicsFrames)         \
    X(diagnostics)

WARPLINE_LIST(Importer, allImporters, WARPLINE_IMPORTERS)

} // namespace warpline
