#pragma once

#include "core/coverage/intervals.h"
#include "core/store/unified_memory.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace warpline {

class Trace;

/// True when the program allocates managed memory (cudaMallocManaged). O(calls). Throws Stopped when
/// `stop` is requested.
bool usesManagedMemory(const Trace& trace, const std::stop_token& stop);
/// True when the report holds moves of unified memory. O(copies). Throws Stopped when `stop` is requested.
bool hasMigrations(const Trace& trace, const std::stop_token& stop);
/// True when it holds moves because of faults. O(copies). Throws Stopped when `stop` is requested.
bool hasFaultMigrations(const Trace& trace, const std::stop_token& stop);

/// The time of `window` in which code of `process` on the CPU waits for pages from a GPU: from each fault to
/// the end of the migrations that follow within 10 ms, and of those that follow these directly.
/// Without recorded CPU faults (--cuda-um-cpu-page-faults): the migrations, plus the handling time, estimated
/// by the shortest time after as many bytes, at most 50 us and 1 us per page of 4 KiB. Neither a fault
/// without a migration (first touch) counts, nor pages that the driver evicts. O(n log n) in both.
Intervals hostPageWaits(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop);

/// A kernel whose launches take the same time where their pages are resident: short name, blocks, threads of
/// a block.
using KernelShape = std::tuple<StringId, std::int64_t, std::int64_t>;
KernelShape shapeOf(const KernelLaunch& launch);

/// See waitsBetweenPages().
struct PageWaits {
    Intervals times;
    std::map<KernelShape, Ns> resident; ///< the shortest launch of the report that has its pages
};

/// Where kernels of a GPU wait for pages of unified memory, other than while these move. From a kernel's
/// start to the first page that a fault brings during it, if that comes within a millisecond: such a kernel
/// stalls within microseconds, as reports with faults show, and the driver takes 20 to 800 us to bring the
/// first page, of which the report has only the migration. From each page or fault to the next within 100 us
/// that one launch, or graph traced as a whole, holds: the driver handles the next faults. And of a kernel
/// that waits for most of its time, all beyond its shortest launch that has its pages. Only of GPUs to which
/// pages migrate because of faults. O(n log n) in kernels, graphs and pages of the report. Throws Stopped
/// when `stop` is requested. Ask TraceAnalysis::pageWaits(), which keeps it.
PageWaits waitsBetweenPages(const Trace& trace, const GpuOfProcess& gpu, const std::stop_token& stop = {});

/// The time of `window` in which pages of unified memory of `process` migrate because of faults, or kernels
/// wait for pages: `waits`, of the GPU in question. Throws Stopped when `stop` is requested.
Intervals migrationTime(const Trace& trace, GlobalId process, const PageWaits& waits, TimeRange window,
    const std::stop_token& stop = {});

/// What moves to and from `gpu` in `window`. O(migrations in it). Throws Stopped when `stop` is requested.
PageTraffic pageTraffic(
    const Trace& trace, const GpuOfProcess& gpu, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
