#include "views/panels/compare_step_plot.h"

#include "core/base/duration_text.h"
#include "views/compare/compare_lines.h"
#include "views/session/side_color.h"
#include "views/style/chart_style.h"
#include "views/style/rich_text.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int edge = 6;
constexpr double dotGap = 5; ///< pixels between two steps from which each has a dot
constexpr double dotRadius = 2;
constexpr double slowRadius = 3.5;
constexpr int axisDigits = 3;

} // namespace

ComparedLengths comparedLengths(const Comparison& comparison, Side side, const SlowStepLimits& limits)
{
    ComparedLengths made;
    const ComparedSide& compared = comparison.sides[side];
    if (comparison.unit != CompareUnit::Step || compared.gpus.empty())
        return made;
    const std::vector<ComparedStep>& first = compared.gpus.front().steps;
    for (std::size_t step = 0; step < first.size(); ++step) {
        if (!first[step].judged || first[step].gpu.empty())
            continue;
        Ns length = 0;
        for (const ComparedGpu& gpu : compared.gpus)
            length += gpu.steps[step].gpu.duration();
        made.steps.push_back(step);
        made.lengths.push_back(length / static_cast<Ns>(compared.gpus.size()));
    }
    const std::vector<Ns> usual(made.lengths.size(), compared.median);
    made.slow = slowSteps(made.lengths, usual, 0, limits);
    return made;
}

CompareStepPlot::CompareStepPlot(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("Length of each step of A and B on the GPU"));
}

void CompareStepPlot::setComparison(
    std::shared_ptr<const Comparison> comparison, const SlowStepLimits& limits)
{
    m_comparison = std::move(comparison);
    m_hovered.reset();
    m_chosen.reset();
    for (const Side side : {Side::A, Side::B})
        m_lengths[side] = m_comparison ? comparedLengths(*m_comparison, side, limits) : ComparedLengths();
    for (const Side side : {Side::A, Side::B})
        m_shift[side] = m_comparison ? m_comparison->sides[otherSide(side)].ahead : 0;
    fitAxis();
    update();
}

bool CompareStepPlot::isNeeded() const
{
    return m_lengths.a.lengths.size() > 1 || m_lengths.b.lengths.size() > 1;
}

/// Over the usual steps and the means: a slow step that is far above them is drawn at the upper edge.
void CompareStepPlot::fitAxis()
{
    double low = 0;
    double usual = 0;
    double most = 0;
    for (const Side side : {Side::A, Side::B}) {
        const ComparedLengths& all = m_lengths[side];
        for (std::size_t i = 0; i < all.lengths.size(); ++i) {
            const auto length = static_cast<double>(all.lengths[i]);
            low = low > 0 ? std::min(low, length) : length;
            most = std::max(most, length);
            if (!std::ranges::binary_search(all.slow, i))
                usual = std::max(usual, length);
        }
    }
    const double span = std::max({usual - low, usual / 50, 1.0});
    constexpr double room = 0.15;
    constexpr double roomForSlow = 0.75;
    m_high = std::min(std::max(most, usual) + room * span, usual + roomForSlow * span);
    constexpr double maxMeanRatio = 3; // times the usual: a mean beyond would leave the steps no room
    for (const Side side : {Side::A, Side::B}) {
        const double mean = m_comparison ? m_comparison->sides[side].mean : 0;
        if (isNeeded() && mean < maxMeanRatio * usual)
            m_high = std::max(m_high, mean + room * span);
    }
    const double cut = low - 0.6 * span; // as in the waterfall: shows differences of similar lengths
    m_low = cut > 0.4 * usual ? low - room * span : 0;
}

QRectF CompareStepPlot::plot() const
{
    const int line = fontMetrics().height();
    const int labels = fontMetrics().horizontalAdvance(QStringLiteral("00.00 ms")) + edge;
    return QRectF(rect()).adjusted(edge + labels, 2 * line + 8, -edge, -line - 5);
}

double CompareStepPlot::gap() const
{
    return plot().width() / static_cast<double>(std::max<std::size_t>(1, columns()));
}

std::size_t CompareStepPlot::columns() const
{
    return std::max(m_shift.a + m_lengths.a.lengths.size(), m_shift.b + m_lengths.b.lengths.size());
}

double CompareStepPlot::xOf(Place place) const
{
    return plot().left() + (static_cast<double>(m_shift[place.side] + place.step) + 0.5) * gap();
}

double CompareStepPlot::yOf(double length) const
{
    const QRectF all = plot();
    return all.bottom() - std::clamp((length - m_low) / (m_high - m_low), 0.0, 1.0) * all.height();
}

QPointF CompareStepPlot::pointOf(Place place) const
{
    return {xOf(place), yOf(static_cast<double>(m_lengths[place.side].lengths[place.step]))};
}

std::vector<std::pair<double, QString>> CompareStepPlot::ticks() const
{
    const double marks = std::clamp(std::floor(plot().height() / (2.0 * fontMetrics().height())), 1.0, 5.0);
    const double step = niceStep((m_high - m_low) / marks);
    std::vector<std::pair<double, QString>> ticks;
    for (const double at : marksWithin(m_low, m_high, step))
        ticks.emplace_back(
            at, at == 0 ? QStringLiteral("0") : QString::fromStdString(shortDuration(at, axisDigits)));
    return ticks;
}

std::optional<CompareStepPlot::Place> CompareStepPlot::stepAt(QPointF position) const
{
    constexpr double reach = 10; // pixels to both sides in which the nearest point by height is searched
    const QRectF all = plot();
    if (!isNeeded() || !all.adjusted(-2, -6, 2, 6).contains(position))
        return std::nullopt;
    const double at = (position.x() - all.left()) / gap();
    const auto placeOf = [](double step) { return static_cast<std::size_t>(std::max(0.0, step)); };
    const std::size_t first = placeOf(std::floor(at - reach / gap()));
    const std::size_t end = placeOf(std::ceil(at + reach / gap())) + 1;
    std::optional<Place> nearest;
    double least = 0;
    for (const Side side : {Side::A, Side::B}) {
        const std::size_t shift = m_shift[side];
        const std::size_t last = std::min(std::max(end, shift) - shift, m_lengths[side].lengths.size());
        for (std::size_t step = std::max(first, shift) - shift; step < last; ++step) {
            const QPointF away = pointOf({side, step}) - position;
            const double distance = QPointF::dotProduct(away, away);
            if (nearest && distance >= least)
                continue;
            nearest = Place{side, step};
            least = distance;
        }
    }
    return nearest;
}

QString CompareStepPlot::tipOf(Place place) const
{
    const ComparedLengths& all = m_lengths[place.side];
    const ComparedSide& side = m_comparison->sides[place.side];
    const Ns length = all.lengths[place.step];
    QStringList words{sideLetter(place.side), textOf(side.gpus.front().steps[all.steps[place.step]].name),
        tr("%1 on the GPU").arg(durationText(length)),
        tr("%1 to the median").arg(differenceText(static_cast<double>(length - side.median)))};
    if (side.gpus.size() > 1)
        words << tr("mean of %1 GPUs").arg(side.gpus.size());
    if (std::ranges::binary_search(all.slow, place.step))
        words << tr("outlier");
    return words.join(" \u00b7 ");
}

void CompareStepPlot::paintEvent(QPaintEvent*)
{
    if (!isNeeded())
        return;
    QPainter painter(this);
    paintHead(painter);
    paintAxis(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Side side : {Side::A, Side::B})
        paintLevels(painter, side);
    for (const Side side : {Side::A, Side::B})
        paintSteps(painter, side);
    for (const Side side : {Side::A, Side::B})
        paintSlow(painter, side);
    if (m_chosen)
        paintMark(painter, *m_chosen, slowRadius + 2);
    if (m_hovered)
        paintMark(painter, *m_hovered, slowRadius);
}

/// A legend of the lines, one line of text per side.
void CompareStepPlot::paintHead(QPainter& painter) const
{
    constexpr int sample = 16; // length of a line sample in the legend
    const QFontMetrics metrics = fontMetrics();
    const int line = metrics.height();
    int top = 2;
    for (const Side side : {Side::A, Side::B}) {
        const QColor color = sideColor(*m_theme, side);
        int x = edge;
        const auto write = [&](const QString& text) {
            const int room = width() - edge - x;
            painter.setPen(color);
            painter.drawText(QRect(x, top, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                metrics.elidedText(text, Qt::ElideRight, room));
            x += metrics.horizontalAdvance(text) + edge;
        };
        const auto draw = [&](Qt::PenStyle style) {
            painter.setPen(QPen(color, 1.5, style));
            painter.drawLine(x, top + line / 2, x + sample, top + line / 2);
            x += sample + edge / 2;
        };
        const ComparedSide& compared = m_comparison->sides[side];
        write(sideLetter(side));
        draw(Qt::SolidLine);
        write(tr("median %1").arg(durationText(compared.median)));
        draw(Qt::DashLine);
        write(tr("mean %1").arg(durationText(compared.mean)));
        if (const std::size_t slow = m_lengths[side].slow.size(); slow > 0)
            write(slow == 1 ? tr("1 outlier") : tr("%1 outliers").arg(numberText(slow)));
        top += line;
    }
}

void CompareStepPlot::paintAxis(QPainter& painter) const
{
    const QRectF all = plot();
    const int line = fontMetrics().height();
    painter.fillRect(all, m_theme->background);
    for (const auto& [at, text] : ticks()) {
        const double y = yOf(at);
        painter.setPen(m_theme->grid);
        painter.drawLine(QPointF(all.left(), y), QPointF(all.right(), y));
        painter.setPen(m_theme->dimText);
        painter.drawText(QRectF(edge, y - line / 2.0, all.left() - 2 * edge, line),
            Qt::AlignRight | Qt::AlignVCenter, text);
    }
    painter.setPen(m_theme->dimText);
    painter.drawLine(all.bottomLeft(), all.bottomRight());
    const QRectF below(all.left(), all.bottom() + 2, all.width(), line);
    painter.drawText(below, Qt::AlignLeft, QStringLiteral("1"));
    painter.drawText(below, Qt::AlignRight, numberText(columns()));
    painter.drawText(below, Qt::AlignHCenter, tr("steady step"));
}

void CompareStepPlot::paintLevels(QPainter& painter, Side side) const
{
    const QRectF all = plot();
    const ComparedSide& compared = m_comparison->sides[side];
    QColor color = sideColor(*m_theme, side);
    color.setAlphaF(0.75F);
    const auto level = [&](double length, Qt::PenStyle style) {
        if (length < m_low || length > m_high)
            return;
        painter.setPen(QPen(color, 1, style));
        painter.drawLine(QPointF(all.left(), yOf(length)), QPointF(all.right(), yOf(length)));
    };
    level(static_cast<double>(compared.median), Qt::SolidLine);
    level(compared.mean, Qt::DashLine);
}

void CompareStepPlot::paintSteps(QPainter& painter, Side side) const
{
    const std::vector<Ns>& lengths = m_lengths[side].lengths;
    const QColor color = sideColor(*m_theme, side);
    const double apart = gap();
    if (apart < 1) { // several in a pixel: from the shortest to the longest of them
        painter.setPen(QPen(color, 1));
        for (std::size_t i = 0; i < lengths.size();) {
            const auto x = static_cast<int>(xOf({side, i}));
            Ns low = lengths[i];
            Ns high = low;
            for (; i < lengths.size() && static_cast<int>(xOf({side, i})) == x; ++i) {
                low = std::min(low, lengths[i]);
                high = std::max(high, lengths[i]);
            }
            painter.drawLine(QPointF(x + 0.5, yOf(static_cast<double>(low))),
                QPointF(x + 0.5, yOf(static_cast<double>(high)) - 1));
        }
        return;
    }
    QPainterPath path;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const QPointF at = pointOf({side, i});
        if (i == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    QColor faint = color;
    faint.setAlphaF(apart >= dotGap ? 0.45F : 1.0F);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(faint, 1.2));
    painter.drawPath(path);
    if (apart < dotGap)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    for (std::size_t i = 0; i < lengths.size(); ++i)
        painter.drawEllipse(pointOf({side, i}), dotRadius, dotRadius);
}

/// A diamond; one that points beyond the upper edge where the step is longer than the axis.
void CompareStepPlot::paintSlow(QPainter& painter, Side side) const
{
    painter.setPen(QPen(m_theme->text, 1));
    painter.setBrush(sideColor(*m_theme, side));
    for (const std::size_t step : m_lengths[side].slow) {
        const QPointF at = pointOf({side, step});
        const double r = slowRadius;
        if (isCut(m_lengths[side].lengths[step]))
            painter.drawPolygon(QPolygonF{at + QPointF(0, -r), at + QPointF(r, r), at + QPointF(-r, r)});
        else
            painter.drawPolygon(
                QPolygonF{at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r), at + QPointF(-r, 0)});
    }
}

void CompareStepPlot::paintMark(QPainter& painter, Place place, double radius) const
{
    painter.setPen(QPen(m_theme->highlight, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(pointOf(place), radius, radius);
}

void CompareStepPlot::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<Place> at = stepAt(event->position());
    setCursor(at ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (at == m_hovered)
        return;
    m_hovered = at;
    update();
    QToolTip::showText(event->globalPosition().toPoint(), at ? plainTip(tipOf(*at)) : QString(), this);
}

void CompareStepPlot::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

void CompareStepPlot::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<Place> at = stepAt(event->position());
    if (event->button() != Qt::LeftButton || !at)
        return;
    choose(*at);
}

void CompareStepPlot::choose(Place place)
{
    m_chosen = place;
    update();
    emit stepChosen(place.side, place.step);
}

std::vector<PaintedItem> CompareStepPlot::paintedItems()
{
    std::vector<PaintedItem> items;
    for (const Side side : {Side::A, Side::B}) {
        for (std::size_t step = 0; isNeeded() && step < m_lengths[side].lengths.size(); ++step) {
            const Place place{side, step};
            const QPointF reach(slowRadius, slowRadius);
            PaintedItem item{
                tipOf(place), {}, QRectF(pointOf(place) - reach, pointOf(place) + reach).toAlignedRect()};
            item.isCurrent = m_chosen == place;
            item.press = [this, place] { choose(place); };
            items.push_back(std::move(item));
        }
    }
    return items;
}

} // namespace warpline
