#pragma once

#include "core/base/result.h"
#include "core/load/load_options.h"

#include <memory>
#include <string>

namespace warpline {

class Trace;

/// Opens the report at `path` read-only and reads all of it, in the format of its content. Errors name the
/// file, the problem and the remedy: missing, unknown format, another program's database, locked, truncated,
/// cancelled. Bad rows are not errors: they are skipped or repaired and counted in ReportInfo::problems.
Result<std::shared_ptr<const Trace>> loadReport(const std::string& path, const LoadOptions& options = {});

} // namespace warpline
