#include "core/rows/row_kind.h"

#include "core/base/list.h"

namespace warpline {

// One line a row kind, top row first.
#define WARPLINE_ROW_KINDS(X)             \
    X(cuda_hardware, cudaHardware)        \
    X(gpu_counter_rows, gpuCounterRows)   \
    X(gpu_metric_curves, gpuMetricCurves) \
    X(network_curves, networkCurves)      \
    X(process_threads, processThreads)    \
    X(program_counters, programCounters)  \
    X(cpu_cores, cpuCores)                \
    X(report_marks, reportMarks)

WARPLINE_FILE_LIST(RowKind, allRowKinds, WARPLINE_ROW_KINDS)

} // namespace warpline
