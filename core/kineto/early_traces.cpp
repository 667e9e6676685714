#include "core/kineto/early_traces.h"

#include "core/kineto/kineto_import.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t maxEvents = 300'000; // some twenty megabytes

std::size_t eventsOf(const EventReader& reader)
{
    return reader.kernels.size() + reader.memcpys.size() + reader.calls.size() + reader.ranges.size()
        + reader.allocations.size();
}

} // namespace

EarlyTraces::EarlyTraces(std::shared_ptr<StringPool> pool, TraceHead head, Ns middle, Listener listener,
    std::chrono::milliseconds first, int growth)
    : m_pool(std::move(pool)),
      m_head(std::move(head)),
      m_middle(middle),
      m_listener(std::move(listener)),
      m_next(m_started + first),
      m_growth(growth)
{
}

void EarlyTraces::show(const EventReader& reader)
{
    if (!m_listener || Clock::now() < m_next || eventsOf(reader) > maxEvents)
        return;
    EventReader copy(reader);
    TraceBuilder trace(m_pool);
    ImportLog log;
    fillTrace(copy, m_head, m_middle, trace, log);
    m_listener(trace.snapshot());
    m_next = std::max(m_next, m_started + m_growth * (Clock::now() - m_started));
}

} // namespace warpline
