#include "core/export/html_text.h"

#include "core/base/utf8.h"

namespace warpline {

std::string htmlText(std::string_view bytes)
{
    std::string html;
    for (const char c : toUtf8(bytes)) {
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

} // namespace warpline
