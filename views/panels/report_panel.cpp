#include "views/panels/report_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/render/render.h"
#include "core/store/machine_facts.h"
#include "core/store/part_of_recording.h"
#include "core/store/place_names.h"
#include "core/store/problem.h"
#include "core/store/recorder.h"
#include "views/panels/layouts.h"
#include "views/style/rich_text.h"

#include <QTextBrowser>

#include <algorithm>
#include <ranges>
#include <set>

namespace warpline {

namespace {

QString line(const QString& label, const QString& value)
{
    return value.isEmpty()
        ? QString()
        : "<tr><td style='padding-right:14px' valign=top>" + label + "</td><td>" + value + "</td></tr>";
}

QString reportHeading(const QString& text)
{
    return "<h3 style='margin-bottom:2px'>" + text + "</h3>";
}

/// "2025-11-20 10:00:00" for "2025-11-20T10:00:00": as the overview writes it.
QString momentHtml(const std::string& moment)
{
    constexpr qsizetype afterDate = 10;
    QString text = htmlOf(moment);
    if (text.size() > afterDate && text[afterDate] == 'T')
        text[afterDate] = ' ';
    return text;
}

/// The rows of a section that are shown: they are laid out in the window's thread.
constexpr std::size_t maxSectionRows = 200;

QString moreHtml(std::size_t rows)
{
    return rows > maxSectionRows ? "<p>" + QObject::tr("and %1 more").arg(rows - maxSectionRows) + "</p>"
                                 : QString();
}

QString factsHtml(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    QString html = "<table cellspacing=0 cellpadding=2>";
    html += line(QObject::tr("File"), htmlOf(info.path));
    html += line(QObject::tr("Size"), htmlOf(formatBytes(info.fileBytes)));
    if (const auto part = partOf(info))
        html += line(QObject::tr("Format"), htmlOf(plain(partText(*part))));
    html += line(QObject::tr("Span"), durationHtml(trace.session.duration()));
    html += line(QObject::tr("Events"), countHtml(trace.eventCount()));
    html += line(QObject::tr("Program"), htmlOf(info.commandLine));
    html += line(QObject::tr("Started (UTC)"), momentHtml(info.startedUtc));
    html += line(QObject::tr("Host"), htmlOf(info.hostName));
    html += line(QObject::tr("System"), htmlOf(info.operatingSystem));
    if (recorderOf(info) == Recorder::NsightSystems)
        html += line(QObject::tr("Exported by"),
            info.exporterVersion.empty() ? QObject::tr("Nsight Systems before 2021.5")
                                         : "Nsight Systems " + htmlOf(info.exporterVersion));
    html += line(QObject::tr("Schema"), htmlOf(info.schemaVersion));
    return html + "</table>";
}

/// A section with `rows` of a table, of which there are `count`; empty without any.
QString tableSection(const QString& title, const QString& rows, std::size_t count)
{
    return rows.isEmpty()
        ? QString()
        : reportHeading(title) + "<table cellpadding=2>" + rows + "</table>" + moreHtml(count);
}

QString devicesHtml(const Trace& trace)
{
    QString html;
    for (const Device& device : std::views::take(trace.devices, maxSectionRows)) {
        html += "<tr><td>GPU " + QString::number(device.id) + "</td><td>" + htmlOf(device.name) + "</td><td>"
            + (device.multiprocessors ? QObject::tr("%1 SMs").arg(device.multiprocessors) : QString())
            + "</td><td>"
            + (device.memoryBytes ? htmlOf(formatBytes(static_cast<std::uint64_t>(device.memoryBytes)))
                                  : QString())
            + "</td><td>"
            + (device.computeMajor ? QObject::tr("compute capability %1.%2")
                                         .arg(device.computeMajor)
                                         .arg(device.computeMinor)
                                   : QString())
            + "</td><td>" + htmlOf(device.busLocation) + "</td></tr>";
    }
    return html.isEmpty() ? QString()
                          : reportHeading(QObject::tr("GPUs")) + "<table cellpadding=3>" + html + "</table>"
            + moreHtml(trace.devices.size());
}

QString processesHtml(const Trace& trace)
{
    std::set<GlobalId> active;
    for (const EventKind kind : allEventKinds()) {
        for (const Track& track : trace.table(kind).tracks)
            active.insert(processOf(track.owner));
    }
    active.erase(0);
    QString html = reportHeading(QObject::tr("Processes with events")) + "<p>";
    for (const GlobalId process : std::views::take(active, maxSectionRows))
        html += richTextOf(processLabel(trace, process)) + "<br>";
    return active.empty() ? QString() : html + "</p>" + moreHtml(active.size());
}

QString tablesHtml(const Trace& trace)
{
    QString known;
    QString unknown;
    std::size_t knownRows = 0;
    std::size_t unknownRows = 0;
    for (const SourceTable& table : trace.info.tables) {
        if (table.name.starts_with("ENUM_"))
            continue;
        if (++(table.known ? knownRows : unknownRows) > maxSectionRows)
            continue;
        (table.known ? known : unknown) += "<tr><td>" + htmlOf(table.name) + "</td><td align=right>"
            + countHtml(table.rows) + "</td></tr>";
    }
    const bool ofNsys = recorderOf(trace.info) == Recorder::NsightSystems;
    return tableSection(QObject::tr("Tables that Warpline does not read"), unknown, unknownRows)
        + reportHeading(ofNsys ? QObject::tr("Tables") : QObject::tr("Kinds of events in the file"))
        + "<table cellpadding=2>" + known + "</table>" + moreHtml(knownRows);
}

/// How the file was read: of interest when opening is slow, or the file is damaged.
QString readingHtml(const Trace& trace)
{
    if (recorderOf(trace.info) != Recorder::NsightSystems)
        return {}; // there is one way
    QString html = reportHeading(QObject::tr("How the tables were read"));
    if (trace.info.readBySqlite.empty())
        return html + "<p>" + QObject::tr("Directly from the pages of the file.") + "</p>";
    for (const auto& [table, why] : std::views::take(trace.info.readBySqlite, maxSectionRows)) {
        html += "<p>"
            + (table.empty() ? QObject::tr("With SQLite, which is slower: %1.").arg(htmlOf(why))
                             : QObject::tr("%1 with SQLite: %2.").arg(htmlOf(table), htmlOf(why)))
            + "</p>";
    }
    return html + moreHtml(trace.info.readBySqlite.size());
}

QString outputHtml(const Trace& trace)
{
    QString html;
    for (const ProgramOutput& said : trace.info.output) {
        const std::string name = toUtf8(said.name).substr(toUtf8(said.name).find_last_of("/\\") + 1);
        html += "<p style='margin-bottom:0px'>" + richTextOf(processLabel(trace, said.process)) + ", "
            + htmlOf(name) + "</p><pre style='white-space:pre-wrap'>" + wholeTextOf(said.text).toHtmlEscaped()
            + "</pre>";
    }
    return html.isEmpty() ? QString() : reportHeading(QObject::tr("Program output")) + html;
}

QString listHtml(const Trace& trace)
{
    QString problems;
    for (const Problem& problem : std::views::take(trace.info.problems, maxSectionRows))
        problems += "<tr><td align=right>" + countHtml(problem.count) + "&times;</td><td>"
            + htmlOf(problem.table) + "</td><td>" + richTextOf(messageOf(problem)) + "</td></tr>";
    static const char* const severities[] = {"", "Info", "Warning", "Error", "Verbose"};
    QString messages;
    for (const DiagnosticLine& said : std::views::take(trace.info.diagnostics, maxSectionRows)) {
        const auto severity = static_cast<std::size_t>(std::clamp(said.severity, 0, 4));
        messages
            += "<tr><td>" + QString(severities[severity]) + "</td><td>" + htmlOf(said.text) + "</td></tr>";
    }
    return tableSection(QObject::tr("Problems while reading"), problems, trace.info.problems.size())
        + tableSection(QObject::tr("Profiler messages"), messages, trace.info.diagnostics.size());
}

/// Environments may contain secrets, and are not useful here.
bool isShown(std::string_view fact, bool machine)
{
    return machine ? !containsWord(fact, "environment") : !isOfMachine(fact);
}

/// How it was recorded.
QString captureHtml(const Trace& trace, bool machine)
{
    QString html;
    std::size_t rows = 0;
    for (const auto& [name, value] : trace.info.capture) {
        if (isShown(name, machine) && ++rows <= maxSectionRows)
            html += "<tr><td>" + richTextOf({name, "capture_fact", name}) + "</td><td>" + htmlOf(value)
                + "</td></tr>";
    }
    return tableSection(QObject::tr("Capture options"), html, rows);
}

/// Other facts about where a trace was recorded. nsys exports have their environment there.
QString systemHtml(const Trace& trace, bool machine)
{
    if (recorderOf(trace.info) == Recorder::NsightSystems || trace.info.system.empty())
        return {};
    QString html;
    std::size_t rows = 0;
    for (const auto& [name, value] : trace.info.system) {
        if (isShown(name, machine) && ++rows <= maxSectionRows)
            html += "<tr><td>" + htmlOf(name) + "</td><td>" + htmlOf(value) + "</td></tr>";
    }
    return reportHeading(QObject::tr("System")) + "<table cellpadding=2>" + html + "</table>"
        + moreHtml(rows);
}

} // namespace

QString reportHtml(const Trace& trace, bool machine)
{
    const QString ask = "<p><a href='machine'>"
        + (machine ? QObject::tr("Hide host, command line and program output")
                   : QObject::tr("Show host, command line and program output"))
        + "</a></p>";
    return factsHtml(machine ? withMachine(trace) : trace) + ask + devicesHtml(trace) + listHtml(trace)
        + processesHtml(trace) + tablesHtml(trace) + readingHtml(trace)
        + (machine ? outputHtml(trace) : QString()) + captureHtml(trace, machine)
        + systemHtml(trace, machine);
}

ReportPanel::ReportPanel(Session& session, QWidget* parent)
    : Panel(session, parent),
      m_text(new QTextBrowser(this))
{
    m_fill.setSingleShot(true);
    connect(&m_fill, &QTimer::timeout, this, &ReportPanel::fill);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn); // otherwise the page would be laid out twice, without it and with it
    m_text->setOpenLinks(false);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this] {
        m_machine = !m_machine;
        fill();
    });
    fillColumn(this, styleSpacing, {m_text});
}

void ReportPanel::showReport()
{
    m_machine = false;
    // A long page takes time to lay out: does it in a turn of its own, before it is visible.
    m_fill.start(0);
}

void ReportPanel::fill()
{
    m_text->setHtml(reportHtml(m_session.trace(), m_machine));
    emit updated();
}

void ReportPanel::clear()
{
    m_fill.stop();
    m_text->clear();
}

extern const PanelKind reportPanel;
const PanelKind reportPanel{
    .id = "report",
    .title = QT_TRANSLATE_NOOP("Action", "Report"),
    .help
    = QT_TRANSLATE_NOOP("warpline::Panel", "What was recorded, on which machine, and problems while reading"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+Shift+E",
    .make = makePanel<ReportPanel>,
};

} // namespace warpline
