#include "core/rows/row_kind.h"

#include <array>

namespace warpline {

// One line a row kind, top row first.
#define WARPLINE_ROW_KINDS(X) \
    X(cudaHardware)           \
    X(gpuMetricCurves)        \
    X(networkCurves)          \
    X(processThreads)         \
    X(cpuCores)               \
    X(reportMarks)

#define WARPLINE_DECLARE(name) extern const RowKind name;
WARPLINE_ROW_KINDS(WARPLINE_DECLARE)
#undef WARPLINE_DECLARE

std::span<const RowKind* const> allRowKinds()
{
#define WARPLINE_ENTRY(name) &name,
    static constexpr std::array list{WARPLINE_ROW_KINDS(WARPLINE_ENTRY)};
#undef WARPLINE_ENTRY
    return list;
}

} // namespace warpline
