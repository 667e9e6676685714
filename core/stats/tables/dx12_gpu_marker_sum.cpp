// Ranges on the GPU by name: rows of DX12_WORKLOAD with a text.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"DX12_WORKLOAD", "PIX", "Direct3D 12 GPU labels"}};

} // namespace

extern constinit const StatsTable dx12GpuMarkerSum{.id = "dx12_gpu_marker_sum",
    .title = "DX12 GPU Command List PIX Ranges Summary",
    .description = "Which ranges of PIX take longest on the GPU in Direct3D 12? Ranges on the GPU by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill
    = [](const Trace& trace, const StatsQuery& query) { return labelSummary(trace, query, sources, true); },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
