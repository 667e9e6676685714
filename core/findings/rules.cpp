#include "core/findings/rule.h"

#include "core/base/list.h"

namespace warpline {

// One line a rule. The first six are those of nsys analyze, under its names.
#define WARPLINE_RULES(X)      \
    X(pageableAsyncCopies)     \
    X(synchronousCopies)       \
    X(synchronousMemsets)      \
    X(blockingSynchronization) \
    X(gpuGaps)                 \
    X(lowGpuUtilization)       \
    X(shortKernels)            \
    X(copiesNotOverlapped)     \
    X(gpuIdleCause)            \
    X(dataStarvation)          \
    X(gapFunctions)            \
    X(globalInterpreterLock)   \
    X(launchBound)             \
    X(kernelStorm)             \
    X(syncPerIteration)        \
    X(pageableCopies)          \
    X(stagedUploads)           \
    X(tinyCopies)              \
    X(slowCopies)              \
    X(copyRoundTrips)          \
    X(repeatedUploads)         \
    X(dataRegionInLoop)        \
    X(copyBound)               \
    X(unifiedMemoryFaults)     \
    X(allocationInLoop)        \
    X(memoryGrowth)            \
    X(streamsSerialized)       \
    X(tinyGrid)                \
    X(smallBlocks)             \
    X(elementwiseChains)       \
    X(memoryFills)             \
    X(tailWaves)               \
    X(belowRoofline)           \
    X(partialWarps)            \
    X(tooSmall)                \
    X(topKernels)              \
    X(lowOccupancy)            \
    X(noTensorCores)           \
    X(tensorCoreShare)         \
    X(ncclExposed)             \
    X(collectiveWait)          \
    X(collectiveSlowsCompute)  \
    X(pipelineBubble)          \
    X(nvtxOutlierSteps)        \
    X(phaseHoldsSync)          \
    X(tokenTimes)              \
    X(oneTimeCosts)            \
    X(startUp)                 \
    X(hostOutside)             \
    X(codeLoadedInLoop)        \
    X(cpuContention)           \
    X(openmpImbalance)         \
    X(serialPhases)            \
    X(gpuMetricsLimits)        \
    X(failedCalls)             \
    X(captureQuality)          \
    X(credentialsInReport)

WARPLINE_LIST(Rule, allRules, WARPLINE_RULES)

} // namespace warpline
