#pragma once

#include "core/base/result.h"
#include "core/import/schema.h"
#include "core/import/string_table.h"
#include "core/sqlite/database.h"
#include "core/sqlite/paged_file.h"
#include "core/store/trace_builder.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace warpline {

class ImportLog;
class Progress;
class Snapshots;

/// What an importer may touch, and nothing else.
struct ImportJob {
    const sqlite::ReportFile& file; ///< to open more connections, for reading side by side
    std::shared_ptr<const sqlite::PagedFile>
        pages; ///< to read tables without SQLite; null where that must not be
    sqlite::Database& report;
    Schema& schema;
    const StringTable& strings;
    TraceBuilder& trace;
    ImportLog& log;
    Progress& progress;
    Snapshots& snapshots;
    std::stop_token stop;
    unsigned threads; ///< how many connections may read at once
    std::optional<GlobalId> cudaProcess; ///< once it was looked for: see onlyCudaProcess()
};

/// Reads one family of tables into the trace. A report that lacks the tables is a normal report: the importer
/// is skipped. A bad row is logged and dropped or repaired, and the import goes on. Only a database that
/// can't be read is an Error.
struct Importer {
    std::string_view id; ///< "cuda-kernels"
    std::string_view progressText; ///< "Reading GPU kernels"
    std::span<const std::string_view> needs; ///< runs when one of these tables is there; none: always
    /// Further tables that it reads where they are there. With `needs` they are what isKnownTable() knows.
    std::span<const std::string_view> alsoReads{};
    Result<void> (*run)(ImportJob&);

    Message progressMessage() const { return {id, "progress", progressText}; }
};

/// All importers, in the order they run. The list is in importers.cpp and nowhere else.
std::span<const Importer* const> allImporters();

} // namespace warpline
