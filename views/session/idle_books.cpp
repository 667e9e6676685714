#include "views/session/idle_books.h"

#include "core/store/trace.h"

namespace warpline {

GpuOfProcess gpuOf(const Trace& trace, const Row& row)
{
    const Track& any = trace.track(row.tracks.front());
    return {any.owner, any.device};
}

IdleBooks::IdleBooks(Session& session)
    : ReportBooks(
        session, [](const auto& trace) { return IdleTimes::known(*trace) != nullptr; },
        [](const auto& trace, const std::stop_token& stop) { IdleTimes::of(*trace, stop); })
{
}

std::shared_ptr<const IdleTimes> IdleBooks::find(ReportId report) const
{
    return IdleTimes::known(m_session.trace(report));
}

const BudgetPart* IdleBooks::at(const Row& row, Ns time) const
{
    const auto times = row.tellsIdle ? find(row.report) : nullptr;
    return times ? times->at(gpuOf(m_session.trace(row.report), row), time) : nullptr;
}

} // namespace warpline
