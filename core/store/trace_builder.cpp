#include "core/store/trace_builder.h"

#include <algorithm>
#include <limits>

namespace warpline {

TimeRange spanOf(const EventTable& table)
{
    if (table.empty())
        return {};
    TimeRange span{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
    for (const Lane& lane : table.lanes) {
        if (lane.count == 0)
            continue;
        span.start = std::min(span.start, table.start[lane.first]);
        span.end = std::max(span.end, table.end(lane.first + lane.count - 1));
    }
    return span;
}

TraceBuilder::TraceBuilder(std::shared_ptr<StringPool> pool)
    : m_pool(std::move(pool))
{
    m_trace.pool = m_pool;
}

void TraceBuilder::place(std::shared_ptr<const EventTable> table)
{
    const std::scoped_lock lock(m_mutex);
    // Diagnostics are about the profiler: "profiling has started" may lie minutes before the first event.
    if (!table->empty() && table->kind != EventKind::Diagnostic)
        unite(spanOf(*table));
    m_trace.tables[indexOf(table->kind)] = std::move(table);
}

void TraceBuilder::extendSession(TimeRange span)
{
    const std::scoped_lock lock(m_mutex);
    if (span.end >= span.start)
        unite(span);
}

void TraceBuilder::unite(TimeRange span)
{
    m_trace.session = m_hasEvents ? m_trace.session.unitedWith(span) : span;
    m_hasEvents = true;
}

Ns TraceBuilder::lastTime() const
{
    const std::scoped_lock lock(m_mutex);
    return m_hasEvents ? m_trace.session.end : 0;
}

std::shared_ptr<const Trace> TraceBuilder::snapshot() const
{
    const std::scoped_lock lock(m_mutex);
    return std::make_shared<const Trace>(m_trace);
}

} // namespace warpline
