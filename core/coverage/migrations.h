#pragma once

#include "core/coverage/intervals.h"
#include "core/store/unified_memory.h"

namespace warpline {

class Trace;

/// The time of `window` in which pages of unified memory of `process` move because of faults, and in which
/// kernels on its GPU `device` wait for their first.
/// Throws Stopped when `stop` is requested.
Intervals migrationTime(const Trace& trace, GlobalId process, std::int32_t device, TimeRange window,
    const std::stop_token& stop = {});

/// True when the program allocates managed memory (cudaMallocManaged). O(calls). Throws Stopped when
/// `stop` is requested.
bool usesManagedMemory(const Trace& trace, const std::stop_token& stop);
/// True when the report holds moves of unified memory. O(copies). Throws Stopped when `stop` is requested.
bool hasMigrations(const Trace& trace, const std::stop_token& stop);
/// True when it holds moves because of faults. O(copies). Throws Stopped when `stop` is requested.
bool hasFaultMigrations(const Trace& trace, const std::stop_token& stop);

/// The time of `window` in which code of `process` on the CPU waits for pages of unified memory to come from
/// a GPU: from each fault to the end of the migrations that start before the next fault. Where the report
/// holds no faults of the CPU (--cuda-um-cpu-page-faults), the migrations, and behind those of one fault the
/// shortest time that passes from as many bytes to the next: what handling takes, 50 us and 1 us a page of
/// 4 KiB at most. A fault without a migration,
/// as of a page that is touched for the first time, counts nothing. O(n log n) in both.
Intervals hostPageWaits(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop);

} // namespace warpline
