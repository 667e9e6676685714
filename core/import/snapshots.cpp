#include "core/import/snapshots.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr std::uint64_t alwaysSmall = 100'000; // rows: a few megabytes
constexpr std::uint64_t smallPart = 12; // of the report: some three bytes for each of its events

} // namespace

Snapshots::Snapshots(const TraceBuilder& trace, Listener listener, std::chrono::milliseconds first,
    int growth, std::uint64_t rowsTotal)
    : m_trace(trace),
      m_listener(std::move(listener)),
      m_next(m_started + first),
      m_growth(growth),
      m_mostRows(std::max(alwaysSmall, rowsTotal / smallPart))
{
}

void Snapshots::publish()
{
    if (!m_listener)
        return;
    m_listener(m_trace.snapshot());
    m_next = std::max(m_next, m_started + m_growth * (Clock::now() - m_started));
}

} // namespace warpline
