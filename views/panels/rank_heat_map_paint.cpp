// Drawing of the map of ranks and steps: cells once into a picture, then labels and legend.

#include "views/panels/rank_heat_map.h"
#include "views/style/oklab.h"
#include "views/style/rich_text.h"

#include <QPainter>

#include <algorithm>

namespace warpline {

namespace {

/// Thin lines need contrast with the cell's colour: selects the best one of the theme's.
QColor hatchOn(const QColor& cell, const Theme& theme)
{
    constexpr double seen = 3; // WCAG's contrast for graphics
    if (contrastOf(theme.dimText, cell) >= seen)
        return theme.dimText;
    return contrastOf(theme.text, cell) > contrastOf(theme.background, cell) ? theme.text : theme.background;
}

} // namespace

QColor RankHeatMap::colorOf(Cell cell) const
{
    const double value = valueOf(cell);
    if (value < 0)
        return m_theme->panel;
    const double share = m_fullAt > 0 ? std::min(1.0, value / m_fullAt) : 0;
    return mixedColor(m_theme->alternate, fullColor(), share);
}

QColor RankHeatMap::fullColor() const
{
    return m_measure == HeatMeasure::Busy    ? m_theme->good
        : m_measure == HeatMeasure::StepTime ? m_theme->accent
                                             : m_theme->bad;
}

void RankHeatMap::paintCells()
{
    // A thousand ranks are a hundred thousand cells, and the mouse asks for a frame at each of them.
    m_cells = QPixmap(size() * devicePixelRatioF());
    m_cells.setDevicePixelRatio(devicePixelRatioF());
    m_cells.fill(m_theme->background);
    QPainter painter(&m_cells);
    painter.setFont(font());
    const bool hasGaps = areaOf(0, 0).width() > 2 * narrowestCell && areaOf(0, 0).height() > lowestRow;
    for (std::size_t rank = 0; rank < m_across->ranks.size(); ++rank) {
        for (std::size_t column = 0; column < columns(); ++column) {
            const Cell cell = worstOf(rank, column);
            QRect area = areaOf(rank, column);
            if (hasGaps)
                area.adjust(0, 0, -1, -1);
            painter.fillRect(area, colorOf(cell));
            if (m_across->steps[cell.step].warmUp)
                painter.fillRect(area, QBrush(hatchOn(colorOf(cell), *m_theme), Qt::BDiagPattern));
        }
    }
    paintRanks(painter);
    paintSteps(painter);
    paintLegend(painter);
}

void RankHeatMap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_across || m_across->ranks.empty() || m_across->steps.empty()) {
        painter.fillRect(rect(), m_theme->background);
        painter.setPen(m_theme->dimText);
        if (m_across && m_across->judged)
            painter.drawText(rect(), Qt::AlignCenter, tr("No steps were found in these reports."));
        return;
    }
    if (m_cells.isNull())
        paintCells();
    painter.drawPixmap(0, 0, m_cells);
    for (const auto& marked : {m_hovered, m_current}) {
        if (marked) {
            painter.setPen(QPen(m_theme->accent, 2));
            painter.drawRect(areaOf(*marked).adjusted(0, 0, -2, -2));
        }
    }
}

void RankHeatMap::paintRanks(QPainter& painter) const
{
    painter.setPen(m_theme->text);
    const int line = fontMetrics().height();
    int free = 0;
    for (std::size_t rank = 0; rank < m_across->ranks.size(); ++rank) {
        const QRect area = areaOf(rank, 0);
        const int top = area.center().y() - line / 2;
        if (top < free) // labels of low rows would overlap
            continue;
        free = top + line;
        const QRect box(margin, top, plot().left() - 2 * margin, line);
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignRight,
            fontMetrics().elidedText(textOf(m_across->ranks[rank].label), Qt::ElideRight, box.width()));
    }
}

void RankHeatMap::paintSteps(QPainter& painter) const
{
    painter.setPen(m_theme->dimText);
    const int bottom = areaOf(m_across->ranks.size() - 1, 0).bottom();
    int free = 0;
    for (std::size_t column = 0; column < columns(); ++column) {
        const QRect area = areaOf(0, column);
        const QString name = textOf(m_across->steps[stepsOf(column).first].name);
        const int room = fontMetrics().horizontalAdvance(name);
        if (area.left() < free || area.left() + room > width())
            continue;
        free = area.left() + room + 2 * margin;
        painter.drawText(QRect(area.left(), bottom + margin, room + 1, fontMetrics().height()), name);
    }
}

void RankHeatMap::paintLegend(QPainter& painter) const
{
    constexpr int length = 90;
    const int line = fontMetrics().height();
    const QRect bar(plot().left(), (line + margin - line / 2) / 2, length, line / 2);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    gradient.setColorAt(0, m_theme->alternate);
    gradient.setColorAt(1, fullColor());
    painter.fillRect(bar, gradient);
    painter.setPen(m_theme->dimText);
    const QRect place(bar.right() + margin, 0, width() - bar.right() - 2 * margin, line + margin);
    painter.drawText(place, Qt::AlignVCenter, legendText(place.width()));
}

} // namespace warpline
