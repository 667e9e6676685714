#include "app/part_dialog.h"

#include "core/store/trace.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

namespace warpline {

PartDialog::PartDialog(Session& session, Kind kind, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_kind(kind),
      m_option(new QCheckBox(this))
{
    const bool isCut = kind == Kind::Cut;
    setWindowTitle(isCut ? tr("Part of the report") : tr("Chrome trace"));
    auto* const layout = new QVBoxLayout(this);
    auto* const what = new QLabel(isCut
            ? tr("A smaller report for Warpline and nsys stats. Events at its edges stay whole.")
            : tr("JSON for Perfetto (ui.perfetto.dev) and chrome://tracing. Events at its edges stay whole."),
        this);
    what->setWordWrap(true);
    layout->addWidget(what);
    const Ns length = m_session.trace().session.duration();
    m_ranges.push_back({new QRadioButton(tr("&Whole report, %1").arg(durationText(length)), this), {}});
    m_selected = offer(tr("&Selected range"), m_session.time().selectedRange());
    offer(tr("&Visible range"), m_session.time().shown());
    (m_selected ? m_selected : &whole())->setChecked(true);
    for (const Offer& each : m_ranges)
        layout->addWidget(each.button);
    const bool isFiltered = m_session.selection().filter() != EventFilter();
    m_option->setText(isCut ? tr("&Remove private data") : tr("&Only events that match the filter"));
    m_option->setToolTip(
        isCut ? tr(
            "Removes environment, command lines, program output, and names of hosts, users and home folders")
              : tr("The filter of the Events panel, with its durations"));
    m_option->setChecked(isCut || isFiltered);
    m_option->setVisible(isCut || isFiltered);
    layout->addWidget(m_option);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addStretch(1);
    layout->addWidget(buttons);
    resize(440, sizeHint().height());
}

/// nullptr: nothing of `range` is of the report.
QRadioButton* PartDialog::offer(const QString& title, TimeRange range)
{
    const TimeRange own = m_session.ownTime(range).clippedTo(m_session.trace().session);
    if (range.empty() || own.empty())
        return nullptr;
    auto* const button = new QRadioButton(tr("%1, %2").arg(title, durationText(own.duration())), this);
    m_ranges.push_back({button, own});
    return button;
}

PartChoice PartDialog::choice() const
{
    PartChoice choice;
    for (const Offer& each : m_ranges) {
        if (each.button->isChecked())
            choice.window = each.own;
    }
    choice.onlyFiltered = m_kind == Kind::Trace && m_option->isChecked();
    choice.redact = m_kind == Kind::Cut && m_option->isChecked();
    return choice;
}

} // namespace warpline
