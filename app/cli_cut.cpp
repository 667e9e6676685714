// warpline-cli cut: a part of an export as an export of its own, to hand over.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_export.h"
#include "app/cli_report.h"
#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/export/cut_choice.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <span>

namespace warpline::cli {

namespace {

struct CutArguments {
    ReportOptions report;
    std::string output;
    std::string from;
    std::string to;
    bool redact = false;
    bool force = false;
};

Result<void> mayWrite(const CutArguments& options)
{
    if (auto may = Output::mayReplace(options.output, std::span(&options.report.file, 1)); !may.ok())
        return may;
    std::error_code ignored;
    if (!options.force && std::filesystem::exists(platform::pathOf(options.output), ignored))
        return Error{options.output + " exists. Name a new file, or replace it with --force."};
    return {};
}

Result<void> writePart(const CutArguments& options, const CutOptions& cut)
{
    const auto report = exportOf(options.report.file, false);
    if (!report.ok())
        return report.error();
    PendingFile file(options.output);
    if (auto done = cutReport(report.value(), file.part(), cut); !done.ok())
        return Error{file.named(done.error().message)};
    return file.keep();
}

ExitCode runCut(Answer& answer, const CutArguments& options)
{
    const auto range = parseRange(options.from + ":" + options.to);
    if (!range.ok())
        return answer.wrongUsage(range.error().message);
    if (const auto may = mayWrite(options); !may.ok())
        return answer.complain({ExitCode::WriteFailed, may.error().message, options.output});
    const auto trace = openReport(answer, options.report.file, options.report.noCache);
    if (!trace)
        return ExitCode::UnreadableReport;
    const auto window = range.value().isGiven() ? rangeIn(answer, *trace, range.value()) : TimeRange{};
    if (!window)
        return ExitCode::WrongUsage;
    const CutOptions cut = cutOf(*trace, *window, options.redact);
    const auto done = writePart(options, cut);
    return done.ok() ? ExitCode::Ok
                     : answer.complain({ExitCode::WriteFailed, done.error().message, options.output});
}

std::function<ExitCode(Answer&)> declareCut(CLI::App& app)
{
    auto options = std::make_shared<CutArguments>();
    app.add_option("--from", options->from,
        "Start: nanoseconds on the report's clock, or a number with ns, us, ms or s; left out: the beginning");
    app.add_option("--to", options->to, "End, not included; left out: the end");
    app.add_flag("--redact", options->redact,
        "Blank the environment, command lines, what programs printed, and names of hosts and users");
    app.add_flag("--force", options->force, "Replace OUT where it exists");
    addReportOptions(app, options->report);
    app.add_option("OUT", options->output, "The new file")->required();
    return [options](Answer& answer) { return runCut(answer, *options); };
}

} // namespace

extern constinit const Command cutCommand{.name = "cut",
    .summary = "A part of an export as a small export of its own, without what is private if asked",
    .formats = {},
    .declare = declareCut,
    .writesFiles = true};

} // namespace warpline::cli
