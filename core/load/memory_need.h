#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <string>

namespace warpline {

class Trace;

/// The memory for opening a report, estimated before reading it.
struct MemoryNeed {
    std::uint64_t bytes = 0; ///< of memory, at its highest; 0: not known
    std::uint64_t rows = 0; ///< of an export; 0: it is a trace, or not known
    TimeRange session; ///< of the rows of its largest table; empty: not known
    Ns firstWork = 0; ///< start of the first kernel; 0: not known

    /// From the first kernel on, what takes at most `most` bytes.
    TimeRange partWithin(std::uint64_t most) const;
};

/// The use of a report: reading only, or showing it in the window with everything that is computed for it.
enum class MemoryUse : std::uint8_t { Reading, Window };

/// Estimates the memory for the report at `path`: measured 45 bytes per row of an export (110 in the window),
/// a quarter of a trace's text (half in the window). Reads only the ends of tables. An unreadable file needs
/// nothing: reading reports the error. So does a stream, which can be read only once: ask for its
/// plainFileOf().
MemoryNeed memoryNeed(const std::string& path, MemoryUse use = MemoryUse::Reading);

/// WARPLINE_MEMORY from the environment, such as "12G", in bytes; 0: it is not set. Error: it is not a size.
Result<std::uint64_t> memoryLimit();

/// The bytes of memory available for reports: memoryLimit(), or else free memory; 0: unknown.
std::uint64_t memoryForReports();

/// The part of the session of the export at `path`, from its first kernel on, that fits into memory; empty:
/// all of it fits, or it is unknown. Reads the ends of tables.
TimeRange partThatFits(const std::string& path, MemoryUse use = MemoryUse::Reading);

/// Error: the report at `path` needs more memory than available; suggests a part that fits.
Result<void> fitsMemory(const std::string& path, MemoryUse use = MemoryUse::Reading);
/// The same where `need` is known already.
Result<void> fitsMemory(const std::string& path, const MemoryNeed& need);

/// Whether there is memory for an analysis of `window` of `trace`: 36 bytes an event in addition to the
/// trace, where 28 to 31 were measured.
bool mayAnalyze(const Trace& trace, TimeRange window);

} // namespace warpline
