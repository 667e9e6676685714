#include "views/style/chart_style.h"

#include <QAbstractAxis>
#include <QChart>
#include <QLegend>

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

} // namespace warpline
