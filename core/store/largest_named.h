#pragma once

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

/// The entry of `sums`, a map from names to anything, of which `valueOf` is the largest; of equal ones the
/// name that comes first in the alphabet, as numbers of names depend on which thread read them first. The end
/// where there is none.
template <typename Sums, typename ValueOf>
auto largestNamed(const Trace& trace, const Sums& sums, const ValueOf& valueOf)
{
    return std::ranges::max_element(sums, [&](const auto& a, const auto& b) {
        const auto ofA = valueOf(a.second);
        const auto ofB = valueOf(b.second);
        return ofA != ofB ? ofA < ofB : trace.text(b.first) < trace.text(a.first);
    });
}

} // namespace warpline
