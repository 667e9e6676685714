// warpline-cli ranks: what the reports of the ranks of one run say of one another.

#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/report_summaries.h"
#include "core/across/judge_ranks.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace warpline::cli {

namespace {

struct RanksOptions {
    std::vector<std::string> files;
    bool noCache = false;
};

/// A report is read, summarized and let go: only one is in memory at a time.
std::vector<ReportSummary> summariesOf(Answer& answer, const RanksOptions& options, ExitCode& worst)
{
    std::vector<ReportSummary> summaries;
    const ReportFiles found = reportsAt(options.files);
    for (const std::string& problem : found.problems)
        worst = answer.complain({ExitCode::UnreadableReport, problem});
    for (const std::string& file : found.paths) {
        summaries.push_back(summaryOfFile(file, options.noCache));
        if (!summaries.back().error.empty())
            worst = answer.complain({ExitCode::UnreadableReport, summaries.back().error, file});
    }
    return summaries;
}

ExitCode runRanks(Answer& answer, const RanksOptions& options)
{
    ExitCode worst = ExitCode::Ok;
    const std::vector<ReportSummary> summaries = summariesOf(answer, options, worst);
    if (summaries.empty())
        return ExitCode::UnreadableReport;
    return std::max(addRanks(answer, judgeSummaries(summaries)), worst);
}

std::function<ExitCode(Answer&)> declareRanks(CLI::App& app)
{
    auto options = std::make_shared<RanksOptions>();
    addCacheOption(app, options->noCache);
    app.add_option("FILE", options->files,
           "The reports of the ranks of one run, one that holds several ranks, a folder or a pattern: 'rank*.sqlite'")
        ->required();
    return [options](Answer& answer) { return runRanks(answer, *options); };
}

} // namespace

extern constinit const Command ranksCommand{.name = "ranks",
    .summary = "Ranks of one run: which comes late, what that costs the others, and why",
    .formats = "table json markdown html",
    .declare = declareRanks};

} // namespace warpline::cli
