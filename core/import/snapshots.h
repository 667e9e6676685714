#pragma once

#include "core/store/trace_builder.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace warpline {

/// Shows a report while it loads: hands out traces of what was read so far. Used by the thread that runs the
/// importers, and by no other.
class Snapshots {
public:
    using Listener = std::function<void(std::shared_ptr<const Trace>)>;

    /// The first table that is not read completely is due `first` after now. Later ones are
    /// due when loading has taken `growth` times as long as at the one before. `rowsTotal`: of the whole
    /// report.
    Snapshots(const TraceBuilder& trace, Listener listener, std::chrono::milliseconds first, int growth,
        std::uint64_t rowsTotal);

    /// True when a table of which `rows` rows were read so far should be published as far as it is. Sorting a
    /// part costs time that loading then lacks, so each interval is a multiple of the one before; and as a
    /// part is a copy, only small ones are worth their memory.
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
