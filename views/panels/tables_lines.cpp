// Which reports a statistics table is of (the one that panels are about, some, or all that are open), and
// actions on its lines.

#include "core/base/stop.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"
#include "views/panels/duration_chart.h"
#include "views/panels/tables_panel.h"
#include "views/session/report_scope.h"
#include "views/session/row_scope.h"
#include "views/style/rich_text.h"

#include <algorithm>

namespace warpline {

namespace {

/// The events with durations from `least` to `most` (inclusive), in the order of highlighted events.
std::vector<EventRef> eventsOfDuration(
    const Trace& trace, std::vector<EventRef> events, Ns least, Ns most, const std::stop_token& stop)
{
    std::vector<EventRef> chosen;
    for (const EventRef& event : stoppableItems(events, stop)) {
        const Ns duration = trace.range(event).duration();
        if (duration >= least && duration <= most)
            chosen.push_back(event);
    }
    std::ranges::sort(chosen);
    return chosen;
}

} // namespace

bool TablesPanel::isOfSeveral() const
{
    return m_session.scope().isSeveral();
}

std::vector<TablesPanel::Part> TablesPanel::partsAsked() const
{
    const bool ofRange = !m_session.time().selectedRange().empty();
    if (!isOfSeveral())
        return {{m_session.report().id, m_session.sharedTrace(),
            ofRange ? m_session.ownTime(m_session.time().selectedRange()) : TimeRange(),
            rowScopeOf(m_session).tracks(m_session.sharedTrace())}};
    std::vector<Part> parts;
    for (const ReportId id : m_session.scope().reports()) {
        const OpenReport& report = m_session.workspace().report(id);
        if (leavesOut(m_session, report))
            continue;
        TimeRange window;
        if (ofRange)
            window = m_session.ownTime(m_session.time().selectedRange(), report);
        if (!ofRange || window.start < window.end) // an empty window would mean the whole report
            parts.push_back(
                {report.id, report.trace, window, rowScopeOf(m_session, report).tracks(report.trace)});
    }
    return parts;
}

std::vector<const StatsTable*> TablesPanel::tablesOf(
    const std::vector<std::shared_ptr<const Trace>>& traces, const std::stop_token& stop)
{
    std::vector<const StatsTable*> tables;
    for (const StatsTable* const table : allStatsTables()) {
        const bool applies = !stop.stop_requested()
            && std::ranges::any_of(traces, [&](const auto& trace) { return table->applies(*trace); });
        if (applies)
            tables.push_back(table);
    }
    return tables;
}

TablesPanel::Source TablesPanel::sourceOf(int line) const
{
    const std::uint32_t row = m_model->rowOf(line);
    if (m_parts.size() < 2)
        return {m_parts.empty() ? Part() : m_parts.front(), m_model->cells(), row};
    const auto [part, own] = placeInParts(*m_cells, row);
    return {m_parts[part], (*m_cells)[part].cells, static_cast<std::uint32_t>(own)};
}

void TablesPanel::showEventsOf(int line)
{
    // Millions of events stand behind some lines.
    struct EventsFound {
        std::vector<EventRef> events;
        DurationBins bins;
    };
    m_marking.cancel(); // of the line before
    m_bins.start(
        [source = sourceOf(line)](const std::stop_token& stop) {
            EventsFound answer{source.cells->events(source.row), {}};
            std::vector<Ns> durations;
            durations.reserve(answer.events.size());
            for (const EventRef& event : stoppableItems(answer.events, stop))
                durations.push_back(source.part.trace->range(event).duration());
            answer.bins = binDurations(durations);
            std::ranges::sort(answer.events);
            return answer;
        },
        [this, source = sourceOf(line)](EventsFound answer) {
            const Part& part = source.part;
            if (!isOpen(part))
                return;
            m_charted = source;
            m_histogram->setVisible(!answer.events.empty());
            m_histogram->showBins(std::move(answer.bins));
            emit messages(tr("%1 events highlighted; double-click to step through them")
                              .arg(numberText(answer.events.size())));
            m_session.selection().setHighlighted(part.report, std::move(answer.events));
        });
}

void TablesPanel::markEventsOfDuration(Ns least, Ns most)
{
    if (!m_charted.cells)
        return;
    m_marking.start(
        [source = m_charted, least, most](const std::stop_token& stop) {
            return eventsOfDuration(*source.part.trace, source.cells->events(source.row), least, most, stop);
        },
        [this, part = m_charted.part](std::vector<EventRef> marked) {
            if (!isOpen(part))
                return;
            emit messages(marked.size() == 1
                    ? tr("1 event of this duration highlighted")
                    : tr("%1 events of this duration highlighted").arg(numberText(marked.size())));
            m_session.selection().setHighlighted(part.report, std::move(marked));
        });
}

} // namespace warpline
