#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/steps/steps.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace warpline {

/// What was found as a JSON object: `checklist`, an array as checklistJson() has it, and `findings`, an
/// array. Each finding: rule, severity, confidence, title, message, why, remedy, saving_ns, range_ns [from,
/// to], pid and device (null: the whole report), ranges [[from, to], ...] and events [{kind, name, table,
/// row, start_ns, duration_ns, note}] of the evidence, evidence_total. `row` is the rowid in the report's
/// table. With `steps` also `steps`, as stepsJson() has it: what was taken as the steps of the program.
std::string findingsJson(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {},
    const std::map<std::uint32_t, StepSeries>* steps = nullptr);
/// The checklist and the findings as tables for a terminal.
std::string findingsTable(
    const Trace& trace, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist = {});
/// The checklist and the findings as a report to hand on.
std::string findingsMarkdown(
    const Trace& trace, std::span<const Finding> findings, std::span<const ChecklistAnswer> checklist = {});

} // namespace warpline
