#include "views/timeline/mark_band.h"

#include "views/session/marks.h"
#include "views/style/mark_color.h"
#include "views/style/rich_text.h"
#include "views/timeline/mark_editor.h"
#include "views/timeline/time_axis.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double flagWidth = 9;
constexpr double markReach = 3; ///< pixels next to a thin bookmark that still hit it

} // namespace

MarkBand::MarkBand(TimeView& time, Marks& marks, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_marks(marks),
      m_theme(&theme),
      m_editor(new MarkEditor(time, marks, theme, parent))
{
    setMouseTracking(true);
    setFixedHeight(0);
    setAccessibleName(tr("Bookmarks"));
    const auto repaint = [this] { update(); };
    connect(&m_time, &TimeView::drawnChanged, this, repaint);
    connect(&m_marks, &Marks::changed, this, &MarkBand::follow);
    connect(&m_marks, &Marks::currentChanged, this, repaint);
    connect(&m_marks, &Marks::editWanted, this, &MarkBand::openEditor);
}

void MarkBand::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_editor->setTheme(theme);
    update();
}

QSize MarkBand::sizeHint() const
{
    constexpr int least = 18;
    constexpr int around = 3; // with the line below
    return {100, std::max(least, fontMetrics().height() + around)};
}

void MarkBand::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        follow();
}

void MarkBand::follow()
{
    m_pressedMark = false; // marks are others
    const int wanted = m_marks.all().empty() ? 0 : sizeHint().height();
    if (wanted != height()) {
        setFixedHeight(wanted);
        emit heightChanged();
    }
    update();
}

QRectF MarkBand::barOf(const Mark& mark) const
{
    const TimeAxis axis{m_time.drawn(), static_cast<double>(width())};
    const double left = axis.xAt(mark.range.start);
    const double right = std::max(axis.xAt(mark.range.end), left + (mark.isMoment() ? flagWidth : 2));
    return {left, 1, right - left, height() - 3.0};
}

int MarkBand::markAt(double x) const
{
    const std::vector<Mark>& marks = m_marks.all();
    for (std::size_t i = marks.size(); i-- > 0;) {
        const QRectF bar = barOf(marks[i]);
        if (x >= bar.left() - markReach && x <= bar.right() + markReach)
            return static_cast<int>(i);
    }
    return -1;
}

void MarkBand::openEditor(int place)
{
    const std::vector<Mark>& marks = m_marks.all();
    if (place < 0 || place >= static_cast<int>(marks.size()) || !isVisible())
        return;
    const QRectF bar = barOf(marks[static_cast<std::size_t>(place)]);
    const int left
        = std::clamp(static_cast<int>(bar.left()), 0, std::max(0, width() - m_editor->sizeHint().width()));
    m_editor->open(place, mapToParent(QPoint(left, height())));
}

void MarkBand::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    painter.fillRect(0, height() - 1, width(), 1, m_theme->grid);
    QRectF last;
    for (std::size_t i = 0; i < m_marks.all().size(); ++i) {
        const QRectF bar = barOf(m_marks.all()[i]);
        const bool isThere
            = std::abs(bar.left() - last.left()) < 1 && std::abs(bar.right() - last.right()) < 1;
        if (isThere && static_cast<int>(i) != m_marks.current())
            continue;
        paintMark(painter, i);
        last = bar;
    }
}

void MarkBand::paintMark(QPainter& painter, std::size_t place)
{
    const std::vector<Mark>& marks = m_marks.all();
    const Mark& mark = marks[place];
    const QRectF bar = barOf(mark);
    if (bar.right() < 0 || bar.left() > width())
        return;
    const QColor color = markColor(*m_theme, mark);
    const bool isCurrent = static_cast<int>(place) == m_marks.current();
    if (mark.isMoment()) {
        painter.setRenderHint(QPainter::Antialiasing);
        const QPolygonF flag({bar.topLeft(), {bar.right(), bar.center().y()}, bar.bottomLeft()});
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(flag);
        painter.setRenderHint(QPainter::Antialiasing, false);
    } else {
        painter.fillRect(bar, color);
    }
    if (isCurrent) {
        painter.setPen(m_theme->text);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar.adjusted(0, 0, -1, 0));
    }
    // Next to a flag or inside a bar, up to the next bookmark.
    double end = mark.isMoment() ? width() : std::min<double>(width(), bar.right());
    if (place + 1 < marks.size()) // they are sorted
        end = std::min(end, barOf(marks[place + 1]).left());
    const double start = mark.isMoment() ? bar.right() : std::max(0.0, bar.left());
    const QRectF room(start + 4, 0, end - start - 8, height() - 1.0);
    constexpr double minRoom = 20;
    if (room.width() < minRoom || mark.text.empty())
        return;
    painter.setPen(mark.isMoment() ? m_theme->text : Theme::textOn(color));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(
            textOf(mark.text).simplified(), Qt::ElideRight, static_cast<int>(room.width())));
}

void MarkBand::mousePressEvent(QMouseEvent* event)
{
    const int place = event->button() == Qt::LeftButton ? markAt(event->position().x()) : -1;
    goToMark(m_time, m_marks, place);
    m_pressedMark = place >= 0;
}

void MarkBand::mouseDoubleClickEvent(QMouseEvent* event)
{
    // The first click moved the view: another mark may be under the mouse.
    const int place = m_pressedMark ? m_marks.current() : markAt(event->position().x());
    if (place >= 0)
        m_marks.edit(place);
}

void MarkBand::mouseMoveEvent(QMouseEvent* event)
{
    const int place = markAt(event->position().x());
    setCursor(place >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (place < 0) {
        QToolTip::hideText();
        return;
    }
    const Mark& mark = m_marks.all()[static_cast<std::size_t>(place)];
    QString tip = plainTextOf(titleOf(mark)).toHtmlEscaped().replace('\n', "<br>");
    if (!mark.isMoment() && !mark.text.empty())
        tip += "<br>" + durationText(mark.range.duration());
    QToolTip::showText(event->globalPosition().toPoint(), "<p>" + tip + "</p>", this);
}

void MarkBand::fillMenu(QMenu& menu, int place)
{
    Marks& marks = m_marks;
    Mark mark = marks.all()[static_cast<std::size_t>(place)];
    menu.addAction(tr("Go to"), this, [this, place] { goToMark(m_time, m_marks, place); });
    menu.addAction(tr("Edit text"), this, [&marks, place] { marks.edit(place); });
    QMenu* const colors = menu.addMenu(tr("Color"));
    for (const MarkColor& color : markColors()) {
        QPixmap swatch(12, 12);
        swatch.fill(markColor(*m_theme, color));
        colors->addAction(QIcon(swatch), titleOf(color), this, [&marks, place, mark, &color]() mutable {
            mark.color = color.id;
            marks.change(place, mark);
        });
    }
    menu.addAction(tr("Remove"), this, [&marks, place] { marks.remove(place); });
}

void MarkBand::contextMenuEvent(QContextMenuEvent* event)
{
    const int place = markAt(event->pos().x());
    if (place < 0)
        return;
    m_marks.setCurrent(place);
    QMenu menu(this);
    connect(&m_marks, &Marks::changed, &menu, &QWidget::close); // places are others then
    fillMenu(menu, place);
    menu.exec(event->globalPos());
}

void MarkBand::wheelEvent(QWheelEvent* event)
{
    // Like the ruler: there is nothing to scroll.
    const TimeAxis axis{m_time.drawn(), static_cast<double>(width())};
    m_time.zoomAt(axis.timeAt(event->position().x()), std::pow(0.8, event->angleDelta().y() / 120.0));
}

} // namespace warpline
