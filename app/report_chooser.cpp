#include "app/report_chooser.h"

#include "views/session/report_color.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QWidgetAction>

namespace warpline {

namespace {

constexpr qsizetype longestLabel = 48; // letters: the list is as wide as its longest, and so is the window

} // namespace

ReportChooser::ReportChooser(Session& session, bool takesSeveral, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_scope(session.scope()),
      m_takesSeveral(takesSeveral),
      m_list(new QComboBox(this)),
      m_someButton(new QToolButton(this)),
      m_some(new QListWidget)
{
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->addWidget(new QLabel(tr("Report:"), this));
    layout->addWidget(m_list);
    layout->addWidget(m_someButton);
    layout->addStretch(1);
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_list->setAccessibleName(tr("Report shown in the panels"));
    m_list->setToolTip(takesSeveral
            ? tr("Report shown in the panels: that of the selection, a fixed one, or all")
            : tr("Report shown in the panels: that of the selection, or a fixed one"));
    makeSome();
    connect(m_list, &QComboBox::activated, this, &ReportChooser::choose);
    connect(&m_session, &Session::traceChanged, this, &ReportChooser::fill);
    connect(&m_session, &Session::reportChosen, this, &ReportChooser::showChoice);
    connect(&m_scope, &ReportScope::changed, this, &ReportChooser::showChoice);
    fill();
}

void ReportChooser::makeSome()
{
    m_someButton->setText(tr("Some\u2026"));
    m_someButton->setToolTip(
        tr("Choose several reports. Tables list their rows together, with a column for the report."));
    m_someButton->setPopupMode(QToolButton::InstantPopup);
    auto* const menu = new QMenu(m_someButton);
    auto* const action = new QWidgetAction(menu);
    action->setDefaultWidget(m_some);
    menu->addAction(action);
    m_someButton->setMenu(menu);
    m_some->setSelectionMode(QAbstractItemView::NoSelection);
    connect(m_some, &QListWidget::itemChanged, this, &ReportChooser::chooseSome);
}

int ReportChooser::placeOfAll() const
{
    return m_takesSeveral ? static_cast<int>(m_session.workspace().reports().size()) + 1 : -1;
}

void ReportChooser::choose(int index)
{
    if (index == placeOfAll()) {
        m_scope.showAll();
    } else {
        if (m_takesSeveral)
            m_scope.showOne();
        if (index == 0)
            m_session.followSelection();
        else
            m_session.chooseReport(ReportId{static_cast<std::uint16_t>(index - 1)});
    }
    showChoice();
}

void ReportChooser::chooseSome()
{
    std::vector<ReportId> chosen;
    for (int i = 0; i < m_some->count(); ++i) {
        if (m_some->item(i)->checkState() == Qt::Checked)
            chosen.push_back(ReportId{static_cast<std::uint16_t>(i)});
    }
    m_scope.choose(chosen);
}

void ReportChooser::fill()
{
    const auto reports = m_session.workspace().reports();
    const bool isNeeded = reports.size() > 1;
    m_list->clear();
    m_list->addItem(QString());
    const QSignalBlocker quiet(m_some);
    m_some->clear();
    for (const OpenReport& report : reports) {
        const QIcon icon = colorIcon(reportColor(report));
        const QString label = QString::fromStdString(report.label);
        m_list->addItem(icon, elidedInMiddle(label, longestLabel));
        m_list->setItemData(m_list->count() - 1, plainTip(label), Qt::ToolTipRole);
        auto* const item = new QListWidgetItem(icon, elidedInMiddle(label, longestLabel), m_some);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
    }
    if (m_takesSeveral)
        m_list->addItem(tr("All reports"));
    for (QWidget* const part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        part->setVisible(isNeeded);
    m_someButton->setVisible(isNeeded && m_takesSeveral && reports.size() > 2);
    showChoice();
    updateGeometry();
}

void ReportChooser::showChoice()
{
    const OpenReport& report = m_session.report();
    const bool isSeveral = m_takesSeveral && m_scope.isSeveral();
    m_list->setItemText(
        0, tr("%1 (selection)").arg(elidedInMiddle(QString::fromStdString(report.label), longestLabel)));
    m_list->setItemIcon(0, colorIcon(reportColor(report)));
    if (placeOfAll() > 0)
        m_list->setItemText(placeOfAll(),
            !isSeveral || m_scope.isAll() ? tr("All reports")
                                          : tr("%1 reports").arg(m_scope.reports().size()));
    m_list->setCurrentIndex(isSeveral ? placeOfAll() : m_session.followsSelection() ? 0 : raw(report.id) + 1);
    const QSignalBlocker quiet(m_some);
    for (int i = 0; i < m_some->count(); ++i)
        m_some->item(i)->setCheckState(
            m_scope.isChosen(ReportId{static_cast<std::uint16_t>(i)}) ? Qt::Checked : Qt::Unchecked);
}

QSize ReportChooser::sizeHint() const
{
    return m_session.workspace().reports().size() > 1 ? QWidget::sizeHint() : QSize(0, 0);
}

QSize ReportChooser::minimumSizeHint() const
{
    return m_session.workspace().reports().size() > 1 ? QWidget::minimumSizeHint() : QSize(0, 0);
}

} // namespace warpline
