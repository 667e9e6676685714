#pragma once

#include "core/replay/cure.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace warpline {

/// The change `kind` of `events`, which may be in any order. O(n log n).
inline CureEdit editOf(CureKind kind, std::vector<EventRef> events, FactorRange factor = {})
{
    std::ranges::sort(events);
    CureEdit edit{.kind = kind, .events = std::move(events), .factor = factor};
    return edit;
}

/// The change `kind` of all that it can change.
inline CureEdit editOfAll(CureKind kind)
{
    CureEdit edit;
    edit.kind = kind;
    return edit;
}

} // namespace warpline
