#pragma once

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

/// The entry of `sums`, a map keyed by names, with the largest `valueOf`; for ties the alphabetically first
/// name, because name ids depend on which thread read them first. The end when it is empty.
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
