#pragma once

#include "core/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// Kernels that repeatedly follow one another and could be one kernel.
struct KernelChain {
    std::vector<std::string> names; ///< as shown: a template that runs any functor by the functor
    std::uint64_t times = 0; ///< how often the whole chain runs, occurrences that overlap not counted
};

/// The chains in `kernels` (raw() of names in order of execution on a stream; an empty name ends a run),
/// those with most saved launches first, at most `most`. Chains of three to twelve kernels; pairs only where
/// there is no longer one. A loop of kernels appears as one iteration. O(n), plus a table of all triples.
/// Empty when `stop` is requested.
std::vector<KernelChain> repeatedChains(const Trace& trace, std::vector<std::uint32_t> kernels,
    std::size_t most, const std::stop_token& stop = {});

} // namespace warpline
