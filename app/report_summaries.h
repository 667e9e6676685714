#pragma once

#include "app/cli_answer.h"
#include "core/across/judge_ranks.h"
#include "core/load/report_files.h"

#include <string>
#include <string_view>

namespace warpline::cli {

/// Reports, with the ranks and clocks that were set for each by hand.
struct RunFiles : ReportFiles {
    std::vector<RankChoice> choices;
};
/// The reports of `places`: folders, patterns, saved sets, files, each a name of its own: commas
/// separate nothing. Duplicates stay, and the analysis reports them.
RunFiles reportsAt(const std::vector<std::string>& places);

/// The summary of the report at `path`, which is read and released. On failure ReportSummary::error has the
/// reason. `answer`, where given, gets a note where the file was cut off.
ReportSummary summaryOfFile(const std::string& path, bool noCache, Answer* answer = nullptr);

/// Adds `across` in the format of `answer`: json, markdown, html or tables with `top` rows each (0: all).
ExitCode addRanks(Answer& answer, const AcrossReport& across, std::size_t top = 0);
/// NothingJudged where the reports are not of one run.
ExitCode judgedOf(Answer& answer, const AcrossReport& across);

} // namespace warpline::cli
