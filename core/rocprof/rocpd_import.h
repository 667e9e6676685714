#pragma once

#include "core/rocprof/rocm_rows.h"

#include <string>
#include <vector>

namespace warpline {

/// Whether a database with these `tables` is from rocprofv3 or ROCm Systems Profiler (rocpd).
bool isRocpd(const std::vector<std::string>& tables);

/// Reads all processes of a rocpd database. Detects tables by their columns, not by the version of the
/// schema: version 3 has places and times in each row, 4 in tables of their own. Fails when SQLite cannot
/// read a table. Throws Stopped. Source of the schema: ROCm/rocm-systems,
/// projects/rocprofiler-sdk/source/share/rocprofiler-sdk-rocpd.
Result<void> readRocpd(const RocmRows& rows);

/// The schema version in the database; empty: none.
std::string rocpdVersion(sqlite::Database& report);

} // namespace warpline
