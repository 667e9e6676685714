#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

/// The time of `gpu` in CUDA graphs traced as a whole (--cuda-graph-trace=graph), whose kernels are not in
/// the report: the sum of their overlaps with `range`, or of their whole durations.
inline Ns graphTimeOf(const Trace& trace, const GpuFacts& gpu, TimeRange range)
{
    Ns time = 0;
    if (trace.table(EventKind::GraphTrace).empty())
        return time;
    for (const std::uint32_t packed : gpu.work) {
        const EventRef event = Links::unpack(packed);
        if (event.kind == EventKind::GraphTrace)
            time += std::max<Ns>(0, trace.range(event).clippedTo(range).duration());
    }
    return time;
}
inline Ns graphTimeOf(const Trace& trace, const GpuFacts& gpu)
{
    return graphTimeOf(trace, gpu, gpu.span());
}

} // namespace warpline
