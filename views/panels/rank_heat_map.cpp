#include "views/panels/rank_heat_map.h"

#include "views/style/rich_text.h"
#include "views/style/text_scale.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace warpline {

namespace {

QString valueText(HeatMeasure measure, double value)
{
    return measure == HeatMeasure::Busy ? shareText(value) : durationText(value);
}

} // namespace

RankHeatMap::RankHeatMap(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Ranks and steps"));
}

void RankHeatMap::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_cells = {};
    update();
}

void RankHeatMap::setAcross(const AcrossReport* across)
{
    m_across = across;
    measureLabels();
    m_hovered.reset();
    m_current.reset();
    setMeasure(m_measure);
}

void RankHeatMap::measureLabels()
{
    m_labelWidth = 0;
    for (std::size_t rank = 0; m_across && rank < m_across->ranks.size(); ++rank)
        // One pixel more, because a label with a fractional width would be cut off.
        m_labelWidth = std::max(
            m_labelWidth, fontMetrics().horizontalAdvance(textOf(m_across->ranks[rank].label)) + 1);
    updateGeometry();
}

void RankHeatMap::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        measureLabels();
        update();
    }
    QWidget::changeEvent(event);
}

void RankHeatMap::setMeasure(HeatMeasure measure)
{
    m_measure = measure;
    findScale();
    m_cells = {};
    update();
}

void RankHeatMap::findScale()
{
    m_fullAt = 0;
    m_most = 0;
    m_mostWarm = 0;
    std::vector<double> steps; // the most of each
    for (std::size_t step = 0; m_across && step < m_across->steps.size(); ++step) {
        double most = 0;
        for (std::size_t rank = 0; rank < m_across->ranks.size(); ++rank)
            most = std::max(most, valueOf({rank, step}));
        if (m_across->steps[step].warmUp) {
            m_mostWarm = std::max(m_mostWarm, most);
            continue;
        }
        steps.push_back(most);
        m_most = std::max(m_most, most);
    }
    if (m_measure == HeatMeasure::Busy)
        m_most = 1;
    m_fullAt = m_most;
    if (m_measure == HeatMeasure::Busy || steps.empty())
        return;
    // One step that is far out of proportion would make all others look alike.
    const auto ninth = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) * 9 / 10);
    std::ranges::nth_element(steps, ninth);
    if (*ninth > 0)
        m_fullAt = std::min(m_most, 1.5 * *ninth);
}

double RankHeatMap::valueOf(Cell cell) const
{
    const StepCell& facts = m_across->cell(cell.rank, cell.step);
    if (!facts.known)
        return -1;
    switch (m_measure) {
    case HeatMeasure::Blame:
        return static_cast<double>(facts.blame);
    case HeatMeasure::ExposedWait:
        return static_cast<double>(facts.exposedWait);
    case HeatMeasure::Busy:
        return facts.length() > 0 ? static_cast<double>(facts.busy) / static_cast<double>(facts.length()) : 0;
    case HeatMeasure::StepTime:
        break;
    }
    return static_cast<double>(facts.length());
}

QRect RankHeatMap::plot() const
{
    const int left = std::min(m_labelWidth, widestLabel) + 2 * margin;
    const int line = fontMetrics().height();
    return {left, line + margin, std::max(1, width() - left - margin),
        std::max(1, height() - 2 * line - 3 * margin)};
}

std::size_t RankHeatMap::columns() const
{
    const std::size_t steps = m_across ? m_across->steps.size() : 0;
    return std::min(steps, static_cast<std::size_t>(std::max(1, plot().width() / narrowestCell)));
}

std::pair<std::size_t, std::size_t> RankHeatMap::stepsOf(std::size_t column) const
{
    const std::size_t steps = m_across->steps.size();
    const std::size_t all = columns();
    return {column * steps / all, (column + 1) * steps / all};
}

RankHeatMap::Cell RankHeatMap::worstOf(std::size_t rank, std::size_t column) const
{
    const auto [first, end] = stepsOf(column);
    Cell worst{rank, first};
    for (std::size_t step = first + 1; step < end; ++step) {
        if (valueOf({rank, step}) > valueOf(worst))
            worst.step = step;
    }
    return worst;
}

QRect RankHeatMap::areaOf(std::size_t rank, std::size_t column) const
{
    const QRect all = plot();
    const int count = static_cast<int>(columns());
    const int cell = std::min(widestCell * count, all.width());
    const int ranks = static_cast<int>(m_across->ranks.size());
    const int rows = std::min(all.height(), inTextSize(highestRow) * ranks);
    const auto share = [](int length, std::size_t at, int of) {
        return static_cast<int>(static_cast<qint64>(length) * static_cast<qint64>(at) / std::max(1, of));
    };
    const int left = share(cell, column, count);
    const int top = share(rows, rank, ranks);
    return {all.left() + left, all.top() + top, share(cell, column + 1, count) - left,
        share(rows, rank + 1, ranks) - top};
}

QRect RankHeatMap::areaOf(Cell cell) const
{
    for (std::size_t column = 0; column < columns(); ++column) {
        if (cell.step < stepsOf(column).second)
            return areaOf(cell.rank, column);
    }
    return {};
}

std::optional<RankHeatMap::Cell> RankHeatMap::cellAt(QPoint position) const
{
    if (!m_across || m_across->ranks.empty() || m_across->steps.empty() || !plot().contains(position))
        return std::nullopt;
    const std::size_t last = columns() - 1;
    const QRect first = areaOf(0, 0);
    const QRect end = areaOf(m_across->ranks.size() - 1, last);
    const QRect all = first.united(end);
    if (!all.contains(position))
        return std::nullopt;
    const auto place = [](int at, int length, std::size_t of) {
        return std::min(
            of - 1, static_cast<std::size_t>(at) * of / static_cast<std::size_t>(std::max(1, length)));
    };
    std::size_t rank = place(position.y() - all.top(), all.height(), m_across->ranks.size());
    std::size_t column = place(position.x() - all.left(), all.width(), last + 1);
    // Cells are whole pixels: the neighbour may hold this one.
    while (rank + 1 < m_across->ranks.size() && position.y() > areaOf(rank, column).bottom())
        ++rank;
    while (column < last && position.x() > areaOf(rank, column).right())
        ++column;
    return worstOf(rank, column);
}

void RankHeatMap::resizeEvent(QResizeEvent*)
{
    m_cells = {};
}

QString RankHeatMap::legendText(int room) const
{
    const QString all = legendText();
    const QString full = valueText(m_measure, m_fullAt);
    const QString more = m_fullAt < m_most ? tr("0 to %1 and more").arg(full) : tr("0 to %1").arg(full);
    for (const QString& text :
        {all, m_mostWarm > m_most ? tr("%1; warm-up hatched").arg(more) : more, more}) {
        if (fontMetrics().horizontalAdvance(text) <= room)
            return text;
    }
    return fontMetrics().elidedText(more, Qt::ElideRight, room);
}

QString RankHeatMap::legendText() const
{
    if (m_measure == HeatMeasure::Busy)
        return tr("0 to 100%");
    const QString full = valueText(m_measure, m_fullAt);
    QString text = m_fullAt < m_most
        ? tr("0 to %1 and more, up to %2").arg(full, valueText(m_measure, m_most))
        : tr("0 to %1").arg(full);
    // Warm-up does not set the scale; values beyond the darkest colour would be invisible.
    if (m_mostWarm > m_most)
        text += tr("; in warm-up, hatched, up to %1").arg(valueText(m_measure, m_mostWarm));
    return text;
}

QString RankHeatMap::tipAt(QPoint position) const
{
    if (const auto cell = cellAt(position))
        return tipOf(*cell);
    return m_across && position.y() < plot().top() ? legendText() : QString();
}

QString RankHeatMap::tipOf(Cell cell) const
{
    const StepCell& facts = m_across->cell(cell.rank, cell.step);
    QStringList parts{textOf(m_across->ranks[cell.rank].label), textOf(m_across->steps[cell.step].name)};
    if (!facts.known)
        parts << tr("not in this rank's report");
    else
        parts << tr("blame %1").arg(durationText(facts.blame))
              << tr("exposed wait %1").arg(durationText(facts.exposedWait))
              << tr("busy %1").arg(durationText(facts.busy))
              << tr("step %1").arg(durationText(facts.length()));
    if (m_across->steps[cell.step].warmUp)
        parts << tr("warm-up");
    return parts.join(" \u00b7 ");
}

void RankHeatMap::mouseMoveEvent(QMouseEvent* event)
{
    const auto before = m_hovered;
    m_hovered = cellAt(event->pos());
    if (m_hovered == before)
        return;
    setCursor(m_hovered ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const QString tip = tipAt(event->pos());
    QToolTip::showText(event->globalPosition().toPoint(), plainTip(tip), this);
    update();
}

void RankHeatMap::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

void RankHeatMap::setCurrent(std::optional<Cell> cell)
{
    const bool isThere
        = cell && m_across && cell->rank < m_across->ranks.size() && cell->step < m_across->steps.size();
    m_current = isThere ? cell : std::nullopt;
    update();
}

void RankHeatMap::choose(Cell cell)
{
    m_current = cell;
    update();
    tellCurrentItem(*this);
    if (m_across->cell(cell.rank, cell.step).known)
        emit chosen(cell.rank, cell.step);
}

void RankHeatMap::mouseReleaseEvent(QMouseEvent* event)
{
    if (const auto cell = cellAt(event->pos()); cell && event->button() == Qt::LeftButton)
        choose(*cell);
}

void RankHeatMap::keyPressEvent(QKeyEvent* event)
{
    const bool hasCells = m_across && !m_across->ranks.empty() && !m_across->steps.empty();
    Cell cell = m_current.value_or(Cell{});
    const auto move = [](std::size_t& at, bool forward, std::size_t of) {
        at = forward ? std::min(at + 1, of - 1) : at - std::min<std::size_t>(at, 1);
    };
    if (hasCells && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        move(cell.step, event->key() == Qt::Key_Right, m_across->steps.size());
    else if (hasCells && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        move(cell.rank, event->key() == Qt::Key_Down, m_across->ranks.size());
    else {
        QWidget::keyPressEvent(event);
        return;
    }
    choose(cell);
}

QSize RankHeatMap::sizeHint() const
{
    constexpr int narrowest = 300;
    constexpr int widest = 560; // more steps than fit then are narrower
    const int steps
        = m_across ? static_cast<int>(std::min<std::size_t>(m_across->steps.size(), widest)) : widest;
    const int wanted = std::min(m_labelWidth, widestLabel) + 3 * margin + steps * widestCell;
    return {std::clamp(wanted, narrowest, widest), minimumSizeHint().height()};
}

QSize RankHeatMap::minimumSizeHint() const
{
    constexpr int usual = 40; // low panels of usual text need not scroll
    constexpr std::size_t withLines = 8;
    const int line = fontMetrics().height();
    const auto lines = static_cast<int>(m_across ? std::min(m_across->ranks.size(), withLines) : 0);
    const int whole = (lines + 2) * line + 3 * margin; // with legend and steps
    return {160, inTextSize(usual) == usual ? usual : whole};
}

std::vector<PaintedItem> RankHeatMap::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t rank = 0; m_across && !m_across->steps.empty() && rank < m_across->ranks.size();
         ++rank) {
        for (std::size_t column = 0; column < columns(); ++column) {
            const Cell cell = worstOf(rank, column);
            PaintedItem item{tipOf(cell), {}, areaOf(rank, column), QAccessible::Cell};
            item.isCurrent = m_current == cell;
            item.press = [this, cell] { choose(cell); };
            items.push_back(std::move(item));
        }
    }
    return items;
}

} // namespace warpline
