#include "core/export/markdown_text.h"

#include "core/base/utf8.h"

#include <algorithm>

namespace warpline {

std::string markdownCell(std::string_view text)
{
    std::string out;
    std::string line(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    for (const char c : shownText(line)) {
        if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

} // namespace warpline
