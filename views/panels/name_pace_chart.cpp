#include "views/panels/name_pace_chart.h"

#include "core/base/duration_text.h"
#include "views/style/rich_text.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int paceMargin = 8;

} // namespace

NamePaceChart::NamePaceChart(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("Durations over time"));
}

void NamePaceChart::setPace(Pace pace, double fence, bool logarithmic)
{
    m_pace = std::move(pace);
    m_fence = fence;
    m_logarithmic = logarithmic;
    m_marked.reset();
    m_low = std::numeric_limits<double>::max();
    m_high = 0;
    for (const PaceColumn& column : m_pace.columns) {
        if (column.count == 0)
            continue;
        m_low = std::min(m_low, static_cast<double>(column.least));
        m_high = std::max(m_high, static_cast<double>(column.most));
    }
    if (!logarithmic)
        m_low = 0; // heights are compared
    m_high = std::max(m_high, m_low + 1);
    update();
}

void NamePaceChart::setMarked(std::optional<std::pair<std::size_t, Ns>> marked)
{
    m_marked = marked;
    update();
}

QRect NamePaceChart::plot() const
{
    return rect().adjusted(paceMargin, fontMetrics().height() + 4, -paceMargin, -fontMetrics().height() - 6);
}

double NamePaceChart::yOf(double duration) const
{
    const auto scaled = [&](double value) { return m_logarithmic ? std::log(std::max(1.0, value)) : value; };
    const double low = scaled(m_low);
    const double high = scaled(m_high);
    const QRect all = plot();
    const double share = high > low ? (scaled(duration) - low) / (high - low) : 0.5;
    return all.bottom() - std::clamp(share, 0.0, 1.0) * all.height();
}

double NamePaceChart::xOf(std::size_t column) const
{
    const QRect all = plot();
    return all.left()
        + static_cast<double>(column) * all.width()
        / static_cast<double>(std::max<std::size_t>(1, m_pace.columns.size()));
}

std::optional<std::size_t> NamePaceChart::columnAt(QPoint position) const
{
    const QRect all = plot();
    if (m_pace.columns.empty() || position.x() < all.left() || position.x() > all.right())
        return std::nullopt;
    const double share = static_cast<double>(position.x() - all.left()) / std::max(1, all.width());
    const auto columns = static_cast<double>(m_pace.columns.size());
    return static_cast<std::size_t>(std::clamp(share * columns, 0.0, columns - 1));
}

QPoint NamePaceChart::middleOf(std::size_t column) const
{
    return {static_cast<int>(std::lround((xOf(column) + xOf(column + 1)) / 2)), plot().center().y()};
}

QString NamePaceChart::tipAt(QPoint position) const
{
    const auto at = columnAt(position);
    if (!at || m_pace.columns[*at].count == 0)
        return {};
    const PaceColumn& column = m_pace.columns[*at];
    if (column.count == 1)
        return tr("1 event, %1").arg(durationText(static_cast<double>(column.most)));
    return tr("%1 events, %2 to %3, mean %4")
        .arg(numberText(column.count), durationText(static_cast<double>(column.least)),
            durationText(static_cast<double>(column.most)), durationText(column.mean));
}

void NamePaceChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    if (m_pace.columns.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintColumns(painter);
    paintAxis(painter);
    if (m_marked) {
        const QPointF at((xOf(m_marked->first) + xOf(m_marked->first + 1)) / 2,
            yOf(static_cast<double>(m_marked->second)));
        painter.setPen(QPen(m_theme->highlight, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, 5, 5);
    }
}

void NamePaceChart::paintColumns(QPainter& painter) const
{
    const double width = std::max(1.0, xOf(1) - xOf(0));
    QColor range = m_theme->color(EventTint::Kernel);
    range.setAlphaF(0.45F);
    for (std::size_t i = 0; i < m_pace.columns.size(); ++i) {
        const PaceColumn& column = m_pace.columns[i];
        if (column.count == 0)
            continue;
        const double most = static_cast<double>(column.most);
        const double top = yOf(column.outliers > 0 ? std::min(most, std::max(m_fence, column.mean)) : most);
        const double bottom = yOf(static_cast<double>(column.least));
        painter.fillRect(QRectF(xOf(i), top, width, std::max(1.5, bottom - top)), range);
        painter.fillRect(QRectF(xOf(i), yOf(column.mean) - 0.75, width, 1.5), m_theme->text);
        if (column.outliers > 0) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme->bad);
            painter.drawEllipse(QPointF(xOf(i) + width / 2, yOf(most)), 2.5, 2.5);
        }
    }
}

void NamePaceChart::paintAxis(QPainter& painter) const
{
    const QRect all = plot();
    constexpr int digits = 3;
    painter.setPen(m_theme->grid);
    painter.drawLine(all.bottomLeft() + QPoint(0, 1), all.bottomRight() + QPoint(0, 1));
    painter.setPen(m_theme->dimText);
    const int line = fontMetrics().height();
    const QRect above(all.left(), 1, all.width(), line);
    painter.drawText(above, Qt::AlignLeft, durationText(m_high));
    painter.drawText(above, Qt::AlignRight,
        m_pace.outliers == 0 ? QString()
            : m_pace.outliers == 1
            ? tr("1 outlier above %1").arg(durationText(m_fence))
            : tr("%1 outliers above %2").arg(numberText(m_pace.outliers), durationText(m_fence)));
    const QRect below(all.left(), all.bottom() + 3, all.width(), line);
    std::uint64_t events = 0;
    for (const PaceColumn& column : m_pace.columns)
        events += column.count;
    const auto second
        = [&](Ns time) { return QString::fromStdString(shortDuration(static_cast<double>(time), digits)); };
    painter.drawText(below, Qt::AlignLeft, m_pace.byInstance ? tr("first") : second(m_pace.window.start));
    painter.drawText(below, Qt::AlignRight,
        m_pace.byInstance ? tr("instance %1").arg(numberText(events)) : second(m_pace.window.end));
    painter.drawText(below, Qt::AlignHCenter, tr("shortest, mean and longest"));
}

void NamePaceChart::mouseMoveEvent(QMouseEvent* event)
{
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(event->position().toPoint()), this);
    const auto at = columnAt(event->position().toPoint());
    setCursor(at && m_pace.columns[*at].count > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void NamePaceChart::mouseReleaseEvent(QMouseEvent* event)
{
    const auto at = columnAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && at && m_pace.columns[*at].count > 0)
        emit chosen(m_pace.columns[*at].longest);
}

std::vector<PaintedItem> NamePaceChart::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t i = 0; i < m_pace.columns.size(); ++i) {
        if (m_pace.columns[i].count == 0)
            continue;
        const QRectF column(xOf(i), plot().top(), xOf(i + 1) - xOf(i), plot().height());
        PaintedItem item{tipAt(middleOf(i)), {}, column.toAlignedRect()};
        item.isCurrent = m_marked && m_marked->first == i;
        item.press = [this, event = m_pace.columns[i].longest] { emit chosen(event); };
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace warpline
