#include "views/compare/compare_waterfall.h"

#include "views/compare/compare_lines.h"
#include "views/session/side_color.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace warpline {

namespace {

constexpr int margin = 6;
constexpr double titleShare = 0.52; ///< of the width, at most
constexpr int minFigureWidth = 82;
// See inTextSize().
constexpr int highestLine = 24;
constexpr int lowestLine = 14;
constexpr int narrowLine = 30; ///< a title and a bar
constexpr int narrowTitle = 18;
constexpr int narrowWidth = 440;

constexpr Ns pixelsOfBar = 300; ///< of a narrow plot: a shorter one is shown with the rest
constexpr std::size_t minLines = 3;

} // namespace

std::vector<WaterfallLine> waterfallOf(const Comparison& comparison, std::size_t most)
{
    std::vector<WaterfallLine> lines;
    if (comparison.budget.empty())
        return lines;
    Both<Ns> sum;
    for (const BudgetLine& part : comparison.budget) {
        sum.a += part.time.a;
        sum.b += part.time.b;
    }
    using Kind = WaterfallLine::Kind;
    lines.push_back({Kind::SideA, 0, 0, sum.a, 1, true});
    const auto hasChanged = [](const BudgetLine& part) { return part.delta() != 0; };
    const auto changed = static_cast<std::size_t>(std::ranges::count_if(comparison.budget, hasChanged));
    const std::size_t room = most > 3 ? most - 2 : 1;
    const Ns minDrawn = std::max(sum.a, sum.b) / pixelsOfBar;
    const auto isDrawn = [&](const BudgetLine& part) { return std::abs(part.delta()) > minDrawn; };
    const auto drawn = static_cast<std::size_t>(std::ranges::count_if(comparison.budget, isDrawn));
    const std::size_t wanted = std::max(drawn, minLines);
    const std::size_t own = changed <= std::min(room, wanted + 1) ? changed : std::min(wanted, room - 1);
    std::vector<const BudgetLine*> parts;
    for (const BudgetLine& part : comparison.budget) {
        if (hasChanged(part))
            parts.push_back(&part);
    }
    std::ranges::stable_sort(
        parts, std::greater{}, [](const BudgetLine* part) { return std::abs(part->delta()); });
    Ns at = sum.a;
    for (std::size_t i = 0; i < own; ++i) {
        const Ns next = at + parts[i]->delta();
        lines.push_back({Kind::Part, static_cast<std::size_t>(parts[i] - comparison.budget.data()), at, next,
            1, parts[i]->noise < 0 || parts[i]->isBeyondNoise()});
        at = next;
    }
    if (own < changed)
        lines.push_back({Kind::Rest, 0, at, sum.b, changed - own, true});
    lines.push_back({Kind::SideB, 0, 0, sum.b, 1, true});
    return lines;
}

CompareWaterfall::CompareWaterfall(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("Where step time changes from A to B"));
}

void CompareWaterfall::setComparison(std::shared_ptr<const Comparison> comparison)
{
    m_comparison = std::move(comparison);
    make();
}

void CompareWaterfall::make()
{
    const int line = inTextSize(isNarrow() ? narrowLine : lowestLine + 4);
    const auto most = static_cast<std::size_t>(std::max(4, (height() - 2 * margin) / line));
    m_lines = m_comparison ? waterfallOf(*m_comparison, most) : std::vector<WaterfallLine>();
    update();
}

void CompareWaterfall::resizeEvent(QResizeEvent*)
{
    make();
}

bool CompareWaterfall::isNarrow() const
{
    return width() < inTextSize(narrowWidth);
}

int CompareWaterfall::heightOf(std::size_t lines)
{
    return 2 * margin + static_cast<int>(lines) * inTextSize(narrowLine);
}

int CompareWaterfall::lineHeight() const
{
    if (isNarrow())
        return inTextSize(narrowLine);
    const int lines = std::max(1, static_cast<int>(m_lines.size()));
    return std::clamp((height() - 2 * margin) / lines, inTextSize(lowestLine), inTextSize(highestLine));
}

std::optional<std::size_t> CompareWaterfall::lineAt(int y) const
{
    const int line = (y - margin) / lineHeight();
    if (y < margin || line >= static_cast<int>(m_lines.size()))
        return std::nullopt;
    return static_cast<std::size_t>(line);
}

void CompareWaterfall::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_lines.empty())
        return;
    Ns low = m_lines.front().to;
    Ns high = low;
    for (const WaterfallLine& line : m_lines) {
        low = std::min({low, line.to, line.kind == WaterfallLine::Kind::Part ? line.from : line.to});
        high = std::max(high, line.to);
    }
    // The axis is cut, with a sign, where changes are below a sixth of a step and would hardly be visible.
    const double cut = static_cast<double>(low) - 0.6 * static_cast<double>(high - low);
    const double begin = high > low && cut > 0.75 * static_cast<double>(high) ? cut : 0;
    const double plot
        = isNarrow() ? width() - 2 * margin : width() - titleWidth() - figureWidth() - 2 * margin;
    const double perNs = std::max(10.0, plot) / std::max(1.0, static_cast<double>(high) - begin);
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        paintLine(painter, line, begin, perNs);
}

QString CompareWaterfall::titleOf(const WaterfallLine& line) const
{
    using Kind = WaterfallLine::Kind;
    switch (line.kind) {
    case Kind::SideA:
    case Kind::SideB:
        return plainTextOf(m_comparison->sideTitle(line.kind == Kind::SideA ? Side::A : Side::B, "budget"));
    case Kind::Rest:
        return line.parts == 1 ? tr("1 other part") : tr("%1 other parts").arg(line.parts);
    case Kind::Part:
        break;
    }
    return plainTextOf(m_comparison->budget[line.place].title);
}

QString CompareWaterfall::figureOf(const WaterfallLine& line)
{
    using Kind = WaterfallLine::Kind;
    return line.kind == Kind::SideA || line.kind == Kind::SideB
        ? durationText(line.to)
        : differenceText(static_cast<double>(line.delta()));
}

int CompareWaterfall::figureWidth() const
{
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    int widest = minFigureWidth;
    for (const WaterfallLine& line : m_lines)
        widest = std::max(widest, metrics.horizontalAdvance(figureOf(line)) + 1); // of a part of a pixel
    return widest;
}

int CompareWaterfall::titleWidth() const
{
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    int widest = 0;
    for (const WaterfallLine& line : m_lines)
        widest = std::max(widest, metrics.horizontalAdvance(titleOf(line)) + 2 * margin);
    return std::min(widest, static_cast<int>(width() * titleShare));
}

void CompareWaterfall::paintLine(QPainter& painter, std::size_t place, double begin, double perNs)
{
    using Kind = WaterfallLine::Kind;
    const WaterfallLine& line = m_lines[place];
    const bool isSide = line.kind == Kind::SideA || line.kind == Kind::SideB;
    const int lineTall = lineHeight();
    const int top = margin + static_cast<int>(place) * lineTall;
    const double left = isNarrow() ? margin : titleWidth();
    const int textTall = isNarrow() ? inTextSize(narrowTitle) : lineTall;
    const int barTop = top + (isNarrow() ? textTall : 2);
    const int barTall = isNarrow() ? lineTall - textTall - 2 : lineTall - 4;
    const auto xAt = [&](Ns time) { return left + std::max(0.0, static_cast<double>(time) - begin) * perNs; };
    const Side side = line.kind == Kind::SideA ? Side::A : Side::B;
    QColor color = isSide ? sideColor(*m_theme, side) : line.delta() < 0 ? m_theme->good : m_theme->bad;
    if (!line.beyondNoise)
        color.setAlpha(110);
    const double from = isSide ? left : xAt(std::min(line.from, line.to));
    const double to = isSide ? xAt(line.to) : xAt(std::max(line.from, line.to));
    painter.fillRect(QRectF(from, barTop, std::max(1.0, to - from), barTall), color);
    if (isSide && begin > 0) { // torn off: the bar is longer than it is drawn
        painter.setPen(QPen(palette().color(QPalette::Window), 2));
        for (const int x : {6, 10})
            painter.drawLine(QPointF(left + x, barTop + barTall), QPointF(left + x + 4, barTop));
    }
    if (place + 1 < m_lines.size()) { // to where the next begins
        painter.setPen(QPen(m_theme->dimText, 1, Qt::DotLine));
        painter.drawLine(QPointF(xAt(line.to), barTop + barTall), QPointF(xAt(line.to), barTop + lineTall));
    }
    QFont font = this->font();
    font.setBold(isSide);
    painter.setFont(font);
    painter.setPen(m_theme->text);
    const QString title = titleOf(line);
    const int figureWide = figureWidth();
    const QRect words(margin, top,
        isNarrow() ? width() - figureWide - 3 * margin : static_cast<int>(left) - 2 * margin, textTall);
    const QString shown = painter.fontMetrics().elidedText(title, Qt::ElideRight, words.width());
    const auto write = [&](const QRect& room, Qt::Alignment end, const QString& text) {
        if (isNarrow()) { // the line between bars ends at the text
            QRect ground(0, top, painter.fontMetrics().horizontalAdvance(text) + 4, textTall);
            end == Qt::AlignLeft ? ground.moveLeft(room.left()) : ground.moveRight(room.right());
            painter.fillRect(ground, palette().color(QPalette::Window));
        }
        painter.drawText(room, end | Qt::AlignVCenter, text);
    };
    write(words, isNarrow() ? Qt::AlignLeft : Qt::AlignRight, shown);
    if (!isSide)
        painter.setPen(color.alpha() < 255 ? m_theme->dimText : color);
    write(QRect(width() - figureWide - margin, top, figureWide, textTall), Qt::AlignRight, figureOf(line));
}

QString CompareWaterfall::tipOf(const WaterfallLine& line) const
{
    if (line.kind != WaterfallLine::Kind::Part)
        return {};
    const BudgetLine& part = m_comparison->budget[line.place];
    QString tip = tr("%1: A %2, B %3, %4")
                      .arg(titleOf(line), durationText(part.time.a), durationText(part.time.b),
                          differenceText(static_cast<double>(part.delta())));
    if (part.noise >= 0)
        tip += '\n' + tr("Noise: up to %1.").arg(durationText(part.noise));
    return tip;
}

std::vector<PaintedItem> CompareWaterfall::paintedItems()
{
    std::vector<PaintedItem> items;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const WaterfallLine& line = m_lines[i];
        items.push_back({titledText(titleOf(line), figureOf(line)), tipOf(line),
            QRect(0, margin + static_cast<int>(i) * lineHeight(), width(), lineHeight())});
    }
    return items;
}

void CompareWaterfall::mouseMoveEvent(QMouseEvent* event)
{
    const auto place = lineAt(event->pos().y());
    const QString tip = place ? tipOf(m_lines[*place]) : QString();
    QToolTip::showText(event->globalPosition().toPoint(), plainTip(tip), this);
}

} // namespace warpline
