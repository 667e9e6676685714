#include "core/rows/row_kind.h"

#include "core/base/list.h"

namespace warpline {

// One line a row kind, top row first.
#define WARPLINE_ROW_KINDS(X) \
    X(cudaHardware)           \
    X(gpuCounterRows)         \
    X(gpuMetricCurves)        \
    X(networkCurves)          \
    X(processThreads)         \
    X(programCounters)        \
    X(cpuCores)               \
    X(reportMarks)

WARPLINE_LIST(RowKind, allRowKinds, WARPLINE_ROW_KINDS)

} // namespace warpline
