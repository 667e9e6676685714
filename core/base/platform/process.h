#pragma once

#include <cstdint>

namespace warpline::platform {

/// Whether a process with this number runs on this machine; true where the system does not say.
bool isRunning(std::uint32_t process);

/// Bytes of memory that a program can still get: what is free, what the system would give up for it, and
/// swap; less where this process or its container is limited. 0 where the system does not say.
std::uint64_t freeMemory();

} // namespace warpline::platform
