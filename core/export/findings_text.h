#pragma once

#include "core/findings/rule.h"

#include <span>
#include <string>

namespace warpline {

/// Findings as a JSON array. Each: rule, severity, confidence, title, message, why, remedy, saving_ns,
/// range_ns [from, to], pid and device (null: the whole report), ranges [[from, to], ...] and events [{kind,
/// name, row, start_ns, duration_ns, note}] of the evidence, evidence_total. `row` is the rowid in the
/// report's table.
std::string findingsJson(const Trace& trace, std::span<const Finding> findings);
/// A table for a terminal.
std::string findingsTable(const Trace& trace, std::span<const Finding> findings);
/// A report to hand on.
std::string findingsMarkdown(const Trace& trace, std::span<const Finding> findings);

} // namespace warpline
