#include "views/timeline/timeline_view.h"

#include "core/store/trace.h"
#include "views/session/marks.h"
#include "views/session/rank_judge.h"
#include "views/style/color_choice.h"
#include "views/timeline/column_width.h"
#include "views/timeline/note_label.h"
#include "views/timeline/painters/paint_context.h"
#include "views/timeline/row_glide.h"
#include "views/timeline/time_scale.h"

#include <QBackingStore>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

constexpr std::size_t maxOutlined = 64;

/// Whether it paints on the screen, not into a picture.
bool isOnScreen(const QPainter& painter, const QWidget& widget)
{
    QBackingStore* const seen = widget.window()->backingStore();
    return seen && painter.paintEngine() && painter.paintEngine()->paintDevice() == seen->paintDevice();
}

} // namespace

TimelineView::TimelineView(Session& session, RowLayout& layout, const Theme& theme, QWidget* parent)
    : QAbstractScrollArea(parent),
      m_session(session),
      m_layout(layout),
      m_theme(&theme),
      m_painter(session, theme),
      m_repaint([this] {
          m_isDue = true;
          viewport()->update();
      }),
      m_links(new CurrentLinks(session, this)),
      m_books(session.names()),
      m_tip(new HoverTip(this)),
      m_note(new NoteLabel(viewport())),
      m_rowGlide(new RowGlide(*verticalScrollBar(), session.time().glide(), this)),
      m_columnWidth(new ColumnWidth(*viewport())),
      m_counters(new CounterSelection(session, this)),
      m_idle(session.idle())
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    const auto repaint = [this] { repaintInTurn(); };
    connect(&m_session, &Session::traceChanged, this, &TimelineView::onTraceChanged);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this,
        [this] { // waits are hatched, or no longer; and so are the rows of exchanges
            m_painter.reset();
            onCurrentChanged(m_session.selection().currentEvent());
        });
    connect(&m_session.time(), &TimeView::drawnChanged, this, &TimelineView::onDrawnChanged);
    connect(&m_session, &Session::clocksChanged, this, [this] {
        m_nearest = {};
        forgetHover();
        m_painter.reset();
        if (m_measure) // events of two reports are as far apart as the clocks now say
            showMeasure(m_measure->first, m_measure->second);
        repaintInTurn();
    });
    connect(&m_session, &Session::reportOpened, this, [this] {
        stopDrag(); // its times are of the report before
        m_revealed = {};
        verticalScrollBar()->setValue(0);
    });
    connect(&m_session, &Session::exchangesReplaced, this, [this] {
        const auto isOfAll = [this](RowId row) { return m_session.workspace().isOfAll(row); };
        std::erase_if(m_dragRows, isOfAll);
        if (isOfAll(m_walk.row))
            m_walk = {};
        if (isOfAll(m_revealed))
            m_revealed = {};
    });
    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, repaint);
    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, &TimelineView::forgetMeasure);
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, repaint);
    connect(&m_session.selection(), &Selection::highlightedChanged, this, repaint);
    connect(&m_session.marks(), &Marks::changed, this, repaint);
    connect(&m_session.marks(), &Marks::currentChanged, this, repaint);
    connect(&m_session.rowView(), &RowView::rowLayoutChanged, this, &TimelineView::relayout);
    connect(&m_session.selection(), &Selection::currentEventChanged, this, &TimelineView::onCurrentChanged);
    connect(m_links, &CurrentLinks::changed, this, &TimelineView::onLinksChanged);
    connect(m_links, &CurrentLinks::ended, m_note, &NoteLabel::tell);
    connect(&m_session.rowView(), &RowView::revealed, this, &TimelineView::onRevealed);
    m_painter.setSelection(m_counters);
    m_painter.setIdle(&m_idle);
    connect(&m_idle, &IdleBooks::changed, this, [this] {
        m_painter.setIdle(&m_idle);
        repaintInTurn();
    });
    connect(m_counters, &CounterSelection::changed, this, repaint);
    connect(&CounterChoice::shared(), &CounterChoice::changed, this, [this] {
        m_painter.forgetScales();
        repaintInTurn();
    });
    connect(&ColorChoice::shared(), &ColorChoice::changed, this, [this] { setTheme(*m_theme); });
    onTraceChanged();
}

TimelineView::~TimelineView() = default;

void TimelineView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_painter.setTheme(theme);
    repaintInTurn();
}

void TimelineView::repaint()
{
    if (!m_repaint.isPending())
        viewport()->update();
}

void TimelineView::repaintInTurn()
{
    m_repaint.request();
}

TimeAxis TimelineView::axis() const
{
    return {m_session.time().drawn(), static_cast<double>(viewport()->width())};
}

int TimelineView::offset() const
{
    return verticalScrollBar()->value();
}

void TimelineView::onTraceChanged()
{
    m_light = {};
    m_painter.reset();
    forgetHover();
    m_measure.reset();
    m_snap.reset();
    m_firstSnap.reset();
    m_dragRows.clear();
    m_walk = {};
    m_revealed = {};
    m_nearest = {};
    m_rowGlide->stop();
    m_note->hide();
    m_isNew = true;
    indexRows();
    placeRows();
    describeCurrent(); // no event of the report before
}

bool TimelineView::isJump(TimeRange drawn) const
{
    const Ns before = m_drawnBefore.duration();
    const Ns after = drawn.duration();
    return after / 2 > before || before / 2 > after
        || m_drawnBefore.clippedTo(drawn).duration() < std::min(before, after) / 2;
}

void TimelineView::onDrawnChanged()
{
    m_columnWidth->moved();
    // Another time is under the mouse now, and another event.
    if (m_drag == Drag::None)
        forgetHover();
    if (m_cursorX)
        emit cursorMoved(axis().timeAt(*m_cursorX), true);
    const TimeRange drawn = m_session.time().drawn();
    if (isJump(drawn))
        repaintInTurn();
    else
        repaint();
    m_drawnBefore = drawn;
}

std::vector<Outlined> TimelineView::outlined() const
{
    std::vector<Outlined> events;
    for (std::size_t i = 0; i < std::min(links().size(), maxOutlined); ++i)
        events.push_back({links()[i].event});
    for (std::size_t i = 0; i < std::min(m_hoverLinks.size(), maxOutlined); ++i)
        events.push_back({m_hoverLinks[i].event, true});
    for (const EventId event : m_links->together())
        events.push_back({event});
    if (m_session.selection().currentEvent().valid())
        events.push_back({m_session.selection().currentEvent()});
    if (m_measure)
        events.push_back({m_measure->first == m_session.selection().currentEvent() ? m_measure->second
                                                                                   : m_measure->first});
    if (m_hovered.valid() && m_hovered != m_session.selection().currentEvent())
        events.push_back({m_hovered, true});
    return events;
}

TimelineView::Hit TimelineView::hitAt(QPoint position) const
{
    const PlacedRow* const placed = m_layout.rowAt(position.y(), offset());
    if (!placed)
        return {};
    return {placed->row, eventNear(m_session.rows().row(placed->row), *placed, position)};
}

EventId TimelineView::eventNear(const Row& row, const PlacedRow& placed, QPoint position) const
{
    const TimeAxis timeAxis = axis();
    constexpr double reach = 3;
    const OpenReport& report = m_session.workspace().report(row.report);
    const Ns time = report.clock.toReport(timeAxis.timeAt(position.x() + 0.5));
    const Ns slack = static_cast<Ns>(timeAxis.nsPerPixel() * reach) + 1;
    const bool nested = row.drawing == Drawing::Slices;
    const QRect area(0, m_layout.screenY(placed, offset()), viewport()->width(), placed.height);
    const RowLanes lanes = RowLanes::of(m_session, row);
    const int depth = nested ? lanes.depthAt(area, position.y()) : 0;
    const int deepest = depth + 1 == lanes.count() ? std::numeric_limits<int>::max() : depth;
    if (const ExchangeLane* const lane = m_session.workspace().exchangeLane(row.id)) {
        const std::size_t at = lane->nearest(time, slack);
        return {row.report, at < lane->slices().size() ? lane->slices()[at].event : EventRef()};
    }
    EventRef best;
    Ns bestDistance = slack + 1;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = report.trace->table(ref.kind);
        const auto ofTrack = table.lanesOf(table.tracks[ref.track]);
        for (std::size_t l = 0; l < ofTrack.size(); ++l) {
            // The last line is that of all that is deeper.
            if (nested && (static_cast<int>(l) < depth || static_cast<int>(l) > deepest))
                continue;
            const auto [first, last] = table.touching(ofTrack[l], {time - slack, time + slack});
            // A handful at most matters: the nearest to the cursor.
            const EventIndex from = std::min(last, std::max(first, table.firstEndingAfter(ofTrack[l], time)));
            const EventIndex begin = from > first ? from - 1 : first;
            for (EventIndex i = begin; i < std::min(last, from + 2); ++i) {
                const TimeRange range = table.range(i);
                const Ns distance = time < range.start ? range.start - time
                    : time >= range.end                ? time - range.end
                                                       : 0;
                // Of concurrent events the shortest is on top.
                const bool shorter = best.valid() && distance == bestDistance
                    && range.duration() < report.trace->range(best).duration();
                if (distance < bestDistance || shorter) {
                    bestDistance = distance;
                    best = {ref.kind, i};
                }
            }
        }
    }
    return {row.report, best};
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (m_session.isEmpty()) {
        painter.fillRect(viewport()->rect(), m_theme->background);
        paintEmpty(painter);
        return;
    }
    // Painting waits for its own turn, after the rest of the window; until then the previous content stays. A
    // due frame is painted even if the next is requested already, as in fast motion.
    if (m_repaint.isPending() && !m_isDue && isOnScreen(painter, *this)) {
        if (m_isNew)
            painter.fillRect(viewport()->rect(), m_theme->background);
        return;
    }
    m_isNew = false;
    m_isDue = false;
    if (m_session.time().drawn() == m_session.time().shown())
        findNearest();
    paintRows(painter);
    paintMarks(painter);
    paintStep(painter);
    paintMarked(painter);
    paintSelection(painter);
    paintArrows(painter);
    paintExchange(painter);
    if (m_cursorX) {
        painter.setPen(QPen(m_theme->dimText, 1, Qt::DotLine));
        painter.drawLine(*m_cursorX, 0, *m_cursorX, viewport()->height());
    }
    paintCurvePoint(painter);
    paintMeasure(painter);
    if (const QString text = emptyText(); !text.isEmpty()) {
        painter.setPen(m_theme->dimText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
    }
    if (m_focusMark) {
        painter.setPen(QPen(m_theme->accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::paintEmpty(QPainter& painter)
{
    painter.setPen(m_theme->dimText);
    const QString text = m_session.workspace().isComplete() ? tr("This report contains no events.")
        : m_session.trace().info.path.empty()               ? tr("No report is open.")
                                                            : tr("Reading the report\u2026");
    painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
}

QImage TimelineView::groundLine(const QColor& back) const
{
    const TimeAxis timeAxis = axis();
    const double ratio = devicePixelRatioF();
    QImage line = newImage(
        std::max(1, static_cast<int>(std::lround(viewport()->width() * ratio))), 1, QImage::Format_RGB32);
    line.fill(back);
    QPainter painter(&line);
    QColor color = m_theme->grid;
    color.setAlphaF(0.55F);
    for (const Ns tick : timeScale(timeAxis.shown, timeAxis.width).ticks)
        painter.fillRect(QRectF(std::round(timeAxis.xAt(tick)) * ratio, 0, ratio, 1), color);
    return line;
}

void TimelineView::paintRows(QPainter& painter)
{
    const std::vector<Outlined> events = outlined();
    const int pinned = m_layout.pinnedHeight();
    const std::vector<const PlacedRow*> rows = m_layout.between(0, viewport()->height(), offset());
    const auto areaOf = [&](const PlacedRow& row) {
        return QRect(0, m_layout.screenY(row, offset()), viewport()->width(), row.height);
    };
    m_painter.prepare(rows, static_cast<int>(std::lround(viewport()->width() * devicePixelRatioF())),
        m_columnWidth->now(rows.size()));
    // Lines of the grid are a pixel wide and as high as the view: with the ground, a line at a time, they
    // cost nothing.
    const QImage ground = groundLine(m_theme->background);
    const QImage alternate = groundLine(m_theme->alternate);
    const auto groundOf = [&](const PlacedRow& row) -> const QImage& {
        return row.pinned || row.depth == 0 ? alternate : ground;
    };
    int bottom = pinned;
    for (const PlacedRow* const row : rows) {
        if (row->pinned)
            painter.setClipping(false);
        else
            painter.setClipRect(0, pinned, viewport()->width(), viewport()->height() - pinned);
        m_painter.paint(painter, *row, areaOf(*row), groundOf(*row), events);
        bottom = std::max(bottom, areaOf(*row).bottom() + 1);
    }
    painter.setClipping(false);
    paintGround(painter, QRect(0, bottom, viewport()->width(), viewport()->height() - bottom), ground,
        devicePixelRatioF());
    if (pinned > 0)
        painter.fillRect(0, pinned - 1, viewport()->width(), 2, m_theme->dimText);
}

void TimelineView::paintSelection(QPainter& painter)
{
    const TimeRange selected = m_session.time().selectedRange();
    if (selected.empty())
        return;
    const TimeAxis timeAxis = axis();
    const double left = std::clamp(timeAxis.xAt(selected.start), -4.0, viewport()->width() + 4.0);
    const double right = std::clamp(timeAxis.xAt(selected.end), -4.0, viewport()->width() + 4.0);
    painter.fillRect(QRectF(left, 0, right - left, viewport()->height()), m_theme->selection);
    for (const RowId id : m_session.selection().selectedRows()) {
        if (const PlacedRow* const row = m_layout.find(id))
            painter.fillRect(QRectF(left, m_layout.screenY(*row, offset()), right - left, row->height),
                m_theme->selection);
    }
    painter.setPen(QPen(m_theme->selectionEdge, 1));
    painter.drawLine(QPointF(left, 0), QPointF(left, viewport()->height()));
    painter.drawLine(QPointF(right, 0), QPointF(right, viewport()->height()));
}

std::optional<QPointF> TimelineView::placeOf(EventId event) const
{
    if (!event.valid())
        return std::nullopt;
    return placeOf(event, visibleRowOf(event));
}

std::optional<QPointF> TimelineView::placeOf(EventId event, const PlacedRow* row) const
{
    if (!row)
        return std::nullopt;
    const double x
        = std::clamp(axis().xAt(m_session.workspace().range(event).start), -50.0, viewport()->width() + 50.0);
    return QPointF(x, std::clamp<double>(QRectF(laneOf(event, *row)).center().y(), 0, viewport()->height()));
}

void TimelineView::paintExchange(QPainter& painter)
{
    // From rank to rank, in the order of rows: the line slants towards the late one.
    const MatchedExchange* const exchange
        = m_session.judgement().ranks().exchangeOf(m_session.selection().currentEvent());
    if (!exchange)
        return;
    const int pinned = m_layout.pinnedHeight(); // rows that scroll pass below the pinned ones
    painter.setClipRect(0, pinned, viewport()->width(), viewport()->height() - pinned);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->accent, 1.4, Qt::DashLine));
    // In the rows of exchanges, and in those of the streams and threads.
    for (const bool inLanes : {true, false}) {
        std::vector<QPointF> starts;
        for (const ExchangeMember& member : exchange->members) {
            const PlacedRow* const row = inLanes
                ? m_layout.find(m_session.workspace().exchangeRowOf(member.rank, member.event))
                : visibleRowOf(member.event);
            if (const auto place = placeOf(member.event, row))
                starts.push_back(*place);
        }
        if (starts.size() < 2)
            continue;
        std::ranges::sort(starts, {}, &QPointF::y);
        painter.drawPolyline(starts.data(), static_cast<int>(starts.size()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipping(false);
}

void TimelineView::paintMarked(QPainter& painter)
{
    const TimeRange marked = m_session.selection().markedRange();
    if (marked.empty() || !marked.overlaps(m_session.time().drawn()))
        return;
    const TimeAxis timeAxis = axis();
    const double left = std::clamp(timeAxis.xAt(marked.start), -4.0, viewport()->width() + 4.0);
    const double right = std::clamp(timeAxis.xAt(marked.end), -4.0, viewport()->width() + 4.0);
    QColor fill = m_theme->highlight;
    fill.setAlpha(34);
    painter.fillRect(QRectF(left, 0, std::max(1.0, right - left), viewport()->height()), fill);
    painter.setPen(QPen(m_theme->highlight, 1, Qt::DashLine));
    painter.drawLine(QPointF(left, 0), QPointF(left, viewport()->height()));
    painter.drawLine(QPointF(right, 0), QPointF(right, viewport()->height()));
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    if (const QBackingStore* const screen = window()->backingStore();
        screen && screen->size() != window()->size())
        m_isNew = true; // with the window all that it holds is lost
    const int lost = event->oldSize().height() - event->size().height();
    const int page = verticalScrollBar()->pageStep();
    updateScrollBar();
    // A revealed row stays visible when the legend needs another line. Chips of a smaller set of reports come
    // before its rows are laid out.
    const bool isThere = raw(m_revealed) < m_session.rows().size();
    if (const PlacedRow* const row = lost > 0 && isThere ? m_layout.find(m_revealed) : nullptr;
        row && row->y + row->height <= m_rowGlide->target() + page)
        onRevealed(m_revealed);
    m_session.time().setShownPixels(viewport()->width());
    emit resized();
}

void TimelineView::scrollContentsBy(int, int)
{
    if (m_drag == Drag::None)
        forgetHover(); // another row is under the mouse now
    repaint();
    emit scrolled();
}

} // namespace warpline
