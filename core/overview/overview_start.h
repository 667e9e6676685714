#pragma once

#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"

#include <stop_token>

namespace warpline {

class TraceAnalysis;

/// Describes `start`, the part of `overview` in which CUDA starts: its length, and which call of `thread`, or
/// which time between two calls, takes most of it and why. Throws Stopped when `stop` is requested.
Message textOfCudaStart(const RunOverview& overview, const OverviewPart& start, const Trace& trace,
    TraceAnalysis& facts, GlobalId thread, const std::stop_token& stop);

/// Describes `loading`, from the first GPU work to the first kernel: what the GPU does, and why it idles.
Message textOfLoading(const RunOverview& overview, const GpuBudgets& budgets, TimeRange loading);

} // namespace warpline
