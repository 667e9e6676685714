#pragma once

#include "core/coverage/coverage.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// The activity of one GPU for one process over all contexts, as indexes that split any step.
struct StepActivity {
    Coverage busy; ///< any kernel, copy, set or graph
    Coverage copy; ///< a copy or set
    Coverage communication; ///< a kernel that communicates
    Coverage exposed; ///< such a kernel, and no other
};

/// (pid, CUDA ordinal)
using ProcessGpu = std::pair<std::uint32_t, std::int32_t>;

/// For every GPU that a process uses. O(n log n) in its work. Throws Stopped when `stop` is requested.
std::map<ProcessGpu, StepActivity> stepActivities(const Trace& trace, const std::stop_token& stop);

/// The covered time of each of `windows`. Much faster than single queries when the windows are consecutive,
/// like a thread's steps.
std::vector<Ns> timesIn(const Coverage& covered, const std::vector<TimeRange>& windows);

} // namespace warpline
