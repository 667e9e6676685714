#pragma once

#include "app/mcp/tool.h"

namespace warpline::cli {

/// The tool "picture": the program warpline draws the requested report and range, if it is installed next to
/// this one or on PATH.
ToolAnswer pictureOfRange(Desk& desk, const ToolArguments& asked);

/// `bytes` in base64 (https://www.rfc-editor.org/rfc/rfc4648, section 4).
std::string base64Of(std::string_view bytes);

} // namespace warpline::cli
