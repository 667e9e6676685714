#include "core/export/html_text.h"

#include "core/export/cells_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::string_view headStyle = R"(
:root { --less: #27ae60; --more: #c0392b; --sum: #7f8c8d; --a: #2e86c1; --b: #d68910; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark; color: #222; background: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --less: #58d68d; --more: #ec7063; --sum: #95a5a6; --a: #5dade2; --b: #f5b041; }
  body { color: #ddd; background: #1e1e1e; }
}
h2 { margin-top: 2.2rem; font-size: 1.15rem; }
.verdict { font-size: 1.2rem; font-weight: 600; }
.files { color: #888; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
td, th { padding: .15rem .8rem .15rem 0; text-align: left; border-bottom: 1px solid #8886; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.new td:first-child, tr.slower td:first-child, tr.larger td:first-child, tr.more td:first-child, tr.grown td:first-child { color: var(--more); }
tr.gone td:first-child, tr.faster td:first-child, tr.smaller td:first-child, tr.fewer td:first-child, tr.shrunk td:first-child { color: var(--less); }
svg { max-width: 100%; height: auto; }
)";

} // namespace

std::string pageLanguage()
{
    std::string tag(language().isPseudo ? std::string_view("en") : language().key);
    std::ranges::replace(tag, '_', '-');
    return tag;
}

std::string htmlHead(std::string_view title)
{
    return fmt::format("<!DOCTYPE html>\n<html lang=\"{2}\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n"
                       "<title>{0}</title>\n<style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n",
        htmlText(title), headStyle, pageLanguage());
}

std::string htmlTable(const Cells& keys)
{
    return htmlTable(keys, keys);
}

std::string htmlTable(const Cells& cells, const Cells& keys)
{
    std::string html = "<div class=\"scroll\"><table><tr>";
    for (const Column& column : cells.columns)
        html += "<th>" + htmlText(column.title) + "</th>";
    html += "</tr>\n";
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        const std::string first = cells.columns.empty() ? "" : readableText(keys.at(row, 0), keys.columns[0]);
        html += fmt::format("<tr class=\"{}\">", htmlText(first.substr(0, first.find(' '))));
        for (std::size_t column = 0; column < cells.columns.size(); ++column) {
            const Unit unit = cells.columns[column].unit;
            html += (unit == Unit::Text ? "<td>" : "<td class=\"n\">")
                + htmlText(readableText(cells.at(row, column), cells.columns[column])) + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

TextPage htmlPage(std::string& html)
{
    return {.verdict
        = [&html](const std::string& line) { html += "<p class=\"verdict\">" + htmlText(line) + "</p>\n"; },
        .title = [&html](const std::string& title) { html += "<h2>" + htmlText(title) + "</h2>\n"; },
        .text = [&html](const std::string& line) { html += "<p>" + htmlText(line) + "</p>\n"; },
        .table = [&html](const Cells& cells) { html += htmlTable(forReaders(cells), cells); },
        .nsysTable = [&html](const Cells& cells) { html += htmlTable(cells); }};
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
