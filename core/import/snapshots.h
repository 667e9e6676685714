#pragma once

#include "core/store/trace_builder.h"

#include <chrono>
#include <functional>
#include <memory>

namespace warpline {

/// Shows a report while it loads: hands out traces of what was read so far. Used by the thread that runs the
/// importers, and by no other.
class Snapshots {
public:
    using Listener = std::function<void(std::shared_ptr<const Trace>)>;

    /// The first table that is not read completely is due `first` after now.
    Snapshots(const TraceBuilder& trace, Listener listener, std::chrono::milliseconds first);

    /// True when a table that is still being read should be published as far as it is. Sorting a part costs
    /// time that loading then lacks, so each interval is a multiple of the one before.
    bool due() const { return m_listener && Clock::now() >= m_next; }
    /// Hands out a trace of all tables that are set.
    void publish();

private:
    using Clock = std::chrono::steady_clock;

    const TraceBuilder& m_trace;
    Listener m_listener;
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_next;
};

} // namespace warpline
