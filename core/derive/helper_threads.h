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

/// Which threads work for another one of their process, as autograd's does for the thread that calls
/// backward(): those that launch GPU work and have no NVTX ranges of the program's own. What they launch
/// belongs to the ranges that are open meanwhile on the thread of their process that has most ranges. Steps
/// ask otherwise: they count the work of all threads that have no steps of their own (findGpuSteps()). The
/// tables of nsys know neither: there a range has what its own thread launches.
class HelperThreads {
public:
    /// O(tracks).
    explicit HelperThreads(const Trace& trace);

    /// The thread that `thread` works for; nothing: it has ranges of its own, or nobody of its process has.
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

/// What threads that work for the thread of `range`, an event of the Nvtx table, launched while it was open.
/// Throws Stopped. O(calls of these threads meanwhile).
LaunchedWork workOfHelpers(const Trace& trace, EventIndex range, const std::stop_token& stop = {});
/// What the thread of `range` launched itself.
LaunchedWork workOfItsThread(const Trace& trace, EventIndex range, const std::stop_token& stop = {});

/// The API calls of `track` that start in `window`, as runs [first, second).
std::vector<std::pair<EventIndex, EventIndex>> callsWithin(
    const Trace& trace, const Track& track, TimeRange window);

} // namespace warpline
