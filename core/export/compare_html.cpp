#include "core/export/compare_page.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

namespace warpline {

namespace {

constexpr std::string_view style = R"(
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
tr.new td:first-child, tr.slower td:first-child, tr.more td:first-child, tr.grown td:first-child { color: var(--more); }
tr.gone td:first-child, tr.faster td:first-child, tr.fewer td:first-child, tr.shrunk td:first-child { color: var(--less); }
svg { max-width: 100%; height: auto; }
)";

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
    std::string html
        = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n"
                      "<title>Comparison</title>\n<style>{}</style></head>\n<body>\n<h1>Comparison</h1>\n"
                      "<p class=\"files\">A: {}<br>B: {}</p>\n",
            style, filesOf(comparison.sides.a), filesOf(comparison.sides.b));
    writeComparePage(text,
        {.verdict
            = [&](const std::string& line) { html += "<p class=\"verdict\">" + htmlText(line) + "</p>\n"; },
            .title = [&](const std::string& title) { html += "<h2>" + htmlText(title) + "</h2>\n"; },
            .text = [&](const std::string& line) { html += "<p>" + htmlText(line) + "</p>\n"; },
            .table = [&](const Cells& cells) { html += htmlTable(cells); },
            .picture = [&] { html += waterfallSvg(comparison) + stepsSvg(comparison); }});
    return html + "</body></html>\n";
}

} // namespace warpline
