#pragma once

#include "core/kineto/event_reader.h"
#include "core/kineto/trace_head.h"

#include <chrono>
#include <functional>
#include <memory>

namespace warpline {

class Trace;

/// Shows a trace while it is read: hands out what one of the threads that read has so far, the file's first
/// events among them. Used by that thread alone.
class EarlyTraces {
public:
    using Listener = std::function<void(std::shared_ptr<const Trace>)>;

    /// The first is due `first` after now, each later one when reading has taken `growth` times as long as at
    /// the one before. `head`: what stands before the events. `middle`: what the events' times count from.
    EarlyTraces(std::shared_ptr<StringPool> pool, TraceHead head, Ns middle, Listener listener,
        std::chrono::milliseconds first, int growth);

    /// Hands out what `reader` has, when that is due and still small: it is sorted, and is a copy.
    void show(const EventReader& reader);

private:
    using Clock = std::chrono::steady_clock;

    std::shared_ptr<StringPool> m_pool;
    TraceHead m_head;
    Ns m_middle;
    Listener m_listener;
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_next;
    int m_growth;
};

} // namespace warpline
