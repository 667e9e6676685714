#pragma once

#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"

#include <stop_token>

namespace warpline {

class TraceAnalysis;

/// What is said of `start`, the part of `overview` in which CUDA starts: how long, and which call of
/// `thread`, or the time between two of them, takes most of it and why. Throws Stopped when `stop` is
/// requested.
Message textOfCudaStart(const RunOverview& overview, const OverviewPart& start, const Trace& trace,
    TraceAnalysis& facts, GlobalId thread, const std::stop_token& stop);

/// What is said of `loading`, from the first GPU work to the first kernel: what the GPU does then, and why it
/// idles.
Message textOfLoading(const RunOverview& overview, const GpuBudgets& budgets, TimeRange loading);

} // namespace warpline
