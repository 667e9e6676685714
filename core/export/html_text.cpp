#include "core/export/html_text.h"

#include "core/export/cells_text.h"

#include <fmt/format.h>

namespace warpline {

std::string htmlTable(const Cells& cells)
{
    std::string html = "<div class=\"scroll\"><table><tr>";
    for (const Column& column : cells.columns)
        html += "<th>" + htmlText(column.title) + "</th>";
    html += "</tr>\n";
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        const std::string first
            = cells.columns.empty() ? "" : readableText(cells.at(row, 0), cells.columns[0].unit);
        html += fmt::format("<tr class=\"{}\">", htmlText(first.substr(0, first.find(' '))));
        for (std::size_t column = 0; column < cells.columns.size(); ++column) {
            const Unit unit = cells.columns[column].unit;
            html += (unit == Unit::Text ? "<td>" : "<td class=\"n\">")
                + htmlText(readableText(cells.at(row, column), unit)) + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

std::string svgHead(double width, double height, std::string_view title, std::string_view classes)
{
    return fmt::format(
        "<svg{3} viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
        "aria-label=\"{2}\" font-size=\"13\" fill=\"currentColor\"><title>{2}</title>\n",
        width, height, htmlText(title),
        classes.empty() ? std::string() : fmt::format(" class=\"{}\"", classes));
}

std::string svgText(
    double x, double y, std::string_view anchor, std::string_view words, std::string_view classes)
{
    return fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
        classes.empty() ? std::string() : fmt::format(" class=\"{}\"", classes), x, y, anchor,
        htmlText(words));
}

} // namespace warpline
