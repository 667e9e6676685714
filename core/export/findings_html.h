#pragma once

#include "core/findings/rule.h"

#include <span>
#include <string>

namespace warpline {

/// Findings as one HTML page that needs nothing beside it: no scripts, no fonts or pictures from elsewhere.
std::string findingsHtml(const Trace& trace, std::span<const Finding> findings);

} // namespace warpline
