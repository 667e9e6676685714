#pragma once

#include "core/kineto/event_reader.h"

#include <span>

namespace warpline {

/// Adds the nodes of stream captures into CUDA graphs to `events.graphNodes`: one for each launch, copy and
/// memset between the calls that begin and end a capture, on their thread, without work in `work`. A node is
/// named after its kernel where the trace has it (ROCm), else after its call. `zero`: origin of the times of
/// `calls`. O(calls), plus O(work) when there are captures.
void addCapturedNodes(const EventTable& calls, std::span<const EventTable* const> work, EventReader& events,
    Ns zero, StringPool& pool);

} // namespace warpline
