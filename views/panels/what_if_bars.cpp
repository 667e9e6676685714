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
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
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
    update();
}

QSize WhatIfBars::sizeHint() const
{
    return {360, barsMargin + 2 * rowHeight()};
}

int WhatIfBars::rowHeight() const
{
    return fontMetrics().height() + textSpace + barHeight + barsMargin;
}

QStringList WhatIfBars::titles() const
{
    return {tr("Recorded"), m_hasChange ? tr("With the change") : tr("No change")};
}

QString WhatIfBars::rowText(int row) const
{
    if (!m_expected)
        return {};
    const QString time = durationText(row == 0 ? m_expected->replayed : m_expected->cured.expected);
    const int room = width() - 2 * barsMargin - fontMetrics().horizontalAdvance(titledText({}, time));
    return titledText(fontMetrics().elidedText(titles()[row], Qt::ElideRight, room), time);
}

QRectF WhatIfBars::barOf(int row, Ns time) const
{
    const double longest
        = std::max<double>(static_cast<double>(std::max(m_expected->replayed, m_expected->cured.high)), 1);
    const double room = std::max(width() - 2 * barsMargin, 1);
    return {static_cast<double>(barsMargin),
        static_cast<double>(barsMargin + row * rowHeight() + fontMetrics().height() + textSpace),
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
        painter.drawText(QRectF(barsMargin, barsMargin + row * rowHeight(), width(), fontMetrics().height()),
            Qt::AlignLeft | Qt::AlignVCenter, rowText(row));
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
