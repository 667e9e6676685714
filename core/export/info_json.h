#pragma once

#include "core/base/ids.h"
#include "core/export/json_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// How many rows of the report stand behind each kind of event, by the kind's key (keyOf(EventKind)), in the
/// order of the kinds, derived kinds left out; then "gpu_metric_samples", the rows of GPU_METRICS.
///
/// Rows, not events: what a count equals is `SELECT count(*)` on the kind's tables. "cuda_api" adds up
/// runtime and driver calls, "thread_states" counts the rows of SCHED_EVENTS and not the slices made of them;
/// "nvtx" counts ranges and marks, without the rows of NVTX_EVENTS that only name a domain, a category or a
/// thread.
std::vector<std::pair<std::string_view, std::uint64_t>> rowCounts(const Trace& trace);

/// A process or thread that events belong to, and how many.
struct OwnerEvents {
    GlobalId id = 0;
    std::uint64_t events = 0;
};
/// Events of each process, by id; those of its threads and its GPU work together. Derived events do not
/// count.
std::vector<OwnerEvents> eventsOfProcesses(const Trace& trace);
/// Events of each thread that has any, by id.
std::vector<OwnerEvents> eventsOfThreads(const Trace& trace);

/// What `warpline-cli info --format json` prints: the report's facts of one report, see
/// docs/cli/schema/info.json. What the report does not say is null.
Json infoJson(const Trace& trace);

} // namespace warpline
