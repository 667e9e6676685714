#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/overview/overview.h"

#include <span>
#include <string>

namespace warpline {

/// Findings, headed by the checklist, as one HTML page that needs nothing beside it: no scripts, no fonts or
/// pictures from elsewhere.
std::string findingsHtml(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist = {}, const RunOverview* overview = nullptr);

} // namespace warpline
