#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/export/history_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr double pictureWidth = 960;
constexpr double pictureHeight = 260;
constexpr double pictureLeft = 90;
constexpr double pictureRight = 14;
constexpr double pictureTop = 12;
constexpr double pictureBottom = 26;

/// Where recording `i` of `count` stands: in the middle of its share of the width.
double placeOf(std::size_t i, std::size_t count)
{
    const double each = (pictureWidth - pictureLeft - pictureRight) / static_cast<double>(count);
    return pictureLeft + each * (static_cast<double>(i) + 0.5);
}

/// Maps values to heights.
struct Scale {
    double least = 0;
    double most = 1;
    double y(Ns figure) const
    {
        return pictureTop
            + (pictureHeight - pictureTop - pictureBottom) * (most - static_cast<double>(figure))
            / (most - least);
    }
};

std::string axisText(const History& history, const Scale& scale)
{
    const std::size_t count = history.recordings.size();
    std::string svg;
    for (const double figure : {scale.most, scale.least}) {
        const Ns time = static_cast<Ns>(figure);
        svg += svgText(pictureLeft - 8, scale.y(time) + 4, "end", formatDuration(time));
    }
    const auto day = [&](std::size_t i) { return formatUtc(history.recordings[i].started).substr(0, 10); };
    svg += svgText(placeOf(0, count), pictureHeight - 6, "start", day(0));
    if (count > 1)
        svg += svgText(placeOf(count - 1, count), pictureHeight - 6, "end", day(count - 1));
    return svg + "\n";
}

std::string recordingDot(const History& history, std::size_t i, const Scale& scale, CompareFigure figure)
{
    const Recording& recording = history.recordings[i];
    const bool mean = figure == CompareFigure::Mean;
    const Ns time = mean ? recording.mean : recording.median;
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"var({})\"><title>{} {} UTC, {}: "
                       "{}</title></circle>\n",
        placeOf(i, history.recordings.size()), scale.y(time), mean ? 1.5 : 2.5, mean ? "--b" : "--a",
        htmlText(recording.file), formatUtc(recording.started),
        plain(Message("history.figure", "{figure, select, mean {mean} other {median}}",
            {{"figure", Name{std::string(keyOf(figure))}}})),
        formatDuration(time));
}

std::string svgLine(
    double x1, double y1, double x2, double y2, std::string_view color, std::string_view more = {})
{
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"var({})\"{}/>\n", x1, y1, x2,
        y2, color, more);
}

constexpr std::size_t maxShownParts = 7;
constexpr std::array<std::string_view, maxShownParts + 1> partColors{
    "#2e86c1", "#d68910", "#27ae60", "#8e44ad", "#c0392b", "#16a085", "#b7950b", "#7f8c8d"};

/// Ids and titles of the parts that take most over all recordings.
std::vector<std::pair<std::string, std::string>> largestParts(const History& history)
{
    std::map<std::string, std::pair<Ns, std::string>> sums;
    for (const Recording& recording : history.recordings) {
        for (const RecordedPart& part : recording.parts) {
            auto& [time, title] = sums[part.id];
            time += part.time;
            title = plain(part.title());
        }
    }
    std::vector<std::pair<Ns, std::string>> order;
    for (const auto& [id, sum] : sums)
        order.emplace_back(sum.first, id);
    std::ranges::sort(order, std::greater{});
    std::vector<std::pair<std::string, std::string>> parts;
    for (std::size_t i = 0; i < std::min(maxShownParts, order.size()); ++i)
        parts.emplace_back(order[i].second, sums[order[i].second].second);
    return parts;
}

Ns timeOfPart(const Recording& recording, const std::string& id)
{
    const auto part = std::ranges::find(recording.parts, id, &RecordedPart::id);
    return part != recording.parts.end() ? part->time : 0;
}

/// The median and the mean step of each recording as dots, the levels as lines, and where they change.
std::string levelsSvg(const History& history)
{
    const std::size_t count = history.recordings.size();
    std::vector<Ns> shown; // outliers may lie outside
    for (std::size_t i = 0; i < count; ++i) {
        if (!history.outliers[i]) {
            shown.push_back(history.recordings[i].median);
            shown.push_back(history.recordings[i].mean);
        }
    }
    if (shown.empty())
        return {};
    Scale scale{
        static_cast<double>(std::ranges::min(shown)), 1.02 * static_cast<double>(std::ranges::max(shown))};
    scale.least = std::min(scale.least, 0.8 * scale.most); // small variation must look small
    std::string svg = svgHead(pictureWidth, pictureHeight,
        plain(Message("history.levels_picture",
            "Median and mean step of each recording, and the levels of the median")));
    svg += axisText(history, scale);
    for (const HistoryChange& change : history.changes) {
        const double x = (placeOf(change.at - 1, count) + placeOf(change.at, count)) / 2;
        svg += svgLine(x, pictureTop, x, pictureHeight - pictureBottom,
            change.verdict() == CompareVerdict::Slower ? "--more" : "--less", " stroke-dasharray=\"4 3\"");
    }
    for (const HistoryLevel& level : history.levels)
        svg += svgLine(placeOf(level.first, count) - 2, scale.y(level.median),
            placeOf(level.end - 1, count) + 2, scale.y(level.median), "--sum", " stroke-width=\"2\"");
    for (std::size_t i = 0; i < count; ++i) {
        if (static_cast<double>(history.recordings[i].mean) <= scale.most)
            svg += recordingDot(history, i, scale, CompareFigure::Mean);
        if (static_cast<double>(history.recordings[i].median) <= scale.most)
            svg += recordingDot(history, i, scale, CompareFigure::Median);
    }
    return svg + "</svg>\n<p class=\"files\">"
        + plain(Message("history.legend",
            "Dots: median step, large; mean step, small. Lines: levels of the median, and where the step changes."))
        + "</p>\n";
}

/// The mean step of each recording as a bar of its parts; the largest by name, and the rest together.
std::string budgetsSvg(const History& history)
{
    const auto parts = largestParts(history);
    const std::size_t count = history.recordings.size();
    Scale scale{0, 1};
    for (const Recording& recording : history.recordings)
        scale.most = std::max(scale.most, static_cast<double>(recording.mean));
    std::string svg = svgHead(pictureWidth, pictureHeight,
        plain(Message("history.budget_picture", "Where the time of the mean step goes")));
    svg += axisText(history, scale);
    const double width
        = std::max(1.0, 0.9 * (pictureWidth - pictureLeft - pictureRight) / static_cast<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
        Ns below = 0;
        const auto addBar = [&](std::string_view title, Ns time, std::string_view color) {
            if (time <= 0)
                return;
            svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                               "fill=\"{}\"><title>{}, {}: {}</title></rect>\n",
                placeOf(i, count) - width / 2, scale.y(below + time), width,
                scale.y(below) - scale.y(below + time), color, htmlText(history.recordings[i].file),
                htmlText(title), formatDuration(time));
            below += time;
        };
        for (std::size_t part = 0; part < parts.size(); ++part)
            addBar(
                parts[part].second, timeOfPart(history.recordings[i], parts[part].first), partColors[part]);
        addBar(
            plain(Message("history.other", "Other")), history.recordings[i].mean - below, partColors.back());
    }
    svg += "</svg>\n<p>";
    for (std::size_t part = 0; part < parts.size(); ++part)
        svg += fmt::format(
            "<span style=\"color:{}\">■</span> {} &nbsp; ", partColors[part], htmlText(parts[part].second));
    return svg
        + fmt::format("<span style=\"color:{}\">■</span> {}</p>\n", partColors.back(),
            plain(Message("history.all_else", "All else")));
}

} // namespace

std::string historyHtml(const HistoryText& text)
{
    HistoryText all = text;
    all.mostRows = text.history.recordings.size();
    std::string html = htmlHead(plain(Message("history.title", "History")));
    TextPage page = htmlPage(html);
    page.picture = [&] {
        html += levelsSvg(text.history) + "<h2>" + plain(Message("history.budget", "Budget of the mean step"))
            + "</h2>\n" + budgetsSvg(text.history);
    };
    writeHistoryPage(all, page);
    return html + "</body></html>\n";
}

} // namespace warpline
