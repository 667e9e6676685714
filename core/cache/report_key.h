#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpline {

struct ReportInfo;

/// Distinguishes reports, and the states of a changed report.
struct ReportKey {
    std::string path; ///< absolute, links resolved
    std::uint64_t bytes = 0;
    std::int64_t changed = 0; ///< time of the last change, in the file system's own ticks
    std::uint64_t sample = 0; ///< hash of the first and last 64 KiB (with SQLite's change counter) and of 4
                              ///< KiB at each of 64 places in between
    friend bool operator==(const ReportKey&, const ReportKey&) = default;
};

/// Whether a nonempty -wal or -journal file next to the file at `path` holds a part of it.
bool hasOpenChange(const std::string& path);

/// The key of the report at `path`. Nothing when it cannot be read, or when a nonempty -wal or -journal file
/// holds a part of the report.
std::optional<ReportKey> keyOf(const std::string& path);

/// Error: the file of the report is no longer the one that was read. Call it before reading more of the file,
/// off the GUI thread. A file that cannot be read counts as unchanged: who opens it reports that.
Result<void> unchangedOnDisk(const ReportInfo& info);

} // namespace warpline
