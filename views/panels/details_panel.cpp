#include "views/panels/details_panel.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/format_instant.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/cache/report_key.h"
#include "core/derive/helper_threads.h"
#include "core/derive/nvtx_projection.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_judgement.h"
#include "core/import/raw_row.h"
#include "core/kernels/kernel_names.h"
#include "core/operators/operator_rows.h"
#include "core/query/counter_stats.h"
#include "core/query/event_text.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "views/panels/finding_text.h"
#include "views/panels/layouts.h"
#include "views/panels/range_text.h"
#include "views/session/exchange_text.h"
#include "views/session/idle_books.h"
#include "views/session/name_books.h"
#include "views/session/rank_judge.h"
#include "views/session/run_pair.h"
#include "views/session/side_color.h"
#include "views/session/source_editor.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"
#include "views/timeline/hover_tip.h"

#include <QEvent>
#include <QScrollBar>
#include <QSettings>
#include <QTextBrowser>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t maxLinks = 40;
constexpr qsizetype maxTitleLength = 90; ///< characters

QString tableHtml(const std::vector<TextRow>& rows)
{
    QString html = "<table cellspacing=0 cellpadding=2 width='100%'>";
    for (const TextRow& row : rows)
        html += "<tr><td width='42%' style='padding-right:12px' valign=top><span class=k>"
            + richTextOf(row.label) + "</span></td><td>" + richTextOf(row.value) + "</td></tr>";
    return html + "</table>";
}

QString sectionHeading(const QString& text)
{
    return "<p style='margin-top:10px;margin-bottom:2px'><b>" + text.toHtmlEscaped() + "</b></p>";
}

/// `rows` of an event; instants by `clock` too, so that those of several reports compare.
QString timedTableHtml(std::vector<TextRow> rows, const ClockOffset& clock)
{
    for (TextRow& row : rows) {
        if (row.instant && clock.offset != 0)
            row.value = nameMessage(QObject::tr("%1 on the axis (%2 on the report's own clock)")
                                        .arg(textOf(formatInstant(clock.toWorkspace(*row.instant))),
                                            textOf(formatInstant(*row.instant)))
                                        .toStdString());
    }
    return tableHtml(rows);
}

/// `name` with break opportunities, because Qt breaks a long word anywhere.
QString breakable(const QString& name)
{
    constexpr QChar mayEnd(0x200b);
    QString text;
    for (qsizetype i = 0; i < name.size(); ++i) {
        text += name[i];
        const bool isInside = i + 1 < name.size() && name[i + 1] == name[i]; // of "::"
        if (QStringLiteral("_:,<./").contains(name[i]) && !isInside)
            text += mayEnd;
    }
    return text;
}

/// The source location of a Python function from its name; with an editor as a link.
QString sourceHtml(const Trace& trace, EventRef event)
{
    if (event.kind != EventKind::Nvtx)
        return {};
    const SourcePlace place = placeInName(textOf(trace.name(event)), textOf(trace.info.path));
    return place.line == 0 || editorCommand().isEmpty() ? QString()
                                                        : "<div>"
            + sourceLink(place.file, place.line, QObject::tr("Open %1:%2").arg(place.file).arg(place.line))
            + "</div>";
}

/// How the event compares with those of its name, see peersText(), with the way to all of them.
QString peersHtml(const EventAside& aside)
{
    if (aside.peers.isEmpty())
        return {};
    return "<p style='margin-top:2px; margin-bottom:4px'>" + aside.peers.toHtmlEscaped()
        + (aside.hasPanels ? " &nbsp;<a href='panel:name'>" + QObject::tr("Same name") + "</a>" : QString())
        + "</p>";
}

/// Name, duration among events of its name, where it ran, how good it is, and how it was launched.
QString factsHtml(const Trace& trace, EventRef event, const EventAside& aside, const ClockOffset& clock)
{
    EventDetails details = eventDetails(trace, event);
    if (!aside.module.empty())
        details.where.push_back(
            {nameMessage(QObject::tr("Module").toStdString()), nameMessage(toUtf8(aside.module))});
    return "<p style='margin-bottom:2px'><big><b>"
        + breakable(elidedInMiddle(textOf(evidenceName(trace, event)), maxTitleLength)).toHtmlEscaped()
        + "</b></big></p>" + peersHtml(aside) + sourceHtml(trace, event)
        + timedTableHtml(details.where, clock) + aside.judgement
        + (aside.judgement.isEmpty() || details.facts.empty() ? QString()
                                                              : sectionHeading(QObject::tr("Launch")))
        + tableHtml(details.facts);
}

/// A range and its GPU projection have one name: their places distinguish them.
std::string linkedName(const Trace& trace, EventRef event, EventRef other)
{
    const std::string name = toUtf8(evidenceName(trace, other));
    if (other.kind == EventKind::NvtxProjected)
        return name + " " + QObject::tr("on the GPU").toStdString();
    return event.kind == EventKind::NvtxProjected ? name + " " + QObject::tr("on the host").toStdString()
                                                  : name;
}

QString linksHtml(const Trace& trace, EventRef event)
{
    std::vector<EventRef> linked = trace.workOf(event);
    if (const EventRef call = trace.apiCallOf(event); call.valid())
        linked.push_back(call);
    if (isDerived(event.kind))
        linked.push_back(madeFrom(trace, event));
    if (event.kind == EventKind::Nvtx)
        std::ranges::copy(projectionsOf(trace, event.index), std::back_inserter(linked));
    if (linked.empty())
        return {};
    QString html = sectionHeading(QObject::tr("Correlated"));
    for (const EventRef& other : linked) {
        if (&other - linked.data() >= static_cast<std::ptrdiff_t>(maxLinks)) {
            html += "<div>" + QObject::tr("and %1 more").arg(linked.size() - maxLinks) + "</div>";
            break;
        }
        html
            += QString("<div><a href='event:%1:%2'>%3</a> %4</div>")
                   .arg(indexOf(other.kind))
                   .arg(other.index)
                   .arg(htmlOf(linkedName(trace, event, other)), durationHtml(trace.range(other).duration()));
    }
    return html;
}

/// Work launched while a range was open, if other threads launched some of it: projections, like nsys', only
/// cover its own thread.
QString launchedHtml(const LaunchedWork& own, const LaunchedWork& helpers)
{
    if (helpers.count == 0)
        return {};
    const auto line = [](const QString& who, const LaunchedWork& work) {
        const QString pieces
            = work.count == 1 ? QObject::tr("1 piece") : QObject::tr("%1 pieces").arg(numberText(work.count));
        const QString linked = work.first.valid() ? QString("<a href='event:%1:%2'>%3</a>")
                                                        .arg(indexOf(work.first.kind))
                                                        .arg(work.first.index)
                                                        .arg(who)
                                                  : who;
        return QString("<div>%1: %2, %3</div>").arg(linked, pieces, durationHtml(work.total));
    };
    return sectionHeading(QObject::tr("GPU work launched in this range"))
        + line(QObject::tr("from its thread"), own) + line(QObject::tr("from other threads"), helpers);
}

QString stackHtml(const Trace& trace, EventRef event)
{
    const auto stack = trace.stackOf(event);
    if (stack.empty())
        return {};
    QString html = sectionHeading(QObject::tr("Call stack")) + "<table cellspacing=0 cellpadding=1>";
    constexpr std::size_t maxFrames = 100; // the text is laid out in the window's thread
    for (const StackFrame& frame : stack.first(std::min(stack.size(), maxFrames))) {
        std::string module = toUtf8(trace.text(frame.module));
        module = module.substr(module.find_last_of('/') + 1);
        if (frame.line != 0)
            module += ":" + std::to_string(frame.line);
        html += "<tr><td style='padding-right:8px'>" + htmlOf(trace.text(frame.symbol)) + "</td><td><i>"
            + sourceLink(textOf(toUtf8(trace.text(frame.module))), frame.line, textOf(module))
            + "</i></td></tr>";
    }
    html += "</table>";
    return stack.size() <= maxFrames
        ? html
        : html + "<div>" + QObject::tr("and %1 more").arg(stack.size() - maxFrames) + "</div>";
}

/// Sampled GPU metrics during the event.
QString metricsHtml(const Trace& trace, EventRef event)
{
    const std::vector<TextRow> metrics = metricsDuring(trace, event);
    return metrics.empty()
        ? QString()
        : sectionHeading(QObject::tr("GPU metrics during this event")) + tableHtml(metrics);
}

/// judgeKernel(); empty for communication, whose few blocks are by design.
std::vector<KernelFact> kernelFacts(TraceAnalysis& analysis, EventIndex kernel)
{
    return isCommunication(toUtf8(analysis.trace().name({EventKind::Kernel, kernel})))
        ? std::vector<KernelFact>()
        : judgeKernel(analysis, kernel);
}

/// How good a kernel is: what the report shows, and what it does not.
QString judgementHtml(const std::vector<KernelFact>& facts, const Theme& theme)
{
    if (facts.empty())
        return {};
    QString html = sectionHeading(QObject::tr("Kernel efficiency"));
    for (const KernelFact& fact : facts)
        html += "<p style='margin-top:0px; margin-bottom:3px'>" + factHtml(fact, theme) + "</p>";
    return html;
}

/// The row of the file; columns without a value are only counted.
QString rawRowHtml(const std::vector<std::pair<std::string, std::string>>& row)
{
    std::vector<TextRow> filled;
    for (const auto& [column, value] : row) {
        if (value != "NULL")
            filled.push_back({nameMessage(column), nameMessage(value)});
    }
    const std::size_t empty = row.size() - filled.size();
    QString html = tableHtml(filled);
    if (empty > 0)
        html += "<div>"
            + (empty == 1 ? QObject::tr("1 column is NULL") : QObject::tr("%1 columns are NULL").arg(empty))
            + "</div>";
    return html;
}

} // namespace

QString eventHtml(const Trace& trace, EventRef event, const EventAside& aside, const ClockOffset& clock)
{
    return factsHtml(trace, event, aside, clock) + linksHtml(trace, event) + metricsHtml(trace, event)
        + stackHtml(trace, event);
}

QString eventIdsHtml(const Trace& trace, EventRef event, const ClockOffset& clock)
{
    return timedTableHtml(eventDetails(trace, event).ids, clock);
}

DetailsPanel::DetailsPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_of(&session),
      m_text(new QTextBrowser(this))
{
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setPlaceholderText(
        tr("Select an event or drag a range to see its details. Shift+click another event to measure the "
           "time between them."));
    fillColumn(this, styleSpacing, {m_text});
    listenTo(m_session);
    // Of a report that is loading, too. Others that go may take the current event with them.
    connect(&m_session, &Session::traceChanged, this, &DetailsPanel::showCurrent);
    connect(&m_session, &Session::reportChosen, this, &DetailsPanel::showCurrent);
    connect(&m_session.pair(), &RunPair::changed, this, [this] {
        RunPair& pair = m_session.pair();
        if (pair.isOn() && !std::exchange(m_listensToB, true))
            listenTo(pair.b());
        m_of = &m_session;
        showSelected();
    });
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, [this] { showCurrent(); });
    connect(&m_session.names(), &NameBooks::changed, this, [this] {
        if (m_of->selection().currentEvent().valid())
            showCurrent();
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        QString problem;
        if (!followSource(url.toString(QUrl::FullyEncoded), problem))
            follow(url.toString());
        else if (!problem.isEmpty())
            emit messages(problem);
    });
}

void DetailsPanel::listenTo(Session& side)
{
    connect(&side.selection(), &Selection::currentEventChanged, this, [this, &side](EventId event) {
        if (event.valid())
            m_of = &side;
        showSelected();
    });
    connect(&side.time(), &TimeView::selectedRangeChanged, this, [this, &side] {
        if (side.selection().currentEvent().valid())
            return;
        if (!side.time().selectedRange().empty())
            m_of = &side;
        showSelected();
    });
    connect(&side.idle(), &IdleBooks::changed, this, [this, &side] {
        if (m_of == &side && !side.selection().currentEvent().valid() && !side.time().selectedRange().empty())
            requestRefresh();
    });
}

void DetailsPanel::showSelected()
{
    const auto hasAny = [](const Session& side) {
        return side.selection().currentEvent().valid() || !side.time().selectedRange().empty();
    };
    RunPair& pair = m_session.pair();
    if (!pair.isOn())
        m_of = &m_session;
    else if (!hasAny(*m_of) && hasAny(pair.session(otherSide(pair.sideOf(*m_of)))))
        m_of = &pair.session(otherSide(pair.sideOf(*m_of)));
    showCurrent();
}

QString DetailsPanel::sideHtml() const
{
    RunPair& pair = m_session.pair();
    if (!pair.isOn() || pair.isWithinOne())
        return {};
    const Side side = pair.sideOf(*m_of);
    const QString name
        = QString("<span style='color:%1'><b>%2</b></span> %3")
              .arg(sideColor(*m_theme, side).name(), sideLetter(side), htmlOf(m_of->report().label));
    const bool isOtherToo = pair.session(otherSide(side)).selection().currentEvent().valid();
    return "<p style='margin-bottom:4px'>" + name
        + (isOtherToo
                ? " &nbsp; <a href='side'>" + tr("Show that of %1").arg(sideLetter(otherSide(side))) + "</a>"
                : QString())
        + "</p>";
}

void DetailsPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    showCurrent();
}

void DetailsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showCurrent(); // links keep the colour they were made with
}

void DetailsPanel::clear()
{
    m_row.cancel();
    m_text->clear();
}

void DetailsPanel::showDetails(EventId event)
{
    m_row.cancel();
    cancelRefresh();
    if (!event.valid()) {
        if (m_of->time().selectedRange().empty())
            m_text->clear();
        else
            requestRefresh();
        return;
    }
    setText(eventText(event) + exchangeHtml(*m_of, event) + moreHtml(event, {}));
    readMore(event);
}

void DetailsPanel::refresh()
{
    if (m_of->selection().currentEvent().valid())
        return;
    const TimeRange selected = m_of->time().selectedRange();
    const TimeRange window = m_of->ownTime(selected);
    if (window.empty() || !m_of->trace().complete) {
        m_row.cancel();
        m_text->clear();
        if (!selected.empty() && m_of->trace().complete)
            setText(outsideText(m_of->report().label));
        return;
    }
    m_row.start(
        [trace = m_of->sharedTrace(), rows = m_of->report().rows, idle = m_of->idle().find(m_of->report().id),
            selected = m_of->selection().ownSelectedRows(), window](const std::stop_token& stop) {
            RangeStats stats = rangeStats(*trace, *rows, {}, rows->tracksBelow(selected), window, stop);
            auto causes = causesOfIdle(*trace, *rows, idle.get(), stats.devices, window, stop);
            return std::pair(std::move(stats), std::move(causes));
        },
        [this, trace = m_of->sharedTrace()](std::pair<RangeStats, std::vector<IdleCauses>> found) {
            if (trace != m_of->sharedTrace())
                return;
            setText(rangeHtml(*trace, found.first, found.second, *m_theme, m_of->report().clock)
                + (m_of == &m_session ? rangeLinksHtml() : QString())); // the panels are about A
            m_names = std::move(found.first.names);
            emit updated();
        });
}

QString DetailsPanel::eventText(EventId id, const QString& judgement, const std::string& module) const
{
    const OpenReport& report = m_of->workspace().report(id.report);
    return eventHtml(*report.trace, id.event,
        {peersText(*m_of, m_of->names(), id), judgement, module, m_of == &m_session}, report.clock);
}

QString DetailsPanel::moreHtml(EventId id, const QString& row) const
{
    const OpenReport& report = m_of->workspace().report(id.report);
    const QString head
        = foldHtml("more", tr("More: names, ids, row of the report"), m_showsMore, *m_theme, 10, 2);
    return m_showsMore ? head + eventIdsHtml(*report.trace, id.event, report.clock) + row : head;
}

void DetailsPanel::saveState(QSettings& settings) const
{
    settings.setValue("more", m_showsMore);
}

void DetailsPanel::restoreState(const QSettings& settings)
{
    m_showsMore = settings.value("more").toBool();
    showCurrent();
}

void DetailsPanel::setText(const QString& html)
{
    showExplained(*m_text, sideHtml() + html);
}

void DetailsPanel::readMore(EventId id)
{
    struct MoreText {
        std::vector<KernelFact> facts;
        std::string module;
        LaunchedWork own; ///< of a range, where helpers launched some as well
        LaunchedWork helpers;
        QString row; ///< with its heading; empty: the event is in no row
    };
    const Trace& trace = m_of->trace(id.report);
    const EventRef event = id.event;
    const EventTable& table = trace.table(event.kind);
    // Only nsys exports have rows to read; events of JSON traces are only numbered.
    const bool hasRows
        = m_showsMore && !trace.info.path.empty() && recorderOf(trace.info) == Recorder::NsightSystems;
    const std::uint32_t rowid = hasRows ? table.sourceRow[event.index] : 0;
    const bool isKernel = event.kind == EventKind::Kernel;
    const bool isRange = event.kind == EventKind::Nvtx;
    if (rowid == 0 && !isGpuWork(event.kind) && !isRange)
        return;
    const std::string source(trace.text(table.trackOf(event.index).source));
    const auto shared = m_of->workspace().report(id.report).trace;
    if (m_analyzed.lock() != shared) {
        m_analyzed = shared;
        m_analysis = std::make_shared<const TraceAnalysis>(trace, trace.session, std::stop_token());
    }
    m_row.start(
        [shared, analysis = m_analysis, event, isKernel, isRange, source, rowid](
            const std::stop_token& stop) {
            MoreText answer;
            prepareFacts(*shared, stop);
            answer.module = moduleOf(*shared, event, stop);
            if (isRange)
                answer.helpers = workOfHelpers(*shared, event.index, stop);
            if (answer.helpers.count > 0)
                answer.own = workOfItsThread(*shared, event.index, stop);
            if (isKernel) {
                TraceAnalysis facts(*analysis, stop);
                answer.facts = kernelFacts(facts, event.index);
            }
            if (rowid != 0) {
                const auto same = unchangedOnDisk(shared->info);
                const auto row = same.ok() ? readRawRow(shared->info.path, source, rowid) : same.error();
                answer.row = sectionHeading(tr("%1, row %2").arg(QString::fromStdString(source)).arg(rowid))
                    + (row.ok() ? rawRowHtml(row.value())
                                : "<div>" + richTextOf(row.error().message) + "</div>");
            }
            return answer;
        },
        [this, id](const MoreText& answer) {
            setText(eventText(id, judgementHtml(answer.facts, *m_theme), answer.module)
                + launchedHtml(answer.own, answer.helpers) + exchangeHtml(*m_of, id)
                + moreHtml(id, answer.row));
            emit updated();
        });
}

void DetailsPanel::follow(const QString& link)
{
    if (link == "more") {
        const int place = m_text->verticalScrollBar()->value();
        m_showsMore = !m_showsMore;
        showCurrent();
        m_text->verticalScrollBar()->setValue(place); // the heading stays under the mouse
        return;
    }
    const QStringList parts = link.split(':');
    if (parts.front() == "panel")
        emit m_session.panelRequested(parts.back());
    if (RunPair& pair = m_session.pair(); link == "side" && pair.isOn()) {
        m_of = &pair.session(otherSide(pair.sideOf(*m_of)));
        showSelected();
        return;
    }
    if (const std::size_t name = parts.back().toULongLong(); parts.front() == "name" && name < m_names.size())
        m_of->selection().goTo(m_of->idOf(m_names[name].longest));
    const bool isThere = parts.size() == 4 && parts[0] == "there"; // on another rank
    if (!isThere && (parts.size() != 3 || parts[0] != "event"))
        return;
    // Correlated events are in the same report.
    const ReportId report = isThere ? ReportId{parts[1].toUShort()} : m_of->selection().currentEvent().report;
    const EventRef event{static_cast<EventKind>(parts[parts.size() - 2].toUInt()), parts.back().toUInt()};
    if (raw(report) < m_of->workspace().reports().size() && indexOf(event.kind) < eventKindCount
        && event.index < m_of->trace(report).table(event.kind).size())
        m_of->selection().goToAtScale({report, event});
}

extern const PanelKind detailsPanel;
const PanelKind detailsPanel{
    .id = "details",
    .title = QT_TRANSLATE_NOOP("Action", "Details"),
    .help = QT_TRANSLATE_NOOP("Action", "Details of the selected event or range"),
    .place = PanelPlace::Beside,
    .namesRuns = true,
    .keys = "Alt+4",
    .make = makePanel<DetailsPanel>,
};

} // namespace warpline
