// A comparison as a page with pictures as SVG, which take their colours from it, so they are light or dark as
// it is.

#include "core/base/format.h"
#include "core/export/compare_text.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpline {

namespace {

constexpr std::size_t maxBars = 10; // the rest is one bar
constexpr double barLabelWidth = 250;
constexpr double plotWidth = 480;
constexpr double figureWidth = 110;
constexpr double rowHeight = 24;

struct Bar {
    std::string label;
    Ns from = 0;
    Ns to = 0;
    bool sum = false;
};

/// Parts that became shorter before those that became longer, as a reader walks down from A and up to B.
std::vector<Bar> barsOf(const Comparison& comparison)
{
    std::vector<BudgetLine> lines(comparison.budget.begin(),
        comparison.budget.begin() + static_cast<std::ptrdiff_t>(std::min(maxBars, comparison.budget.size())));
    Ns rest = std::llround(comparison.sides.b.mean) - std::llround(comparison.sides.a.mean);
    for (const BudgetLine& line : lines)
        rest -= line.delta();
    std::erase_if(lines, [](const BudgetLine& line) { return line.delta() == 0; });
    std::ranges::stable_partition(lines, [](const BudgetLine& line) { return line.delta() < 0; });
    Ns at = std::llround(comparison.sides.a.mean);
    std::vector<Bar> bars{{"A", 0, at, true}};
    for (const BudgetLine& line : lines) {
        bars.push_back({plain(line.title), at, at + line.delta(), false});
        at += line.delta();
    }
    if (rest != 0) {
        bars.push_back({plain(Message("compare.all_else", "all else")), at, at + rest, false});
        at += rest;
    }
    bars.push_back({"B", 0, at, true});
    return bars;
}

/// A waterfall as SVG: from A's step, over the change of each part, to B's. Colours come from the page:
/// var(--less), var(--more), var(--sum), currentColor.
std::string waterfallSvg(const Comparison& comparison)
{
    const std::vector<Bar> bars = barsOf(comparison);
    Ns most = 1;
    Ns least = 0;
    for (const Bar& bar : bars) {
        most = std::max({most, bar.from, bar.to});
        least = std::min({least, bar.from, bar.to});
    }
    const double scale = plotWidth / static_cast<double>(most - least);
    std::string svg
        = svgHead(barLabelWidth + plotWidth + figureWidth, rowHeight * static_cast<double>(bars.size()) + 8,
            plain(Message("compare.waterfall", "From the time of A to that of B, part by part")));
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const Bar& bar = bars[i];
        const double y = 4 + rowHeight * static_cast<double>(i);
        const Ns low = std::min(bar.from, bar.to);
        const double x = barLabelWidth + static_cast<double>(low - least) * scale;
        const double width = std::max(1.0, static_cast<double>(std::abs(bar.to - bar.from)) * scale);
        const std::string_view color = bar.sum ? "--sum" : bar.to < bar.from ? "--less" : "--more";
        const Ns change = bar.to - bar.from;
        const std::string figure = (bar.sum ? "" : change < 0 ? "-" : "+") + formatDuration(std::abs(change));
        svg += svgText(barLabelWidth - 8, y + 15, "end", bar.label);
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"var({})\"/>", x, y + 2,
            width, rowHeight - 6, color);
        svg += svgText(barLabelWidth + plotWidth + figureWidth, y + 15, "end", figure) + "\n";
    }
    return svg + "</svg>\n";
}

/// The compared steps of both sides as dots, length over time, with their medians. Empty: no steps.
std::string stepsSvg(const Comparison& comparison)
{
    const CompareTable* const steps = comparison.table("steps");
    if (!steps || steps->rows.size() < 2)
        return {};
    double most = 1;
    double least = 0;
    bool first = true;
    for (const CompareRow& row : steps->rows) {
        for (const RowFigures* const side : {&row.a, &row.b}) {
            if (side->count == 0)
                continue;
            most = std::max(most, side->perStep);
            least = first ? side->perStep : std::min(least, side->perStep);
            first = false;
        }
    }
    least = std::min(least, 0.8 * most); // small variation must look small
    const double height = 180;
    const double width = barLabelWidth + plotWidth + figureWidth;
    const double left = 90;
    const auto yOf = [&](double length) { return 10 + (height - 30) * (most - length) / (most - least); };
    const auto xOf = [&](std::size_t i) {
        return left + 10
            + (width - left - 30) * static_cast<double>(i) / static_cast<double>(steps->rows.size() - 1);
    };
    std::string svg
        = svgHead(width, height, plain(Message("compare.steps_picture", "Length of each step, A and B")));
    svg += svgText(left - 8, yOf(most) + 4, "end", formatDuration(std::llround(most)));
    svg += svgText(left - 8, yOf(least) + 4, "end", formatDuration(std::llround(least)));
    for (const Side side : {Side::A, Side::B}) {
        const std::string_view color = side == Side::A ? "--a" : "--b";
        const double median = yOf(static_cast<double>(comparison.sides[side].median));
        svg += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"var({})\"/>", left,
            width - 14, median, median, color);
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" fill=\"var({})\">{}</text>\n", width - 12, median + 4,
            color, nameOf(side));
        for (std::size_t i = 0; i < steps->rows.size(); ++i) {
            const RowFigures& figures = steps->rows[i][side];
            if (figures.count > 0)
                svg += fmt::format(
                    "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"var({})\"><title>{} {}: "
                    "{}</title></circle>",
                    xOf(i), yOf(figures.perStep), color, nameOf(side), htmlText(figures.name),
                    formatDuration(std::llround(figures.perStep)));
        }
        svg += "\n";
    }
    return svg + "</svg>\n";
}

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
