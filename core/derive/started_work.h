#pragma once

#include <cstdint>
#include <stop_token>

namespace warpline {

class Trace;

/// The work that the calls of a report start, as far as they return no error.
struct StartedWork {
    std::uint64_t launches = 0; ///< of kernels and graphs
    std::uint64_t graphs = 0; ///< those of graphs
    std::uint64_t copies = 0;
    bool mayHaveGraphs = false; ///< some work in the report is of a graph, or its call is not known
};

/// O(calls + GPU work). Throws Stopped when `stop` is requested.
StartedWork startedWork(const Trace& trace, const std::stop_token& stop);

} // namespace warpline
