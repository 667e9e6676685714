#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// A stretch of a backward pass in which operators of the forward pass run once more, as activation
/// checkpointing makes them do.
struct RecomputedStretch {
    GlobalId thread = 0;
    TimeRange time;
};

/// The recomputation on PyTorch's autograd threads, by thread, then time: in each node of the graph
/// ("autograd::engine::evaluate_function: ...") from the first to the last operator that derivatives never
/// call (conv2d, linear, batch_norm ...). Empty: nothing is recomputed, or the report has no operators. O(n
/// log n) in these ranges. Throws Stopped.
std::vector<RecomputedStretch> recomputedStretches(const Trace& trace, const std::stop_token& stop = {});

/// Whether `time` of `thread` is in one of `stretches`, which recomputedStretches() returned. O(log n).
bool isRecomputed(const std::vector<RecomputedStretch>& stretches, GlobalId thread, Ns time);

/// Summed GPU time of the kernels, copies and memsets that `stretches` launch; only work that overlaps
/// `window`. O(API calls). Throws Stopped.
Ns recomputedGpuTime(const Trace& trace, const std::vector<RecomputedStretch>& stretches, TimeRange window,
    const std::stop_token& stop = {});

} // namespace warpline
