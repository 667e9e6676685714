#include "core/export/compare_text.h"
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
    TextPage page = htmlPage(html);
    page.picture = [&] { html += waterfallSvg(comparison) + stepsSvg(comparison); };
    writeComparePage(text, page);
    return html + "</body></html>\n";
}

} // namespace warpline
