#pragma once

#include "core/base/result.h"
#include "core/import/progress.h"
#include "core/store/trace.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

struct LoadOptions {
    /// Called from worker threads, at most some fifty times a second.
    std::function<void(const LoadProgress&)> progress;
    /// Called from a worker thread whenever more tables are complete; each trace holds all tables read so
    /// far. A large table is also handed out while it is being read, as its first rows (not a sample): sorted
    /// and consistent in themselves, but no figures to count on. Trace::complete is false in all of them.
    std::function<void(std::shared_ptr<const Trace>)> snapshot;
    /// How long after the start a table that is still being read is handed out; then at growing intervals.
    std::chrono::milliseconds firstSnapshot{100};
    /// Each is due when loading has taken this many times as long as at the one before.
    int snapshotGrowth = 3;
    std::stop_token stop;
    unsigned threads = 0; ///< 0: as many as the machine has
    /// Where traces of large reports are kept: one that is there, and is of this very report, is read instead
    /// of the report. Empty: none is looked for. See keepTrace().
    std::string cacheFolder;
};

/// Opens the report at `path` read-only and reads all of it. Errors name the file, what is wrong and what to
/// do: not there, not a database, another program's database, locked, truncated, cancelled. Bad rows are not
/// errors: they are skipped or repaired and counted in ReportInfo::problems.
Result<std::shared_ptr<const Trace>> loadReport(const std::string& path, const LoadOptions& options = {});

} // namespace warpline
