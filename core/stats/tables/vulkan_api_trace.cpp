// Every call of Vulkan, in order of start, with its class and context.

#include "core/import/library_tables.h"
#include "core/stats/library_groups.h"
#include "core/stats/trace_rows.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::vulkan_api_trace {

namespace {

constexpr std::array kinds{EventKind::Library};
constexpr std::array sources{LibrarySource{"VULKAN_API", "Vulkan"}};

std::vector<Column> columns()
{
    return {{"Start (ns)", Unit::Nanoseconds}, {"Duration (ns)", Unit::Nanoseconds}, {"Name", Unit::Text},
        {"Event Class", Unit::Integer}, {"Context", Unit::Integer}, {"CorrID", Unit::Integer},
        {"Pid", Unit::Integer}, {"Tid", Unit::Integer}, {"T-Pri", Unit::Integer},
        {"Thread Name", Unit::Text}};
}

std::vector<Cell> rowOf(const Trace& trace, EventIndex i)
{
    const LibraryCallTable& calls = trace.libraryCalls();
    const GlobalId owner = calls.trackOf(i).owner;
    const Thread* const thread = trace.thread(owner);
    const std::uint32_t context = i < calls.callchain.size() ? calls.callchain[i] : 0;
    const std::uint32_t correlation = i < calls.correlation.size() ? calls.correlation[i] : 0;
    return {calls.start[i], calls.duration[i], std::string(trace.text(calls.name[i])),
        integerCell(eventClassIn(context)), positiveCell(contextIn(context)), integerCell(correlation),
        integerCell(pidOf(owner)), integerCell(tidOf(owner)),
        thread && thread->priority != noPriority ? integerCell(thread->priority) : Cell{},
        std::string(thread ? trace.text(thread->name) : std::string_view{})};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const std::vector<bool> isVulkan = tracksFrom(trace, sources);
    std::vector<EventRef> calls;
    for (const EventRef call : eventsByStart(trace, kinds, query)) {
        if (isVulkan[trace.libraryCalls().trackIndexOf(call.index)])
            calls.push_back(call);
    }
    return heldRows<EventRef>(
        columns(), std::move(calls), [&trace](EventRef call) { return rowOf(trace, call.index); });
}

} // namespace

extern constinit const StatsTable vulkanApiTrace{.id = "vulkan_api_trace",
    .title = "Vulkan API Trace",
    .description = "Which Vulkan calls does the program make, in order? Every call, in order of start.",
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill = fill,
    .group = TableGroup::Other,
    .shape = TableShape::Trace};

} // namespace warpline::vulkan_api_trace
