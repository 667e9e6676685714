// warpline-cli cut: writes a part of an export as a smaller export, for sharing.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_export.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/export/cut_choice.h"
#include "core/files/plain_file.h"
#include "core/load/memory_need.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <span>

namespace warpline::cli {

namespace {

struct CutArguments {
    ReportOptions report;
    std::string output;
    std::string range;
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
        return Error{"cli.exists", "{path} exists. Name a new file, or replace it with --force.",
            {{"path", Name{options.output}}}};
    return {};
}

Result<void> writePart(const CutArguments& options, const CutOptions& cut)
{
    const auto report = exportOf(options.report.file, false);
    if (!report.ok())
        return report.error();
    PendingFile file(options.output);
    if (auto done = cutReport(report.value(), file.part(), cut); !done.ok())
        return file.named(done.error());
    return file.keep();
}

/// Writes the part to standard output, through a temporary file, because SQLite needs one.
ExitCode printPart(Answer& answer, CutArguments options, const CutOptions& cut)
{
    const std::filesystem::path folder = platform::makeTemporaryFolder();
    const std::filesystem::path path = folder / "part.sqlite";
    options.output = platform::utf8Of(path);
    const auto done = writePart(options, cut);
    ExitCode code = done.ok() ? ExitCode::Ok : answer.complain({ExitCode::WriteFailed, done.error().message});
    std::ifstream file(path, std::ios::binary);
    constexpr std::size_t blockBytes = 1U << 20U;
    std::string block(blockBytes, '\0');
    while (code == ExitCode::Ok && (file.read(block.data(), blockBytes) || file.gcount() > 0))
        code = answer.addBytes(std::string_view(block).substr(0, static_cast<std::size_t>(file.gcount())));
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return code;
}

ExitCode writeCut(Answer& answer, const CutArguments& options, const CutOptions& cut)
{
    if (options.output == "-")
        return printPart(answer, options, cut);
    const auto done = writePart(options, cut);
    return done.ok() ? ExitCode::Ok
                     : answer.complain({ExitCode::WriteFailed, done.error().message, options.output});
}

ExitCode runCut(Answer& answer, const CutArguments& options)
{
    if (options.output.empty())
        answer.refuse(requiredText("OUT"));
    const RangeArgument range = answer.usable(parseRange(options.range, options.from, options.to));
    if (const auto may = mayWrite(options); options.output != "-" && !may.ok())
        return answer.complain({ExitCode::WriteFailed, may.error().message, options.output});
    const auto plain = plainFileOf(options.report.file);
    if (!plain.ok())
        return answer.complain({ExitCode::UnreadableReport, plain.error().message, options.report.file});
    // A report too large to open can still be cut: SQLite copies it row by row.
    if (!partThatFits(plain.value()->path()).empty()) {
        constexpr TimeRange all{-timeLimit, timeLimit};
        return writeCut(answer, options,
            {.window = range.within(all), .redact = options.redact, .isWhole = !range.isGiven()});
    }
    const auto trace = openReport(answer, options.report);
    const TimeRange window = range.isGiven() ? rangeIn(answer, *trace, range) : TimeRange{};
    return writeCut(answer, options, cutOf(*trace, window, options.redact));
}

std::function<ExitCode(Answer&)> declareCut(CLI::App& app)
{
    auto options = std::make_shared<CutArguments>();
    addOption(app, "--range", options->range,
        {"cut.help_range",
            "FROM:TO in ns on the report's clock, or numbers with ns, us, ms or s. An empty side means that end of the report"},
        "FROM:TO");
    addOption(
        app, "--from", options->from, {"cli.help_from", "Start; --from and --to are the same as --range"});
    addOption(app, "--to", options->to, {"cli.help_to", "End, not included"});
    addFlag(app, "--redact", options->redact,
        {"cut.help_redact",
            "Remove the environment, command lines, program output, and names of hosts and users"});
    addFlag(app, "--force", options->force, {"cut.help_force", "Replace OUT if it exists"});
    addReportOptions(app, options->report);
    addOption(app, "OUT,-o,--output", options->output,
        {"cut.help_output", "The new file, as OUT or with -o; -: standard output"});
    return [options](Answer& answer) { return runCut(answer, *options); };
}

} // namespace

extern constinit const Command cutCommand{.name = "cut",
    .summary = "Cut a part of an export into a smaller export, with private data removed on request",
    .formats = {},
    .declare = declareCut,
    .writesFiles = true};

} // namespace warpline::cli
