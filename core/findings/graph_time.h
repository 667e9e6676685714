#pragma once

#include "core/findings/run_facts.h"

namespace warpline {

/// The time of `gpu` in CUDA graphs that were traced as a whole (--cuda-graph-trace=graph): their kernels are
/// not in the report. The sum of their lengths.
inline Ns graphTimeOf(const Trace& trace, const GpuFacts& gpu)
{
    Ns time = 0;
    if (trace.table(EventKind::GraphTrace).empty())
        return time;
    for (const std::uint32_t packed : gpu.work) {
        const EventRef event = Links::unpack(packed);
        if (event.kind == EventKind::GraphTrace)
            time += trace.range(event).duration();
    }
    return time;
}

} // namespace warpline
