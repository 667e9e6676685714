// Output of nsys export --type sqlite: runs the importers in sequence over one database.

#include "core/base/stop.h"
#include "core/cache/report_key.h"
#include "core/files/plain_file.h"
#include "core/import/import_log.h"
#include "core/import/importer.h"
#include "core/import/known_tables.h"
#include "core/import/progress.h"
#include "core/import/snapshots.h"
#include "core/load/complete_trace.h"
#include "core/load/report_format.h"

#include <algorithm>

namespace warpline::nsys_sqlite {

namespace {

std::uint64_t rowsToRead(const Schema& schema)
{
    std::uint64_t rows = 0;
    for (const auto& [name, table] : schema.tables()) {
        if (!name.starts_with("ENUM_") && isKnownTable(name))
            rows += table.rows;
    }
    return rows;
}

bool isNeeded(const Importer& importer, const Schema& schema)
{
    return importer.needs.empty()
        || std::ranges::any_of(importer.needs, [&](std::string_view table) { return schema.has(table); });
}

std::vector<SourceTable> listTables(const Schema& schema)
{
    std::vector<SourceTable> tables;
    for (const auto& [name, table] : schema.tables()) {
        if (table.rows > 0)
            tables.push_back({name, table.rows, isKnownTable(name)});
    }
    return tables;
}

/// The entries of ReportInfo::readBySqlite. `wholeFile`: why no table was read from its pages; or empty.
std::vector<std::pair<std::string, std::string>> listReadBySqlite(
    const Schema& schema, const std::string& wholeFile)
{
    if (!wholeFile.empty())
        return {{std::string(), wholeFile}};
    std::vector<std::pair<std::string, std::string>> tables;
    for (const auto& [name, table] : schema.tables()) {
        if (!table.leftToSqlite.empty() && table.rows > 0)
            tables.emplace_back(name, table.leftToSqlite);
    }
    return tables;
}

/// Logs missing tables without which events have no names.
void logMissing(const Schema& schema, ImportLog& log)
{
    if (!schema.has("StringIds"))
        log.add("StringIds", ProblemKind::StringsMissing);
}

/// Runs the importers in sequence; each reads its table on all threads. Publishes a snapshot after each.
Result<void> runImporters(ImportJob& job)
{
    for (const Importer* const importer : allImporters()) {
        if (!isNeeded(*importer, job.schema))
            continue;
        job.progress.setStage(importer->progressMessage());
        if (auto done = importer->run(job); !done.ok())
            return done;
        throwIfStopped(job.stop);
        job.snapshots.publish();
    }
    return {};
}

Result<std::shared_ptr<const Trace>> readReport(const std::string& path, const LoadOptions& options)
{
    const auto key = keyOf(path); // of what is read: the file may be replaced at any time
    auto file = sqlite::ReportFile::open(path);
    if (!file.ok())
        return file.error();
    auto report = sqlite::Database::open(file.value());
    if (!report.ok())
        return report.error();
    auto schema = Schema::probe(report.value(), path);
    if (!schema.ok())
        return schema.error();

    Progress progress(rowsToRead(schema.value()), options.progress);
    progress.setStage({"load.names", "Reading names"});
    const auto pool = std::make_shared<StringPool>();
    std::string whyNotPages;
    if (options.throughSqlite)
        whyNotPages = "reading through SQLite was requested";
    const auto pages = options.throughSqlite ? nullptr : sqlite::PagedFile::open(file.value(), whyNotPages);
    auto strings = StringTable::read(pages, report.value(), schema.value(), *pool);
    if (!strings.ok())
        return strings.error();
    progress.add(strings.value().rows());

    TraceBuilder trace(pool);
    Snapshots snapshots(
        trace, options.snapshot, options.firstSnapshot, options.snapshotGrowth, rowsToRead(schema.value()));
    ImportLog log;
    logMissing(schema.value(), log);
    log.add("StringIds", ProblemKind::RowDefinesAgain, strings.value().redefined());
    ImportJob job{file.value(), pages, report.value(), schema.value(), strings.value(), trace, log, progress,
        snapshots, options.stop, threadsOf(options), {}};
    if (auto done = runImporters(job); !done.ok())
        return done.error();

    // All tables are read.
    schema.value().countRest(report.value());
    trace.edit([&](Trace& made) {
        made.info.fileBytes = file.value().bytes();
        made.info.fileSample = key ? key->sample : 0;
        made.info.tables = listTables(schema.value());
        made.info.readBySqlite = listReadBySqlite(schema.value(), whyNotPages);
        made.info.problems = log.problems();
    });
    progress.setStage({"load.linking", "Linking calls and GPU work"});
    return completeTrace(trace, path, options.stop);
}

} // namespace

extern constinit const ReportFormat nsysSqlite{
    .id = "nsys-sqlite",
    .title = "Nsight Systems export",
    .patterns = "*.sqlite *.sqlite3 *.db *.sqlite.gz *.sqlite.xz *.sqlite.zst",
    .recognizes = isSqliteDatabase,
    .read = readReport,
};

} // namespace warpline::nsys_sqlite
