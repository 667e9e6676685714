#pragma once

#include "core/base/job_runner.h"

#include <memory>
#include <utility>

namespace warpline {

/// Destroys `value` on a worker thread: freeing the memory of millions of events takes longer than a frame,
/// so large objects (a trace, a list of events, an obsolete result) are not destroyed on the GUI thread.
template <typename Value> void disposeElsewhere(Value value)
{
    JobPool::shared().post(
        [held = std::make_shared<Value>(std::move(value))](const std::stop_token&) {}, Urgency::Soon);
}

} // namespace warpline
