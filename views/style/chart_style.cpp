#include "views/style/chart_style.h"

#include <QAbstractAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QLegend>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

constexpr int firstHalfDecade = 4; // 10^(4/2) = 100 ns
constexpr int bins = 15;

/// "100ns", "1\u00b5s": where bin `bin` begins, for whole decades.
QString binName(int bin)
{
    const double from = std::pow(10.0, (bin + firstHalfDecade) / 2.0);
    if (from >= 0.999e9)
        return QString::number(std::lround(from / 1e9)) + "s";
    if (from >= 0.999e6)
        return QString::number(std::lround(from / 1e6)) + "ms";
    if (from >= 0.999e3)
        return QString::number(std::lround(from / 1e3)) + QString(QChar(0x00b5)) + "s";
    return QString::number(std::lround(from)) + "ns";
}

int binOf(Ns duration)
{
    if (duration <= 0)
        return 0;
    const int halfDecade = static_cast<int>(std::floor(std::log10(static_cast<double>(duration)) * 2));
    return std::clamp(halfDecade - firstHalfDecade, 0, bins - 1);
}

} // namespace

void dressChart(QChart& chart, const Theme& theme, const QString& title)
{
    chart.setBackgroundBrush(theme.background);
    chart.setBackgroundRoundness(0);
    chart.setMargins({4, 2, 4, 2});
    chart.setTitle(title);
    chart.setTitleBrush(theme.text);
    chart.legend()->setLabelColor(theme.text);
    for (QAbstractAxis* const axis : chart.axes()) {
        axis->setLabelsColor(theme.dimText);
        axis->setTitleBrush(theme.dimText);
        axis->setGridLineColor(theme.grid);
        axis->setLinePenColor(theme.grid);
    }
}

std::unique_ptr<QChart> durationHistogram(std::span<const Ns> durations, const Theme& theme, const QString& title)
{
    std::array<double, bins> counts{};
    for (const Ns duration : durations)
        counts[static_cast<std::size_t>(binOf(duration))] += 1;
    auto* const set = new QBarSet(QString());
    set->setColor(theme.color(EventTint::Kernel));
    set->setBorderColor(Qt::transparent);
    for (const double inBin : counts)
        *set << inBin;
    auto* const series = new QBarSeries;
    series->append(set);
    series->setBarWidth(0.9);
    auto chart = std::make_unique<QChart>();
    chart->addSeries(series);
    // Labels at the left edges of the bins that begin a decade.
    auto* const categories = new QCategoryAxis;
    categories->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    categories->setStartValue(-0.5);
    for (int bin = 0; bin < bins; bin += 2)
        categories->append(binName(bin), bin - 0.5);
    categories->setRange(-0.5, bins - 0.5);
    categories->setGridLineVisible(false);
    auto* const count = new QValueAxis;
    count->setLabelFormat("%.0f");
    count->setTickCount(3);
    count->setRange(0, std::max(1.0, std::ranges::max(counts)));
    chart->addAxis(categories, Qt::AlignBottom);
    chart->addAxis(count, Qt::AlignLeft);
    series->attachAxis(categories);
    series->attachAxis(count);
    chart->legend()->hide();
    dressChart(*chart, theme, title);
    return chart;
}

} // namespace warpline
