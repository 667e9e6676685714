#pragma once

#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

namespace sqlite {
class Database;
class ReportFile;
} // namespace sqlite

/// The function that finds the strings that Python samples of a report refer to: ids of StringIds inside
/// payloads (JSON or nsys' own format), which no column shows. It returns the ids that a payload names, as a
/// JSON array; the payload is JSON, or the number of its domain, a colon, and the bytes. Reads how the bytes
/// are laid out. Errors: the report cannot be read.
Result<std::function<std::string(std::string_view payload)>> pythonNamesOf(
    const sqlite::ReportFile& file, sqlite::Database& report, const std::stop_token& stop);

} // namespace warpline
