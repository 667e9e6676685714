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

/// All inputs of an importer.
struct ImportJob {
    const sqlite::ReportFile& file; ///< to open more connections for parallel reading
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
    std::optional<GlobalId> cudaProcess; ///< once it was looked for: see ownerOfDeviceRows()
};

/// Reads one family of tables into the trace. Missing tables are normal: the importer is skipped. A bad row
/// is logged and dropped or repaired. Only an unreadable database is an Error.
struct Importer {
    std::string_view id; ///< "cuda-kernels"
    std::string_view progressText; ///< "Reading GPU kernels"
    std::span<const std::string_view> needs; ///< runs when one of these tables exists; empty: always
    /// Further tables that it reads when they exist. With `needs` they are the tables of isKnownTable().
    std::span<const std::string_view> alsoReads{};
    Result<void> (*run)(ImportJob&);

    Message progressMessage() const { return {id, "progress", progressText}; }
};

/// All importers, in the order they run. The list is in importers.cpp and nowhere else.
std::span<const Importer* const> allImporters();

} // namespace warpline
