#include "core/export/markdown_text.h"

#include "core/base/utf8.h"

namespace warpline {

std::string markdownCell(std::string_view text)
{
    std::string out;
    for (const char c : toUtf8(text)) {
        if (c == '\n' || c == '\r' || c == '\t') {
            out += ' ';
            continue;
        }
        if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

std::string markdownProse(std::string_view text)
{
    std::string out;
    bool isCode = false;
    for (const char c : text) {
        isCode = isCode != (c == '`');
        if (!isCode && (c == '<' || c == '*'))
            out += '\\';
        out += c;
    }
    return out;
}

} // namespace warpline
