#pragma once

#include "core/base/message.h"

namespace warpline {

class Trace;

/// "14,542 launches were called, but no kernel is in the report: nsys lost what the GPU did. ...", with what
/// nsys itself says of it, where calls launch work and the report holds none. Empty: nothing of the kind.
/// O(calls).
Message lostGpuWork(const Trace& trace);

/// What to say where a report holds no GPU work.
struct NoGpuWork {
    Message what; ///< whole sentences; empty: the report holds GPU work
    Message causes; ///< what usually is the reason, and what to type, with a small letter; empty: nothing
};
NoGpuWork explainNoGpuWork(const Trace& trace);

/// Both in one, where a report holds no GPU work at all: why that may be, and what to type. Empty where it
/// does.
Message noGpuWork(const Trace& trace);

} // namespace warpline
