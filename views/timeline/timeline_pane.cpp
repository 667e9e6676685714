#include "views/timeline/timeline_pane.h"

#include "core/base/format_instant.h"
#include "views/actions/action.h"
#include "views/actions/window_action.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/first_view.h"
#include "views/timeline/mark_band.h"
#include "views/timeline/overview.h"
#include "views/timeline/result_band.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/ruler.h"
#include "views/timeline/step_strip.h"
#include "views/timeline/timeline_actions.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace warpline {

namespace {

constexpr int handle = 5; ///< width of the edge between labels and rows
constexpr int narrowest = 120;
constexpr int paneMargin = 8;
constexpr int badgeSize = 22;

/// "10 ms, 1,234 events": the length of a run, and what it has.
QString lengthAndEvents(const Session& run)
{
    const std::uint64_t events = run.workspace().eventCount();
    const QString length = durationText(run.session().duration());
    return events == 1 ? TimelinePane::tr("%1, 1 event").arg(length)
                       : TimelinePane::tr("%1, %2 events").arg(length, numberText(events));
}

} // namespace

TimelinePane::TimelinePane(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
      m_filter(new RowFilter(session, this)), // before the rows, because revealed rows pass it first
      m_size(new QLabel(this)),
      m_filterBox(new RowFilterBox(session, *m_filter, this)),
      m_chips(new RowChips(session, *m_filter, this)),
      m_first(new FirstView(session, this)),
      m_overview(new Overview(session, theme, this)),
      m_steps(new StepStrip(session, theme, this)),
      m_stepsLabel(new QLabel(tr("Steps on the host"), this)),
      m_ruler(new Ruler(session, theme, this)),
      m_marks(new MarkBand(session.time(), session.marks(), theme, this)),
      m_results(new ResultBand(session, theme, this)),
      m_labels(new RowLabels(session, m_layout, theme, this)),
      m_view(new TimelineView(session, m_layout, theme, this)),
      m_legend(new ColorLegend(session, theme, this))
{
    setMouseTracking(true);
    setFocusProxy(m_view);
    m_size->setObjectName("report-size");
    m_size->setTextFormat(Qt::PlainText);
    m_stepsLabel->setObjectName("steps-label");
    m_stepsLabel->setAlignment(Qt::AlignVCenter | Qt::AlignRight);
    QFont small = m_stepsLabel->font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 2));
    m_stepsLabel->setFont(small);
    m_stepsLabel->setToolTip(
        tr("Step times on the host. Grey: usual, yellow to red: slower, blue: faster, pale: warm-up"));
    m_layout.setFilter(m_filter);
    connect(m_first, &FirstView::changed, this, [this] {
        QScrollBar& bar = *m_view->verticalScrollBar();
        const bool isAtTop = bar.value() == 0;
        m_chips->setNote(
            m_first->note(), tr("Show the whole report"), [this] { m_session.time().showAll(); });
        if (isAtTop) // a report that opens below the mouse shows its first row
            bar.setValue(0);
    });
    connect(m_steps, &StepStrip::neededChanged, this, &TimelinePane::arrange);
    connect(m_filter, &RowFilter::changed, m_view, &TimelineView::relayout);
    connect(m_filter, &RowFilter::changed, m_labels, qOverload<>(&QWidget::update));
    connect(m_chips, &RowChips::neededChanged, this, [this] {
        // Chips appear above the rows: keeps the row under the mouse in place, as far as rows can scroll.
        const int before = m_view->y();
        arrange();
        QScrollBar& bar = *m_view->verticalScrollBar();
        const int moved = m_view->y() - before;
        if (moved < 0 || bar.value() > 0 || m_view->underMouse())
            bar.setValue(bar.value() + moved);
    });
    connect(m_labels, &RowLabels::pointedAt, m_view, &TimelineView::keepInPlace);
    connect(&m_session, &Session::traceChanged, this, &TimelinePane::showSize);
    connect(&m_session, &Session::clocksChanged, this, &TimelinePane::showSize);
    connect(&m_session.pair(), &RunPair::changed, this, &TimelinePane::showSize);
    connect(&m_session.pair(), &RunPair::matched, this, &TimelinePane::showSize);
    connect(m_view, &TimelineView::scrolled, this, [this] { m_labels->setOffset(m_view->offset()); });
    connect(m_view, &TimelineView::resized, this, &TimelinePane::alignWithRows);
    connect(m_view, &TimelineView::cursorMoved, this, [this](qint64 time, bool inside) {
        m_ruler->setCursor(inside ? std::optional<Ns>(time) : std::nullopt);
    });
    connect(m_marks, &MarkBand::heightChanged, this, &TimelinePane::arrange);
    connect(m_results, &ResultBand::heightChanged, this, &TimelinePane::arrange);
    connect(m_view, &TimelineView::contextMenuWanted, this, &TimelinePane::openMenu);
    connect(m_labels, &RowLabels::contextMenuWanted, this, [this](RowId row, QPoint position) {
        openMenu({row, {}}, position);
    });
    connect(m_view, &TimelineView::linksChanged, this, [this] { m_labels->setLinked(m_view->linkedRows()); });
    connect(m_labels, &RowLabels::linkWanted, this,
        [this](EventId event) { m_session.selection().goToAtScale(event); });
    connect(m_labels, &RowLabels::rowWanted, m_view, &TimelineView::ensureVisible);
    connect(m_labels, &RowLabels::wheelTurned, this,
        [this](QWheelEvent* event) { QApplication::sendEvent(m_view->viewport(), event); });
    m_legend->setRows(m_layout);
    connect(m_filter, &RowFilter::changed, m_legend, &ColorLegend::look);
    m_legend->setVisible(ColorChoice::shared().showsLegend());
    connect(&ColorChoice::shared(), &ColorChoice::legendShown, this, [this](bool shown) {
        m_legend->setVisible(shown);
        arrange();
    });
    setTheme(theme);
}

void TimelinePane::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_overview->setTheme(theme);
    m_steps->setTheme(theme);
    m_ruler->setTheme(theme);
    m_marks->setTheme(theme);
    m_results->setTheme(theme);
    m_labels->setTheme(theme);
    m_view->setTheme(theme);
    m_legend->setTheme(theme);
    QPalette dim = palette();
    dim.setColor(QPalette::WindowText, theme.dimText);
    m_size->setPalette(dim);
    m_stepsLabel->setPalette(dim);
    update();
}

void TimelinePane::setLabelWidth(int width)
{
    width = std::max(width, narrowest); // a pane that is not shown yet has no width to keep to
    if (width == m_labelWidth)
        return;
    m_labelWidth = width;
    arrange();
    emit labelWidthChanged(width);
}

void TimelinePane::setBadge(const QString& letter, const QColor& color)
{
    m_badge = letter;
    m_badgeColor = color;
    arrange();
}

void TimelinePane::showCursor(std::optional<Ns> time)
{
    m_ruler->setCursor(time);
    m_view->showCursor(time);
}

void TimelinePane::arrange()
{
    const int labels = std::min(m_labelWidth, std::max(narrowest, width() / 2));
    const int left = labels + handle;
    const int chips = m_chips->isNeeded() ? m_chips->sizeHint().height() : 0;
    const int steps = m_steps->isNeeded() ? m_steps->sizeHint().height() : 0;
    const int marks = m_overview->height() + steps + m_ruler->height();
    const int above = marks + m_marks->height() + m_results->height();
    const int top = above + chips;
    const int right = std::max(0, width() - left);
    m_overview->setGeometry(left, 0, right, m_overview->height());
    m_steps->setGeometry(left, m_overview->height(), right, steps);
    m_steps->setVisible(steps > 0);
    m_stepsLabel->setGeometry(paneMargin, m_overview->height(), std::max(0, labels - 2 * paneMargin), steps);
    m_stepsLabel->setVisible(steps > 0);
    m_ruler->setGeometry(left, m_overview->height() + steps, right, m_ruler->height());
    m_marks->setGeometry(left, marks, right, m_marks->height());
    m_results->setGeometry(0, marks + m_marks->height(), width(), m_results->height());
    const int legend = m_legend->isHidden() ? 0 : m_legend->sizeHint().height();
    const int rows = std::max(0, height() - top - legend);
    m_labels->setGeometry(0, top, labels, rows);
    m_view->setGeometry(left, top, right, rows);
    m_legend->setGeometry(0, height() - legend, width(), legend);
    const int beside = paneMargin + (m_badge.isEmpty() ? 0 : badgeSize + paneMargin);
    m_size->setGeometry(beside, 0, std::max(0, labels - beside - paneMargin), m_overview->height());
    m_filterBox->setGeometry(0, m_overview->height() + steps, labels, m_ruler->height());
    m_chips->setGeometry(0, above, width(), chips);
    m_chips->setVisible(chips > 0);
    showSize();
    alignWithRows();
    update(QRegion(rect()) - m_view->geometry()); // rows that move or grow are painted anyway
}

void TimelinePane::alignWithRows()
{
    // The ruler and the overview end where the rows end, left of the scroll bar.
    const int rows = m_view->viewport()->width();
    m_overview->resize(rows, m_overview->height());
    m_steps->resize(rows, m_steps->height());
    m_ruler->resize(rows, m_ruler->height());
    m_marks->resize(rows, m_marks->height());
    m_results->setColumns(m_labels->width(), m_view->x(), rows);
}

void TimelinePane::resizeEvent(QResizeEvent*)
{
    arrange();
}

void TimelinePane::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    painter.fillRect(m_labels->geometry().right() + handle / 2, 0, 1, height(), m_theme->grid);
    if (m_badge.isEmpty())
        return;
    const QRect box(paneMargin, (m_overview->height() - badgeSize) / 2, badgeSize, badgeSize);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_badgeColor);
    painter.drawRoundedRect(box, 4, 4);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(Theme::textOn(m_badgeColor));
    painter.drawText(box, Qt::AlignCenter, m_badge);
    painter.fillRect(0, height() - 2, width(), 2, m_badgeColor);
}

QString TimelinePane::runName() const
{
    const auto reports = m_session.workspace().reports();
    const QString first = reports.empty() ? QString() : QString::fromStdString(reports.front().label);
    return reports.size() > 1 ? tr("%1 and %2 more").arg(first).arg(reports.size() - 1) : first;
}

void TimelinePane::showSize()
{
    if (!m_session.hasReport()) {
        m_size->clear();
        return;
    }
    const auto fits = [this](const Session& run) {
        return run.isEmpty()
            || m_size->fontMetrics().horizontalAdvance(lengthAndEvents(run)) <= m_size->width();
    };
    RunPair& pair = m_session.pair();
    const TimeRange part = pair.isWithinOne() ? pair.narrowed(pair.sideOf(m_session)) : TimeRange();
    if (!part.empty()) { // both sides are one run
        const auto at = [](Ns time) { return textOf(formatInstant(time, 1000)); };
        const QString range = tr("%1 to %2").arg(at(part.start), at(part.end));
        showRun(range, range);
        return;
    }
    // Both runs show their events, or none.
    const bool fit = pair.isOn() ? fits(pair.a()) && fits(pair.b()) : fits(m_session);
    const QString whole = lengthAndEvents(m_session);
    const QString shown = fit ? whole : durationText(m_session.session().duration());
    if (m_badge.isEmpty()) {
        m_size->setText(shown);
        m_size->setToolTip(fit ? QString() : plainTip(whole));
        return;
    }
    showRun(shown, whole);
}

void TimelinePane::showRun(const QString& shown, const QString& whole)
{
    const QFontMetrics metrics = m_size->fontMetrics();
    m_size->setText(metrics.elidedText(runName(), Qt::ElideMiddle, m_size->width()) + '\n'
        + metrics.elidedText(shown, Qt::ElideRight, m_size->width()));
    m_size->setToolTip(plainTip(runName() + '\n' + whole));
}

void TimelinePane::editRowFilter()
{
    m_filterBox->edit();
}

void TimelinePane::mousePressEvent(QMouseEvent* event)
{
    m_resizing = std::abs(event->pos().x() - m_labels->geometry().right() - handle / 2) <= handle;
}

void TimelinePane::mouseMoveEvent(QMouseEvent* event)
{
    const bool over = std::abs(event->pos().x() - m_labels->geometry().right() - handle / 2) <= handle;
    setCursor(over || m_resizing ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (m_resizing)
        setLabelWidth(event->pos().x() - handle / 2);
}

void TimelinePane::mouseReleaseEvent(QMouseEvent*)
{
    m_resizing = false;
}

void TimelinePane::keyPressEvent(QKeyEvent* event)
{
    // Keys that labels, ruler and overview ignore go to the rows. Keys that the rows ignore come back here.
    if (m_passingKey || m_view->hasFocus()) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_passingKey = true;
    QApplication::sendEvent(m_view, event);
    m_passingKey = false;
}

void TimelinePane::openMenu(const TimelineView::Hit& hit, QPoint globalPosition)
{
    QMenu menu(this);
    fillMenu(menu, hit);
    menu.exec(globalPosition);
}

void TimelinePane::fillMenu(QMenu& menu, const TimelineView::Hit& hit)
{
    const ActionContext context{m_session, this, hit.event, hit.row};
    addContextActions(menu, eventActions(), ContextMenu::Event, context);
    addContextActions(menu, rowActions(), ContextMenu::Row, context);
    addContextActions(menu, rowFilterActions(), ContextMenu::Row, context);
    if (hit.row != RowTree::root && m_session.rows().row(hit.row).counter != noIndex)
        addContextActions(menu, counterActions(), ContextMenu::Row, context);
    menu.addSeparator();
    addContextActions(menu, markActions(), ContextMenu::Event, context);
    addContextActions(menu, markActions(), ContextMenu::Everywhere, context);
    addContextActions(menu, compareActions(), ContextMenu::Everywhere, context);
    addContextActions(menu, sessionActions(), ContextMenu::Everywhere, context);
    addWhatIsThis(menu, context);
}

} // namespace warpline
