#pragma once

#include "core/base/result.h"
#include "core/export/json_text.h"

#include <nlohmann/json.hpp>

#include <string>

namespace warpline::cli {

/// The entry of the report of `words`: the term `asked`, else all that contain it. Error: there is none.
Result<Json> termsFor(const std::string& asked);

} // namespace warpline::cli
