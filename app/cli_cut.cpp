// warpline-cli cut: writes a part of an export as a smaller export, for sharing.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_export.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/message_names.h"
#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/base/utf8.h"
#include "core/export/cut_choice.h"
#include "core/files/plain_file.h"
#include "core/load/memory_need.h"
#include "core/render/render.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
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

Result<RedactedFacts> writePart(const CutArguments& options, const CutOptions& cut)
{
    const auto report = exportOf(options.report.file, false);
    if (!report.ok())
        return report.error();
    PendingFile file(options.output);
    auto done = cutReport(report.value(), file.part(), cut);
    if (!done.ok())
        return file.named(done.error());
    if (auto kept = file.keep(); !kept.ok())
        return kept.error();
    return done;
}

/// Says what a redacted copy lacks, and what to check by hand.
void noteRedacted(Answer& answer, const RedactedFacts& facts)
{
    answer.note({"cut.redacted",
        "Private data is removed{changed, plural, =0 {} one {, and replaced in # text} other {, and replaced in # texts}}. "
        "{names, plural, one {# text stays} other {# texts stay}}, among them names of kernels, modules, threads and NVTX ranges: check them before you share the file.",
        {{"changed", Count{facts.changed}}, {"names", Count{facts.names}}}});
    constexpr std::size_t most = 8;
    std::vector<Message> named;
    for (const std::string& table : std::span(facts.leftOut).first(std::min(most, facts.leftOut.size())))
        named.push_back(nameMessage(toUtf8(table)));
    if (!named.empty())
        answer.note({"cut.left_out",
            "Left out, because Warpline does not know {count, plural, one {this table} other {these # tables}}: {tables}{more, select, yes { and others} other {}}.",
            {{"count", Count{facts.leftOut.size()}}, {"tables", std::move(named)},
                {"more", yesOrNo(facts.leftOut.size() > most)}}});
}

ExitCode outcomeOf(
    Answer& answer, const Result<RedactedFacts>& done, const CutOptions& cut, const std::string& file)
{
    if (!done.ok())
        return answer.complain({ExitCode::WriteFailed, done.error().message, file});
    if (cut.redact)
        noteRedacted(answer, done.value());
    return ExitCode::Ok;
}

/// Writes the part to standard output, through a temporary file, because SQLite needs one.
ExitCode printPart(Answer& answer, CutArguments options, const CutOptions& cut)
{
    const std::filesystem::path folder = platform::makeTemporaryFolder();
    const std::filesystem::path path = folder / "part.sqlite";
    platform::removeWhenEnded(folder);
    platform::removeWhenEnded(path);
    options.output = platform::utf8Of(path);
    ExitCode code = outcomeOf(answer, writePart(options, cut), cut, {});
    std::ifstream file(path, std::ios::binary);
    constexpr std::size_t blockBytes = 1U << 20U;
    std::string block(blockBytes, '\0');
    while (code == ExitCode::Ok && (file.read(block.data(), blockBytes) || file.gcount() > 0))
        code = answer.addBytes(std::string_view(block).substr(0, static_cast<std::size_t>(file.gcount())));
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    platform::leaveWhenEnded(path);
    platform::leaveWhenEnded(folder);
    return code;
}

ExitCode writeCut(Answer& answer, const CutArguments& options, const CutOptions& cut)
{
    if (options.output == "-")
        return printPart(answer, options, cut);
    return outcomeOf(answer, writePart(options, cut), cut, options.output);
}

ExitCode runCut(Answer& answer, const CutArguments& options)
{
    if (options.output.empty())
        answer.refuse(requiredText("OUT"));
    const RangeArgument range = answer.usable(parseRange(options.range, options.from, options.to));
    const auto may = Output::mayWrite(options.output, options.force, std::span(&options.report.file, 1));
    if (options.output != "-" && !may.ok())
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
    if (recorderOf(trace->info) != Recorder::NsightSystems)
        return answer.complain({ExitCode::WrongUsage,
            {"cut.other_trace",
                "cut takes exports of Nsight Systems, and {path} is another trace. A part of it: warpline-cli export --range FROM:TO.",
                {{"path", Name{options.report.file}}}},
            options.report.file});
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
        {"cut.help_output", "The new file, as OUT or with -o; -: standard output"}, "FILE");
    return [options](Answer& answer) { return runCut(answer, *options); };
}

} // namespace

extern constinit const Command cutCommand{.name = "cut",
    .summary = "Cut a part of an export into a smaller export, with private data removed on request",
    .formats = {},
    .declare = declareCut,
    .writesFiles = true};

} // namespace warpline::cli
