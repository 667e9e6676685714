#pragma once

#include "core/rocprof/rocm_rows.h"

#include <string>
#include <vector>

namespace warpline {

/// Whether a database with these `tables` is from rocmProfileData (rpd_tracer, runTracer.sh): the predecessor
/// of rocpd.
bool isRpd(const std::vector<std::string>& tables);

/// Reads such a database: calls (rocpd_api) and work on GPUs (rocpd_op), joined by rocpd_api_ops. Fails when
/// SQLite cannot read a table. Throws Stopped. Source of the schema: ROCm/rocmProfileData,
/// rocpd_python/rocpd/schema_data/tableSchema.cmd.
Result<void> readRpd(const RocmRows& rows, const std::vector<std::string>& tables);

} // namespace warpline
