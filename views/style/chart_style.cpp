#include "views/style/chart_style.h"

#include <QAbstractAxis>
#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
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

/// "100ns", "1\u00b5s" for whole decades. Others get a name of their own that shows nothing: names must differ.
QString binName(int bin)
{
    if (bin % 2 != 0)
        return QString(bin, QChar(0x200b));
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
    QStringList names;
    for (int bin = 0; bin < bins; ++bin) {
        *set << counts[static_cast<std::size_t>(bin)];
        names << binName(bin);
    }
    auto* const series = new QBarSeries;
    series->append(set);
    series->setBarWidth(0.9);
    auto chart = std::make_unique<QChart>();
    chart->addSeries(series);
    auto* const categories = new QBarCategoryAxis;
    categories->append(names);
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
