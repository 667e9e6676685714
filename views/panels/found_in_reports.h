#pragma once

#include "core/across/across_report.h"
#include "core/findings/rule.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class RuleSettings;

/// A report that findings are of.
struct JudgedReport {
    ReportId report{};
    std::string label;
    std::shared_ptr<const Trace> trace;
    TimeRange window; ///< that they are about, on its own clock
    Ns measured = 0; ///< what savings are a share of
};

/// What the rules find in one report or in several, as one ranked list.
struct FoundInReports {
    std::vector<JudgedReport> parts;
    std::vector<Finding> findings;
    std::vector<std::size_t> partOf; ///< of each finding: its place in `parts`
    std::vector<const Rule*> notRecorded; ///< rules that one of the reports lacks the data for
};

/// Runs every rule on each of `parts`. Where `across` says how ranks waited, findings about waiting take the
/// exact figures; of several parts, what is found across ranks stands before what is as severe. For a worker
/// thread: seconds of large reports. Throws Stopped when `stop` is requested.
FoundInReports findIn(std::vector<JudgedReport> parts, const std::shared_ptr<const AcrossReport>& across,
    const RuleSettings& settings, const std::stop_token& stop);

} // namespace warpline
