#include "views/session/idle_books.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

GpuOfProcess gpuOf(const Trace& trace, const Row& row)
{
    const Track& any = trace.track(row.tracks.front());
    return {any.owner, any.device};
}

IdleBooks::IdleBooks(Session& session)
    : m_session(session),
      m_job(this, Urgency::Background)
{
    connect(&session, &Session::traceChanged, this, &IdleBooks::workOut);
    workOut();
}

std::shared_ptr<const IdleTimes> IdleBooks::find(ReportId report) const
{
    const auto& trace = m_session.workspace().report(report).trace;
    const auto found
        = std::ranges::find_if(m_known, [&](const Known& each) { return each.trace.lock() == trace; });
    return found == m_known.end() ? nullptr : found->times;
}

const BudgetPart* IdleBooks::at(const Row& row, Ns time) const
{
    const auto times = row.tellsIdle ? find(row.report) : nullptr;
    return times ? times->at(gpuOf(m_session.trace(row.report), row), time) : nullptr;
}

void IdleBooks::workOut()
{
    std::erase_if(m_known, [](const Known& each) { return each.trace.expired(); });
    std::vector<std::shared_ptr<const Trace>> missing;
    for (const OpenReport& report : m_session.workspace().reports()) {
        if (report.trace->complete && !find(report.id))
            missing.push_back(report.trace);
    }
    if (missing.empty()) {
        m_job.cancel();
        return;
    }
    m_job.start(
        [missing = std::move(missing)](const std::stop_token& stop) {
            std::vector<Known> known;
            for (const auto& trace : missing)
                known.push_back({trace, IdleTimes::of(*trace, stop)});
            return known;
        },
        [this](std::vector<Known> known) {
            for (Known& each : known)
                m_known.push_back(std::move(each));
            emit changed();
        });
}

} // namespace warpline
