#pragma once

#include "core/coverage/coverage.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// What one GPU did for one process, as indexes: with them any step is told apart. All contexts together.
struct StepActivity {
    Coverage busy; ///< any kernel, copy, set or graph
    Coverage copy; ///< a copy or set
    Coverage communication; ///< a kernel that communicates
    Coverage exposed; ///< such a kernel, and no other
};

/// (pid, CUDA ordinal)
using ProcessGpu = std::pair<std::uint32_t, std::int32_t>;

/// Of every GPU that a process uses. O(n log n) in its work. Throws Stopped when `stop` is requested.
std::map<ProcessGpu, StepActivity> stepActivities(const Trace& trace, const std::stop_token& stop);

/// How much of each of `windows` is covered. Much faster than one after another where none begins before
/// those in front of it have ended, as the steps of a thread do.
std::vector<Ns> timesIn(const Coverage& covered, const std::vector<TimeRange>& windows);

} // namespace warpline
