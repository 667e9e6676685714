// warpline-cli events: the events of a report that pass a filter, as a table.

#include "app/cli_arguments.h"
#include "app/cli_cells.h"
#include "app/cli_command.h"
#include "app/cli_filter.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
#include "core/export/event_cells.h"
#include "core/operators/kernel_work.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <limits>

namespace warpline::cli {

namespace {

struct EventsOptions {
    ReportOptions report;
    std::string where;
    std::string range;
    std::string sort;
    std::string nest;
    std::size_t top = std::numeric_limits<std::size_t>::max();
    bool reverse = false;
    bool paths = false;
};

struct SortWord {
    const char* word;
    EventColumn column;
    bool descending; ///< unless turned round
    WorkColumn work = WorkColumn::Flops; ///< with EventColumn::Measure
};

constexpr std::array<SortWord, 11> sortWords{{
    {"start", EventColumn::Start, false},
    {"dur", EventColumn::Duration, true},
    {"name", EventColumn::Name, false},
    {"kind", EventColumn::Kind, false},
    {"process", EventColumn::Process, false},
    {"stream", EventColumn::Stream, false},
    {"bytes", EventColumn::Bytes, true},
    {"flops", EventColumn::Measure, true, WorkColumn::Flops},
    {"tflops", EventColumn::Measure, true, WorkColumn::FlopRate},
    {"tbps", EventColumn::Measure, true, WorkColumn::ByteRate},
    {"roofline", EventColumn::Measure, true, WorkColumn::Roofline},
}};

ExitCode runEvents(Answer& answer, const EventsOptions& options)
{
    filterOf(answer, options.where);
    if (!options.nest.empty() && (!options.sort.empty() || options.reverse || options.paths))
        answer.refuse(
            {"events.nest_only", "--nest lists ranges by time: --sort, --reverse and --paths do not apply"});
    const RangeArgument range = rangeOption(answer, options.range);
    const auto trace = openReport(answer, options.report);
    EventQuery query;
    query.window = allTime;
    if (range.isTyped)
        query.window = rangeIn(answer, *trace, range);
    query.text = options.where;
    query.column = EventColumn::Start;
    query.descending = options.reverse;
    for (const SortWord& each : sortWords) {
        if (each.word == options.sort) {
            query.column = each.column;
            query.descending = each.descending != options.reverse;
            if (each.column == EventColumn::Measure)
                query.measure = measureOf(operatorRooflinesOf(*trace), each.work);
        }
    }
    auto list = std::make_shared<const EventList>(trace, query);
    if (list->gaveUpFilter())
        complainOfGivingUp(answer);
    const Json head{{"file", jsonText(options.report.file)}, {"matches", list->size()}};
    if (!options.nest.empty())
        return addCells(
            answer, head, nestedCells(*trace, list->events(), options.top, answer.format() == "table"));
    return addCells(answer, head, eventCells(trace, std::move(list), options.top, options.paths));
}

std::function<ExitCode(Answer&)> declareEvents(CLI::App& app)
{
    auto options = std::make_shared<EventsOptions>();
    addWhereOption(app, options->where);
    addOption(app, "--range", options->range, {"cli.range_overlap", "Only events that overlap this range"},
        "FROM:TO");
    addOption(app, "--sort", options->sort,
        {"events.help_sort", "Sort key; default: start. Durations, sizes and operator work: largest first"})
        ->check(oneOf(entryNames(sortWords, &SortWord::word)));
    addFlag(app, "--reverse", options->reverse, {"events.help_reverse", "Reverse the order"});
    addOption(app, "--top", options->top,
        {"events.help_top", "Maximum number of events, or of ranges with --nest"}, "N")
        ->check(inRange(0, 1'000'000'000));
    addOption(app, "--nest", options->nest,
        {"events.help_nest",
            "nvtx: a tree of the NVTX ranges around the events, with count and time, instead of events"})
        ->check(oneOf({"nvtx"}));
    addFlag(app, "--paths", options->paths,
        {"events.help_paths", "Add the NVTX ranges around each event, outermost first"});
    addReportOptions(app, options->report);
    return [options](Answer& answer) { return runEvents(answer, *options); };
}

} // namespace

extern constinit const Command eventsCommand{.name = "events",
    .summary = "List the events of a report that match a filter",
    .formats = "table csv json markdown",
    .declare = declareEvents};

} // namespace warpline::cli
