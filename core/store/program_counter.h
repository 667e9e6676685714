#pragma once

#include "core/store/counter_table.h"

namespace warpline {

// What a program counted of itself, on no GPU: counters of traces in Chrome's format, memory on the host.
// Kept as memory in use is, but of no device.

inline void makeProgramCounter(CounterSeries& series)
{
    series.kind = CounterKind::GpuMemoryUsage;
    series.device = -1;
}
inline bool isProgramCounter(const CounterSeries& series)
{
    return series.kind == CounterKind::GpuMemoryUsage && series.device < 0;
}

} // namespace warpline
