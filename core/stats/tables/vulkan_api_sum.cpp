// Calls of Vulkan by name. Those that set debug labels, and marks of the profiler, are of other classes and
// left out, as in nsys' table.

#include "core/import/library_tables.h"
#include "core/stats/grouping.h"
#include "core/stats/library_groups.h"
#include "core/stats/summary_rows.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::vulkan_api_sum {

namespace {

constexpr std::array sources{LibrarySource{"VULKAN_API", "Vulkan"}};
constexpr std::uint32_t callClass = 53; ///< TRACE_PROCESS_EVENT_VULKAN_API of ENUM_NSYS_EVENT_CLASS

} // namespace

extern constinit const StatsTable vulkanApiSum{.id = "vulkan_api_sum",
    .title = "Vulkan API Summary",
    .description = "Which calls of Vulkan take longest? Calls of Vulkan by name.",
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            const LibraryCallTable& calls = trace.libraryCalls();
            const std::vector<bool> isVulkan = tracksFrom(trace, sources);
            Groups groups(query);
            forEachEvent(calls, query, [&](EventIndex i) {
                if (isVulkan[calls.trackIndexOf(i)] && eventClassIn(calls.callchain[i]) == callClass)
                    groups.add(raw(calls.name[i]), calls.duration[i], {EventKind::Library, i});
            });
            groups.finish();
            return summaryTable(groups, {"Num Calls", {"Name"}, {}}, [&](std::uint64_t key) {
                return Labels{std::string(trace.text(static_cast<StringId>(key)))};
            });
        },
    .group = TableGroup::Other};

} // namespace warpline::vulkan_api_sum
