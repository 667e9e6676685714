#pragma once

#include "core/cut/cut_report.h"
#include "core/cut/cut_tables.h"
#include "core/sqlite/table_copier.h"

#include <vector>

namespace warpline {

/// Blanks in the new database what identifies the user and the host: environment, command lines, output of
/// programs, and, wherever they appear, credentials and names of hosts and users, which it looks for in
/// `report`. Counts it in `facts`.
Result<void> redact(sqlite::TableCopier& copy, sqlite::Database& report, const std::vector<CutTable>& tables,
    RedactedFacts& facts);

} // namespace warpline
