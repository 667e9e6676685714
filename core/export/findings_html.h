#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"

#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Findings, headed by the checklist, as one HTML page that needs nothing beside it: no scripts, no fonts or
/// pictures from elsewhere.
std::string findingsHtml(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, const RunOverview* overview = nullptr);

/// One finding as a part of a page: title, figures, what to do, why, evidence.
std::string findingHtml(const Trace& trace, const Finding& finding);
/// The rules of style for it.
std::string_view findingStyle();

} // namespace warpline
