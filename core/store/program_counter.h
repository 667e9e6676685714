#pragma once

#include "core/store/counter_table.h"

namespace warpline {

// A program's own counters, without a GPU: counters of traces in Chrome's format, memory on the host. Stored
// like memory usage, but without a device.

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
