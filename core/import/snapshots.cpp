#include "core/import/snapshots.h"

#include <algorithm>

namespace warpline {

Snapshots::Snapshots(const TraceBuilder& trace, Listener listener, std::chrono::milliseconds first)
    : m_trace(trace),
      m_listener(std::move(listener)),
      m_next(m_started + first)
{
}

void Snapshots::publish()
{
    if (!m_listener)
        return;
    m_listener(m_trace.snapshot());
    constexpr int growth = 3;
    m_next = std::max(m_next, m_started + growth * (Clock::now() - m_started));
}

} // namespace warpline
