#pragma once

#include <cstdint>

namespace warpline::platform {

/// Whether a process with this id runs on this machine; true where the system does not provide it.
bool isRunning(std::uint32_t process);

/// Bytes of memory that a program can still allocate: free, reclaimable and swap, limited by those of the
/// process or container. 0 where the system does not provide it.
std::uint64_t freeMemory();

} // namespace warpline::platform
