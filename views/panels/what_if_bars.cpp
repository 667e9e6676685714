#include "views/panels/what_if_bars.h"

#include "views/style/rich_text.h"

#include <QPainter>

#include <algorithm>

namespace warpline {

namespace {

constexpr int barHeight = 26;
constexpr int space = 10;

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
        : tr("Recorded step: %1. With the change: %2.")
              .arg(durationText(m_expected->measured), durationText(m_expected->cured.expected));
    setAccessibleName(text);
    update();
}

QSize WhatIfBars::sizeHint() const
{
    return {360, 2 * barHeight + 3 * space};
}

QStringList WhatIfBars::titles() const
{
    return {tr("Recorded"), m_hasChange ? tr("With the change") : tr("No change")};
}

QRectF WhatIfBars::barOf(int row, Ns time) const
{
    const int label = std::max(
        fontMetrics().horizontalAdvance(titles()[0]), fontMetrics().horizontalAdvance(tr("With the change")));
    const int left = label + 2 * space;
    const double longest
        = std::max<double>(static_cast<double>(std::max(m_expected->replayed, m_expected->cured.high)), 1);
    const double room = std::max(width(), left + 3 * space) - left - 2 * space;
    return {static_cast<double>(left), static_cast<double>(space + row * (barHeight + space)),
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
    const auto x = [&](Ns time) { return barOf(0, time).right(); };
    const auto bar = [&](int row, Ns time, QColor color) {
        const QRectF area = barOf(row, time);
        painter.fillRect(area, color);
        painter.setPen(m_theme->text);
        painter.drawText(QRectF(space, area.top(), area.left() - 2 * space, barHeight),
            Qt::AlignLeft | Qt::AlignVCenter, titles()[row]);
        const QString text = durationText(time);
        const bool fits = area.width() > fontMetrics().horizontalAdvance(text) + 2 * space;
        painter.setPen(fits ? Theme::textOn(color) : m_theme->text);
        const QRectF place = fits ? area.adjusted(space, 0, 0, 0)
                                  : QRectF(area.right() + space, area.top(), width(), barHeight);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    bar(0, m_expected->replayed, m_theme->rest);
    bar(1, m_expected->cured.expected, m_theme->chartColor(0));
    if (!m_hasChange)
        return;
    const double middle = space + 1.5 * barHeight + space;
    painter.setPen(QPen(m_theme->text, 1.5));
    painter.setRenderHint(QPainter::Antialiasing);
    const double low = x(m_expected->cured.low);
    const double high = x(m_expected->cured.high);
    painter.drawLine(QPointF(low, middle + barHeight / 2.0), QPointF(high, middle + barHeight / 2.0));
    for (const double end : {low, high})
        painter.drawLine(
            QPointF(end, middle + barHeight / 2.0 - 4), QPointF(end, middle + barHeight / 2.0 + 4));
}

} // namespace warpline
