#include "views/style/chart_style.h"

#include <QAbstractAxis>
#include <QChart>
#include <QLegend>

#include <cmath>

namespace warpline {

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

double niceStep(double value)
{
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= value * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

} // namespace warpline
