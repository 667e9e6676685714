#pragma once

#include "core/store/table_types.h"
#include "core/store/trace.h"

#include <cassert>
#include <memory>
#include <mutex>
#include <utility>

namespace warpline {

/// The only thing that may change a trace: collects finished tables and facts. Thread-safe.
class TraceBuilder {
public:
    explicit TraceBuilder(std::shared_ptr<StringPool> pool);

    StringPool& pool() { return *m_pool; }
    /// Sets a finished table, and extends the session to its events. Its type must be the kind's, as
    /// Trace::kernels() and others assume.
    template <typename Table> void setTable(std::shared_ptr<Table> table)
    {
        assert(isTableOf<Table>(table->kind));
        place(std::move(table));
    }
    /// Lets the session hold `span`: for samples, which are no events. Nothing when it is inverted.
    void extendSession(TimeRange span);
    /// Runs `change` on the trace in the making, alone.
    template <typename Change> void edit(Change&& change)
    {
        const std::scoped_lock lock(m_mutex);
        change(m_trace);
    }
    /// The end of the last event up to now; 0 when there is none.
    Ns lastTime() const;
    /// A trace of all complete tables.
    std::shared_ptr<const Trace> snapshot() const;

private:
    void place(std::shared_ptr<const EventTable> table);
    void unite(TimeRange span);

    std::shared_ptr<StringPool> m_pool;
    mutable std::mutex m_mutex;
    Trace m_trace;
    bool m_hasEvents = false;
};

/// First start to last end of `table`'s events; an empty range when it has none. O(lanes).
TimeRange spanOf(const EventTable& table);

} // namespace warpline
