// Debug labels by name.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"VULKAN_DEBUG_API", "Vulkan"}};

} // namespace

extern constinit const StatsTable vulkanMarkerSum{.id = "vulkan_marker_sum",
    .title = "Vulkan Range Summary",
    .description = "Which debug labels of Vulkan take longest on the CPU? Debug labels by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill = [](const Trace& trace, const StatsQuery& query) { return labelSummary(trace, query, sources); },
    .origin = TableOrigin::Compared,
    .group = TableGroup::Other};

} // namespace warpline
