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

/// The number of report rows of each kind of event, by keyOf(EventKind), in the order of the kinds without
/// derived ones; then "gpu_metric_samples", the rows of GPU_METRICS.
///
/// Rows, not events: a count equals `SELECT count(*)` over the kind's tables. "cuda_api" sums runtime and
/// driver calls, "thread_states" counts the rows of SCHED_EVENTS and not the slices made of them; "nvtx"
/// counts ranges and marks, without the rows of NVTX_EVENTS that only name a domain, a category or a thread.
std::vector<std::pair<std::string_view, std::uint64_t>> rowCounts(const Trace& trace);

/// A process or thread that events belong to, and how many.
struct OwnerEvents {
    GlobalId id = 0;
    std::uint64_t events = 0;
};
/// Events of each process, by id; those of its threads and its GPU work together. Derived events do not
/// count.
std::vector<OwnerEvents> eventsOfProcesses(const Trace& trace);

/// Output of `warpline-cli info --format json` for one report, see docs/cli/schema/info.json. Unknown values
/// are null.
Json infoJson(const Trace& trace);

} // namespace warpline
