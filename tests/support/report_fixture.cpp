#include "tests/support/report_fixture.h"

#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace fs = std::filesystem;

namespace warpline::test {

namespace {

using Handle = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

Handle openOracle(const std::string& path)
{
    sqlite3* handle = nullptr;
    const std::string uri = "file:" + path + "?mode=ro&immutable=1";
    sqlite3_open_v2(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    return {handle, sqlite3_close};
}

} // namespace

ReportFixture::ReportFixture()
    : m_path((m_folder.path() + "/report.sqlite").toStdString())
{
}

void ReportFixture::run(const std::string& sql)
{
    sqlite3* handle = nullptr;
    sqlite3_open(m_path.c_str(), &handle);
    const Handle owner(handle, sqlite3_close);
    char* message = nullptr;
    const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message);
    const std::string reason = message ? message : "";
    sqlite3_free(message);
    if (code != SQLITE_OK)
        qFatal("fixture: %s in %s", reason.c_str(), sql.c_str());
}

void ReportFixture::addSmallReport()
{
    // Process 100 (globalPid 100 << 24), thread 101. Two streams; kernel 2 overlaps kernel 1 on the other
    // stream.
    run(R"sql(
        CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
        INSERT INTO StringIds VALUES (1, 'void scale<float>(float*)'), (2, 'scale'), (3, 'cudaLaunchKernel_v7000'),
            (4, 'cudaMemcpyAsync_v3020'), (5, 'main'), (6, 'cudaDeviceSynchronize_v3020'), (7, '_Z5scaleIfEvPT_');
        CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);
        INSERT INTO ThreadNames VALUES (5, 1, 1677721701);
        CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
        INSERT INTO PROCESSES VALUES (1677721600, 100, '/bin/scale');
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
            streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,
            mangledName INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER,
            blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
            (1000, 3000, 0, 1, 7, 11, 1677721600, 1, 2, 7, 32, 64, 1, 1, 256, 1, 1, 0, 1024),
            (2000, 4000, 0, 1, 8, 12, 1677721600, 1, 2, 7, 32, 64, 1, 1, 256, 1, 1, 0, 1024),
            (5000, 5500, 0, 1, 7, 13, 1677721600, 1, 2, 7, 32, 1, 1, 1, 1, 1, 1, 0, 0);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
            streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER,
            srcKind INTEGER, dstKind INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (400, 900, 0, 1, 7, 10, 1677721600, 4096, 1, 0, 2);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER,
            nameId INTEGER, returnValue INTEGER);
        INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 350, 1677721701, 10, 4, 0),
            (500, 700, 1677721701, 11, 3, 0), (800, 950, 1677721701, 12, 3, 0), (1100, 1200, 1677721701, 13, 3, 0),
            (1300, 5600, 1677721701, 14, 6, 0);
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, color INTEGER, text TEXT,
            globalTid INTEGER, textId INTEGER, domainId INTEGER);
        INSERT INTO NVTX_EVENTS VALUES (50, NULL, 75, NULL, 'NCCL', 1677721701, NULL, 1),
            (90, 5700, 59, 4278255360, 'step', 1677721701, NULL, 0), (480, 1250, 59, NULL, NULL, 1677721701, 5, 0),
            (600, NULL, 34, NULL, 'mark', 1677721701, NULL, 1);
    )sql");
}

std::vector<std::string> sharedReports()
{
    return reportsBelow({WARPLINE_SHARED_REPORTS});
}

std::vector<std::string> reportsBelow(const QStringList& folders)
{
    std::vector<std::string> reports;
    for (const QString& folder : folders) {
        std::error_code error;
        for (fs::recursive_directory_iterator at(folder.toStdString(), error), end; at != end;
             at.increment(error)) {
            if (at->path().extension() == ".sqlite")
                reports.push_back(at->path().string());
        }
    }
    std::ranges::sort(reports);
    return reports;
}

std::string sharedReport(const std::string& name)
{
    const fs::path shared = WARPLINE_SHARED_REPORTS;
    const std::string last = fs::path(name).filename().string() + ".sqlite";
    for (const fs::path& path :
        {shared / "h200" / name / last, shared / name / last, shared / (name + ".sqlite")}) {
        if (fs::exists(path))
            return path.string();
    }
    return {};
}

long long sqlInteger(const std::string& path, const std::string& sql)
{
    const Handle handle = openOracle(path);
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        return -1;
    const long long value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
}

std::optional<std::vector<std::vector<std::string>>> sqlRows(const std::string& path, const std::string& sql)
{
    const Handle handle = openOracle(path);
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        return {};
    std::vector<std::vector<std::string>> rows;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        std::vector<std::string>& row = rows.emplace_back();
        for (int column = 0; column < sqlite3_column_count(statement); ++column) {
            const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
            row.emplace_back(text ? text : "NULL");
        }
    }
    sqlite3_finalize(statement);
    return rows;
}

bool sqlHasTable(const std::string& path, const std::string& table)
{
    return sqlInteger(path, "SELECT count(*) FROM sqlite_master WHERE type='table' AND name='" + table + "'")
        == 1;
}

bool sqlHasColumn(const std::string& path, const std::string& table, const std::string& column)
{
    return sqlInteger(
               path, "SELECT count(*) FROM pragma_table_info('" + table + "') WHERE name='" + column + "'")
        == 1;
}

} // namespace warpline::test
