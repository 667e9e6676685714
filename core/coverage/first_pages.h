#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Where kernels of a GPU wait for their first page of unified memory: from a kernel's start to the first
/// page that a fault brings during it, if that comes within a millisecond. Such a kernel stalls within
/// microseconds, as reports with faults show, and the driver takes 20 to 800 us to bring the first page, of
/// which the report has only the migration. A later page may be missed later, so it does not count.
/// Unordered, may overlap. O(kernels * log(pages)). Throws Stopped when `stop` is requested.
std::vector<TimeRange> waitsForFirstPages(const Trace& trace, GlobalId process, std::int32_t device,
    TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
