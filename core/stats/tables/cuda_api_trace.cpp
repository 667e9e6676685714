// Every CUDA runtime and driver call, in order of start. Names lose a version suffix of four digits. Thread
// priorities are not recorded in the trace: their column is empty.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/trace_rows.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array kinds{EventKind::ApiCall};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Start (ns)", Unit::Nanoseconds}, {"Duration (ns)", Unit::Nanoseconds},
        {"Name", Unit::Text}, {"Result", Unit::Integer}, {"CorrID", Unit::Integer}, {"Pid", Unit::Integer},
        {"Tid", Unit::Integer}, {"T-Pri", Unit::Integer}, {"Thread Name", Unit::Text}};
    const EventTable& api = trace.apiCalls();
    for (const EventRef event : eventsByStart(trace, kinds, query)) {
        if (query.stop.stop_requested())
            break;
        const EventIndex i = event.index;
        const GlobalId owner = api.trackOf(i).owner;
        const Thread* const thread = trace.thread(owner);
        cells.addRow(
            {api.start[i], api.duration[i], std::string(withoutVersion(trace.text(api.name[i]))),
                integerCell(static_cast<std::int32_t>(api.attribute[i])), integerCell(api.correlation[i]),
                integerCell(pidOf(owner)), integerCell(tidOf(owner)), Cell{},
                std::string(thread ? trace.text(thread->name) : std::string_view{})},
            rowEvents(query, event));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable cudaApiTrace{.id = "cuda_api_trace",
    .title = "CUDA API Trace",
    .description = "Every CUDA runtime and driver call, in order of start.",
    .variants = {},
    .applies = hasApiCalls,
    .fill = fill};

} // namespace warpline
