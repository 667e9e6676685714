#include "views/session/report_scope.h"

#include <algorithm>
#include <utility>

namespace warpline {

ReportScope::ReportScope(Session& session)
    : m_session(session)
{
    // Other reports are opened: resets the choice. traceChanged() notifies about them.
    connect(&session, &Session::reportOpened, this, [this] {
        m_all = false;
        m_chosen.clear();
    });
}

std::vector<ReportId> ReportScope::reports() const
{
    std::vector<ReportId> reports;
    const Workspace& workspace = m_session.workspace();
    for (const OpenReport& report : workspace.reports()) {
        if (workspace.isComplete() && isChosen(report.id))
            reports.push_back(report.id);
    }
    if (reports.size() < 2)
        reports = {m_session.report().id};
    return reports;
}

bool ReportScope::isChosen(ReportId report) const
{
    const std::shared_ptr<const Trace>& trace = m_session.workspace().report(report).trace;
    return m_all || std::ranges::any_of(m_chosen, [&](const auto& chosen) { return chosen.lock() == trace; });
}

void ReportScope::showOne()
{
    choose({});
}

void ReportScope::showAll()
{
    if (std::exchange(m_all, true))
        return;
    m_chosen.clear();
    emit changed();
}

void ReportScope::choose(const std::vector<ReportId>& reports)
{
    const std::vector<ReportId> before = this->reports();
    m_all = false;
    m_chosen.clear();
    for (const ReportId report : reports)
        m_chosen.push_back(m_session.workspace().report(report).trace);
    if (this->reports() != before)
        emit changed();
}

} // namespace warpline
