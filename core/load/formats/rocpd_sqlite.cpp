// Output of rocprofv3 and ROCm Systems Profiler: an SQLite database (rocpd).

#include "core/base/saturate.h"
#include "core/files/plain_file.h"
#include "core/import/import_log.h"
#include "core/import/progress.h"
#include "core/load/complete_trace.h"
#include "core/load/report_format.h"
#include "core/rocprof/rocpd_import.h"

namespace warpline::rocpd_sqlite {

namespace {

constexpr std::string_view eventTables[] = {"rocpd_api", "rocpd_op", "rocpd_kernel_dispatch",
    "rocpd_memory_copy", "rocpd_region", "rocpd_sample", "rocpd_memory_allocate"};

std::uint64_t rowsToRead(sqlite::Database& report)
{
    std::uint64_t rows = 0;
    const auto tables = report.tables();
    for (const std::string& table : tables.ok() ? tables.value() : std::vector<std::string>()) {
        for (const std::string_view events : eventTables) {
            if (!table.starts_with(events))
                continue;
            const auto last = report.integer("SELECT max(rowid) FROM " + sqlite::quotedName(table));
            rows += last.ok() ? naturalOf(last.value().value_or(0)) : 0;
        }
    }
    return rows;
}

Result<std::shared_ptr<const Trace>> readRocpdReport(const std::string& path, const LoadOptions& options)
{
    auto file = sqlite::ReportFile::open(path);
    if (!file.ok())
        return file.error();
    auto report = sqlite::Database::open(file.value());
    if (!report.ok())
        return report.error();
    // Each row takes a few hundred steps where it is joined, found by its key and sorted.
    constexpr std::uint64_t leastSteps = 20'000'000;
    constexpr std::uint64_t stepsPerByte = 100;
    report.value().limitSteps(leastSteps + stepsPerByte * file.value().bytes(), options.stop);
    Progress progress(rowsToRead(report.value()), options.progress);
    progress.setStage({"load.events", "Reading events"});
    const auto pool = std::make_shared<StringPool>();
    RocmEvents events(*pool);
    auto read
        = readRocpd({report.value(), events, [&](std::uint64_t rows) { progress.add(rows); }, options.stop});
    if (!read.ok())
        return read.error();
    TraceBuilder trace(pool);
    ImportLog log;
    events.fill(trace, log);
    trace.edit([&](Trace& made) {
        made.info.fileBytes = file.value().bytes();
        made.info.schemaVersion = rocpdVersion(report.value());
        made.info.problems = log.problems();
    });
    progress.setStage({"load.linking", "Linking calls and GPU work"});
    return completeTrace(trace, path, options.stop);
}

bool holdsRocpd(const std::string& path)
{
    const auto file = sqlite::ReportFile::open(path);
    if (!file.ok())
        return false;
    auto report = sqlite::Database::open(file.value());
    if (!report.ok())
        return false;
    const auto tables = report.value().tables();
    return tables.ok() && isRocpd(tables.value());
}

} // namespace

extern constinit const ReportFormat rocpdSqlite{
    .id = "rocpd-sqlite",
    .title = "rocprofv3 database",
    .patterns = "*.db *.rpd *.rocpd *.db.gz *.db.xz *.db.zst",
    .recognizes = isSqliteDatabase,
    .read = readRocpdReport,
    .holds = holdsRocpd,
};

} // namespace warpline::rocpd_sqlite
