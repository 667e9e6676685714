// Ranges of OpenGL's KHR_debug on the CPU by name; its markers have no length and are left out.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"KHR_DEBUG_EVENTS", "KHR debug", "KHR debug"}};

} // namespace

extern constinit const StatsTable openglKhrRangeSum{.id = "opengl_khr_range_sum",
    .title = "OpenGL KHR_debug Range Summary",
    .description = "Which ranges of OpenGL take longest? Ranges of OpenGL KHR_debug on the CPU by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, sources, "Instances", "Range", false);
        },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
