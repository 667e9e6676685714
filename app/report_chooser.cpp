#include "app/report_chooser.h"

#include "views/session/report_color.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace warpline {

ReportChooser::ReportChooser(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_list(new QComboBox(this))
{
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->addWidget(new QLabel(tr("Report:"), this));
    layout->addWidget(m_list);
    layout->addStretch(1);
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_list->setAccessibleName(tr("Report that the panels are about"));
    m_list->setToolTip(
        tr("The report that the panels are about: the one of what is selected, or always the same"));
    connect(m_list, &QComboBox::activated, this, [this](int index) {
        if (index == 0)
            m_session.followSelection();
        else
            m_session.chooseReport(ReportId{static_cast<std::uint16_t>(index - 1)});
        showChoice();
    });
    connect(&m_session, &Session::traceChanged, this, &ReportChooser::fill);
    connect(&m_session, &Session::reportChosen, this, &ReportChooser::showChoice);
    fill();
}

void ReportChooser::fill()
{
    const auto reports = m_session.workspace().reports();
    const bool isNeeded = reports.size() > 1;
    m_list->clear();
    m_list->addItem(QString());
    for (const OpenReport& report : reports)
        m_list->addItem(colorIcon(reportColor(report)), QString::fromStdString(report.label));
    for (QWidget* const part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        part->setVisible(isNeeded);
    showChoice();
    updateGeometry();
}

void ReportChooser::showChoice()
{
    const OpenReport& report = m_session.report();
    m_list->setItemText(0, tr("%1 (of what is selected)").arg(QString::fromStdString(report.label)));
    m_list->setItemIcon(0, colorIcon(reportColor(report)));
    m_list->setCurrentIndex(m_session.followsSelection() ? 0 : raw(report.id) + 1);
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
