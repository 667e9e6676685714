// warpline-cli report: writes a page on a report for readers without Warpline.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_documents.h"
#include "app/cli_report.h"
#include "app/cli_thresholds.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
#include "core/base/platform/platform.h"
#include "core/export/handover_html.h"
#include "core/handover/view_file.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace warpline::cli {

namespace {

struct HandoverOptions {
    ReportOptions report;
    std::vector<std::string> ranges;
    std::string view;
    std::string tables;
    std::string notes;
    bool noFindings = false;
};

/// Whether the file at `path` exists: the view next to the report is optional.
bool isThere(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(platform::pathOf(path), ignored);
}

/// The requested view, or the one next to the report. Nothing when there is none.
Result<std::optional<SavedView>> viewFor(Answer& answer, const HandoverOptions& options, const Trace& trace)
{
    const std::string path = options.view.empty() ? viewPathFor({options.report.file}) : options.view;
    if (options.view.empty() && !isThere(path))
        return std::optional<SavedView>();
    const auto bytes = readViewFile(path);
    if (!bytes.ok())
        return bytes.error();
    auto view = parseView(bytes.value(), path);
    if (!view.ok() && options.view.empty()) { // a set of reports may have this name
        answer.note(view.error().message);
        return std::optional<SavedView>();
    }
    if (!view.ok())
        return view.error();
    if (view.value().reports.size() != 1 || view.value().reports.front().session != trace.session) {
        if (!options.view.empty())
            return Error{"report.other_view", "{path} is a view of other reports.", {{"path", Name{path}}}};
        answer.note(
            Message("report.other_view", "{path} is a view of other reports.", {{"path", Name{path}}}));
        return std::optional<SavedView>();
    }
    return std::optional(view.take());
}

constexpr std::size_t mostPinned = 200; ///< a stranger's view may pin any number

/// The rows that the view pins, those with events of their own, each once.
std::vector<RowId> pinnedRows(const SavedView& view, const Trace& trace)
{
    std::vector<RowId> rows;
    const auto tree = buildRows(trace);
    std::set<std::string_view> known; // tree->find() looks at each row
    for (const std::string& key : view.rows.pinned) {
        if (known.size() > mostPinned || !known.insert(key).second)
            continue;
        if (const RowId row = tree->find(key);
            row != RowTree::root && tree->row(row).drawing != Drawing::Header)
            rows.push_back(row);
    }
    return rows;
}

/// Takes settings from the view that the command line does not give.
void takeView(Answer& answer, const SavedView& view, const Trace& trace, HandoverChoice& choice,
    ThresholdSettings& thresholds)
{
    choice.marks = view.marks;
    if (choice.notes.empty())
        choice.notes = view.notes;
    if (choice.ranges.empty()) {
        for (const Mark& mark : view.marks) {
            const TimeRange inside = mark.range.clippedTo(trace.session);
            if (!inside.empty())
                choice.ranges.push_back({plain(titleOf(mark)), inside});
        }
        if (!view.selected.empty())
            choice.ranges.push_back({plain(Message("report.selected", "Selected range")),
                view.selected.clippedTo(trace.session)});
    }
    choice.rows = pinnedRows(view, trace);
    choice.stepGlob = view.steps;
    for (const auto& [key, value] : view.thresholds) {
        if (auto set = thresholds.set(fmt::format("{}={}", key, value)); !set.ok())
            answer.note(set.error().message);
    }
}

Result<std::vector<std::string>> tablesNamed(const std::string& names)
{
    const std::vector<std::string> tables = names == "none" ? std::vector<std::string>() : splitList(names);
    for (const std::string& each : tables) {
        if (!findStatsTable(each))
            return Error{"stats.no_table",
                "there is no table '{name}'{near}; 'warpline-cli stats --list' names all",
                {{"name", Name{each}}, {"near", didYouMean(each, tableNames())}}};
    }
    return tables;
}

ExitCode runHandover(Answer& answer, const HandoverOptions& options)
{
    HandoverChoice choice;
    choice.tables
        = options.tables.empty() ? handoverTables() : answer.usable(tablesNamed(options.tables), "--tables");
    std::vector<RangeArgument> asked;
    for (const std::string& text : options.ranges)
        asked.push_back(answer.usable(parseRange(text), "--range"));
    const auto trace = openReport(answer, options.report);
    choice.notes = options.notes;
    choice.findings = !options.noFindings;
    choice.machine = machineAsked();
    for (const RangeArgument& each : asked)
        choice.ranges.push_back({{}, rangeIn(answer, *trace, each)});
    const auto view = viewFor(answer, options, *trace);
    if (!view.ok())
        return answer.complain({ExitCode::UnreadableReport, view.error().message, options.view});
    ThresholdSettings thresholds;
    if (view.value())
        takeView(answer, *view.value(), *trace, choice, thresholds);
    choice.thresholds = thresholds.overrides();
    return answer.addText(handoverHtml(*trace, choice));
}

std::function<ExitCode(Answer&)> declareHandover(CLI::App& app)
{
    auto options = std::make_shared<HandoverOptions>();
    addOption(app, "--range", options->ranges,
        {"report.help_range", "Range to show with a picture; repeatable"}, "FROM:TO")
        ->allow_extra_args(false);
    addOption(app, "--view", options->view,
        {"report.help_view",
            "View file with bookmarks, notes, rows and thresholds; default: the one next to the report"},
        "VIEW");
    addOption(app, "--tables", options->tables,
        {"report.help_tables", "Statistics tables, separated by commas; none: no table"}, "NAMES");
    addOption(app, "--notes", options->notes, {"report.help_notes", "Text at the top of the page"}, "TEXT");
    addFlag(app, "--no-findings", options->noFindings, {"report.help_no_findings", "Leave out the findings"});
    addReportOptions(app, options->report);
    addMachineOption(app);
    return [options](Answer& answer) { return runHandover(answer, *options); };
}

} // namespace

extern constinit const Command reportCommand{.name = "report",
    .summary
    = "Write a web page with pictures, findings, tables, bookmarks and notes, readable without Warpline",
    .formats = {},
    .declare = declareHandover};

} // namespace warpline::cli
