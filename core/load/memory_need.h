#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <string>

namespace warpline {

class Trace;

/// What opening a report takes, before it is read.
struct MemoryNeed {
    std::uint64_t bytes = 0; ///< of memory, at its highest; 0: not known
    std::uint64_t rows = 0; ///< of an export; 0: it is a trace, or not known
    TimeRange session; ///< of the rows of its largest table; empty: not known

    /// The beginning of the session that takes no more than `most` bytes.
    TimeRange partWithin(std::uint64_t most) const;
};

/// What is done with a report: it is read alone, or shown in the window with all that is worked out for it.
enum class MemoryUse : std::uint8_t { Reading, Window };

/// What opening the report at `path` takes: measured 45 bytes a row of an export, 110 in the window, a
/// quarter of the text of a trace, half of it in the window. Looks at the ends of tables alone. A file that
/// cannot be read needs nothing: reading says why.
MemoryNeed memoryNeed(const std::string& path, MemoryUse use = MemoryUse::Reading);

/// The bytes of memory that a report may take: those that are free, or what the environment's WARPLINE_MEMORY
/// says, such as "12G"; 0: not known.
std::uint64_t memoryForReports();

/// The beginning of the session of the export at `path` that fits into memory; empty: all of it does, or it
/// is not known. Reads the ends of tables.
TimeRange partThatFits(const std::string& path, MemoryUse use = MemoryUse::Reading);

/// Error: the report at `path` takes more memory than there is; what to do, with a part of it that fits.
Result<void> fitsMemory(const std::string& path, MemoryUse use = MemoryUse::Reading);

/// Whether memory is left for an analysis of `window` of `trace`: measured 75 bytes an event beside what
/// reading took, of which 60 are asked for.
bool mayAnalyze(const Trace& trace, TimeRange window);

} // namespace warpline
