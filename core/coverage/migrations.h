#pragma once

#include "core/coverage/intervals.h"
#include "core/store/unified_memory.h"

namespace warpline {

class Trace;

/// The time of `window` in which pages of unified memory of `process` migrate because of faults, or kernels
/// on its GPU `device` wait for pages. Throws Stopped when `stop` is requested.
Intervals migrationTime(const Trace& trace, GlobalId process, std::int32_t device, TimeRange window,
    const std::stop_token& stop = {});

/// True when the program allocates managed memory (cudaMallocManaged). O(calls). Throws Stopped when
/// `stop` is requested.
bool usesManagedMemory(const Trace& trace, const std::stop_token& stop);
/// True when the report holds moves of unified memory. O(copies). Throws Stopped when `stop` is requested.
bool hasMigrations(const Trace& trace, const std::stop_token& stop);
/// True when it holds moves because of faults. O(copies). Throws Stopped when `stop` is requested.
bool hasFaultMigrations(const Trace& trace, const std::stop_token& stop);

/// The time of `window` in which code of `process` on the CPU waits for pages from a GPU: from each fault to
/// the end of the migrations before the next fault. Without recorded CPU faults (--cuda-um-cpu-page-faults):
/// the migrations, plus the handling time, estimated by the shortest time after as many bytes, at most 50 us
/// and 1 us per page of 4 KiB. A fault without a migration (first touch) does not count. O(n log n) in both.
Intervals hostPageWaits(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop);

/// Where kernels of a GPU wait for pages of unified memory while none moves. From a kernel's start to the
/// first page that a fault brings during it, if that comes within a millisecond: such a kernel stalls within
/// microseconds, as reports with faults show, and the driver takes 20 to 800 us to bring the first page, of
/// which the report has only the migration. And from each page to the next during a kernel, if that comes
/// within 100 us: the driver handles the next faults. A kernel that waits for most of its time waits for all
/// beyond the shortest launch of its name that has its pages. Unordered, may overlap.
/// O((kernels + pages) * log(pages)). Throws Stopped when `stop` is requested.
std::vector<TimeRange> waitsBetweenPages(const Trace& trace, GlobalId process, std::int32_t device,
    TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
