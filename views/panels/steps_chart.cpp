#include "views/panels/steps_chart.h"

#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "views/panels/duration_chart.h"
#include "views/style/chart_style.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <span>

namespace warpline {

namespace {

constexpr std::size_t maxNumbers = 15;
constexpr double cutAt = 4; ///< below the top: the gap in a bar that is longer than drawn
constexpr double cutHeight = 3;
constexpr double barWidth = 0.85; ///< of the room of a bar
constexpr double textGap = 4;
constexpr double plotRight = 12; ///< of the plot's right edge to the widget's

} // namespace

std::vector<StepGroup> groupsOf(const Trace& trace, const StepBreakdown& breakdown)
{
    std::vector<StepGroup> groups;
    for (std::size_t i = 0; i < breakdown.steps.size(); ++i) {
        const GlobalId thread = trace.nvtx().trackOf(breakdown.steps[i].range).owner;
        if (groups.empty() || groups.back().thread != thread)
            groups.push_back({thread, i, 0, {}});
        ++groups.back().count;
    }
    if (groups.size() < 2)
        return groups;
    std::map<GlobalId, int> threads;
    for (const StepGroup& group : groups)
        ++threads[processOf(group.thread)];
    for (StepGroup& group : groups) {
        const GlobalId process = processOf(group.thread);
        group.title = plainTextOf(processLabel(trace, process));
        if (threads[process] > 1)
            group.title += ", " + plainTextOf(threadLabel(trace, group.thread));
    }
    return groups;
}

StepsChart::StepsChart(std::shared_ptr<const Trace> trace, std::shared_ptr<const StepBreakdown> breakdown,
    StepGroup group, const Theme& theme, std::vector<QColor> colors, QWidget* parent)
    : PaintedChart(theme, parent),
      m_trace(std::move(trace)),
      m_breakdown(std::move(breakdown)),
      m_group(std::move(group)),
      m_colors(std::move(colors))
{
    constexpr int least = 90; // the only chart: a low drawer shows its numbers, too
    constexpr int leastOfSeveral = 130; // these scroll
    setMinimumHeight(m_group.title.isEmpty() ? least : leastOfSeveral);
    setMouseTracking(true);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    setFont(small);
    setAccessibleName(m_group.title.isEmpty() ? tr("Steps") : tr("Steps of %1").arg(m_group.title));
}

std::vector<BarBin> StepsChart::bins() const
{
    return binsOf(m_group.count, static_cast<int>(rect().width() - plotLeft() - plotRight));
}

QColor StepsChart::restColor(BarBin bin) const
{
    const auto steps = std::span(m_breakdown->steps).subspan(m_group.first + bin.first, bin.count);
    return m_breakdown->parts.empty() && std::ranges::any_of(steps, &Step::outlier) ? m_theme->bad
                                                                                    : m_theme->rest;
}

StepsChart::Bar StepsChart::barOf(BarBin bin) const
{
    Bar bar;
    bar.parts.resize(m_breakdown->parts.size() + 1);
    const auto count = static_cast<Ns>(bin.count);
    for (std::size_t i = bin.first; i < bin.first + bin.count; ++i) {
        bar.whole += m_trace->range({EventKind::Nvtx, step(i).range}).duration();
        for (std::size_t part = 0; part < bar.parts.size(); ++part)
            bar.parts[part] += part < step(i).parts.size() ? step(i).parts[part] : step(i).other;
    }
    bar.whole /= count;
    for (Ns& part : bar.parts)
        part /= count;
    return bar;
}

QString StepsChart::nameOf(BarBin bin) const
{
    const QString first = textOf(m_trace->name({EventKind::Nvtx, step(bin.first).range}));
    return bin.count == 1 ? first : tr("%1 and %2 more, on average").arg(first).arg(bin.count - 1);
}

QString StepsChart::partName(std::size_t part) const
{
    return part < m_breakdown->parts.size() ? textOf(m_breakdown->parts[part]) : tr("other");
}

void StepsChart::draw(Ns highest)
{
    constexpr double maxUsualRatio = 4;
    m_top = static_cast<double>(std::max<Ns>(1, highest)) * air;
    m_times.clear();
    const double apart = niceStep(m_top / maxUsualRatio);
    for (int i = 0; i * apart <= m_top; ++i)
        m_times.emplace_back(i * apart, i == 0 ? QString("0") : tickText(i * apart));
    update();
}

QStringList StepsChart::labels() const
{
    const std::vector<BarBin> all = bins();
    const std::size_t every = std::max<std::size_t>(1, (all.size() + maxNumbers - 1) / maxNumbers);
    QStringList labels;
    for (std::size_t i = 0; i < all.size(); ++i)
        labels << (i % every == 0
                ? stepNumber(m_trace->name({EventKind::Nvtx, step(all[i].first).range}), all[i].first)
                : QString());
    return labels;
}

QString StepsChart::caption() const
{
    const std::vector<BarBin> all = bins();
    QStringList words;
    if (!m_group.title.isEmpty())
        words << m_group.title;
    if (!all.empty() && all.front().count > 1)
        words << tr("Each bar is the mean of %1 steps").arg(all.front().count);
    return words.join(" \u00b7 ");
}

double StepsChart::plotLeft() const
{
    constexpr double edge = 6;
    const QFontMetricsF metrics(font());
    double left = 0;
    for (const auto& [time, text] : m_times)
        left = std::max(left, metrics.horizontalAdvance(text));
    return edge + left + textGap;
}

QRectF StepsChart::plotArea() const
{
    const QFontMetricsF metrics(font());
    const double title = caption().isEmpty() ? metrics.height() / 2 : metrics.height();
    return QRectF(rect()).adjusted(plotLeft(), title + textGap, -plotRight, -metrics.height() - textGap - 1);
}

double StepsChart::slot() const
{
    return plotArea().width() / static_cast<double>(std::max<std::size_t>(1, bins().size()));
}

double StepsChart::yOf(double time) const
{
    const QRectF plot = plotArea();
    return plot.bottom() - time / m_top * plot.height();
}

void StepsChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->background);
    const QRectF plot = plotArea();
    painter.setPen(m_theme->text);
    painter.drawText(QRectF(plot.left(), 0, plot.width(), plot.top() - textGap / 2),
        Qt::AlignHCenter | Qt::AlignVCenter, caption());
    paintTimes(painter);
    paintNumbers(painter);
    paintBars(painter);
}

void StepsChart::paintTimes(QPainter& painter) const
{
    const QRectF plot = plotArea();
    const double height = QFontMetricsF(font()).height();
    LabelRoom room(0);
    for (const auto& [time, text] : std::views::reverse(m_times)) { // the highest has its label first
        const double y = std::round(yOf(time));
        painter.setPen(m_theme->grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(m_theme->dimText);
        if (room.take(y, height))
            painter.drawText(QRectF(0, y - height / 2, plot.left() - textGap, height),
                Qt::AlignRight | Qt::AlignVCenter, text);
    }
}

void StepsChart::paintNumbers(QPainter& painter) const
{
    const QRectF plot = plotArea();
    const QFontMetricsF metrics(font());
    const double room = slot();
    painter.setPen(m_theme->dimText);
    double free = 0; // right of the number before
    const QStringList labels = this->labels();
    for (qsizetype i = 0; i < labels.size(); ++i) {
        const QString& number = labels[i];
        if (number.isEmpty())
            continue;
        const double width = metrics.horizontalAdvance(number);
        const double left = plot.left() + (static_cast<double>(i) + 0.5) * room - width / 2;
        if (left < free)
            continue;
        painter.drawText(QPointF(left, plot.bottom() + textGap + metrics.ascent()), number);
        free = left + width + textGap;
    }
}

void StepsChart::paintBars(QPainter& painter) const
{
    const QRectF plot = plotArea();
    painter.setClipRect(plot.adjusted(0, 0, 0, 1));
    const double room = slot();
    const double width = room * barWidth;
    const double scale = plot.height() / m_top;
    // Aligned to device pixels: antialiased edges are ten times as slow.
    const double ratio = devicePixelRatioF();
    const auto onPixel = [ratio](double place) { return std::round(place * ratio) / ratio; };
    const std::vector<BarBin> all = bins();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Bar bar = barOf(all[i]);
        const double middle = plot.left() + (static_cast<double>(i) + 0.5) * room;
        const double left = onPixel(middle - width / 2);
        const double right = std::max(left + 1 / ratio, onPixel(middle + width / 2));
        double top = 0;
        for (std::size_t part = 0; part < bar.parts.size(); ++part) {
            const auto time = static_cast<double>(bar.parts[part]);
            if (time <= 0)
                continue;
            const double bottom = onPixel(plot.bottom() - top * scale);
            top += time;
            const double edge = onPixel(plot.bottom() - top * scale);
            painter.fillRect(QRectF(QPointF(left, edge), QPointF(right, bottom)),
                part < m_colors.size() ? m_colors[part] : restColor(all[i]));
        }
        if (top > m_top) // a gap: it continues beyond the visible part
            painter.fillRect(QRectF(left, onPixel(plot.top() + cutAt), right - left, onPixel(cutHeight)),
                m_theme->background);
    }
}

std::optional<BarBin> StepsChart::binAt(QPoint position) const
{
    const QRectF plot = plotArea();
    const std::vector<BarBin> all = bins();
    if (all.empty() || !plot.contains(position))
        return std::nullopt;
    const double place = (position.x() - plot.left()) / slot();
    const auto index = static_cast<std::size_t>(place);
    if (index >= all.size() || std::abs(place - static_cast<double>(index) - 0.5) > barWidth / 2)
        return std::nullopt;
    return all[index];
}

QString StepsChart::tipAt(QPoint position) const
{
    const auto found = binAt(position);
    if (!found)
        return {};
    const Bar bar = barOf(*found);
    QStringList words{nameOf(*found)};
    const QRectF plot = plotArea();
    const double height = (plot.bottom() - position.y()) / plot.height() * m_top;
    double top = 0;
    for (std::size_t part = 0; part < bar.parts.size(); ++part) {
        const Ns time = bar.parts[part];
        top += static_cast<double>(time);
        if (height > top || time == 0)
            continue;
        const double share
            = 100 * static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, bar.whole));
        words << partName(part) << durationText(time) << QString("%1%").arg(share, 0, 'f', 0);
        break;
    }
    if (words.size() == 1)
        words << durationText(bar.whole);
    const Step& at = step(found->first);
    if (found->count == 1 && (at.warmUp || at.outlier))
        words << (at.warmUp ? tr("warm-up") : tr("outlier"));
    if (found->count == 1 && at.ofUsual > 0)
        words << tr("%1 x the usual, unlike all others").arg(at.ofUsual, 0, 'f', 2);
    if (static_cast<double>(bar.whole) > m_top)
        words << tr("longer than drawn: %1 in all").arg(durationText(bar.whole));
    return words.join(" \u00b7 ");
}

QPoint StepsChart::middleOf(std::size_t index, std::size_t part) const
{
    const std::vector<BarBin> all = bins();
    const std::size_t at = (index - m_group.first) / all.front().count;
    const Bar bar = barOf(all[at]);
    double height = static_cast<double>(bar.parts[part]) / 2;
    for (std::size_t below = 0; below < part; ++below)
        height += static_cast<double>(bar.parts[below]);
    const double left = plotArea().left() + (static_cast<double>(at) + 0.5) * slot();
    return QPointF(left, yOf(height)).toPoint();
}

void StepsChart::mouseMoveEvent(QMouseEvent* event)
{
    const QString tip = tipAt(event->pos());
    setCursor(tip.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    QToolTip::showText(event->globalPosition().toPoint(), plainTip(tip), this);
    QWidget::mouseMoveEvent(event);
}

void StepsChart::mouseReleaseEvent(QMouseEvent* event)
{
    QWidget::mouseReleaseEvent(event);
    if (const auto found = binAt(event->pos()); found && event->button() == Qt::LeftButton)
        emit stepChosen(m_group.first + found->first);
}

std::vector<PaintedItem> StepsChart::paintedItems()
{
    std::vector<PaintedItem> items;
    const QRectF plot = plotArea();
    const std::vector<BarBin> all = bins();
    const double room = slot();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Bar bar = barOf(all[i]);
        QStringList parts;
        for (std::size_t part = 0; part < bar.parts.size(); ++part) {
            if (bar.parts[part] > 0)
                parts << tr("%1 %2").arg(partName(part), durationText(bar.parts[part]));
        }
        const QRectF place(plot.left() + static_cast<double>(i) * room, plot.top(), room, plot.height());
        PaintedItem item{tr("%1, %2").arg(nameOf(all[i]), durationText(bar.whole)),
            parts.join(QCoreApplication::translate("Lists", ", ")), place.toAlignedRect()};
        item.press = [this, first = m_group.first + all[i].first] { emit stepChosen(first); };
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace warpline
