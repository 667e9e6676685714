#include "views/panels/roofline_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

constexpr double plotMargin = 6; // pixels
constexpr double smallestRadius = 3.5;
constexpr double largestRadius = 18;

/// 10^`power`, or a short number.
QString powerText(double power)
{
    const double value = std::pow(10.0, power);
    return power < 5 ? QString::number(value, 'g', 6) : QStringLiteral("1e%1").arg(power, 0, 'f', 0);
}

QColor faded(QColor color, float opacity)
{
    color.setAlphaF(opacity);
    return color;
}

} // namespace

QString flopsText(double perSecond)
{
    static constexpr std::array<const char*, 6> prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    while (perSecond >= 999.5 && prefix + 1 < prefixes.size()) {
        perSecond /= 1000;
        ++prefix;
    }
    return QStringLiteral("%1 %2FLOP/s").arg(QString::number(perSecond, 'g', 3), prefixes[prefix]);
}

RooflinePlot::RooflinePlot(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Roofline plot"));
}

void RooflinePlot::setContent(RooflineContent content)
{
    m_content = std::move(content);
    m_hovered.reset();
    m_current.reset();
    m_longest = 1;
    for (const RooflinePoint& each : m_content.points)
        m_longest = std::max(m_longest, each.time);
    fitAxes();
    update();
}

void RooflinePlot::setCurrent(std::optional<std::size_t> point)
{
    if (point && *point >= m_content.points.size())
        point.reset();
    if (point == m_current)
        return;
    m_current = point;
    update();
}

/// Over all points and the roofs with their ridges; whole powers of ten.
void RooflinePlot::fitAxes()
{
    double least = 1e300;
    double most = 0;
    double low = 1e300;
    double high = 0;
    const auto take = [](double value, double& lower, double& upper) {
        if (!(value > 0) || !std::isfinite(value))
            return;
        lower = std::min(lower, value);
        upper = std::max(upper, value);
    };
    for (const RooflineRoof& roof : m_content.roofs) {
        take(roof.flopsPerSecond, low, high);
        if (m_content.bytesPerSecond > 0)
            take(roof.flopsPerSecond / m_content.bytesPerSecond, least, most);
    }
    // Points with hardly any time do not stretch the axes: they are drawn at the edge.
    const Ns longest = m_content.points.empty() ? 0 : m_content.points.front().time;
    const auto counts = [longest](const RooflinePoint& point) { return point.time >= longest / 40; };
    for (const RooflinePoint& point : m_content.points) {
        if (point.intensity <= 0 || !counts(point))
            continue;
        take(point.intensity, least, most);
        take(point.flopsPerSecond, low, high);
    }
    if (most <= 0) {
        least = 0.1;
        most = 100;
    }
    // Room on the left for points without arithmetic, and on the right for the roofs.
    m_left = std::min(-1.0, std::floor(std::log10(least) - 0.3));
    m_right = std::max(m_left + 2, std::ceil(std::log10(most) + 0.4));
    for (const RooflinePoint& point : m_content.points) {
        if (point.intensity <= 0 && counts(point))
            take(point.bytesPerSecond * std::pow(10.0, m_left), low, high);
    }
    if (m_content.bytesPerSecond > 0)
        take(m_content.bytesPerSecond * std::pow(10.0, m_left), low, high);
    if (high <= 0) {
        low = 1e9;
        high = 1e12;
    }
    constexpr double maxDecades = 9; // slower points are drawn at the lower edge
    m_high = std::log10(high) + 0.1;
    m_low = std::max(std::floor(std::log10(low) - 0.2), std::floor(m_high - maxDecades));
}

QRectF RooflinePlot::plot() const
{
    const double line = fontMetrics().height();
    const double labels = fontMetrics().horizontalAdvance(QStringLiteral("100 GFLOP/s")) + plotMargin;
    // Above room for the name of the highest roof, at the right for half a number.
    return QRectF(rect()).adjusted(
        plotMargin + labels, plotMargin + line, -3 * plotMargin, -2 * line - 1.5 * plotMargin);
}

double RooflinePlot::xOf(double intensity) const
{
    const QRectF all = plot();
    const double power = intensity > 0 ? std::log10(intensity) : m_left;
    return all.left() + std::clamp((power - m_left) / (m_right - m_left), 0.0, 1.0) * all.width();
}

double RooflinePlot::yOf(double flopsPerSecond) const
{
    const QRectF all = plot();
    const double power = flopsPerSecond > 0 ? std::log10(flopsPerSecond) : m_low;
    return all.bottom() - std::clamp((power - m_low) / (m_high - m_low), 0.0, 1.0) * all.height();
}

QPointF RooflinePlot::placeOf(std::size_t point) const
{
    const RooflinePoint& at = m_content.points[point];
    if (at.intensity > 0)
        return {xOf(at.intensity), yOf(at.flopsPerSecond)};
    // Inside of the plot, because the labels are next to the axis.
    return {xOf(0) + radiusOf(point), yOf(at.bytesPerSecond * std::pow(10.0, m_left))};
}

double RooflinePlot::radiusOf(std::size_t point) const
{
    const double share = static_cast<double>(m_content.points[point].time) / static_cast<double>(m_longest);
    const double largest = std::min(largestRadius, plot().height() / 12);
    return std::max(smallestRadius, largest * std::sqrt(std::max(0.0, share)));
}

std::optional<std::size_t> RooflinePlot::pointAt(QPointF position) const
{
    constexpr double reach = 3; // pixels around a small point
    std::optional<std::size_t> found;
    double smallest = 0;
    for (std::size_t i = 0; i < m_content.points.size(); ++i) {
        const QPointF away = placeOf(i) - position;
        const double radius = radiusOf(i);
        if (std::hypot(away.x(), away.y()) > radius + reach || (found && radius > smallest))
            continue;
        found = i;
        smallest = radius;
    }
    return found;
}

void RooflinePlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    paintGrid(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintRoofs(painter);
    paintPoints(painter);
    paintLabels(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(m_theme->accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

std::vector<PaintedLabel> RooflinePlot::axisLabels() const
{
    const QRectF all = plot();
    const double line = fontMetrics().height();
    const double below = all.bottom() + plotMargin / 2; // the top of the numbers of the lower axis
    std::vector<PaintedLabel> labels;
    const double perDecade = std::max(1.0, all.width() / (m_right - m_left)); // also without any room
    const int every = std::max(
        1, static_cast<int>(std::ceil(fontMetrics().horizontalAdvance(QStringLiteral("10000")) / perDecade)));
    for (int power = static_cast<int>(std::ceil(m_left)); power <= m_right; power += every) {
        const QString text = powerText(power);
        const double wide = fontMetrics().horizontalAdvance(text);
        labels.push_back({QRectF(xOf(std::pow(10.0, power)) - wide / 2, below, wide, line), text});
    }
    const double perPower = std::max(1.0, all.height() / (m_high - m_low));
    constexpr double apart = 1.5; // lines: the lowest label is moved up
    const int each = std::max(1, static_cast<int>(std::ceil(apart * line / perPower)));
    for (int power = static_cast<int>(std::ceil(m_low)); power <= m_high; power += each) {
        const QString text = flopsText(std::pow(10.0, power));
        const double wide = fontMetrics().horizontalAdvance(text);
        const double top = std::min(yOf(std::pow(10.0, power)) - line / 2, below - line); // not beside those
        labels.push_back({QRectF(all.left() - plotMargin - wide, top, wide, line), text});
    }
    return labels;
}

void RooflinePlot::paintGrid(QPainter& painter) const
{
    const QRectF all = plot();
    painter.fillRect(all, m_theme->alternate);
    painter.setPen(m_theme->grid);
    for (int power = static_cast<int>(std::ceil(m_left)); power <= m_right; ++power) {
        const double x = std::round(xOf(std::pow(10.0, power)));
        painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
    }
    for (int power = static_cast<int>(std::ceil(m_low)); power <= m_high; ++power) {
        const double y = std::round(yOf(std::pow(10.0, power)));
        painter.drawLine(QPointF(all.left(), y), QPointF(all.right(), y));
    }
    painter.setPen(m_theme->dimText);
    for (const PaintedLabel& label : axisLabels())
        painter.drawText(label.place, Qt::AlignCenter | Qt::TextDontClip, label.text);
    for (const auto& [place, text] : axisTexts())
        painter.drawText(place, Qt::AlignHCenter, text);
}

std::vector<std::pair<QRectF, QString>> RooflinePlot::axisTexts() const
{
    const QRectF all = plot();
    const double line = fontMetrics().height();
    std::vector<std::pair<QRectF, QString>> texts;
    const auto add = [&](const QString& text, double from, double wide) {
        texts.emplace_back(QRectF(from, all.bottom() + line + plotMargin / 2, wide, line),
            fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(wide)));
    };
    const QString title = tr("FLOP per byte of memory traffic");
    const double wide = fontMetrics().horizontalAdvance(title) + 1;
    double left = all.left();
    if (std::ranges::any_of(
            m_content.points, [](const RooflinePoint& point) { return point.intensity <= 0; })) {
        const QString note = tr("\u2190 no arithmetic");
        const double room = rect().right() - left - 2 * plotMargin;
        double noteWide = fontMetrics().horizontalAdvance(note) + 1;
        if (noteWide + wide > room)
            noteWide = std::min(noteWide, room / 2);
        add(note, left, noteWide);
        left += noteWide + 2 * plotMargin;
    }
    // In the middle of the axis, unless it would cover the note or leave the plot there.
    const double from = std::max(left, std::min(all.center().x() - wide / 2, rect().right() - wide));
    add(title, from, std::min(wide, rect().right() - from));
    return texts;
}

void RooflinePlot::paintRoofs(QPainter& painter) const
{
    if (m_content.roofs.empty())
        return;
    const QRectF all = plot();
    double highest = 0;
    for (const RooflineRoof& roof : m_content.roofs)
        highest = std::max(highest, roof.flopsPerSecond);
    const double slope = m_content.bytesPerSecond;
    const double start = std::pow(10.0, m_left);
    painter.setClipRect(all.adjusted(-1, -1, 1, 1));
    if (slope > 0) {
        const double ridge = highest / slope;
        painter.setPen(QPen(m_theme->text, 1.6));
        painter.drawLine(QPointF(xOf(start), yOf(start * slope)), QPointF(xOf(ridge), yOf(highest)));
    }
    for (const RooflineRoof& roof : m_content.roofs) {
        const double ridge = slope > 0 ? roof.flopsPerSecond / slope : start;
        const double y = yOf(roof.flopsPerSecond);
        painter.setPen(
            QPen(m_theme->text, roof.dashed ? 1 : 1.6, roof.dashed ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(xOf(ridge), y), QPointF(all.right(), y));
    }
    painter.setClipping(false);
}

std::size_t RooflinePlot::pointsBelow(const PaintedLabel& label) const
{
    const QTransform back = label.turned.inverted();
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_content.points.size(); ++i) {
        const double radius = radiusOf(i);
        if (label.place.adjusted(-radius, -radius, radius, radius).contains(back.map(placeOf(i))))
            ++count;
    }
    return count;
}

/// Above their lines, or below where a higher roof is close, and along the slope, each where it covers the
/// fewest points.
std::vector<PaintedLabel> RooflinePlot::lineLabels() const
{
    const QRectF all = plot();
    const double line = fontMetrics().height();
    const auto wideAs
        = [&](const QString& text) { return fontMetrics().horizontalAdvance(text) + plotMargin; };
    std::vector<const RooflineRoof*> sorted;
    for (const RooflineRoof& roof : m_content.roofs)
        sorted.push_back(&roof);
    std::ranges::sort(
        sorted, std::ranges::greater{}, [](const RooflineRoof* roof) { return roof->flopsPerSecond; });
    std::vector<PaintedLabel> labels;
    const auto fewest = [&](const std::vector<PaintedLabel>& places) {
        return *std::ranges::min_element(
            places, {}, [&](const PaintedLabel& each) { return pointsBelow(each); });
    };
    double free = -line; // from where on there is room
    for (const RooflineRoof* const roof : sorted) {
        double top = yOf(roof->flopsPerSecond) - line - 1;
        if (top < free)
            top += line + 2;
        if (top < free)
            continue;
        const QString name = fontMetrics().elidedText(
            roof->name, Qt::ElideRight, static_cast<int>(all.width() - plotMargin));
        const double wide = wideAs(name);
        const double ridge = m_content.bytesPerSecond > 0
            ? std::clamp(xOf(roof->flopsPerSecond / m_content.bytesPerSecond), all.left(),
                std::max(all.left(), all.right() - wide))
            : all.left();
        std::vector<PaintedLabel> places;
        for (const double left : {all.right() - wide, ridge, (ridge + all.right() - wide) / 2})
            places.push_back({QRectF(left, top, wide, line), name});
        labels.push_back(fewest(places));
        free = top + line;
    }
    std::vector<PaintedLabel> places = slopeLabels(sorted);
    std::erase_if(places, [&](const PaintedLabel& place) {
        const QPolygonF outline = place.turned.map(QPolygonF(place.place));
        return std::ranges::any_of(
            labels, [&](const PaintedLabel& roof) { return outline.intersects(QPolygonF(roof.place)); });
    });
    if (!places.empty())
        labels.push_back(fewest(places));
    return labels;
}

/// Where the name of the memory may be: along the slope, above and below it.
std::vector<PaintedLabel> RooflinePlot::slopeLabels(const std::vector<const RooflineRoof*>& sorted) const
{
    if (m_content.bytesPerSecond <= 0 || m_content.memoryName.isEmpty() || sorted.empty())
        return {};
    const double line = fontMetrics().height();
    const double start = std::pow(10.0, m_left);
    const QPointF from(xOf(start), yOf(start * m_content.bytesPerSecond));
    const double ridge = sorted.front()->flopsPerSecond / m_content.bytesPerSecond;
    const QPointF to(xOf(ridge), yOf(sorted.front()->flopsPerSecond));
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
    const double wide = fontMetrics().horizontalAdvance(m_content.memoryName) + plotMargin;
    if (length < wide + 2 * plotMargin)
        return {};
    QTransform turned;
    turned.translate(from.x(), from.y());
    turned.rotate(std::atan2(to.y() - from.y(), to.x() - from.x()) * 180 / M_PI);
    std::vector<PaintedLabel> places;
    for (const double part : {0.5, 0.65, 0.35, 0.8, 0.2, 0.95, 0.05}) {
        const double left = std::clamp(part * length - wide / 2, plotMargin, length - wide - plotMargin);
        for (const double top : {-line - 2, 3.0}) // above the slope, below it
            places.push_back({QRectF(left, top, wide, line), m_content.memoryName, turned});
    }
    return places;
}

/// On plates that dim the points below.
void RooflinePlot::paintLabels(QPainter& painter) const
{
    painter.setPen(m_theme->text);
    for (const PaintedLabel& label : lineLabels()) {
        painter.save();
        painter.setTransform(label.turned, true);
        painter.fillRect(label.place, faded(m_theme->alternate, 0.75F));
        painter.drawText(label.place, Qt::AlignCenter, label.text);
        painter.restore();
    }
}

void RooflinePlot::paintPoints(QPainter& painter) const
{
    painter.setClipRect(plot().adjusted(-largestRadius, -largestRadius, largestRadius, largestRadius));
    // The longest first: shorter ones stay in sight above them.
    for (std::size_t i = 0; i < m_content.points.size(); ++i) {
        const RooflinePoint& point = m_content.points[i];
        const double radius = radiusOf(i);
        painter.setBrush(faded(point.color, 0.75F));
        painter.setPen(QPen(m_theme->background, 1));
        painter.drawEllipse(placeOf(i), radius, radius);
    }
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](std::size_t point, const QColor& color) {
        painter.setPen(QPen(color, 2));
        painter.drawEllipse(placeOf(point), radiusOf(point) + 2, radiusOf(point) + 2);
    };
    if (m_current)
        ring(*m_current, m_theme->accent);
    if (m_hovered && m_hovered != m_current)
        ring(*m_hovered, m_theme->highlight);
    painter.setClipping(false);
}

void RooflinePlot::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> at = pointAt(event->position());
    setCursor(at ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (at == m_hovered)
        return;
    m_hovered = at;
    update();
    QToolTip::showText(event->globalPosition().toPoint(), at ? m_content.points[*at].tip : QString(), this);
}

void RooflinePlot::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

void RooflinePlot::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> at = pointAt(event->position());
    if (event->button() != Qt::LeftButton || !at)
        return;
    makeCurrent(*at);
    emit pointChosen(*at);
}

void RooflinePlot::makeCurrent(std::size_t point)
{
    m_current = point;
    update();
    tellCurrentItem(*this);
    emit currentChanged(point);
}

std::vector<PaintedItem> RooflinePlot::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t i = 0; i < m_content.points.size(); ++i) {
        const RooflinePoint& point = m_content.points[i];
        const double radius = radiusOf(i);
        PaintedItem item{point.name, QTextDocumentFragment::fromHtml(point.tip).toPlainText(),
            QRectF(placeOf(i) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)).toAlignedRect()};
        item.isCurrent = m_current == i;
        item.press = [this, i] {
            makeCurrent(i);
            emit pointChosen(i);
        };
        items.push_back(std::move(item));
    }
    return items;
}

void RooflinePlot::keyPressEvent(QKeyEvent* event)
{
    const std::size_t count = m_content.points.size();
    const bool next = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool previous = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if (count == 0)
        return QWidget::keyPressEvent(event);
    if (next || previous) {
        const std::size_t from = m_current.value_or(next ? count - 1 : 0);
        makeCurrent(next ? (from + 1) % count : (from + count - 1) % count);
    } else if (event->key() == Qt::Key_Home || event->key() == Qt::Key_End)
        makeCurrent(event->key() == Qt::Key_Home ? 0 : count - 1);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current)
        emit pointChosen(*m_current);
    else
        return QWidget::keyPressEvent(event);
}

void RooflinePlot::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

} // namespace warpline
