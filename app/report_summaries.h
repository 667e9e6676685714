#pragma once

#include "app/cli_answer.h"
#include "core/across/judge_ranks.h"
#include "core/load/report_files.h"

#include <string>
#include <string_view>

namespace warpline::cli {

/// The reports that `places` stand for: folders, patterns, files; see findReportFiles(). One that is named
/// twice is there twice, and judging says so.
ReportFiles reportsAt(const std::vector<std::string>& places);

/// The summary of the report at `path`, which is read and let go again. Where it cannot be read the summary
/// says why: ReportSummary::error.
ReportSummary summaryOfFile(const std::string& path, bool noCache);

/// Adds `across` in the format of `answer`, whatever that is among json, markdown, html and table, which have
/// `top` rows each (0: all).
ExitCode addRanks(Answer& answer, const AcrossReport& across, std::size_t top = 0);
/// NothingJudged where the reports are not of one run.
ExitCode judgedOf(Answer& answer, const AcrossReport& across);

} // namespace warpline::cli
