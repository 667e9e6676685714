#include "views/timeline/ruler.h"

#include "core/base/format_instant.h"
#include "core/workspace/search_reports.h"
#include "views/style/rich_text.h"
#include "views/timeline/time_axis.h"
#include "views/timeline/time_scale.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

Ruler::Ruler(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme)
{
    setMouseTracking(true);
    setFixedHeight(sizeHint().height());
    connect(&m_session.time(), &TimeView::drawnChanged, this, [this] { update(); });
    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, [this] { update(); });
    connect(&m_session.selection(), &Selection::highlightedChanged, this, [this] { update(); });
    connect(&m_session.selection(), &Selection::searchTextChanged, this, &Ruler::search);
    connect(&m_session, &Session::traceChanged, this, &Ruler::search);
    connect(&m_session, &Session::clocksChanged, this, &Ruler::search);
}

void Ruler::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

void Ruler::setCursor(std::optional<Ns> time)
{
    m_cursor = time;
    update();
}

QString Ruler::cursorLabel() const
{
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    // The cursor of another timeline may be outside of this one.
    if (!m_cursor || *m_cursor < axis.shown.start || *m_cursor > axis.shown.end)
        return {};
    return QString::fromStdString(
        formatInstant(*m_cursor, std::max<Ns>(1, static_cast<Ns>(axis.nsPerPixel()))));
}

void Ruler::leaveEvent(QEvent*)
{
    setCursor(std::nullopt);
}

void Ruler::search()
{
    const std::string text = m_session.selection().searchText().toStdString();
    m_found.clear();
    update();
    if (text.empty() || m_session.isEmpty()) {
        m_searching.cancel();
        return;
    }
    m_searching.start([workspace = m_session.workspace(), text](
                          const std::stop_token& stop) { return matchStarts(workspace, text, stop); },
        [this](std::vector<Ns> found) {
            m_found = std::move(found);
            update();
        });
}

std::vector<int> Ruler::ticks() const
{
    std::vector<int> pixels;
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    auto next = std::ranges::lower_bound(m_found, axis.shown.start);
    while (next != m_found.end() && *next < axis.shown.end) {
        const int pixel = static_cast<int>(axis.xAt(*next));
        if (pixels.empty() || pixels.back() != pixel)
            pixels.push_back(pixel);
        // Skips hits on the same pixel: one search per pixel, for any number of hits.
        const Ns beyond = axis.timeAt(pixel + 1);
        next = std::lower_bound(next + 1, m_found.end(), beyond);
    }
    return pixels;
}

void Ruler::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    painter.fillRect(0, height() - 1, width(), 1, m_theme->grid);
    if (m_session.isEmpty())
        return;
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    const TimeScale scale = timeScale(axis.shown, axis.width);
    const Ns base = tickBase(axis.shown, scale.step);
    painter.setPen(m_theme->dimText);
    const std::vector<Tag> tags = tagsOf(axis);
    const auto isCovered = [&](double left, double right) {
        const auto covers
            = [&](const QRectF& place) { return left < place.right() + 4 && right > place.left() - 4; };
        return std::ranges::any_of(tags, covers, &Tag::place)
            || (!cursorLabel().isEmpty() && covers(cursorPlace()));
    };
    double free = 0; // labels must not overlap
    if (base != 0) {
        if (cursorLabel().isEmpty() || !cursorPlace().intersects(startLabel()))
            painter.drawText(QPointF(4, height() - 9), startText(scale));
        free = startLabel().right();
    }
    for (const Ns tick : scale.ticks) {
        const double x = std::round(axis.xAt(tick)) + 0.5;
        painter.drawLine(QPointF(x, height() - 6), QPointF(x, height() - 1));
        const QString label = tickLabel(tick, scale.step, base);
        const int length = painter.fontMetrics().horizontalAdvance(label);
        const double left = x - length / 2.0;
        if (left < free || left + length > width() || isCovered(left, left + length))
            continue;
        painter.drawText(QPointF(left, height() - 9), label);
        free = left + length + 8;
    }
    constexpr int tickHeight = 5;
    for (const int x : ticks())
        painter.fillRect(x, 0, 2, tickHeight, m_theme->highlight);
    const TimeRange selected = m_session.time().selectedRange();
    if (!selected.empty() && selected.overlaps(axis.shown))
        painter.fillRect(
            QRectF(axis.xAt(selected.start), 0, axis.xAt(selected.end) - axis.xAt(selected.start), height()),
            m_theme->selection);
    for (const Tag& tag : tags)
        paintTag(painter, tag);
    if (m_zooms && m_cursor) {
        const double from = axis.xAt(m_anchor);
        const double to = axis.xAt(*m_cursor);
        painter.fillRect(QRectF(std::min(from, to), 0, std::abs(to - from), height()), m_theme->selection);
    }
    if (!cursorLabel().isEmpty())
        paintTag(painter, tagAt(axis.xAt(*m_cursor), cursorLabel(), m_theme->text));
}

QRectF Ruler::cursorPlace() const
{
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    const QString label = cursorLabel();
    return label.isEmpty() ? QRectF() : tagAt(axis.xAt(*m_cursor), label, m_theme->text).place;
}

Ruler::Tag Ruler::tagAt(double x, const QString& text, QColor background) const
{
    const int length = fontMetrics().horizontalAdvance(text) + 10;
    QRectF place(x - length / 2.0, 2, length, height() - 6);
    place.moveLeft(std::clamp(place.left(), 0.0, std::max(0.0, width() - place.width())));
    return {place, text, background};
}

std::vector<Ruler::Tag> Ruler::tagsOf(const TimeAxis& axis) const
{
    std::vector<Tag> tags;
    double free = startLabel().right(); // 0 without one
    for (const auto& [range, color] : {std::pair(m_session.selection().markedRange(), m_theme->highlight),
             std::pair(m_session.time().selectedRange(), m_theme->selectionEdge)}) {
        if (range.empty() || !range.overlaps(axis.shown))
            continue;
        const double left = std::max(0.0, axis.xAt(range.start));
        const double right = std::min<double>(width(), axis.xAt(range.end));
        Tag tag = tagAt((left + right) / 2, durationText(range.duration()), color);
        const double room = std::max(0.0, width() - tag.place.width());
        tag.place.moveLeft(std::clamp(tag.place.left(), std::min(free, room), room));
        const auto avoid = [&](const QRectF& other) {
            if (!tag.place.intersects(other))
                return;
            const double behind = other.right() + 4;
            tag.place.moveLeft(behind <= room ? behind : std::max(0.0, other.left() - 4 - tag.place.width()));
        };
        for (int turn = 0; turn < 2; ++turn) { // one may move it below the other
            avoid(tags.empty() ? QRectF() : tags.back().place);
            avoid(cursorPlace());
        }
        tags.push_back(std::move(tag));
    }
    return tags;
}

std::vector<QRectF> Ruler::tagPlaces() const
{
    std::vector<QRectF> places;
    for (const Tag& tag : tagsOf({m_session.time().drawn(), static_cast<double>(width())}))
        places.push_back(tag.place);
    return places;
}

QString Ruler::startText(const TimeScale& scale) const
{
    return QString::fromStdString(formatInstant(tickBase(m_session.time().drawn(), scale.step), scale.step));
}

QRectF Ruler::startLabel() const
{
    const TimeRange shown = m_session.time().drawn();
    const TimeScale scale = timeScale(shown, width());
    return tickBase(shown, scale.step) == 0
        ? QRectF()
        : QRectF(0, 0, fontMetrics().horizontalAdvance(startText(scale)) + 18, height());
}

void Ruler::paintTag(QPainter& painter, const Tag& tag)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tag.background);
    painter.drawRoundedRect(tag.place, 3, 3);
    painter.setPen(Theme::textOn(tag.background));
    painter.drawText(tag.place, Qt::AlignCenter, tag.text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void Ruler::mousePressEvent(QMouseEvent* event)
{
    constexpr auto zooms = Qt::ControlModifier | Qt::ShiftModifier;
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    m_anchor = axis.timeAt(event->pos().x());
    m_zooms = event->button() == Qt::RightButton
        || (event->button() == Qt::LeftButton && (event->modifiers() & zooms) == zooms);
    if (!m_zooms)
        m_session.time().selectRange({});
}

void Ruler::mouseMoveEvent(QMouseEvent* event)
{
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    setCursor(axis.timeAt(event->pos().x()));
    if (!m_zooms && event->buttons() & Qt::LeftButton) {
        m_session.time().selectRange({m_anchor, axis.timeAt(event->pos().x())});
        m_session.selection().selectRows({});
    }
}

void Ruler::mouseReleaseEvent(QMouseEvent* event)
{
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(width())};
    const Ns to = axis.timeAt(std::clamp(event->pos().x(), 0, width()));
    const double pixels = std::abs(axis.xAt(to) - axis.xAt(m_anchor));
    if (m_zooms && pixels >= QApplication::startDragDistance())
        m_session.time().show({std::min(m_anchor, to), std::max(m_anchor, to)});
    m_zooms = false;
    update();
}

void Ruler::wheelEvent(QWheelEvent* event)
{
    // There is nothing to scroll on a ruler: the wheel zooms.
    constexpr int anglePerNotch = 120;
    const int turned = event->angleDelta().y();
    const TimeAxis axis{m_session.time().shown(), static_cast<double>(width())};
    m_session.time().zoomAt(axis.timeAt(event->position().x()), std::pow(0.8, turned / double{anglePerNotch}),
        turned % anglePerNotch == 0 ? Manner::Notch : Manner::AtOnce);
}

} // namespace warpline
