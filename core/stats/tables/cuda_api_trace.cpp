// Every CUDA runtime and driver call, in order of start. Names lose a version suffix of four digits.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/trace_rows.h"
#include "core/store/attributes.h"

#include <array>

namespace warpline::cuda_api_trace {

namespace {

constexpr std::array kinds{EventKind::ApiCall};

std::vector<Column> columns()
{
    return {{"Start (ns)", Unit::Nanoseconds}, {"Duration (ns)", Unit::Nanoseconds}, {"Name", Unit::Text},
        {"Result", Unit::Integer}, {"CorrID", Unit::Integer}, {"Pid", Unit::Integer}, {"Tid", Unit::Integer},
        {"T-Pri", Unit::Integer}, {"Thread Name", Unit::Text}};
}

std::vector<Cell> rowOf(const Trace& trace, EventIndex i)
{
    const EventTable& api = trace.apiCalls();
    const GlobalId owner = api.trackOf(i).owner;
    const Thread* const thread = trace.thread(owner);
    return {api.start[i], api.duration[i], std::string(withoutVersion(trace.text(api.name[i]))),
        integerCell(returnedBy(trace, i)), integerCell(api.correlation[i]), integerCell(pidOf(owner)),
        integerCell(tidOf(owner)),
        thread && thread->priority != noPriority ? integerCell(thread->priority) : Cell{},
        std::string(thread ? trace.text(thread->name) : std::string_view{})};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    return heldRows<EventRef>(columns(), eventsByStart(trace, kinds, query),
        [&trace](EventRef event) { return rowOf(trace, event.index); });
}

} // namespace

extern constinit const StatsTable cudaApiTrace{.id = "cuda_api_trace",
    .title = "CUDA API Trace",
    .description
    = "Which CUDA calls does the program make, in order? Every CUDA runtime and driver call, in order of start.",
    .applies = hasApiCalls,
    .fill = fill,
    .group = TableGroup::CudaApi,
    .shape = TableShape::Trace};

} // namespace warpline::cuda_api_trace
