// warpline-cli ranks: analyzes the reports of the ranks of one run together.

#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/cli_thresholds.h"
#include "app/cli_usage.h"
#include "app/report_summaries.h"
#include "core/across/judge_ranks.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <span>

namespace warpline::cli {

namespace {

struct RanksOptions {
    std::vector<std::string> files;
    std::size_t top = 0;
    std::string failOn;
    std::size_t jobs = 1;
    bool noCache = false;
};

/// A report is read, summarized and let go: only `jobs` are in memory at a time.
std::vector<ReportSummary> summariesOf(
    Answer& answer, const RanksOptions& options, const ReportFiles& found, ExitCode& worst)
{
    for (const Message& problem : found.problems)
        worst = answer.complain({ExitCode::UnreadableReport, problem});
    std::vector<ReportSummary> summaries(found.paths.size());
    const ExitCode read = answerForEach(
        answer, found.paths, options.jobs, [&](Answer& part, const std::string& file, std::size_t place) {
            summaries[place] = summaryOfFile(file, options.noCache, &part);
            const std::string& error = summaries[place].error;
            return error.empty() ? ExitCode::Ok : part.complain({ExitCode::UnreadableReport, error, file});
        });
    worst = std::max(worst, read);
    return summaries;
}

/// The exit code of --fail-on. A withheld verdict must not pass, nor a report that lacks work.
ExitCode gateOf(Answer& answer, const RanksOptions& options, std::span<const ReportSummary> summaries,
    const AcrossReport& across)
{
    if (options.failOn.empty() || !across.judged)
        return ExitCode::Ok;
    const auto reaches
        = [&](const AcrossFinding& finding) { return finding.severity >= severityNamed(options.failOn); };
    if (std::ranges::any_of(across.findings, reaches))
        return ExitCode::GateFailed;
    if (across.verdict.pattern == LatePattern::Unknown)
        return answer.mention({ExitCode::NoVerdict, across.verdict.sentence});
    const auto incomplete = std::ranges::find(summaries, true, &ReportSummary::lacksWork);
    return incomplete != summaries.end() ? answer.complain(gateOfIncomplete(incomplete->file, "--fail-on"))
                                         : ExitCode::Ok;
}

/// Mentions the reports that could be read and are left out of an analysis.
void mentionLeftOut(Answer& answer, std::span<const ReportSummary> summaries, const AcrossReport& across)
{
    for (std::size_t i = 0; across.judged && i < summaries.size(); ++i) {
        const ReportAcross& report = across.reports[i];
        if (summaries[i].error.empty() && !report.judged && !report.note.empty())
            answer.mention({ExitCode::Ok, report.note, report.file});
    }
}

ExitCode runRanks(Answer& answer, const RanksOptions& options)
{
    if (options.top > 0 && answer.isJson())
        answer.refuse({"ranks.top_for_tables", "--top is for tables: json has all rows"});
    ExitCode worst = ExitCode::Ok;
    const RunFiles found = reportsAt(options.files);
    const std::vector<ReportSummary> summaries = summariesOf(answer, options, found, worst);
    if (std::ranges::none_of(summaries, [](const ReportSummary& each) { return each.error.empty(); }))
        return ExitCode::UnreadableReport;
    const AcrossReport across = judgeSummaries(summaries, {}, found.choices);
    mentionLeftOut(answer, summaries, across);
    if (worst == ExitCode::Ok) // else it may be for want of the report that cannot be read
        worst = judgedOf(answer, across);
    return std::max(
        {addRanks(answer, across, options.top), worst, gateOf(answer, options, summaries, across)});
}

std::function<ExitCode(Answer&)> declareRanks(CLI::App& app)
{
    auto options = std::make_shared<RanksOptions>();
    addOption(app, "--top", options->top,
        {"ranks.help_top", "Maximum rows per table, most important first; default: all"}, "N")
        ->check(positiveNumber());
    addOption(app, "--fail-on", options->failOn,
        {"cli.fail_on", "Exit with 1 if a finding has this severity or a higher one"}, "SEVERITY")
        ->check(oneOf(severityNames()));
    addJobsOption(app, options->jobs);
    addCacheOption(app, options->noCache);
    addMachineOption(app);
    addOption(app, "FILE", options->files,
        {"ranks.help_files",
            "Reports of the ranks of one run, a report of several ranks, a folder, a saved set, or a pattern such as 'rank*.sqlite'"})
        ->required();
    return [options](Answer& answer) { return runRanks(answer, *options); };
}

} // namespace

extern constinit const Command ranksCommand{.name = "ranks",
    .summary = "Compare the ranks of one run: which is late, what it costs the others, and why",
    .formats = "table json markdown html",
    .declare = declareRanks};

} // namespace warpline::cli
