#pragma once

#include "core/store/event_loops.h"

#include <memory>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// API calls with the process and correlation id of a call that Links names for GPU work. With CUDA
/// backtraces, nsys records some calls twice under one id, and its tables that join kernels with calls by id
/// count such kernels twice. Empty for most reports; an id with more than 16 further calls and more than 16
/// pieces of work has none.
class CallTwins {
public:
    /// O(API calls). Throws Stopped when `stop` is requested.
    explicit CallTwins(const Trace& trace, const std::stop_token& stop = {});

    /// Calls visit(twin) for each further call of the id that linked call `call` has.
    template <typename Visit> void forEachTwin(EventIndex call, Visit visit) const
    {
        for (std::size_t i = firstOf(call); i < m_twins.size() && m_twins[i].first == call; ++i)
            visit(m_twins[i].second);
    }
    /// (linked call, twin), sorted.
    const std::vector<std::pair<EventIndex, EventIndex>>& all() const { return m_twins; }

private:
    std::size_t firstOf(EventIndex call) const;

    std::vector<std::pair<EventIndex, EventIndex>> m_twins;
};

/// The twins of `trace`, computed once and kept as long as its links, because finding out that there are none
/// needs a pass over all calls. Thread-safe. Throws Stopped.
std::shared_ptr<const CallTwins> callTwinsOf(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
