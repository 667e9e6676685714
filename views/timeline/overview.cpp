#include "views/timeline/overview.h"

#include "core/query/range_stats.h"
#include "core/query/search.h"
#include "views/timeline/time_axis.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr double overviewEdgeReach = 5;

constexpr double minBarWidth = 2; ///< pixels: a single short kernel is seen in a report of an hour

/// The busy share of each pixel, largest over the rows that `wanted` accepts.
template <typename Wanted>
std::vector<float> busiest(
    const Workspace& workspace, int pixels, const std::stop_token& stop, Wanted&& wanted)
{
    std::vector<float> most(static_cast<std::size_t>(pixels), 0.0F);
    std::vector<float> share;
    const RowTree& rows = workspace.rows();
    for (std::uint32_t i = 1; i < rows.size() && !stop.stop_requested(); ++i) {
        const Row& row = rows.row(RowId{i});
        if (!wanted(row))
            continue;
        const OpenReport& report = workspace.report(row.report);
        rowBusyShare(*report.trace, row, report.clock.toReport(workspace.session()), pixels, share);
        for (std::size_t x = 0; x < most.size(); ++x)
            most[x] = std::max(most[x], share[x]);
    }
    return most;
}

/// Where in the whole session events match, 1 a pixel.
std::vector<std::uint8_t> matchesIn(
    const Workspace& workspace, const std::string& text, int pixels, const std::stop_token& stop)
{
    std::vector<std::uint8_t> found(static_cast<std::size_t>(pixels), 0);
    const TimeRange all = workspace.session();
    const FilterExpression filter(text);
    for (const OpenReport& report : workspace.reports()) {
        const TimeRange own = report.session();
        const auto place = [&](Ns time) {
            return static_cast<std::size_t>(static_cast<double>(time - all.start)
                / static_cast<double>(std::max<Ns>(1, all.duration())) * pixels);
        };
        const std::size_t first = std::min(place(own.start), found.size() - 1);
        const std::size_t last = std::clamp(place(own.end), first + 1, found.size());
        const EventPredicate match(*report.trace, filter, stop);
        const std::vector<std::uint8_t> ofReport = matchesAlong(*report.trace, match,
            static_cast<int>(last - first), samplesToSearch(*report.trace, match, stop), stop);
        for (std::size_t x = 0; x < ofReport.size(); ++x)
            found[first + x] |= ofReport[x];
    }
    return found;
}

} // namespace

Overview::Overview(Session& session, const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent),
      m_session(session)
{
    setMouseTracking(true);
    setFixedHeight(sizeHint().height());
    setAccessibleName(tr("Minimap"));
    setToolTip(tr("The whole report. Drag the window to pan, its edges to zoom."));
    connect(&m_session.time(), &TimeView::drawnChanged, this, [this] { update(); });
    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, [this] { update(); });
    connect(&m_session.selection(), &Selection::highlightedChanged, this, [this] { update(); });
    connect(&m_session, &Session::traceChanged, this, &Overview::workOut);
    connect(&m_session, &Session::traceChanged, this, &Overview::search);
    connect(&m_session.selection(), &Selection::searchTextChanged, this, &Overview::search);
    connect(&m_session, &Session::clocksChanged, this, &Overview::workOut);
    connect(&m_session, &Session::clocksChanged, this, &Overview::search);
}

void Overview::setTheme(const Theme& theme)
{
    m_strip = {};
    PaintedChart::setTheme(theme);
}

int Overview::pixels() const
{
    return std::max(1, static_cast<int>(std::lround(width() * devicePixelRatioF())));
}

void Overview::resizeEvent(QResizeEvent*)
{
    if (static_cast<int>(m_bands.gpu.size()) == pixels())
        return;
    workOut();
    search();
}

Overview::Bands Overview::bandsOf(const Workspace& workspace, int pixels, const std::stop_token& stop)
{
    Bands bands{busiest(workspace, pixels, stop,
                    [&](const Row& row) {
                        return row.drawing == Drawing::Summary
                            && workspace.ownRow(row.parent) == RowTree::root;
                    }),
        busiest(workspace, pixels, stop,
            [](const Row& row) { return row.tint == Tint::Api && row.drawing == Drawing::Slices; })};
    // Without CUDA, any events: an empty strip does not help to find the way.
    const auto isEmpty = [](float share) { return share <= 0; };
    if (std::ranges::all_of(bands.gpu, isEmpty) && std::ranges::all_of(bands.api, isEmpty))
        bands.api = busiest(workspace, pixels, stop,
            [](const Row& row) { return row.drawing == Drawing::Slices || row.drawing == Drawing::Marks; });
    return bands;
}

void Overview::workOut()
{
    if (m_session.isEmpty()) {
        m_job.cancel();
        m_bands = {};
        m_strip = {};
        update();
        return;
    }
    m_job.start([workspace = m_session.workspace(), width = pixels()](
                    const std::stop_token& stop) { return bandsOf(workspace, width, stop); },
        [this](Bands bands) {
            m_bands = std::move(bands);
            m_strip = {};
            update();
            emit updated();
        });
    update();
}

void Overview::search()
{
    const std::string text = m_session.selection().searchText().toStdString();
    m_found.clear(); // of another text, report or width
    update();
    if (text.empty() || m_session.isEmpty()) {
        m_searching.cancel();
        return;
    }
    m_searching.start([workspace = m_session.workspace(), text, width = pixels()](
                          const std::stop_token& stop) { return matchesIn(workspace, text, width, stop); },
        [this](std::vector<std::uint8_t> found) {
            m_found = std::move(found);
            update();
            emit updated();
        });
}

void Overview::paintFound(QPainter& painter) const
{
    constexpr double tickHeight = 5;
    constexpr double minWidth = 2;
    const double ratio
        = static_cast<double>(width()) / std::max<double>(1, static_cast<double>(m_found.size()));
    for (std::size_t x = 0; x < m_found.size(); ++x) {
        if (m_found[x] != 0)
            painter.fillRect(QRectF(static_cast<double>(x) * ratio, 1, std::max(ratio, minWidth), tickHeight),
                m_theme->highlight);
    }
}

void Overview::draw()
{
    const double ratio = devicePixelRatioF();
    const auto width = static_cast<int>(m_bands.gpu.size());
    const int height = static_cast<int>(std::lround(this->height() * ratio));
    m_strip = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
    m_strip.fill(m_theme->background);
    QPainter painter(&m_strip);
    const int middle = height * 2 / 3;
    for (int x = 0; x < width; ++x) {
        const auto at = static_cast<std::size_t>(x);
        const auto bar = [&](float share, int base, int room, QColor color) {
            if (share > 0) {
                const int length = static_cast<int>(
                    std::lround(std::max(minBarWidth * ratio, static_cast<double>(share) * room)));
                painter.fillRect(x, base - length, 1, length, color);
            }
        };
        bar(m_bands.gpu[at], middle, middle - 2, m_theme->rowColor(Tint::Kernel));
        bar(m_bands.api[at], height - 1, height - middle - 3, m_theme->color(EventTint::ApiOther));
    }
    painter.end();
    m_strip.setDevicePixelRatio(ratio);
}

void Overview::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    if (m_session.isEmpty())
        return;
    if (m_strip.isNull() && !m_bands.gpu.empty())
        draw();
    painter.drawImage(rect(), m_strip); // stretched until the strip for a new width arrives
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const TimeRange selected = m_session.time().selectedRange();
    if (!selected.empty())
        painter.fillRect(QRectF(axis.xAt(selected.start), 0,
                             std::max(1.0, axis.xAt(selected.end) - axis.xAt(selected.start)), height()),
            m_theme->selection);
    if (const TimeRange marked = m_session.selection().markedRange(); !marked.empty())
        painter.fillRect(QRectF(axis.xAt(marked.start), 0,
                             std::max(2.0, axis.xAt(marked.end) - axis.xAt(marked.start)), height()),
            m_theme->highlight);
    // A run compared with a longer one may be shown beyond its ends.
    const double left
        = std::clamp(axis.xAt(m_session.time().drawn().start), 0.0, std::max(0.0, width() - 2.0));
    const double right
        = std::clamp(axis.xAt(m_session.time().drawn().end), left + 2, std::max<double>(left + 2, width()));
    QColor veil = m_theme->panel;
    veil.setAlpha(170);
    painter.fillRect(QRectF(0, 0, left, height()), veil);
    painter.fillRect(QRectF(right, 0, width() - right, height()), veil);
    paintFound(painter);
    if (m_drag == Drag::New)
        painter.fillRect(QRectF(std::min(m_dragFrom, m_dragTo), 0, std::abs(m_dragTo - m_dragFrom), height()),
            m_theme->selection);
    painter.setPen(m_theme->selectionEdge);
    painter.drawRect(QRectF(left + 0.5, 0.5, std::max(2.0, right - left - 1), height() - 2));
}

Overview::Drag Overview::dragAt(double x) const
{
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const double left = axis.xAt(m_session.time().shown().start);
    const double right = axis.xAt(m_session.time().shown().end);
    if (std::abs(x - left) <= overviewEdgeReach && right - left > 3 * overviewEdgeReach)
        return Drag::Left;
    if (std::abs(x - right) <= overviewEdgeReach && right - left > 3 * overviewEdgeReach)
        return Drag::Right;
    return Drag::Move;
}

bool Overview::event(QEvent* event)
{
    if (event->type() == QEvent::WindowBlocked)
        m_drag = Drag::None; // the dialog gets the release of the button
    return PaintedChart::event(event);
}

void Overview::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_session.isEmpty())
        return;
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const double x = event->position().x();
    m_drag = dragAt(x);
    m_dragFrom = x;
    // A window that shows everything cannot be moved.
    const bool isAll = m_session.time().shown() == m_session.session();
    if (m_drag == Drag::Move && (isAll || !m_session.time().shown().contains(axis.timeAt(x))))
        m_drag = Drag::Outside;
    m_dragShown = m_session.time().shown();
}

void Overview::mouseMoveEvent(QMouseEvent* event)
{
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const double x = event->position().x();
    if (m_drag == Drag::None) {
        const Drag under = m_session.isEmpty() ? Drag::None : dragAt(x);
        setCursor(under == Drag::Left || under == Drag::Right ? Qt::SizeHorCursor : Qt::ArrowCursor);
        return;
    }
    if (m_drag == Drag::Outside && std::abs(x - m_dragFrom) >= QApplication::startDragDistance())
        m_drag = Drag::New;
    if (m_drag == Drag::Outside)
        return;
    if (m_drag == Drag::New) {
        m_dragTo = std::clamp(x, 0.0, static_cast<double>(width()));
        update();
        return;
    }
    const Ns by = static_cast<Ns>((x - m_dragFrom) * axis.nsPerPixel());
    TimeRange shown = m_dragShown;
    if (m_drag != Drag::Right)
        shown.start += by;
    if (m_drag != Drag::Left)
        shown.end += by;
    if (!shown.empty())
        m_session.time().show(shown, false);
}

void Overview::mouseReleaseEvent(QMouseEvent*)
{
    const TimeAxis axis{m_session.session(), static_cast<double>(width())};
    const Drag ended = std::exchange(m_drag, Drag::None);
    if (ended == Drag::Outside && m_session.time().shown() != m_session.session()) {
        const Ns half = m_session.time().shown().duration() / 2;
        m_session.time().show({axis.timeAt(m_dragFrom) - half, axis.timeAt(m_dragFrom) + half});
    }
    if (ended == Drag::New) // at once when the button is released, as one step of history
        m_session.time().show(
            {axis.timeAt(std::min(m_dragFrom, m_dragTo)), axis.timeAt(std::max(m_dragFrom, m_dragTo))});
    update();
}

void Overview::mouseDoubleClickEvent(QMouseEvent*)
{
    m_session.time().showAll();
}

} // namespace warpline
