#include "views/session/report_books.h"

#include "core/store/trace.h"

#include <utility>
#include <vector>

namespace warpline {

ReportBooks::ReportBooks(Session& session, Has has, Make make)
    : m_session(session),
      m_has(has),
      m_make(make),
      m_job(this, Urgency::Background)
{
    connect(&session, &Session::traceChanged, this, &ReportBooks::workOut);
    workOut();
}

void ReportBooks::workOut()
{
    std::vector<Trace> missing;
    for (const OpenReport& report : m_session.workspace().reports()) {
        if (report.trace->complete && !m_has(report.trace))
            missing.push_back(report.trace);
    }
    if (missing.empty()) {
        m_job.cancel();
        return;
    }
    m_job.start(
        [missing = std::move(missing), make = m_make](const std::stop_token& stop) {
            for (const Trace& trace : missing)
                make(trace, stop);
            return true;
        },
        [this](bool) { emit changed(); });
}

} // namespace warpline
