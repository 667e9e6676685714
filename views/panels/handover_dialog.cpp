#include "views/panels/handover_dialog.h"

#include "core/store/trace.h"
#include "views/session/marks.h"
#include "views/style/rich_text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace warpline {

HandoverDialog::HandoverDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_ranges(new QListWidget(this)),
      m_findings(new QCheckBox(tr("&Findings of the whole report"), this)),
      m_tables(new QCheckBox(tr("&nsys tables"), this)),
      m_machine(new QCheckBox(tr("&Include folder, machine and command line"), this))
{
    setWindowTitle(tr("Share report"));
    m_findings->setChecked(true);
    m_tables->setChecked(true);
    m_machine->setToolTip(
        tr("Otherwise they are removed, as are names of hosts and home folders in all texts"));
    for (const Mark& mark : session.marks().all()) {
        if (!mark.isMoment())
            offer(plainTextOf(titleOf(mark)), mark.range, true);
    }
    if (!session.time().selectedRange().empty())
        offer(tr("Selected range"), session.time().selectedRange(), true);
    offer(tr("Visible range"), session.time().shown(), m_offered.empty());
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(new QLabel(tr("Ranges to include, with picture and statistics:"), this));
    layout->addWidget(m_ranges, 1);
    layout->addWidget(m_findings);
    layout->addWidget(m_tables);
    layout->addWidget(m_machine);
    layout->addWidget(buttons);
    resize(460, 360);
}

void HandoverDialog::offer(const QString& title, TimeRange range, bool isChosen)
{
    const TimeRange own = m_session.ownTime(range).clippedTo(m_session.trace().session);
    if (own.empty())
        return;
    m_offered.push_back({title.toStdString(), own});
    auto* const line = new QListWidgetItem(tr("%1, %2").arg(title, durationText(own.duration())), m_ranges);
    line->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    line->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
}

HandoverChoice HandoverDialog::choice() const
{
    HandoverChoice choice;
    choice.notes = m_session.marks().notes().toStdString();
    for (int line = 0; line < m_ranges->count(); ++line) {
        if (m_ranges->item(line)->checkState() == Qt::Checked)
            choice.ranges.push_back(m_offered[static_cast<std::size_t>(line)]);
    }
    for (Mark mark : m_session.marks().all()) {
        mark.range = m_session.report().clock.toReport(mark.range);
        choice.marks.push_back(std::move(mark));
    }
    if (m_tables->isChecked())
        choice.tables = handoverTables();
    choice.findings = m_findings->isChecked();
    choice.machine = m_machine->isChecked();
    choice.stepGlob = m_session.judgement().stepGlob();
    const RowTree& rows = m_session.rows();
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        const Row& row = rows.row(RowId{i});
        if (m_session.rowView().isPinned(row.id) && row.report == m_session.report().id
            && row.drawing != Drawing::Header && !m_session.workspace().isOfAll(row.id))
            choice.rows.push_back(m_session.workspace().ownRow(row.id));
    }
    return choice;
}

} // namespace warpline
