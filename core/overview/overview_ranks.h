#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/overview/overview.h"

namespace warpline {

/// Who computes least of several GPUs, and who most: "Of 4 GPUs in use, rank 2 computes most (81.2% ...)";
/// empty: there is one.
Message textOfRanks(const RunOverview& overview);
/// That only the reports of all ranks tell what is waiting, of a report whose one GPU communicates; else
/// empty. O(n) in the names of kernels. Throws Stopped.
Message textOfLoneRank(TraceAnalysis& facts, const Trace& trace, const std::stop_token& stop);

} // namespace warpline
