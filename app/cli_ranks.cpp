// warpline-cli ranks: what the reports of the ranks of one run say of one another.

#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/report_summaries.h"
#include "core/across/judge_ranks.h"

#include <CLI/CLI.hpp>

namespace warpline::cli {

namespace {

struct RanksOptions {
    std::vector<std::string> files;
    bool noCache = false;
    std::string format = "table";
};

/// A report is read, summarized and let go: only one is in memory at a time.
ExitCode runRanks(const RanksOptions& options)
{
    std::vector<ReportSummary> summaries;
    const ReportFiles found = reportsAt(options.files);
    bool unreadable = !found.problems.empty();
    for (const std::string& problem : found.problems)
        complain(problem);
    if (found.paths.empty())
        return ExitCode::UnreadableReport;
    for (const std::string& file : found.paths) {
        summaries.push_back(summaryOfFile(file, options.noCache));
        if (!summaries.back().error.empty())
            complain(summaries.back().error);
        unreadable = unreadable || !summaries.back().error.empty();
    }
    const ExitCode done = print(ranksText(judgeSummaries(summaries), options.format));
    return done != ExitCode::Ok || !unreadable ? done : ExitCode::UnreadableReport;
}

std::function<ExitCode()> declareRanks(CLI::App& app)
{
    auto options = std::make_shared<RanksOptions>();
    app.add_option("--format", options->format, "table, json, markdown or html")
        ->check(CLI::IsMember({"table", "json", "markdown", "html"}))
        ->capture_default_str();
    addCacheOption(app, options->noCache);
    app.add_option("FILE", options->files,
           "The reports of the ranks of one run, one that holds several ranks, a folder or a pattern: 'rank*.sqlite'")
        ->required();
    return [options] { return runRanks(*options); };
}

} // namespace

extern constinit const Command ranksCommand{.name = "ranks",
    .summary = "Ranks of one run: which comes late, what that costs the others, and why",
    .declare = declareRanks};

} // namespace warpline::cli
