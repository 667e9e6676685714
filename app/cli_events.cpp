// warpline-cli export: writes the events of a report, or of a part of it, for other programs.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_documents.h"
#include "app/cli_filter.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
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
};

Result<std::vector<EventKind>> kindsNamed(const std::string& names)
{
    std::vector<EventKind> kinds;
    const auto all = allEventKinds();
    for (const std::string& name : splitList(names)) {
        if (name == kindKeyOf(EventKind::Nvtx, true))
            return Error{"export.kind_in_filter", "'{name}' is a part of 'nvtx': use --where kind={name}",
                {{"name", Name{name}}}};
        const auto* const kind = std::ranges::find_if(
            all, [&](EventKind each) { return keyOf(each) == name && !isDerived(each); });
        if (kind == all.end()) {
            const std::vector<std::string> known = kindNames();
            return Error{"export.no_kind", "there is no kind '{name}'{near}; known: {known}",
                {{"name", Name{name}}, {"near", didYouMean(name, known)}, {"known", Name{commaList(known)}}}};
        }
        kinds.push_back(*kind);
    }
    return kinds;
}

ExitCode runExport(Answer& answer, const ExportOptions& options)
{
    const RangeArgument range = rangeOption(answer, options.range);
    const std::vector<EventKind> kinds = answer.usable(kindsNamed(options.kinds));
    const FilterExpression filter = filterOf(answer, options.where);
    const auto trace = openReport(answer, options.report);
    EventExport asked{.window = {}, .kinds = kinds};
    if (!filter.passesAll())
        asked.filter = predicateOf(answer, *trace, filter);
    asked.window = windowIn(answer, *trace, range);
    return answer.addPieces([&](const TextSink& sink) {
        if (answer.format() == "csv")
            writeEventsCsv(*trace, asked, sink);
        else
            writeChromeTrace(*trace, asked, sink);
    });
}

std::function<ExitCode(Answer&)> declareExport(CLI::App& app)
{
    auto options = std::make_shared<ExportOptions>();
    addOption(app, "--range", options->range, {"cli.range_overlap", "Only events that overlap this range"},
        "FROM:TO");
    addOption(app, "--kinds", options->kinds,
        {"export.help_kinds", "Only these kinds, separated by commas: kernel, cuda_api, nvtx ..."}, "NAMES");
    addWhereOption(app, options->where);
    addReportOptions(app, options->report);
    return [options](Answer& answer) { return runExport(answer, *options); };
}

} // namespace

extern constinit const Command exportCommand{.name = "export",
    .summary = "Export events as a Chrome trace (for Perfetto) or CSV",
    .formats = "chrome csv",
    .declare = declareExport};

} // namespace warpline::cli
