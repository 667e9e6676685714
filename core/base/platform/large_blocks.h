#pragma once

#include <cstddef>

namespace warpline::platform {

/// Gives the spare large blocks back to the system, for a program that is idle for a while. Takes some tenths
/// of a second for gigabytes. Thread-safe.
void giveBackSpareMemory();

/// Bytes of spare large blocks; 0 where the C library's allocator is in use.
std::size_t spareMemory();

} // namespace warpline::platform
