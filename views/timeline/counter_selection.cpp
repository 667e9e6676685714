#include "views/timeline/counter_selection.h"

#include "core/store/trace.h"

namespace warpline {

CounterSelection::CounterSelection(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
    constexpr int restMs = 60; // a drag changes the selection with each move
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &CounterSelection::workOut);
    connect(&session.time(), &TimeView::selectedRangeChanged, this, &CounterSelection::forget);
    connect(&session, &Session::traceChanged, this, &CounterSelection::forget);
    connect(&session, &Session::clocksChanged, this, &CounterSelection::forget);
}

void CounterSelection::forget()
{
    m_job.cancel();
    if (!m_known.empty()) {
        m_known.clear();
        emit changed();
    }
    if (m_session.time().selectedRange().empty())
        m_rest.stop();
    else
        m_rest.start();
}

void CounterSelection::workOut()
{
    m_job.start(
        [workspace = m_session.workspace(), selected = m_session.time().selectedRange()](
            const std::stop_token& stop) {
            Known known;
            for (const OpenReport& report : workspace.reports()) {
                const TimeRange window = report.clock.toReport(selected);
                for (std::uint32_t i = 0; i < report.trace->counters.size() && !stop.stop_requested(); ++i) {
                    if (const auto figures = counterFigures(*report.trace, i, window))
                        known.emplace(std::pair(report.id, i), *figures);
                }
            }
            return known;
        },
        [this](Known known) {
            m_known = std::move(known);
            emit changed();
        });
}

const CounterFigures* CounterSelection::of(ReportId report, std::uint32_t counter) const
{
    const auto found = m_known.find({report, counter});
    return found == m_known.end() ? nullptr : &found->second;
}

} // namespace warpline
