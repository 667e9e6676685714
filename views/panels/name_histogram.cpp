#include "views/panels/name_histogram.h"

#include "core/base/duration_text.h"
#include "views/style/rich_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int histogramMargin = 8;

} // namespace

NameHistogram::NameHistogram(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Durations of the events"));
}

void NameHistogram::setHistogram(DurationHistogram histogram)
{
    m_histogram = std::move(histogram);
    m_brush.reset();
    m_pressed.reset();
    update();
}

void NameHistogram::setByTime(bool byTime)
{
    m_byTime = byTime;
    update();
}

void NameHistogram::setMarked(std::optional<Ns> duration)
{
    m_marked = duration;
    update();
}

void NameHistogram::setBrush(std::size_t first, std::size_t last)
{
    m_brush = {first, last};
    update();
}

void NameHistogram::endBrush()
{
    m_brush.reset();
    update();
}

QRect NameHistogram::plot() const
{
    return rect().adjusted(histogramMargin, 6, -histogramMargin, -fontMetrics().height() - 6);
}

QRect NameHistogram::barOf(std::size_t bin) const
{
    const QRect all = plot();
    const auto x = [&](std::size_t i) {
        return all.left()
            + static_cast<int>(std::lround(static_cast<double>(i) * all.width()
                / static_cast<double>(std::max<std::size_t>(1, m_histogram.bins()))));
    };
    return {QPoint(x(bin), all.top()), QPoint(std::max(x(bin), x(bin + 1) - 1), all.bottom())};
}

std::optional<std::size_t> NameHistogram::binAt(QPoint position) const
{
    const QRect all = plot();
    if (m_histogram.bins() == 0 || all.width() <= 0)
        return std::nullopt;
    const double share = static_cast<double>(position.x() - all.left()) / static_cast<double>(all.width());
    const auto bin = static_cast<std::ptrdiff_t>(std::floor(share * static_cast<double>(m_histogram.bins())));
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(bin, 0, static_cast<std::ptrdiff_t>(m_histogram.bins()) - 1));
}

double NameHistogram::heightOf(std::size_t bin) const
{
    const auto value = [&](std::size_t i) {
        return m_byTime ? static_cast<double>(m_histogram.totals[i])
                        : static_cast<double>(m_histogram.counts[i]);
    };
    double highest = 0;
    for (std::size_t i = 0; i < m_histogram.bins(); ++i)
        highest = std::max(highest, value(i));
    return highest > 0 ? value(bin) / highest : 0;
}

QString NameHistogram::tipAt(QPoint position) const
{
    const auto bin = binAt(position);
    if (!bin || !plot().adjusted(0, -4, 0, 4).contains(position))
        return {};
    Ns total = 0;
    for (const Ns each : m_histogram.totals)
        total += each;
    const double share
        = total > 0 ? static_cast<double>(m_histogram.totals[*bin]) / static_cast<double>(total) : 0;
    const std::uint64_t count = m_histogram.counts[*bin];
    const bool isLast = *bin + 1 == m_histogram.bins();
    const QString range = isLast
        ? tr("%1 and more").arg(durationText(m_histogram.edges[*bin]))
        : tr("%1 to %2")
              .arg(durationText(m_histogram.edges[*bin]), durationText(m_histogram.edges[*bin + 1]));
    return (count == 1 ? tr("%1: %2 event, %3 of the time") : tr("%1: %2 events, %3 of the time"))
        .arg(range, numberText(count), shareText(share));
}

void NameHistogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    if (m_histogram.bins() == 0)
        return;
    const QRect all = plot();
    if (m_brush) {
        const QRect area = barOf(m_brush->first).united(barOf(m_brush->second));
        painter.fillRect(area, m_theme->selection);
        painter.setPen(m_theme->selectionEdge);
        painter.drawLine(area.topLeft(), area.bottomLeft());
        painter.drawLine(area.topRight(), area.bottomRight());
    }
    for (std::size_t i = 0; i < m_histogram.bins(); ++i) {
        if (m_histogram.counts[i] == 0)
            continue;
        QRect bar = barOf(i);
        const int height = std::max(1, static_cast<int>(std::lround(heightOf(i) * all.height())));
        bar.setTop(all.bottom() - height + 1);
        if (bar.width() > 3)
            bar.setRight(bar.right() - 1);
        const bool inside = !m_brush || (i >= m_brush->first && i <= m_brush->second);
        QColor color = m_theme->color(EventTint::Kernel); // the current event has the accent's
        color.setAlphaF(inside ? 1.0F : 0.4F);
        painter.fillRect(bar, color);
    }
    if (m_marked) {
        const QRect bar = barOf(m_histogram.binOf(*m_marked));
        painter.setPen(QPen(m_theme->highlight, 2));
        painter.drawLine(bar.center().x(), all.top(), bar.center().x(), all.bottom());
        QPolygon tip;
        tip << QPoint(bar.center().x() - 5, all.top() - 4) << QPoint(bar.center().x() + 5, all.top() - 4)
            << QPoint(bar.center().x(), all.top() + 4);
        painter.setBrush(m_theme->highlight);
        painter.drawPolygon(tip);
    }
    paintAxis(painter);
}

std::size_t NameHistogram::labelStep() const
{
    return std::max<std::size_t>(1, m_histogram.bins() / 8);
}

QStringList NameHistogram::axisTexts() const
{
    constexpr int fewest = 3;
    constexpr int most = 9;
    QStringList texts;
    for (int digits = fewest; digits <= most; ++digits) { // close values differ behind the usual digits
        texts.clear();
        bool repeats = false;
        for (std::size_t i = 0; i <= m_histogram.bins(); i += labelStep()) {
            const QString text
                = QString::fromStdString(shortDuration(static_cast<double>(m_histogram.edges[i]), digits));
            const bool isOther = i == 0 || m_histogram.edges[i] != m_histogram.edges[i - labelStep()];
            repeats = repeats || (!texts.isEmpty() && isOther && texts.last() == text);
            texts << text;
        }
        if (!repeats)
            break;
    }
    return texts;
}

void NameHistogram::paintAxis(QPainter& painter) const
{
    const QRect all = plot();
    painter.setPen(m_theme->grid);
    painter.drawLine(all.bottomLeft() + QPoint(0, 1), all.bottomRight() + QPoint(0, 1));
    painter.setPen(m_theme->dimText);
    const QStringList texts = axisTexts();
    int free = all.left(); // a text may begin here
    for (std::size_t i = 0; i <= m_histogram.bins(); i += labelStep()) {
        const QString text = texts[static_cast<qsizetype>(i / labelStep())];
        const int width = painter.fontMetrics().horizontalAdvance(text);
        const int middle = i < m_histogram.bins() ? barOf(i).left() : all.right();
        const int left
            = std::clamp(middle - width / 2, all.left(), std::max(all.left(), all.right() - width));
        if (left < free)
            continue;
        painter.drawText(left, all.bottom() + 4 + painter.fontMetrics().ascent(), text);
        free = left + width + 12;
    }
}

void NameHistogram::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = binAt(event->position().toPoint());
    if (!m_pressed)
        return;
    const bool onlyThat = m_brush && m_brush->first == *m_pressed && m_brush->second == *m_pressed;
    m_brush.reset();
    if (!onlyThat) // a second click on a single bar ends the brush
        m_brush = {*m_pressed, *m_pressed};
    update();
}

void NameHistogram::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (const auto bin = binAt(position); m_pressed && bin && (m_brush || *bin != *m_pressed)) {
        m_brush = {std::min(*m_pressed, *bin), std::max(*m_pressed, *bin)};
        update();
    }
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(position), this);
}

void NameHistogram::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    m_pressed.reset();
    // A click outside of bars selects nothing, but does not hide all events.
    if (m_brush) {
        std::uint64_t events = 0;
        for (std::size_t i = m_brush->first; i <= m_brush->second; ++i)
            events += m_histogram.counts[i];
        if (events == 0) {
            m_brush.reset();
            update();
        }
    }
    emit brushChanged();
}

void NameHistogram::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !m_brush) {
        QWidget::keyPressEvent(event);
        return;
    }
    endBrush();
    emit brushChanged();
}

std::vector<PaintedItem> NameHistogram::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t bin = 0; bin < m_histogram.bins(); ++bin) {
        if (m_histogram.counts[bin] == 0)
            continue;
        PaintedItem item{tipAt(barOf(bin).center()), {}, barOf(bin)};
        item.isCurrent = m_brush && bin >= m_brush->first && bin <= m_brush->second;
        item.press = [this, bin] {
            setBrush(bin, bin);
            emit brushChanged();
        };
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace warpline
