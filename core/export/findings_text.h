#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"

#include <span>
#include <string>

namespace warpline {

/// What the text of an analysis is about.
struct AnalysisText {
    std::span<const Finding> findings;
    std::span<const ChecklistAnswer> checklist = {};
    TimeRange window = {}; ///< that was asked about; empty: the session
    std::span<const Threshold> overrides = {}; ///< of the defaults
    std::string stepGlob = {}; ///< the names of the steps; empty: they were found
    const RunOverview* overview = nullptr; ///< said first; nullptr: not at all
    std::span<const Rule* const> rules = {}; ///< those that were asked; empty: all
};

/// What was found as a JSON object: what analysisHead() says, `checklist`, an array as checklistJson() has
/// it, `overview` as overviewJson() has it, `rules`, an array of {id, state, abstained_because}, and
/// `findings`, an array. Each finding: rule, severity, confidence, title, message, why, remedy, saving_ns,
/// saving_percent (of the measured time), saving_expected_ns and saving_expected_range_ns {low, high} (null:
/// nothing that a replay could tell), range_ns [from, to], pid and device (the machine's number; null:
/// the whole report), ranges [[from, to], ...] and events
/// [{kind, name, table, row, start_ns, duration_ns, note}] of the evidence, evidence_total. `row` is the
/// rowid in the report's table.
std::string findingsJson(const Trace& trace, const AnalysisText& text);
std::string findingsJson(
    const Trace& trace, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist = {});
/// The overview (nullptr: none), the checklist and the findings as tables for a terminal. With `explain` each
/// finding is followed by its figures, what to do and why it costs time.
std::string findingsTable(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, bool explain = false,
    const RunOverview* overview = nullptr);
/// The same as a report to hand on.
std::string findingsMarkdown(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, const RunOverview* overview = nullptr);

} // namespace warpline
