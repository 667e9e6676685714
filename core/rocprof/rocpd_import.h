#pragma once

#include "core/rocprof/rocm_events.h"
#include "core/sqlite/database.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// Whether a database with these `tables` is from rocprofv3 or ROCm Systems Profiler (rocpd).
bool isRocpd(const std::vector<std::string>& tables);

/// Reads all processes of a rocpd database. Detects tables by their columns, not by the version of the
/// schema: version 3 has places and times in each row, 4 in tables of their own. Calls `rowsRead` regularly
/// with a number of rows. Fails when SQLite cannot read a table. Throws Stopped. Source of the schema:
/// ROCm/rocm-systems, projects/rocprofiler-sdk/source/share/rocprofiler-sdk-rocpd.
Result<void> readRocpd(sqlite::Database& report, RocmEvents& events,
    const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop);

/// The schema version in the database; empty: none.
std::string rocpdVersion(sqlite::Database& report);

} // namespace warpline
