#pragma once

#include <cstddef>

namespace warpline::platform {

/// Gives what is kept for the next large blocks back to the system: for a program that has nothing more to do
/// for a while. Takes some tenths of a second for gigabytes. Thread-safe.
void giveBackSpareMemory();

/// Bytes that are kept for the next large blocks; 0 where the system's own way is kept.
std::size_t spareMemory();

} // namespace warpline::platform
