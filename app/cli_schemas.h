#pragma once

#include <string_view>

namespace warpline::cli {

/// The JSON schema of the output of `command`, docs/cli/schema/COMMAND.json; empty: it has none.
std::string_view schemaOf(std::string_view command);

} // namespace warpline::cli
