#include "views/panels/details_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/import/raw_row.h"
#include "core/query/event_text.h"

#include <QEvent>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t mostLinks = 40;

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString tableHtml(const std::vector<TextRow>& rows)
{
    QString html = "<table cellspacing=0 cellpadding=2 width='100%'>";
    for (const auto& [label, value] : rows)
        html += "<tr><td style='padding-right:12px' valign=top><span class=k>" + escaped(label)
            + "</span></td><td>" + escaped(value) + "</td></tr>";
    return html + "</table>";
}

QString heading(const QString& text)
{
    return "<p style='margin-top:10px;margin-bottom:2px'><b>" + text.toHtmlEscaped() + "</b></p>";
}

} // namespace

DetailsPanel::DetailsPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_text(new QTextBrowser(this))
{
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setPlaceholderText(tr("Click an event in the timeline or in the events view."));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    connect(&m_session, &Session::currentEventChanged, this, &DetailsPanel::showDetails);
    connect(&m_session, &Session::traceChanged, this, [this] { showDetails(m_session.currentEvent()); });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { follow(url.toString()); });
}

void DetailsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showDetails(m_session.currentEvent()); // links keep the colour they were made with
}

void DetailsPanel::showDetails(EventRef event)
{
    m_row.cancel();
    if (!event.valid()) {
        m_text->clear();
        return;
    }
    m_text->setHtml(factsHtml(event) + linksHtml(event) + stackHtml(event));
    readRow(event);
}

QString DetailsPanel::factsHtml(EventRef event) const
{
    const std::string name = toUtf8(m_session.trace().displayName(event));
    return "<p style='margin-bottom:4px'><big><b>" + escaped(name) + "</b></big></p>"
        + tableHtml(detailsOf(m_session.trace(), event));
}

QString DetailsPanel::linksHtml(EventRef event) const
{
    const Trace& trace = m_session.trace();
    std::vector<EventRef> linked = trace.workOf(event);
    if (const EventRef call = trace.apiCallOf(event); call.valid())
        linked.push_back(call);
    if (isDerived(event.kind))
        linked.push_back(madeFrom(trace, event));
    if (linked.empty())
        return {};
    QString html = heading(tr("Correlated"));
    for (const EventRef& other : linked) {
        if (&other - linked.data() >= static_cast<std::ptrdiff_t>(mostLinks)) {
            html += "<div>" + tr("and %1 more").arg(linked.size() - mostLinks) + "</div>";
            break;
        }
        html += QString("<div><a href='event:%1:%2'>%3</a> %4</div>")
                    .arg(indexOf(other.kind))
                    .arg(other.index)
                    .arg(escaped(toUtf8(trace.displayName(other))),
                        escaped(formatDuration(trace.range(other).duration())));
    }
    return html;
}

QString DetailsPanel::stackHtml(EventRef event) const
{
    const Trace& trace = m_session.trace();
    const auto stack = trace.stackOf(event);
    if (stack.empty())
        return {};
    QString html = heading(tr("Call stack")) + "<table cellspacing=0 cellpadding=1>";
    for (const StackFrame& frame : stack) {
        std::string module = toUtf8(trace.text(frame.module));
        module = module.substr(module.find_last_of('/') + 1);
        html += "<tr><td style='padding-right:8px'>" + escaped(toUtf8(trace.text(frame.symbol)))
            + "</td><td><i>" + escaped(module) + "</i></td></tr>";
    }
    return html + "</table>";
}

void DetailsPanel::readRow(EventRef event)
{
    const Trace& trace = m_session.trace();
    const EventTable& table = trace.table(event.kind);
    const std::uint32_t rowid = table.sourceRow[event.index];
    if (rowid == 0 || trace.info.path.empty())
        return;
    const std::string source(trace.text(table.trackOf(event.index).source));
    m_row.start([path = trace.info.path, source, rowid](
                    const std::stop_token&) { return readRawRow(path, source, rowid); },
        [this, event, source, rowid](const Result<std::vector<TextRow>>& row) {
            const QString html
                = row.ok() ? tableHtml(row.value()) : "<div>" + escaped(row.error().message) + "</div>";
            m_text->setHtml(factsHtml(event) + linksHtml(event) + stackHtml(event)
                + heading(tr("%1, row %2").arg(QString::fromStdString(source)).arg(rowid)) + html);
        });
}

void DetailsPanel::follow(const QString& link)
{
    const QStringList parts = link.split(':');
    if (parts.size() != 3 || parts[0] != "event")
        return;
    const EventRef event{static_cast<EventKind>(parts[1].toUInt()), parts[2].toUInt()};
    if (indexOf(event.kind) < eventKindCount && event.index < m_session.trace().table(event.kind).size())
        m_session.goTo(event);
}

} // namespace warpline
