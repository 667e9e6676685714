#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace warpline::bench {

/// How large a report to make of another.
struct TileOptions {
    std::string source; ///< the report to repeat
    std::string target; ///< replaced when it exists
    std::uint64_t kernels = 1'000'000; ///< at least; rows of API calls when the source has no kernels
    std::uint32_t streams = 0; ///< minimum number; repetitions run concurrently on their own streams and
                               ///< threads. 0: as in the source
};

/// Properties of the result.
struct TileResult {
    std::uint64_t tiles = 0;
    std::uint64_t kernels = 0;
    std::uint64_t rows = 0; ///< of all repeated tables
};

/// Repeats a report in time: names, nesting, gaps and the links between calls and GPU work stay realistic,
/// because every repetition is the source shifted by its length, with its own correlation ids.
Result<TileResult> tileReport(const TileOptions& options);

} // namespace warpline::bench
