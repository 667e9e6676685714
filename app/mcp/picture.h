#pragma once

#include "app/mcp/tool.h"

namespace warpline::cli {

/// The tool "picture": what the program warpline draws of the report and range that `asked` names, where it
/// is installed beside this one or on the PATH.
ToolAnswer pictureOfRange(Desk& desk, const ToolArguments& asked);

/// `bytes` in base64 (https://www.rfc-editor.org/rfc/rfc4648, section 4).
std::string base64Of(std::string_view bytes);

} // namespace warpline::cli
