// Layout of the Name panel; its behaviour is in name_panel.cpp.

#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/name_lines.h"
#include "views/panels/name_panel.h"
#include "views/panels/table_columns.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

namespace warpline {

NamePanel::NamePanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_title(new ElidedLabel(Qt::ElideMiddle, this)),
      m_form(new QComboBox(this)),
      m_filter(new FilterEdit(session, this)),
      m_keep(new QToolButton(this)),
      m_figures(new QLabel(this)),
      m_shortest(new QToolButton(this)),
      m_median(new QToolButton(this)),
      m_longest(new QToolButton(this)),
      m_weight(new QComboBox(this)),
      m_axis(new QComboBox(this)),
      m_order(new QComboBox(this)),
      m_brushText(new ElidedLabel(Qt::ElideRight, this)),
      m_histogram(new NameHistogram(theme, this)),
      m_pace(new NamePaceChart(theme, this)),
      m_grouping(new QComboBox(this)),
      m_groups(new CellsModel(QStringList(tr("Group")) + groupTitles(), this)),
      m_table(new QTableView(this))
{
    m_histogram->setObjectName("name-histogram");
    m_pace->setObjectName("name-pace");
    m_filter->setObjectName("name-filter");
    m_table->setObjectName("name-groups");
    auto* const split = new QSplitter(this);
    fillSplitter(*split, {{makeFigures(), 0}, {makeCharts(), 3}, {makeGroups(), 3}}, {260, 560, 560});
    split->setChildrenCollapsible(false);
    fillColumn(this, 3,
        {makeBar(), new FilterNote(*m_filter, this), new RangeNotice(m_session, {}, this), {split, 1}});
    connectParts();
    showHint();
}

QLayout* NamePanel::makeBar()
{
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_form->addItem(tr("Exact name"), int(NameForm::Full));
    m_form->addItem(tr("Same display name"), int(NameForm::Label));
    m_form->addItem(tr("Same template"), int(NameForm::Short));
    m_form->setAccessibleName(tr("Which kernels count as one name"));
    m_filter->setPlaceholderText(tr("Filter: stream=7 grid>100 \u2026"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setPurpose(tr("Filter the events of this name"));
    m_keep->setText(tr("Keep"));
    m_keep->setCheckable(true);
    m_keep->setAutoRaise(true);
    m_keep->setToolTip(tr("Keep this name when the selection changes"));
    return barLayout({{m_title, 2}, m_form, {m_filter, 1}, m_keep});
}

QWidget* NamePanel::makeFigures()
{
    m_figures->setTextFormat(Qt::RichText);
    m_figures->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_figures->setContentsMargins(6, 2, 6, 2);
    m_figures->setWordWrap(true);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const scroll = new QScrollArea(this);
    scroll->setWidget(m_figures);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_shortest->setText(tr("Shortest"));
    m_median->setText(tr("Median"));
    m_longest->setText(tr("Longest"));
    auto* const ways = new QWidget(this);
    fillLayout(new QHBoxLayout(ways), {6, 0, 6, 3}, styleSpacing,
        {new QLabel(tr("Go to"), this), m_shortest, m_median, m_longest, {freeRoom, 1}});
    for (QToolButton* const button : {m_shortest, m_median, m_longest}) {
        button->setAutoRaise(true);
        button->setToolTip(tr("Show this event in the timeline"));
    }
    auto* const left = makeColumn(this, 0, {{scroll, 1}, ways});
    left->setMinimumWidth(200);
    return left;
}

QWidget* NamePanel::makeCharts()
{
    m_weight->addItems({tr("Count"), tr("Total time")});
    m_weight->setToolTip(tr("Height of the bars"));
    m_axis->addItems({tr("Auto scale"), tr("Time"), tr("Logarithmic")});
    m_axis->setToolTip(tr("Scale of durations"));
    m_order->addItems({tr("Over time"), tr("By instance")});
    m_order->setToolTip(tr("Durations over time, or by instance"));
    m_brushText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* const bar = barLayout({m_weight, m_axis, {m_brushText, 1}}, {4, 0, 4, 0});
    auto* const below = barLayout({m_order, {freeRoom, 1}}, {4, 0, 4, 0});
    return makeColumn(this, 2, {bar, {m_histogram, 1}, below, {m_pace, 1}});
}

QWidget* NamePanel::makeGroups()
{
    m_grouping->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_grouping->setAccessibleName(tr("How events are grouped"));
    styleTable(*m_table);
    m_groups->setUnits([] {
        std::vector<Unit> units = groupUnits();
        units.insert(units.begin(), Unit::Text);
        return units;
    }());
    m_table->setModel(m_groups);
    stretchColumn(*m_table, 0);
    auto* const bar = barLayout({new QLabel(tr("By"), this), m_grouping, {freeRoom, 1}}, {4, 0, 4, 0});
    return makeColumn(this, 2, {bar, {m_table, 1}});
}

} // namespace warpline
