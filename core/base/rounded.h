#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>

namespace warpline {

// Values as sentences show them: three significant digits, without trailing zeros. Tables and JSON have more
// digits, see format.h.

/// "812 ns", "1.23 ms", "163 ms", "2.5 s", "10 µs".
std::string roundedDuration(Ns duration);
/// "67.1 MB", "512 B": powers of 1000.
std::string roundedBytes(std::uint64_t bytes);
/// "12.3%", "100%", "<0.1%".
std::string roundedShare(double share);
/// "12.3 GB/s".
std::string roundedThroughput(double bytesPerSecond);

} // namespace warpline
