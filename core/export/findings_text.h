#pragma once

#include "core/export/findings_gate.h"
#include "core/export/json_text.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"

#include <span>
#include <string>

namespace warpline {

class TraceAnalysis;

/// What the text of an analysis is about.
struct AnalysisText {
    std::span<const Finding> findings;
    std::span<const ChecklistAnswer> checklist = {};
    TimeRange window = {}; ///< that was asked about; empty: the session
    std::span<const Threshold> overrides = {}; ///< of the defaults
    std::string stepGlob = {}; ///< the names of the steps; empty: they were found
    const RunOverview* overview = nullptr; ///< said first; nullptr: not at all
    std::span<const Rule* const> rules = {}; ///< those that were asked; empty: all
    const FindingsGate* gate = nullptr; ///< what they are held against; nullptr: nothing
    std::optional<ProfiledStep> profiled = {}; ///< what recording costs; nothing: no step was replayed
    TraceAnalysis* facts = nullptr; ///< of `window` and `stepGlob`, what was made for the rest; nullptr: none
};

/// What was found as a JSON object: what analysisHead() says, `checklist`, an array as checklistJson() has
/// it, `overview` as overviewJson() has it or null, `rules`, an array of {id, state, abstained_because}, and
/// `findings`, see docs/cli/schema/analyze.json.
Json findingsJson(const Trace& trace, const AnalysisText& text);
/// The same as a document, see documentOf().
std::string findingsDocument(const Trace& trace, const AnalysisText& text);
Json findingsJson(
    const Trace& trace, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist = {});
/// The overview (nullptr: none), the checklist and the findings as tables for a terminal. With `explain` each
/// finding is followed by its figures, what to do and why it costs time. `width` of the terminal; 0: none.
std::string findingsTable(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, bool explain = false,
    const RunOverview* overview = nullptr, std::size_t width = 0);
/// The same as a report to hand on.
std::string findingsMarkdown(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, const RunOverview* overview = nullptr);

} // namespace warpline
