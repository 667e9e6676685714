#include "core/base/utf8.h"
#include "core/render/render.h"

namespace warpline {

std::string htmlText(std::string_view bytes)
{
    std::string html;
    for (const char c : shownText(bytes)) {
        switch (c) {
        case '&':
            html += "&amp;";
            break;
        case '<':
            html += "&lt;";
            break;
        case '>':
            html += "&gt;";
            break;
        case '"':
            html += "&quot;";
            break;
        default:
            html += c;
        }
    }
    return html;
}

std::string markdownProse(std::string_view text)
{
    std::string out;
    bool isCode = false;
    for (const char c : shownText(text)) {
        isCode = isCode != (c == '`');
        if (!isCode && (c == '<' || c == '*'))
            out += '\\';
        out += c;
    }
    return out;
}

std::string markdownCell(std::string_view text)
{
    std::string out;
    for (const char c : shownText(onOneLine(text))) {
        if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

} // namespace warpline
