#include "core/export/cells_text.h"
#include "core/export/compare_page.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

namespace warpline {

namespace {

std::string filesOf(const ComparedSide& side)
{
    std::string text;
    for (const std::string& file : side.files)
        text += (text.empty() ? "" : ", ") + htmlText(file);
    return text;
}

} // namespace

std::string compareHtml(const CompareText& text)
{
    const Comparison& comparison = text.comparison;
    std::string html = htmlHead(plain({"compare.title", "Comparison"}))
        + fmt::format("<p class=\"files\">A: {}<br>B: {}</p>\n", filesOf(comparison.sides.a),
            filesOf(comparison.sides.b));
    writeComparePage(text,
        {.verdict
            = [&](const std::string& line) { html += "<p class=\"verdict\">" + htmlText(line) + "</p>\n"; },
            .title = [&](const std::string& title) { html += "<h2>" + htmlText(title) + "</h2>\n"; },
            .text = [&](const std::string& line) { html += "<p>" + htmlText(line) + "</p>\n"; },
            .table = [&](const Cells& cells) { html += htmlTable(forReaders(cells), cells); },
            .nsysTable = [&](const Cells& cells) { html += htmlTable(cells); },
            .picture = [&] { html += waterfallSvg(comparison) + stepsSvg(comparison); }});
    return html + "</body></html>\n";
}

} // namespace warpline
