#include "app/scope_chip.h"

#include "core/base/format_instant.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/timeline/step_strip.h"

#include <QMenu>

#include <algorithm>
#include <ranges>

namespace warpline {

namespace {

constexpr std::size_t maxStepsListed = 30;
constexpr std::size_t maxRowsListed = 100; ///< a report has any number of processes
constexpr qsizetype longestRow = 80; ///< letters

} // namespace

ScopeChip::ScopeChip(Session& session, const StepStrip& steps, QWidget* parent)
    : QToolButton(parent),
      m_session(session),
      m_steps(steps)
{
    setObjectName("scope");
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &ScopeChip::fillMenu);
    connect(&session.time(), &TimeView::selectedRangeChanged, this, &ScopeChip::fill);
    connect(&session.selection(), &Selection::selectedRowsChanged, this, &ScopeChip::fill);
    connect(&session, &Session::traceChanged, this, [this] {
        menu()->close(); // its rows and its event are of another report
        fill();
    });
    connect(&session, &Session::exchangesReplaced, menu(), &QWidget::close);
    fill();
}

QString ScopeChip::name() const
{
    const TimeRange range = m_session.time().selectedRange();
    const std::size_t rows = m_session.selection().selectedRows().size();
    const QString ofRows = rows == 1
        ? plainTextOf(m_session.rows().row(m_session.selection().selectedRows().front()).label)
        : tr("%1 rows").arg(rows);
    if (range.empty() && rows == 0)
        return partOf(m_session.trace().info) ? tr("part of a recording") : tr("whole report");
    if (range.empty())
        return ofRows;
    QString what = durationText(range.duration());
    const EventId current = m_session.selection().currentEvent();
    const TimeRange own = m_session.ownTime(range);
    const StepSeries& steps = m_steps.steps();
    const auto step = std::ranges::find(steps.ranges, own);
    if (current.valid() && m_session.workspace().range(current) == range)
        what = textOf(m_session.trace(current.report).displayName(current.event));
    else if (step != steps.ranges.end())
        what = textOf(m_session.trace().displayName(
            steps.events[static_cast<std::size_t>(step - steps.ranges.begin())]));
    return rows == 0 ? what : what + ", " + ofRows;
}

void ScopeChip::fill()
{
    setVisible(!m_session.isEmpty());
    if (m_session.isEmpty())
        return;
    constexpr int longest = 34;
    setText(tr("Scope: %1").arg(elidedInMiddle(name(), longest)));
    const TimeRange range = m_session.time().judged();
    const auto at = [](Ns time) { return textOf(formatInstant(time, 1000)); };
    setToolTip(plainTip(tr(
        "Scope of the panels: %1, from %2 to %3.\nWithout a selected range, the panel Selection covers the range shown in the timeline.\nDrag in the timeline to select a range. Press Esc to clear it.")
                            .arg(name(), at(range.start), at(range.end))));
    setAccessibleName(text());
}

void ScopeChip::fillMenu()
{
    menu()->clear();
    menu()->addAction(tr("Whole report"), this, [this] {
        m_session.time().selectRange({});
        m_session.selection().selectRows({});
    });
    menu()->addAction(
        tr("Shown range"), this, [this] { m_session.time().selectRange(m_session.time().shown()); });
    if (const EventId current = m_session.selection().currentEvent(); current.valid())
        menu()->addAction(tr("Selected event"), this,
            [this, current] { m_session.time().selectRange(m_session.workspace().range(current)); });
    const StepSeries& steps = m_steps.steps();
    if (!steps.empty()) {
        QMenu* const list = menu()->addMenu(tr("Step"));
        for (std::size_t i = 0; i < std::min(maxStepsListed, steps.size()); ++i) {
            const TimeRange range = m_session.sharedTime(steps.ranges[i]);
            list->addAction(textOf(m_session.trace().displayName(steps.events[i])).replace('&', "&&"), this,
                [this, range] { m_session.time().selectRange(range); });
        }
    }
    QMenu* const rows = menu()->addMenu(tr("GPU or process"));
    for (const RowId row :
        std::views::take(m_session.rowView().visibleChildren(RowTree::root), maxRowsListed))
        rows->addAction(
            elidedInMiddle(plainTextOf(m_session.rows().row(row).label), longestRow).replace('&', "&&"), this,
            [this, row] { m_session.selection().selectRows({row}); });
}

} // namespace warpline
