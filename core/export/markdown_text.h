#pragma once

#include "core/render/render.h"

#include <string>
#include <string_view>

namespace warpline {

/// `text` as a cell of a GitHub Markdown table: valid UTF-8 on one line, with all Markdown escaped: bars,
/// backticks, and template arguments that look like HTML.
std::string markdownCell(std::string_view text);

} // namespace warpline
