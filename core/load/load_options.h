#pragma once

#include "core/import/progress.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

class Trace;

/// How to load a report: the same for every format.
struct LoadOptions {
    /// Called from worker threads, at most some fifty times a second.
    std::function<void(const LoadProgress&)> progress;
    /// Called from a worker thread whenever more tables are complete; each trace holds all tables read so
    /// far. A large table is also handed out while it is being read, as its first rows (not a sample): sorted
    /// and consistent in themselves, but no figures to count on. Trace::complete is false in all of them.
    std::function<void(std::shared_ptr<const Trace>)> snapshot;
    /// How long after the start a table that is still being read is handed out; then at growing intervals.
    std::chrono::milliseconds firstSnapshot{50};
    /// Each is due when loading has taken this many times as long as at the one before.
    int snapshotGrowth = 3;
    std::stop_token stop;
    unsigned threads = 0; ///< 0: as many as there are processors()
    /// Reads every table of an export through SQLite, none by its pages: the scale that reading is measured
    /// on.
    bool throughSqlite = false;
    /// Where traces of large reports are kept: one that is there, and is of this very report, is read instead
    /// of the report. Empty: none is looked for. See keepTrace().
    std::string cacheFolder;
};

/// The threads that `options` allow: at least one.
unsigned threadsOf(const LoadOptions& options);

} // namespace warpline
