#pragma once

#include "core/compare/kernel_match.h"

#include <vector>

namespace warpline {

/// What tells whether two runs can be compared: machine, recording, ranks, steps, how much of their work is
/// the same. `comparison` has its unit, sides, tables and shares.
std::vector<CompareFact> compareFacts(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<const SideKernels*>& kernels, const Comparison& comparison);

/// How often B runs the kernels that both have, for each time that A does: the middle of the rows by time; 0:
/// they have none.
double workRatio(const CompareTable& kernels);

/// Whether two steps, or runs, that do `ratio` times the work of one another do the same.
inline bool isSameWork(double ratio)
{
    return ratio > 0.8 && ratio < 1.25;
}

/// Whether both are of one recording.
bool isSameReport(const Trace& a, const Trace& b);

} // namespace warpline
