// Ranges of KHR_debug on the GPU by name: rows of KHR_DEBUG_EVENTS with the class 63.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"KHR_DEBUG_EVENTS", "KHR debug", "KHR debug GPU ranges"}};

} // namespace

extern constinit const StatsTable openglKhrGpuRangeSum{.id = "opengl_khr_gpu_range_sum",
    .title = "OpenGL KHR_debug GPU Range Summary",
    .description = "Which ranges of OpenGL take longest on the GPU? Ranges of KHR_debug on the GPU by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill
    = [](const Trace& trace, const StatsQuery& query) { return labelSummary(trace, query, sources, true); },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
