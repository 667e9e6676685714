#pragma once

#include "core/base/job_runner.h"

#include <memory>
#include <utility>

namespace warpline {

/// Destroys `value` on a worker thread. Giving back the memory of millions of events takes longer than a
/// frame may, so what can be large (a trace, a list of events, an answer that nobody wants any more) does not
/// die on the GUI thread.
template <typename Value> void disposeElsewhere(Value value)
{
    JobPool::shared().post(
        [held = std::make_shared<Value>(std::move(value))](const std::stop_token&) {}, Urgency::Soon);
}

} // namespace warpline
