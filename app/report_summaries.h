#pragma once

#include "core/across/judge_ranks.h"

#include <string>
#include <string_view>

namespace warpline::cli {

/// The summary of the report at `path`, which is read and let go again. Where it cannot be read the summary
/// says why: ReportSummary::error.
ReportSummary summaryOfFile(const std::string& path, bool noCache);

/// `across` as "json", "markdown", "html", else "table".
std::string ranksText(const AcrossReport& across, std::string_view format);

} // namespace warpline::cli
