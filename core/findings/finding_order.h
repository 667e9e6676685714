#pragma once

#include "core/findings/rule.h"

namespace warpline {

/// The order of findings: the most severe first, of those what saves most, then what cost most once.
inline bool ranksHigher(const Finding& a, const Finding& b)
{
    return a.severity != b.severity ? a.severity > b.severity
        : a.saving != b.saving      ? a.saving > b.saving
                                    : a.once > b.once;
}

} // namespace warpline
