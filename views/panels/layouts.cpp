#include "views/panels/layouts.h"

#include "views/style/wrapped_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QSplitter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

constexpr int chartColumnSpacing = 3;

/// Gives the legend of a column the whole lines that its chart leaves; a tip has all of it.
class LegendRoom : public QObject {
public:
    LegendRoom(QWidget& column, QLabel& legend, QWidget& chart)
        : QObject(&column),
          m_column(column),
          m_legend(legend),
          m_chart(chart)
    {
        column.installEventFilter(this);
        legend.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == &m_legend) {
            if (event->type() == QEvent::ToolTip
                && m_legend.heightForWidth(m_legend.width()) > m_legend.height())
                QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), m_legend.text(), &m_legend);
        } else if (event->type() == QEvent::Resize) {
            const QMargins margins = m_legend.contentsMargins();
            const int around = margins.top() + margins.bottom();
            const int least = std::max(m_chart.minimumHeight(), m_chart.minimumSizeHint().height());
            const int line = m_legend.fontMetrics().height();
            const int room = m_column.height() - least - chartColumnSpacing - around;
            m_legend.setMaximumHeight(around + std::max(1, room / line) * line);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QWidget& m_column;
    QLabel& m_legend;
    QWidget& m_chart;
};

} // namespace

void fillLayout(QBoxLayout* layout, const QMargins& margins, int spacing, LayoutEntries entries)
{
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    for (const LayoutEntry& entry : entries) {
        if (entry.widget)
            layout->addWidget(entry.widget, entry.stretch);
        else if (entry.layout)
            layout->addLayout(entry.layout, entry.stretch);
        else
            layout->addStretch(entry.stretch);
    }
}

void fillColumn(QWidget* parent, int spacing, LayoutEntries entries)
{
    fillLayout(new QVBoxLayout(parent), {}, spacing, entries);
}

QWidget* makeColumn(QWidget* parent, int spacing, LayoutEntries entries)
{
    auto* const made = new QWidget(parent);
    fillColumn(made, spacing, entries);
    return made;
}

QWidget* makeChartColumn(QWidget* parent, QLabel* legend, QWidget* chart)
{
    wrapInWidth(*legend);
    legend->setAlignment(Qt::AlignTop);
    QWidget* const made = makeColumn(parent, chartColumnSpacing, {legend, {chart, 1}});
    new LegendRoom(*made, *legend, *chart); // the column's
    return made;
}

QLayout* barLayout(LayoutEntries entries, const QMargins& margins)
{
    auto* const bar = new QHBoxLayout;
    fillLayout(bar, margins, styleSpacing, entries);
    return bar;
}

void fillSplitter(QSplitter& splitter, std::initializer_list<std::pair<QWidget*, int>> parts,
    std::initializer_list<int> sizes)
{
    for (const auto& [part, share] : parts) {
        splitter.addWidget(part);
        if (share > 0)
            splitter.setStretchFactor(splitter.count() - 1, share);
    }
    splitter.setSizes(sizes);
}

} // namespace warpline
