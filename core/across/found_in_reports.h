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
    Ns measured = 0; ///< the denominator of savings
    std::string stepGlob{}; ///< the names of its steps; empty: they are detected
    /// Facts of trace, window and steps; nullptr: findIn() makes them. Dropped afterwards, since they may be
    /// large.
    std::shared_ptr<const TraceAnalysis> facts{};
    /// The result of findInReport(); nullptr: findIn() runs it.
    std::shared_ptr<const std::vector<Finding>> found{};
};

/// The findings of one report or several, as one ranked list.
struct FoundInReports {
    std::vector<JudgedReport> parts;
    std::vector<Finding> findings;
    std::vector<std::size_t> partOf; ///< of each finding: its place in `parts`
    /// For each finding with folded causes of several reports, by Finding::merged: the report of each. Empty:
    /// all are of the finding's own report.
    std::vector<std::vector<std::size_t>> partsOfMerged;
    std::vector<const Rule*> notRecorded; ///< rules for which one of the reports lacks the data
};

/// The findings of `of`, with the exact waits from `across`. Drops its facts.
std::vector<Finding> findInReport(JudgedReport& of, const std::shared_ptr<const AcrossReport>& across,
    std::span<const Threshold> overrides, const std::stop_token& stop);

/// The findings of `rules` across ranks that concern `of`, separately. Those without a rank concern the first
/// report.
std::vector<Finding> findAcross(
    const JudgedReport& of, const AcrossReport& across, std::span<const Rule* const> rules);

/// Runs every rule on each of `parts`. Where `across` has the ranks' waits, findings about waiting get the
/// exact values, and an early rank saves as much as the late one; `late` is the late rank's report where it
/// is not among the parts. For several parts, findings across ranks come before others of equal severity, and
/// findings of the same cause are folded into them. Run it on a worker thread: large reports take seconds.
/// Throws Stopped when `stop` is requested.
FoundInReports findIn(std::vector<JudgedReport> parts, const std::shared_ptr<const AcrossReport>& across,
    std::span<const Threshold> overrides, const std::stop_token& stop,
    const std::optional<JudgedReport>& late = std::nullopt);

} // namespace warpline
