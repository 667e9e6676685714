#pragma once

#include "core/across/across_report.h"
#include "core/workspace/report_set.h"
#include "core/workspace/workspace.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// The user's settings for a report, which override its own data.
struct RankChoice {
    std::int64_t rank = -1; ///< -1: nothing; of a report with one participant
    bool hasClock = false;
    ClockOffset clock; ///< with hasClock: ClockMethod::Manual
};

/// Analyzes reports by their summaries: which belong together, their clocks, who waits for whom and why.
/// `choices` has one entry per report, or is empty. ReportId is the index in `reports`. O(n log n) in the
/// exchanges. Throws Stopped when `stop` is requested.
AcrossReport judgeSummaries(std::span<const ReportSummary> reports, const std::stop_token& stop = {},
    std::span<const RankChoice> choices = {});

/// The user's settings for `report`: its rank, and an offset set by hand.
RankChoice choiceOf(const OpenReport& report);
RankChoice choiceOf(const ReportChoices& choices);

/// `workspace` with the clocks that `across`, its analysis, found. Offsets set by hand stay. Shares traces
/// and rows.
Workspace withClocks(const Workspace& workspace, const AcrossReport& across);

} // namespace warpline
