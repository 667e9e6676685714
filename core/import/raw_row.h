#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

/// Every column of row `rowid` of `table` as the report holds it, in order: (column, value as text). Ids of
/// StringIds are followed by their string in brackets. Opens the file again: call it off the GUI thread.
/// Errors: the file is no longer readable, the table or the row is missing.
Result<std::vector<std::pair<std::string, std::string>>> readRawRow(
    const std::string& path, const std::string& table, std::uint32_t rowid);

} // namespace warpline
