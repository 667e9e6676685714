// warpline-cli export: the events of a report, or of a part of it, for other programs.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_filter.h"
#include "app/cli_report.h"
#include "core/export/event_export.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace warpline::cli {

namespace {

struct ExportOptions {
    ReportOptions report;
    std::string range;
    std::string kinds;
    std::string where;
    std::string format = "chrome";
    std::string output;
};

Result<std::vector<EventKind>> kindsNamed(const std::string& names)
{
    std::vector<EventKind> kinds;
    const auto all = allEventKinds();
    for (const std::string& name : splitList(names)) {
        const auto* const kind = std::ranges::find_if(
            all, [&](EventKind each) { return keyOf(each) == name && !isDerived(each); });
        if (kind == all.end()) {
            std::string known;
            for (const EventKind each : all)
                known += isDerived(each) ? "" : (known.empty() ? "" : ", ") + std::string(keyOf(each));
            return Error{"there is no kind '" + name + "'; known: " + known};
        }
        kinds.push_back(*kind);
    }
    return kinds;
}

ExitCode writeEvents(const ExportOptions& options, const Trace& trace, const EventExport& asked)
{
    auto file = options.output.empty() ? Result<Output>(Output())
                                       : Output::create(options.output, options.report.file);
    if (!file.ok()) {
        complain(file.error().message);
        return ExitCode::WriteFailed;
    }
    Result<void> written;
    const TextSink sink = [&](std::string_view piece) {
        written = file.value().write(piece);
        return written.ok();
    };
    if (options.format == "csv")
        writeEventsCsv(trace, asked, sink);
    else
        writeChromeTrace(trace, asked, sink);
    if (written.ok() && !options.output.empty())
        written = file.value().close();
    if (written.ok())
        return ExitCode::Ok;
    complain(written.error().message);
    return ExitCode::WriteFailed;
}

ExitCode runExport(const ExportOptions& options)
{
    const auto range = parseRange(options.range.empty() ? ":" : options.range);
    if (!range.ok())
        return wrongUsage("export", "--range: " + range.error().message);
    const auto kinds = kindsNamed(options.kinds);
    if (!kinds.ok())
        return wrongUsage("export", kinds.error().message);
    const auto filter = filterOf("export", options.where);
    if (!filter)
        return ExitCode::WrongUsage;
    const auto trace = openReport(options.report.file, options.report.noCache);
    if (!trace)
        return ExitCode::UnreadableReport;
    EventExport asked{.window = {}, .kinds = kinds.value()};
    if (!filter->passesAll())
        asked.filter = predicateOf(*trace, *filter);
    if (!options.range.empty()) {
        const auto window = rangeIn(*trace, range.value());
        if (!window)
            return ExitCode::WrongUsage;
        asked.window = *window;
    }
    return writeEvents(options, *trace, asked);
}

std::function<ExitCode()> declareExport(CLI::App& app)
{
    auto options = std::make_shared<ExportOptions>();
    app.add_option("--format", options->format, "chrome: JSON that Perfetto opens; csv: a line each event")
        ->check(CLI::IsMember({"chrome", "csv"}))
        ->capture_default_str();
    app.add_option("--range", options->range, "Only events that touch this part of the report")
        ->type_name("FROM:TO");
    app.add_option(
           "--kinds", options->kinds, "Only these kinds, with commas between: kernel, cuda_api, nvtx ...")
        ->type_name("NAMES");
    addWhereOption(app, options->where);
    app.add_option("-o,--output", options->output, "The file to write; left out: standard output")
        ->type_name("FILE");
    addReportOptions(app, options->report);
    return [options] { return runExport(*options); };
}

} // namespace

extern constinit const Command exportCommand{.name = "export",
    .summary = "The events of a report or a part of it as a Chrome trace, which Perfetto opens, or CSV",
    .declare = declareExport};

} // namespace warpline::cli
