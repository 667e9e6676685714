#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"

#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Checklist and findings as one self-contained HTML page: no scripts, and no external fonts or pictures.
std::string findingsHtml(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, const RunOverview* overview = nullptr);

/// One finding as a part of a page: title, values, remedy, reason, evidence.
std::string findingHtml(const Trace& trace, const Finding& finding);
/// The rules of style for it.
std::string_view findingStyle();

} // namespace warpline
