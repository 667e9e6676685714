#include "views/panels/range_text.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/share.h"
#include "core/query/event_text.h"
#include "core/store/trace.h"
#include "views/panels/overview_headline.h"
#include "views/panels/stats_lines.h"
#include "views/style/rich_text.h"

#include <QObject>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t mostNamed = 10;
constexpr qsizetype longestInColumn = 40;

QString rangeHeading(const QString& text)
{
    return "<p style='margin-top:12px; margin-bottom:4px'><b>" + text.toHtmlEscaped() + "</b></p>";
}

QString rangeLine(const QString& html)
{
    return "<p style='margin-top:0px; margin-bottom:3px; line-height:125%'>" + html + "</p>";
}

QString rangeDevicesHtml(const RangeStats& stats, const Theme& theme)
{
    QString html;
    for (const DeviceFigures& device : stats.devices) {
        const double busy = shareOf(device.busy, stats.window.duration());
        html += rangeLine(QObject::tr("<b>GPU %1 busy %2</b>").arg(device.number).arg(shareHtml(busy))
            + "<br>" + shareBar(busy, theme.color(EventTint::Kernel)) + "<br>"
            + QObject::tr("compute %1, copies %2, both %3, idle %4")
                  .arg(durationHtml(device.compute), durationHtml(device.copy), durationHtml(device.overlap),
                      durationHtml(device.idle)));
    }
    return html;
}

QString namesHtml(const Trace& trace, const RangeStats& stats)
{
    const StatsLines lines = nameLines(trace, stats); // work of the GPU first
    QString html;
    for (std::size_t i = 0; i < std::min(mostNamed, lines.size()); ++i) {
        const NameFigures& name = stats.names[lines[i].id];
        html += rangeLine(
            QString("<a href='name:%1'>%2</a><br>")
                .arg(lines[i].id)
                .arg(elidedInMiddle(lines[i].cells.front().text, longestInColumn).toHtmlEscaped())
            + QObject::tr("%1 in %2, mean %3")
                  .arg(durationHtml(name.total), countHtml(name.count),
                      durationHtml(static_cast<Ns>(name.mean))));
    }
    return html.isEmpty() ? html : rangeHeading(QObject::tr("Top names")) + html;
}

QString copiesHtml(const RangeStats& stats)
{
    QString html;
    for (const CopyFigures& copy : stats.copies)
        html += rangeLine(QObject::tr("%1: %2, %3, %4")
                              .arg(htmlOf(labelOf(copy.kind)), htmlOf(formatBytes(copy.bytes)),
                                  durationHtml(copy.total), htmlOf(formatThroughput(copy.throughput()))));
    return html.isEmpty() ? html : rangeHeading(QObject::tr("Copies")) + html;
}

} // namespace

QString rangeHtml(const Trace& trace, const RangeStats& stats, const Theme& theme)
{
    const auto at = [](Ns time) { return htmlOf(formatInstant(time, 1000)); };
    return "<p style='margin-top:0px; margin-bottom:6px'><big><b>" + durationHtml(stats.window.duration())
        + "</b></big></p>"
        + rangeLine(stats.events == 0
                ? QObject::tr("%1 to %2").arg(at(stats.window.start), at(stats.window.end))
                : QObject::tr("%1 to %2, %3 events")
                      .arg(at(stats.window.start), at(stats.window.end), countHtml(stats.events)))
        + rangeDevicesHtml(stats, theme) + namesHtml(trace, stats) + copiesHtml(stats)
        + rangeLine("<br>" + QObject::tr("<a href='panel:findings'>Findings in this range</a>"))
        + rangeLine(QObject::tr("<a href='panel:statistics'>All statistics of this range</a>"));
}

} // namespace warpline
