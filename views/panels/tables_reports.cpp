// Which reports a statistics table is of: the one that panels are about, some, or all that are open.

#include "core/store/trace.h"
#include "views/panels/tables_panel.h"

#include "core/stats/stats_table.h"
#include "views/session/report_scope.h"
#include "views/session/row_scope.h"

#include <algorithm>

namespace warpline {

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
            window = report.clock.toReport(m_session.time().selectedRange()).clippedTo(report.trace->session);
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

bool TablesPanel::isOpen(const Part& part) const
{
    const auto reports = m_session.workspace().reports();
    return raw(part.report) < reports.size() && reports[raw(part.report)].trace == part.trace;
}

} // namespace warpline
