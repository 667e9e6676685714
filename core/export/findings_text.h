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

/// The content of an analysis' text.
struct AnalysisText {
    std::span<const Finding> findings;
    std::span<const ChecklistAnswer> checklist = {};
    TimeRange window = {}; ///< the analyzed range; empty: the session
    std::span<const Threshold> overrides = {}; ///< of default thresholds
    std::string stepGlob = {}; ///< the names of the steps; empty: steps were detected
    const RunOverview* overview = nullptr; ///< listed first; nullptr: omitted
    std::span<const Rule* const> rules = {}; ///< the rules that ran; empty: all
    const FindingsGate* gate = nullptr; ///< compared with it; nullptr: no gate
    std::optional<ProfiledStep> profiled = {}; ///< recording overhead; nothing: no step was replayed
    TraceAnalysis* facts = nullptr; ///< facts of `window` and `stepGlob` from earlier computations; nullptr:
                                    ///< none
    bool acrossRanks = false; ///< the rules across ranks ran, too
};

/// The findings as a JSON object: the keys of analysisHead(), `checklist` (checklistJson()), `overview`
/// (overviewJson() or null), `rules`, an array of {id, state, abstained_because}, and `findings`, see
/// docs/cli/schema/analyze.json.
Json findingsJson(const Trace& trace, const AnalysisText& text);
/// The same as a document, see documentOf().
std::string findingsDocument(const Trace& trace, const AnalysisText& text);
/// The overview (nullptr: none), the checklist and the findings as tables for a terminal. With `explain` each
/// finding is followed by its values, the remedy and the reason. `width` of the terminal; 0: no limit.
std::string findingsTable(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, bool explain = false,
    const RunOverview* overview = nullptr, std::size_t width = 0);
/// The same as a report to hand on.
std::string findingsMarkdown(const Trace& trace, const AnalysisText& analysis);

} // namespace warpline
