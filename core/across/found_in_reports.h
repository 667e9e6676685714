#pragma once

#include "core/across/across_report.h"
#include "core/findings/rule.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// A report that findings are of.
struct JudgedReport {
    ReportId report{};
    std::string label;
    std::shared_ptr<const Trace> trace;
    TimeRange window; ///< that they are about, on its own clock
    Ns measured = 0; ///< what savings are a share of
    std::string stepGlob{}; ///< the names of its steps; empty: they are detected
    /// Of trace, window and steps; nullptr: findIn() makes them. It drops these, which may be large.
    std::shared_ptr<const TraceAnalysis> facts{};
    /// What findInReport() finds in it; nullptr: findIn() asks.
    std::shared_ptr<const std::vector<Finding>> found{};
};

/// What the rules find in one report or in several, as one ranked list.
struct FoundInReports {
    std::vector<JudgedReport> parts;
    std::vector<Finding> findings;
    std::vector<std::size_t> partOf; ///< of each finding: its place in `parts`
    /// Of each finding that has the cause of several reports folded into it, by Finding::merged: whose each
    /// of these is. Empty: they are of the finding's own.
    std::vector<std::vector<std::size_t>> partsOfMerged;
    std::vector<const Rule*> notRecorded; ///< rules that one of the reports lacks the data for
};

/// What the rules find in `of`, with the exact waits where `across` has them. Drops its facts.
std::vector<Finding> findInReport(JudgedReport& of, const std::shared_ptr<const AcrossReport>& across,
    std::span<const Threshold> overrides, const std::stop_token& stop);

/// Runs every rule on each of `parts`. Where `across` says how ranks waited, findings about waiting take the
/// exact figures, and an early rank saves what the late one does; `late` is the report of that one where it
/// is not among the parts. Of several parts, what is found across ranks stands before what is as severe, and
/// what has the same cause is folded into it. For a worker thread: seconds of large reports. Throws Stopped
/// when `stop` is requested.
FoundInReports findIn(std::vector<JudgedReport> parts, const std::shared_ptr<const AcrossReport>& across,
    std::span<const Threshold> overrides, const std::stop_token& stop,
    const std::optional<JudgedReport>& late = std::nullopt);

} // namespace warpline
