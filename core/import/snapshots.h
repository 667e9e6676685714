#pragma once

#include "core/store/trace_builder.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace warpline {

/// Shows a report while it loads: publishes traces of the tables read so far. Used only by the thread that
/// runs the importers.
class Snapshots {
public:
    using Listener = std::function<void(std::shared_ptr<const Trace>)>;

    /// The first snapshot of an incomplete table is due `first` after now, later ones when the loading time
    /// has grown by the factor `growth`. `rowsTotal`: of the whole report.
    Snapshots(const TraceBuilder& trace, Listener listener, std::chrono::milliseconds first, int growth,
        std::uint64_t rowsTotal);

    /// True when a table with `rows` rows so far should be published incomplete. Sorting a part delays
    /// loading, so the intervals grow by a factor; a part is a copy, so only small ones are worth their
    /// memory.
    bool due(std::uint64_t rows) const { return m_listener && rows <= m_mostRows && Clock::now() >= m_next; }
    /// Hands out a trace of all tables that are set.
    void publish();

private:
    using Clock = std::chrono::steady_clock;

    const TraceBuilder& m_trace;
    Listener m_listener;
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_next;
    int m_growth;
    std::uint64_t m_mostRows;
};

} // namespace warpline
