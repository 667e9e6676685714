// Ranges on the GPU by name: rows of VULKAN_WORKLOAD with a text.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"VULKAN_WORKLOAD", "Vulkan", "Vulkan GPU labels"}};

} // namespace

extern constinit const StatsTable vulkanGpuMarkerSum{.id = "vulkan_gpu_marker_sum",
    .title = "Vulkan GPU Range Summary",
    .description = "Which debug labels of Vulkan take longest on the GPU? Ranges on the GPU by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill
    = [](const Trace& trace, const StatsQuery& query) { return labelSummary(trace, query, sources, true); },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
