#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// What part of a report to write.
struct CutOptions {
    TimeRange window; ///< events that touch it stay, each as a whole
    bool redact
        = false; ///< blank the environment, command lines, output of programs, names of hosts and users
    /// The session and GPU work of the report, which a part remembers; an empty session: those that its
    /// tables say.
    TimeRange session{};
    TimeRange gpuWork{};
    TimeRange kept{}; ///< what the part remembers of `window`; empty: all of it
    bool isWhole = false; ///< `window` is the session: no part
    /// Called on the thread that cuts, before each table: how many of how many are done.
    std::function<void(std::size_t done, std::size_t all)> progress{};
};

/// What a redacted report lacks, and what is left to check by hand. Of others nothing.
struct RedactedFacts {
    std::size_t changed = 0; ///< texts in which something was replaced, besides those that were blanked
    std::size_t names = 0; ///< different texts that stay: names of kernels, modules, threads, NVTX ranges
    std::vector<std::string> leftOut; ///< tables that Warpline does not know
};

/// Writes a part of the export at `from`, by `options`, to a new export at `to`: the same tables with fewer
/// rows, which Warpline and `nsys stats` open. Tables without events stay whole; strings and call stacks that
/// are no longer referenced are removed. A redacted report has only tables that Warpline knows. Removes the
/// file at `to` on failure. Errors: `from` is not a readable export; `to` exists or cannot be written.
Result<RedactedFacts> cutReport(const std::string& from, const std::string& to, const CutOptions& options,
    const std::stop_token& stop = {});

} // namespace warpline
