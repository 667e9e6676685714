#pragma once

#include "core/findings/rule.h"

#include <algorithm>

namespace warpline {

/// The order of findings: the most severe first; of those what saves most, then what cost most once. Where
/// neither matters much, microseconds saved do not stand before seconds that are paid once.
inline bool ranksHigher(const Finding& a, const Finding& b)
{
    if (a.severity != b.severity)
        return a.severity > b.severity;
    const bool isMinor = a.severity <= Severity::Low;
    const Ns ofA = isMinor ? std::max(a.saving, a.once) : a.saving;
    const Ns ofB = isMinor ? std::max(b.saving, b.once) : b.saving;
    return ofA != ofB ? ofA > ofB : a.saving != b.saving ? a.saving > b.saving : a.once > b.once;
}

} // namespace warpline
