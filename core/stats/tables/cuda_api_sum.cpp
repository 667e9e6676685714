// CUDA API calls by name. Names lose a version suffix of four digits (cudaMalloc_v3020), but calls are
// grouped by the full name: where both cudaMalloc and cudaMalloc_v3020 were recorded (reports with CUDA
// backtraces) there are two rows of one name, and equal totals are in the order of the names.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/summary_rows.h"

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const EventTable& api = trace.apiCalls();
    Groups groups(query);
    groups.reserve(query.window.empty() ? api.size() : 0);
    forEachEvent(api, query, [&](EventIndex i) {
        groups.add(raw(api.name[i]), api.duration[i], {EventKind::ApiCall, i});
    });
    groups.finish();
    return summaryTable(groups, {"Num Calls", {"Name"}, {}}, [&](std::uint64_t key) {
        return Labels{std::string(withoutVersion(trace.text(static_cast<StringId>(key))))};
    });
}

} // namespace

extern constinit const StatsTable cudaApiSum{.id = "cuda_api_sum",
    .title = "CUDA API Summary",
    .description = "Which CUDA calls take longest on the CPU? CUDA runtime and driver calls by name.",
    .arguments = {},
    .applies = hasApiCalls,
    .fill = fill,
    .group = TableGroup::CudaApi};

} // namespace warpline
