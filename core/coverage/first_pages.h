#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Where kernels of a GPU wait for their first page of unified memory: from the start of each to the first
/// page that a fault brings while it runs, where that comes within a millisecond. Such a kernel stops within
/// some microseconds (reports that hold the faults say so), and the driver takes 20 to 800 us to bring the
/// first page; only the move itself is in the report. A page that comes later may be missed later, so nothing
/// is said of it. In no order, may overlap. O(kernels * log(pages)). Throws Stopped when `stop` is requested.
std::vector<TimeRange> waitsForFirstPages(const Trace& trace, GlobalId process, std::int32_t device,
    TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
