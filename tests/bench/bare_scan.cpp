#include "tests/bench/bare_scan.h"

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string_view>

namespace warpline::bench {

namespace {

using Handle = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using StatementHandle = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

// SQLite calls back with no place for a pointer when it opens a connection, so the recording lives here.
std::mutex recordingMutex;
std::vector<std::string>* recording = nullptr;

bool readsRows(std::string_view sql)
{
    if (!sql.starts_with("SELECT"))
        return false;
    for (const std::string_view word : {"count(", "min(", "max(", "sqlite_master"}) {
        if (sql.find(word) != std::string_view::npos)
            return false;
    }
    return true;
}

int onStatement(unsigned, void*, void* statement, void*)
{
    const std::scoped_lock lock(recordingMutex);
    char* const expanded = sqlite3_expanded_sql(static_cast<sqlite3_stmt*>(statement));
    if (expanded && recording && readsRows(expanded))
        recording->emplace_back(expanded);
    sqlite3_free(expanded);
    return 0;
}

int onOpen(sqlite3* handle, const char**, const sqlite3_api_routines*)
{
    return sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, onStatement, nullptr);
}

Handle openReport(const std::string& path)
{
    sqlite3* handle = nullptr;
    const std::string uri = "file:" + std::filesystem::absolute(path).string() + "?mode=ro&immutable=1";
    const int code = sqlite3_open_v2(
        uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    Handle owner(handle, sqlite3_close);
    if (code != SQLITE_OK)
        throw std::runtime_error(path + ": " + sqlite3_errmsg(handle));
    return owner;
}

StatementHandle prepare(sqlite3* handle, const std::string& sql)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        throw std::runtime_error(std::string(sqlite3_errmsg(handle)) + " in " + sql);
    return {statement, sqlite3_finalize};
}

/// How a column is read: by its declaration, for all rows.
enum class Read { Integer, Real, Text };

std::vector<Read> readsOf(sqlite3_stmt* statement)
{
    std::vector<Read> reads;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const char* const declared = sqlite3_column_decltype(statement, i);
        const std::string_view type = declared ? declared : "INTEGER";
        reads.push_back(type == "TEXT" ? Read::Text : type == "REAL" ? Read::Real : Read::Integer);
    }
    return reads;
}

std::uint64_t readCell(sqlite3_stmt* statement, int column, Read read)
{
    switch (read) {
    case Read::Integer:
        break;
    case Read::Real:
        return static_cast<std::uint64_t>(sqlite3_column_double(statement, column) != 0);
    case Read::Text: {
        const auto* const text = static_cast<const char*>(sqlite3_column_blob(statement, column));
        const int bytes = sqlite3_column_bytes(statement, column);
        return text && bytes > 0 ? static_cast<std::uint64_t>(text[0]) + static_cast<std::uint64_t>(bytes)
                                 : 0;
    }
    }
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement, column));
}

} // namespace

std::vector<std::string> recordSelects(const std::function<void()>& work)
{
    std::vector<std::string> selects;
    recording = &selects;
    using Entry = void (*)();
    sqlite3_auto_extension(reinterpret_cast<Entry>(onOpen));
    work();
    sqlite3_cancel_auto_extension(reinterpret_cast<Entry>(onOpen));
    const std::scoped_lock lock(recordingMutex);
    recording = nullptr;
    std::set<std::string> seen; // tables that are read twice count once: the baseline reads each cell once
    std::erase_if(selects, [&](const std::string& sql) { return !seen.insert(sql).second; });
    return selects;
}

ScanResult bareScan(const std::string& path, const std::vector<std::string>& selects)
{
    const Handle report = openReport(path);
    ScanResult result;
    for (const std::string& sql : selects) {
        const StatementHandle statement = prepare(report.get(), sql);
        const std::vector<Read> reads = readsOf(statement.get());
        while (sqlite3_step(statement.get()) == SQLITE_ROW) {
            ++result.rows;
            result.cells += reads.size();
            for (std::size_t i = 0; i < reads.size(); ++i)
                result.sum += readCell(statement.get(), static_cast<int>(i), reads[i]);
        }
    }
    return result;
}

std::uint64_t runSql(const std::string& path, const std::string& sql)
{
    const Handle report = openReport(path);
    const StatementHandle statement = prepare(report.get(), sql);
    std::uint64_t rows = 0;
    while (sqlite3_step(statement.get()) == SQLITE_ROW)
        ++rows;
    return rows;
}

} // namespace warpline::bench
