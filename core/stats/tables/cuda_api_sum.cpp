// CUDA API calls by name. Names are shown without a version suffix of four digits (cudaMalloc_v3020), but
// calls are grouped by the full name: a report with both cudaMalloc and cudaMalloc_v3020 (CUDA backtraces)
// has two rows of one name. Ties are ordered by name.

#include "core/stats/applies.h"
#include "core/stats/name_durations.h"
#include "core/stats/names.h"
#include "core/stats/summary_rows.h"

namespace warpline::cuda_api_sum {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const SummaryLayout layout{"Num Calls", {"Name"}, {}};
    const auto labelsOf = [&](std::uint64_t key) {
        return Labels{std::string(withoutVersion(trace.text(static_cast<StringId>(key))))};
    };
    if (query.isOfAll() && !query.wantEvents) {
        std::vector<SummaryGroup> byName;
        for (const NameDurations& each : *durationsByName(trace, EventKind::ApiCall, query.stop))
            byName.push_back({raw(each.name), each.durations});
        return summaryTable(std::move(byName), layout, labelsOf);
    }
    const EventTable& api = trace.apiCalls();
    Groups groups(query);
    groups.reserve(query.isOfAll() ? api.size() : 0);
    forEachEvent(api, query, [&](EventIndex i) {
        groups.add(raw(api.name[i]), api.duration[i], {EventKind::ApiCall, i});
    });
    groups.finish();
    return summaryTable(groups, layout, labelsOf);
}

} // namespace

extern constinit const StatsTable cudaApiSum{.id = "cuda_api_sum",
    .title = "CUDA API Summary",
    .description = "Which CUDA calls take longest on the CPU? CUDA runtime and driver calls by name.",
    .applies = hasApiCalls,
    .fill = fill,
    .group = TableGroup::CudaApi};

} // namespace warpline::cuda_api_sum
