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
    /// Called from a worker thread when more tables are complete, with a trace of all tables read so far. A
    /// large table is also published incomplete, with its first rows (not a sample): sorted and consistent,
    /// but unfit for statistics. Trace::complete is false in all of them.
    std::function<void(std::shared_ptr<const Trace>)> snapshot;
    /// How long after the start a table that is still being read is handed out; then at growing intervals.
    std::chrono::milliseconds firstSnapshot{50};
    /// Each is due when loading has taken this many times as long as at the one before.
    int snapshotGrowth = 3;
    std::stop_token stop;
    unsigned threads = 0; ///< 0: as many as processors()
    /// Reads every table of an export through SQLite, none by its pages: the scale that reading is measured
    /// on.
    bool throughSqlite = false;
    /// The cache of traces of large reports: a cached trace of this report in its current state is read
    /// instead of the report. Empty: no cache. See keepTrace().
    std::string cacheFolder;
};

/// The threads that `options` allow: at least one.
unsigned threadsOf(const LoadOptions& options);

} // namespace warpline
