#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Threads that work for another one of their process, as autograd's for the thread that calls backward():
/// they launch GPU work and have no own NVTX ranges. Their launches belong to the ranges that are open at
/// that time on the thread of the process with most ranges. Two places differ: steps count the work of all
/// threads without own steps (findGpuSteps()), and nsys' tables count only the launches of a range's own
/// thread.
class HelperThreads {
public:
    /// O(tracks).
    explicit HelperThreads(const Trace& trace);

    /// The thread that `thread` works for; nothing: it has own ranges, or no thread of its process has.
    std::optional<GlobalId> worksFor(GlobalId thread) const;
    /// Whether there are any.
    bool any() const { return !m_leaders.empty(); }

private:
    std::map<GlobalId, GlobalId> m_leaders; ///< by helper
};

/// GPU work that was launched while an NVTX range was open.
struct LaunchedWork {
    std::uint64_t count = 0; ///< pieces
    Ns total = 0; ///< of their durations; work at the same time counts for each
    EventRef first; ///< that was launched first; not valid(): there is none
};

/// GPU work that helper threads of the thread of `range`, an event of the Nvtx table, launched while it was
/// open. Throws Stopped. O(calls of these threads during it).
LaunchedWork workOfHelpers(const Trace& trace, EventIndex range, const std::stop_token& stop = {});
/// GPU work that the thread of `range` launched itself.
LaunchedWork workOfItsThread(const Trace& trace, EventIndex range, const std::stop_token& stop = {});

/// The API calls of `track` that start in `window`, as runs [first, second).
std::vector<std::pair<EventIndex, EventIndex>> callsWithin(
    const Trace& trace, const Track& track, TimeRange window);

} // namespace warpline
