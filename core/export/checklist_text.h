#pragma once

#include "core/export/json_text.h"
#include "core/findings/checklist.h"

#include <span>
#include <string>

namespace warpline {

/// The checklist as a JSON array. Each entry: id, question, answer ("yes", "no", "not_recorded"), figure,
/// explanation, rules [id, ...], range_ns [from, to] of the analyzed time.
Json checklistJson(std::span<const ChecklistAnswer> checklist);
/// Lines for a terminal; empty when there are no answers.
std::string checklistTable(std::span<const ChecklistAnswer> checklist, std::size_t width = 160);
/// A section of a report in Markdown; empty when there are no answers.
std::string checklistMarkdown(std::span<const ChecklistAnswer> checklist);
/// A section of a page in HTML; empty when there are no answers.
std::string checklistHtml(std::span<const ChecklistAnswer> checklist);

} // namespace warpline
