#pragma once

#include "core/rocprof/rocm_events.h"
#include "core/sqlite/database.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// Whether a database with these `tables` is from rocmProfileData (rpd_tracer, runTracer.sh): the predecessor
/// of rocpd.
bool isRpd(const std::vector<std::string>& tables);

/// Reads such a database: calls (rocpd_api) and work on GPUs (rocpd_op), joined by rocpd_api_ops. Calls
/// `rowsRead` regularly with a number of rows. Fails when SQLite cannot read a table. Throws Stopped. Source
/// of the schema: ROCm/rocmProfileData, rocpd_python/rocpd/schema_data/tableSchema.cmd.
Result<void> readRpd(sqlite::Database& report, const std::vector<std::string>& tables, RocmEvents& events,
    const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop);

} // namespace warpline
