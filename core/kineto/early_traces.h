#pragma once

#include "core/kineto/event_reader.h"
#include "core/kineto/trace_head.h"

#include <chrono>
#include <functional>
#include <memory>

namespace warpline {

class Trace;

/// Shows a trace while it is read: publishes the events of one reading thread, which has the file's first
/// ones. Used only by that thread.
class EarlyTraces {
public:
    using Listener = std::function<void(std::shared_ptr<const Trace>)>;

    /// The first is due `first` after now, later ones when the reading time has grown by the factor `growth`.
    /// `head`: the data before the events. `middle`: origin of the events' times.
    EarlyTraces(std::shared_ptr<StringPool> pool, TraceHead head, Ns middle, Listener listener,
        std::chrono::milliseconds first, int growth);

    /// Publishes the events of `reader` when that is due and they are few, because they are copied and
    /// sorted.
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
