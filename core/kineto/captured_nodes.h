#pragma once

#include "core/kineto/event_reader.h"

#include <span>

namespace warpline {

/// Adds the nodes that streams capture into CUDA graphs to `events.graphNodes`: one for each launch, copy and
/// memset between the calls that begin and end a capture, on their thread, that started nothing in `work`.
/// Each is named after its kernel where the trace says so (ROCm), else after its call. `zero`: where the
/// times of `calls` begin. O(calls), and O(work) where something is captured.
void addCapturedNodes(const EventTable& calls, std::span<const EventTable* const> work, EventReader& events,
    Ns zero, StringPool& pool);

} // namespace warpline
