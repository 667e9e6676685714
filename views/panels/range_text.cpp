#include "views/panels/range_text.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "views/panels/overview_headline.h"
#include "views/panels/stats_lines.h"
#include "views/session/idle_books.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QObject>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace warpline {

namespace {

constexpr std::size_t maxNamed = 10;
constexpr qsizetype longestInColumn = 40;

QString rangeHeading(const QString& text)
{
    return "<p style='margin-top:12px; margin-bottom:4px'><b>" + text.toHtmlEscaped() + "</b></p>";
}

QString rangeLine(const QString& html)
{
    return "<p style='margin-top:0px; margin-bottom:3px; line-height:125%'>" + html + "</p>";
}

QString unbroken(QString text)
{
    return text.replace(' ', "&nbsp;");
}

/// A part of a GPU's busy time; the parts do not overlap.
struct BusyPart {
    QString text; ///< "compute %1"
    Ns time;
    EventTint tint;
};

std::array<BusyPart, 4> busyParts(const DeviceFigures& device)
{
    return {{{QObject::tr("compute %1"), device.compute, EventTint::Kernel},
        {QObject::tr("waiting for pages %1"), device.stalled, EventTint::Memory},
        {QObject::tr("only communication %1"), device.communication, EventTint::Collective},
        {QObject::tr("only copies %1"), device.copyOnly, EventTint::CopyHtoD}}};
}

/// The whole range as one bar: the GPU's activity, and idle time.
QString rangeDevicesHtml(const RangeStats& stats, const std::vector<IdleCauses>& idle, const Theme& theme)
{
    QString html;
    for (std::size_t i = 0; i < stats.devices.size(); ++i) {
        const DeviceFigures& device = stats.devices[i];
        QString cells;
        QStringList words;
        const auto add = [&](const QString& text, Ns time, const QColor& color) {
            if (time <= 0)
                return;
            words << QString("<span style='color:%1'>\u25a0</span>&nbsp;").arg(color.name())
                    + unbroken(text.arg(durationHtml(time)));
            if (const double share = shareOf(time, stats.window.duration()); share >= 0.005)
                cells += QString("<td width='%1%' bgcolor='%2' style='font-size:6pt'>&nbsp;</td>")
                             .arg(100 * share, 0, 'f', 1)
                             .arg(color.name());
        };
        for (const BusyPart& part : busyParts(device))
            add(part.text, part.time, theme.color(part.tint));
        add(QObject::tr("idle %1"), device.idle, theme.rest);
        const double busy = shareOf(device.busy, stats.window.duration());
        html += rangeLine(QObject::tr("<b>GPU %1 busy %2</b>").arg(device.number).arg(shareHtml(busy)))
            + "<table width='100%' cellspacing=0 cellpadding=0><tr>" + cells + "</tr></table>"
            + rangeLine(spacedHtml(words));
        QStringList causes;
        Ns other = device.idle;
        for (const auto& [cause, time] : idle[i]) {
            causes << htmlOf(plain(cause)) + "&nbsp;" + durationHtml(time);
            other -= time;
        }
        const bool isLeft = shareOf(other, stats.window.duration()) >= minOtherShare;
        if (!causes.isEmpty())
            html += rangeLine(hostActivityHtml(causes, isLeft ? durationHtml(other) : QString()));
    }
    return html;
}

/// `ofWhole` are the statistics of whole events: the time inside is named where the range cuts some.
QString inRangeHtml(Ns inside, Ns whole, const QString& ofWhole)
{
    return inside == whole ? ofWhole
                           : QObject::tr("%1 in range, whole: %2").arg(durationHtml(inside), ofWhole);
}

QString namesHtml(const Trace& trace, const RangeStats& stats)
{
    const StatsLines lines = nameLines(trace, stats); // work of the GPU first
    const auto shown = std::span(lines).first(std::min(maxNamed, lines.size()));
    const auto nameOf = [](const auto& line) { return line.cells.front().text; };
    QString html;
    for (const auto& line : shown) {
        const NameFigures& name = stats.names[line.id];
        // A host range and those on the GPU have one name.
        const QString kind = std::ranges::count(shown, nameOf(line), nameOf) > 1
            ? QString(" (%1)").arg(line.cells[1].text.toHtmlEscaped())
            : QString();
        html += rangeLine(QString("<a href='name:%1'>%2</a>%3<br>")
                              .arg(line.id)
                              .arg(elidedInMiddle(nameOf(line), longestInColumn).toHtmlEscaped(), kind)
            + inRangeHtml(name.total, name.whole,
                QObject::tr("%1 in %2, mean %3")
                    .arg(durationHtml(name.whole), countHtml(name.count), durationHtml(wholeNs(name.mean)))));
    }
    return html.isEmpty() ? html : rangeHeading(QObject::tr("Top names")) + html;
}

QString copiesHtml(const RangeStats& stats)
{
    QString html;
    for (const CopyFigures& copy : stats.copies)
        html += rangeLine(QObject::tr("%1: %2").arg(htmlOf(labelOf(copy.kind)),
            inRangeHtml(copy.total, copy.whole,
                QObject::tr("%1, %2, %3")
                    .arg(htmlOf(formatBytes(copy.bytes)), durationHtml(copy.whole),
                        htmlOf(formatThroughput(copy.throughput()))))));
    return html.isEmpty() ? html : rangeHeading(QObject::tr("Copies")) + html;
}

} // namespace

QString rangeSummary(const RangeStats& stats, bool selected, const ClockOffset& clock, std::uint64_t all,
    const std::vector<RangeWork>& work)
{
    // A thousandth of the range is precise enough for its ends.
    const Ns length = stats.window.duration();
    const Ns resolution = length < 1'000'000 ? 1 : length / 1000;
    const auto placed = [&](Ns own) {
        const Ns at = clock.toWorkspace(own);
        return htmlOf(formatTime(std::abs(at) < resolution ? 0 : at, resolution)); // no -0.000 s
    };
    const QString events = stats.events < all
        ? QObject::tr("%1 of %2 events").arg(countHtml(stats.events), countHtml(all))
        : stats.events == 1 ? QObject::tr("1 event")
                            : QObject::tr("%1 events").arg(countHtml(stats.events));
    QString summary = (selected
            ? QObject::tr("Selected range: <b>%1</b> &nbsp;&middot;&nbsp; %2 to %3 &nbsp;&middot;&nbsp; %4")
            : QObject::tr(
                "Range shown in the timeline: <b>%1</b> &nbsp;&middot;&nbsp; %2 to %3 &nbsp;&middot;&nbsp; %4"))
                          .arg(durationHtml(length), placed(stats.window.start), placed(stats.window.end),
                              events);
    const auto share = [&](Ns time) {
        return shareHtml(static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, length)));
    };
    constexpr std::size_t maxInText = 2;
    for (std::size_t i = 0; i < std::min(stats.devices.size(), maxInText); ++i) {
        const DeviceFigures& device = stats.devices[i];
        QStringList busy;
        for (const BusyPart& part : busyParts(device)) {
            if (part.time > 0)
                busy << part.text.arg(share(part.time));
        }
        summary += QObject::tr(" &nbsp;&middot;&nbsp; <b>GPU %1</b> busy %2")
                       .arg(device.number)
                       .arg(share(device.busy));
        if (!busy.isEmpty())
            summary += " (" + busy.join(QCoreApplication::translate("Lists", ", ")) + ")";
        summary += ", " + QObject::tr("idle %1").arg(share(device.idle)) + ", "
            + QObject::tr("copies during compute %1").arg(share(device.overlap));
        for (const RangeWork& each : work) {
            if (each.process == device.process && each.device == device.device)
                summary += ", " + richTextOf(rangeWorkText(each));
        }
    }
    return summary;
}

QString outsideText(const std::string& label)
{
    return QObject::tr("The report %1 has no part in this range.").arg(htmlOf(label));
}

std::vector<IdleCauses> causesOfIdle(const Trace& trace, const RowTree& rows, const IdleTimes* idle,
    const std::vector<DeviceFigures>& devices, TimeRange window, const std::stop_token& stop)
{
    constexpr std::size_t maxCauses = 3;
    constexpr double minShare = 0.01; // of the range
    std::vector<IdleCauses> causes(devices.size());
    for (std::uint32_t id = 1; idle && id < rows.size(); ++id) {
        const Row& row = rows.row(RowId{id});
        if (!row.tellsIdle)
            continue;
        const GpuOfProcess gpu = gpuOf(trace, row);
        const auto device = std::ranges::find_if(devices, [&](const DeviceFigures& each) {
            return GpuOfProcess{each.process, each.device} == gpu;
        });
        if (device == devices.end())
            continue;
        IdleCauses& of = causes[static_cast<std::size_t>(device - devices.begin())];
        of.clear();
        const auto busyIn = [&](TimeRange range) {
            throwIfStopped(stop);
            return busyOf(trace, row, range);
        };
        for (const auto& [part, time] : idle->within(gpu, window, busyIn)) {
            if (of.size() < maxCauses && shareOf(time, window.duration()) >= minShare)
                of.emplace_back(
                    part->range.empty() ? labelOf(part->cause, idle->api()) : nameMessage(part->range), time);
        }
    }
    return causes;
}

QString rangeHtml(const Trace& trace, const RangeStats& stats, const std::vector<IdleCauses>& idle,
    const Theme& theme, const ClockOffset& clock)
{
    const auto at = [&](Ns time) { return htmlOf(formatInstant(clock.toWorkspace(time), 1000)); };
    return "<p style='margin-top:0px; margin-bottom:6px'><big><b>" + durationHtml(stats.window.duration())
        + "</b></big></p>"
        + rangeLine(stats.events == 0
                ? QObject::tr("%1 to %2").arg(at(stats.window.start), at(stats.window.end))
                : stats.events == 1
                ? QObject::tr("%1 to %2, 1 event").arg(at(stats.window.start), at(stats.window.end))
                : QObject::tr("%1 to %2, %3 events")
                      .arg(at(stats.window.start), at(stats.window.end), countHtml(stats.events)))
        + rangeDevicesHtml(stats, idle, theme) + namesHtml(trace, stats) + copiesHtml(stats);
}

QString rangeLinksHtml()
{
    return rangeLine("<br>" + QObject::tr("<a href='panel:findings'>Findings in this range</a>"))
        + rangeLine(QObject::tr("<a href='panel:statistics'>All statistics of this range</a>"));
}

} // namespace warpline
