// OpenACC data, launch and other constructs by name.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"CUPTI_ACTIVITY_KIND_OPENACC_DATA", "Data"},
    LibrarySource{"CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", "Launch"},
    LibrarySource{"CUPTI_ACTIVITY_KIND_OPENACC_OTHER", "Other"}};

} // namespace

extern constinit const StatsTable openaccSum{.id = "openacc_sum",
    .title = "OpenACC Summary",
    .description = "Which OpenACC constructs take longest? OpenACC constructs by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill
    = [](const Trace& trace,
          const StatsQuery& query) { return librarySummary(trace, query, sources, "Count", "Name", false); },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
