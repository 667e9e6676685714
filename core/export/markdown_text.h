#pragma once

#include "core/render/render.h"

#include <string>
#include <string_view>

namespace warpline {

/// `text` as a cell of a table of Markdown (GitHub's): valid UTF-8 on one line, and nothing in it is read as
/// Markdown: no bar ends the cell, no backtick opens code, no template argument is taken for HTML.
std::string markdownCell(std::string_view text);

} // namespace warpline
