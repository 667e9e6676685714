#include "views/panels/what_if_bars.h"

#include "views/style/rich_text.h"

#include <QPainter>

#include <algorithm>

namespace warpline {

namespace {

constexpr int barHeight = 12; ///< below a line of text
constexpr int textSpace = 2; ///< from the text to its bar
constexpr int barsMargin = 8; ///< around the rows, and below each

} // namespace

WhatIfBars::WhatIfBars(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void WhatIfBars::setExpected(std::optional<Expectation> expected, bool hasChange)
{
    m_expected = expected;
    m_hasChange = hasChange;
    const QString text = !m_expected
        ? QString()
        : tr("Recorded: %1. With the change: %2.")
              .arg(durationText(m_expected->measured), durationText(m_expected->cured.expected));
    setAccessibleName(text);
    updateGeometry(); // longer texts may need another line
    update();
}

QSize WhatIfBars::sizeHint() const
{
    constexpr int usual = 360;
    return {usual, heightForWidth(usual)};
}

int WhatIfBars::heightForWidth(int width) const
{
    return barsMargin + 2 * rowHeight(width);
}

int WhatIfBars::linesIn(int width) const
{
    const auto fits = [&](int row) {
        return fontMetrics().horizontalAdvance(titledText(titles()[row], timeText(row)))
            <= width - 2 * barsMargin;
    };
    return !m_expected || (fits(0) && fits(1)) ? 1 : 2;
}

int WhatIfBars::textHeight(int width) const
{
    return linesIn(width) * fontMetrics().lineSpacing();
}

int WhatIfBars::rowHeight(int width) const
{
    return textHeight(width) + textSpace + barHeight + barsMargin;
}

QStringList WhatIfBars::titles() const
{
    return {tr("Recorded"), m_hasChange ? tr("With the change") : tr("No change")};
}

QString WhatIfBars::timeText(int row) const
{
    return durationText(row == 0 ? m_expected->replayed : m_expected->cured.expected);
}

QStringList WhatIfBars::rowLines(int row) const
{
    if (!m_expected)
        return {};
    const QString title = titles()[row];
    if (linesIn(width()) == 1)
        return {titledText(title, timeText(row))};
    return {fontMetrics().elidedText(title, Qt::ElideRight, width() - 2 * barsMargin), timeText(row)};
}

QRectF WhatIfBars::barOf(int row, Ns time) const
{
    const double longest
        = std::max<double>(static_cast<double>(std::max(m_expected->replayed, m_expected->cured.high)), 1);
    const double room = std::max(width() - 2 * barsMargin, 1);
    return {static_cast<double>(barsMargin),
        static_cast<double>(barsMargin + row * rowHeight(width()) + textHeight(width()) + textSpace),
        room * static_cast<double>(time) / longest, static_cast<double>(barHeight)};
}

std::vector<PaintedItem> WhatIfBars::paintedItems()
{
    std::vector<PaintedItem> items;
    if (!m_expected || m_expected->replayed <= 0)
        return items;
    const Ns times[] = {m_expected->replayed, m_expected->cured.expected};
    for (int row = 0; row < 2; ++row) {
        PaintedItem item{
            titles()[row] + ' ' + durationText(times[row]), {}, barOf(row, times[row]).toAlignedRect()};
        if (row == 1 && m_hasChange)
            item.description
                = tr("%1 to %2")
                      .arg(durationText(m_expected->cured.low), durationText(m_expected->cured.high));
        items.push_back(std::move(item));
    }
    return items;
}

void WhatIfBars::paintEvent(QPaintEvent*)
{
    if (!m_expected || m_expected->replayed <= 0)
        return;
    QPainter painter(this);
    const auto bar = [&](int row, Ns time, QColor color) {
        const QRectF area = barOf(row, time);
        painter.fillRect(area, color);
        painter.setPen(m_theme->text);
        painter.drawText(
            QRectF(barsMargin, barsMargin + row * rowHeight(width()), width(), textHeight(width())),
            Qt::AlignLeft | Qt::AlignVCenter, rowLines(row).join('\n'));
    };
    bar(0, m_expected->replayed, m_theme->rest);
    bar(1, m_expected->cured.expected, m_theme->chartColor(0));
    if (!m_hasChange)
        return;
    painter.setPen(QPen(m_theme->text, 1.5));
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF low = barOf(1, m_expected->cured.low);
    const QRectF high = barOf(1, m_expected->cured.high);
    constexpr double half = 4; // of the ends of the interval
    painter.drawLine(low.bottomRight(), high.bottomRight());
    for (const QRectF& end : {low, high})
        painter.drawLine(end.bottomRight() - QPointF(0, half), end.bottomRight() + QPointF(0, half));
}

} // namespace warpline
