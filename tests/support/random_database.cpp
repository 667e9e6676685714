#include "tests/support/random_database.h"
#include "core/render/render.h"

#include "core/sqlite/database.h"
#include "core/sqlite/page_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace warpline::test {

namespace {

using Handle = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

std::uint64_t below(Random& random, std::uint64_t limit)
{
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random);
}

bool oneIn(Random& random, std::uint64_t count)
{
    return below(random, count) == 0;
}

/// Statements may fail: not every random one is valid.
void run(const Handle& database, const std::string& sql)
{
    sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr);
}

std::string randomColumn(Random& random, std::size_t index)
{
    static constexpr std::array<std::string_view, 14> types{"INTEGER", "INTEGER NOT NULL DEFAULT 7", "REAL",
        "TEXT", "BLOB", "", "NUMERIC", "VARCHAR(20)", "DOUBLE", "FLOAT", "BIGINT", "CHARINT", "BOOLEAN",
        "FLOATING POINT"};
    if (oneIn(random, 60))
        return fmt::format("c{} AS (c0)", index);
    return fmt::format("c{} {}", index, types[below(random, types.size())]);
}

/// A table's definition; columns c0, c1, ...
std::string randomTable(Random& random, const std::string& name, std::size_t columns)
{
    static constexpr std::array<std::string_view, 8> keys{"INTEGER PRIMARY KEY",
        "INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER PRIMARY KEY DESC", "INT PRIMARY KEY",
        "TEXT PRIMARY KEY", "INTEGER", "integer primary key", "REAL"};
    std::string sql = fmt::format("CREATE TABLE {} (c0 {}", name, keys[below(random, keys.size())]);
    for (std::size_t i = 1; i < columns; ++i)
        sql += ", " + randomColumn(random, i);
    return sql + (oneIn(random, 25) ? ") WITHOUT ROWID" : ")");
}

std::int64_t randomInteger(Random& random)
{
    const std::uint64_t bits = below(random, 65);
    const std::uint64_t value = bits == 0 ? 0 : random() >> (64 - bits);
    return static_cast<std::int64_t>(oneIn(random, 4) ? ~value + 1 : value);
}

std::string randomBytes(Random& random, std::size_t pageBytes)
{
    std::size_t size = below(random, 30);
    if (oneIn(random, 12))
        size = below(random, pageBytes * 2);
    if (oneIn(random, 200))
        size = below(random, pageBytes * 20);
    static constexpr std::array<std::string_view, 9> numbers{
        "12", "-7.5", " 3e2x", "+5", "9223372036854775808", "-.5e-3", "0x10", "inf", "1e999"};
    if (oneIn(random, 10))
        return std::string(numbers[below(random, numbers.size())]);
    std::string text(size, ' ');
    for (char& c : text)
        c = static_cast<char>(oneIn(random, 30) ? below(random, 256) : 'a' + below(random, 26));
    return text;
}

double randomReal(Random& random)
{
    switch (below(random, 5)) {
    case 0:
        return static_cast<double>(randomInteger(random));
    case 1:
        return std::numeric_limits<double>::infinity();
    case 2:
        return std::numeric_limits<double>::quiet_NaN();
    case 3:
        return std::ldexp(1.0, static_cast<int>(below(random, 2000)) - 1000);
    default:
        return static_cast<double>(randomInteger(random)) / 1e5;
    }
}

void bindRandom(sqlite3_stmt* insert, int index, Random& random, std::size_t pageBytes)
{
    switch (below(random, 6)) {
    case 0:
        sqlite3_bind_null(insert, index);
        break;
    case 1:
        sqlite3_bind_double(insert, index, randomReal(random));
        break;
    case 2:
    case 3: {
        const std::string bytes = randomBytes(random, pageBytes);
        const auto size = static_cast<int>(bytes.size());
        if (oneIn(random, 3))
            sqlite3_bind_blob(insert, index, bytes.data(), size, SQLITE_TRANSIENT);
        else
            sqlite3_bind_text(insert, index, bytes.data(), size, SQLITE_TRANSIENT);
        break;
    }
    default:
        sqlite3_bind_int64(insert, index, randomInteger(random));
        break;
    }
}

void insertRows(const Handle& database, const std::string& table, std::size_t columns, Random& random,
    std::size_t pageBytes)
{
    std::string sql = "INSERT OR IGNORE INTO " + table + " (rowid";
    std::string places = "?";
    for (std::size_t i = 1; i < columns; ++i) {
        sql += fmt::format(", c{}", i);
        places += ",?";
    }
    sql += ") VALUES (" + places + ")";
    sqlite3_stmt* prepared = nullptr;
    sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> insert(prepared, sqlite3_finalize);
    if (!insert)
        return;
    const std::uint64_t rows = oneIn(random, 6) ? below(random, 3000) : below(random, 120);
    for (std::uint64_t i = 0; i < rows; ++i) {
        if (oneIn(random, 10))
            sqlite3_bind_int64(prepared, 1, randomInteger(random));
        else
            sqlite3_bind_null(prepared, 1);
        for (std::size_t c = 1; c < columns; ++c)
            bindRandom(prepared, static_cast<int>(c) + 1, random, pageBytes);
        sqlite3_step(prepared);
        sqlite3_reset(prepared);
    }
}

void changeTable(const Handle& database, const std::string& table, std::size_t& columns, Random& random)
{
    if (oneIn(random, 4))
        run(database, fmt::format("DELETE FROM {} WHERE rowid % {} = 0", table, 2 + below(random, 5)));
    if (oneIn(random, 4))
        run(database, fmt::format("ALTER TABLE {} ADD COLUMN {}", table, randomColumn(random, columns++)));
    if (oneIn(random, 15))
        run(database, fmt::format("ALTER TABLE {} DROP COLUMN c{}", table, below(random, columns)));
}

std::string valueText(const sqlite::Row& row, int column)
{
    const std::string_view text = row.text(column).substr(0, 40);
    return fmt::format("{}{}{} {} '{}'", row.isNull(column) ? "null " : "", row.isText(column) ? "text " : "",
        row.isBlob(column) ? "blob" : "", row.integer(column), text);
}

/// SQLite 3.40 reads the last digit of some texts wrongly.
bool isSameReal(double a, double b, bool isText)
{
    constexpr double lastDigits = 4e-15;
    return a == b || (isText && std::abs(a - b) <= std::abs(b) * lastDigits);
}

bool isSame(const sqlite::Row& a, const sqlite::Statement& b, int column)
{
    return a.isNull(column) == b.isNull(column) && a.isText(column) == b.isText(column)
        && a.isBlob(column) == b.isBlob(column) && a.integer(column) == b.integer(column)
        && isSameReal(a.real(column), b.real(column), a.isText(column) || a.isBlob(column))
        && a.text(column) == b.text(column);
}

void compareTable(const std::string& table, std::shared_ptr<const sqlite::PagedFile> paged,
    sqlite::Database& report, Comparison& result)
{
    auto declared = report.columns(table);
    if (!declared.ok() || declared.value().empty())
        return;
    std::vector<std::string_view> columns;
    std::string list;
    for (const auto& column : declared.value()) {
        columns.push_back(column.name);
        list += ", " + sqlite::quotedName(column.name);
    }
    std::string whyNot;
    const auto pages = sqlite::PageTable::open(std::move(paged), report, table, columns, whyNot);
    if (!pages) {
        ++result.declined;
        return;
    }
    auto query
        = report.prepare("SELECT rowid" + list + " FROM " + sqlite::quotedName(table) + " NOT INDEXED");
    if (!query.ok())
        return;
    sqlite::Statement& theirs = query.value();
    sqlite::PageRows ours(
        *pages, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    while (true) {
        const auto step = ours.next();
        if (step == sqlite::PageRows::Step::Declined) {
            ++result.declined;
            return;
        }
        const bool here = step == sqlite::PageRows::Step::Row;
        const auto there = theirs.step();
        if (there == sqlite::Statement::Step::Failed || here != (there == sqlite::Statement::Step::Row)) {
            result.difference = fmt::format("{} after row {}: page reader {}, SQLite {}", table,
                ours.lastRow().value_or(0), here ? "has a row" : "ends",
                there == sqlite::Statement::Step::Failed ? plain(theirs.error().message)
                                                         : std::string(here ? "ends" : "has a row"));
            return;
        }
        if (!here)
            break;
        ++result.rows;
        for (int column = 0; column < static_cast<int>(columns.size()) + 1; ++column) {
            if (!isSame(ours.row(), theirs, column)) {
                result.difference
                    = fmt::format("{} row {} column {}: {}, SQLite {} {} '{}'", table, ours.row().integer(0),
                        column, valueText(ours.row(), column), theirs.isNull(column) ? "null" : "",
                        theirs.integer(column), theirs.text(column).substr(0, 40));
                return;
            }
        }
    }
    ++result.tables;
}

} // namespace

void writeRandomDatabase(const std::string& path, Random& random)
{
    fs::remove(path);
    sqlite3* opened = nullptr;
    sqlite3_open(path.c_str(), &opened);
    const Handle database(opened, sqlite3_close);
    const std::size_t pageBytes = std::size_t{512} << below(random, 8);
    run(database, fmt::format("PRAGMA page_size={}; PRAGMA synchronous=OFF;", pageBytes));
    if (oneIn(random, 30))
        run(database, "PRAGMA encoding='UTF-16'");
    if (oneIn(random, 30))
        run(database, "PRAGMA auto_vacuum=FULL");
    if (oneIn(random, 30))
        run(database, "PRAGMA legacy_file_format=ON");
    const std::size_t tables = 1 + below(random, 3);
    for (std::size_t i = 0; i < tables; ++i) {
        const std::string table = fmt::format("t{}", i);
        std::size_t columns = 1 + below(random, oneIn(random, 10) ? 200 : 12);
        run(database, randomTable(random, table, columns));
        run(database, "BEGIN");
        insertRows(database, table, columns, random, pageBytes);
        run(database, "COMMIT");
        changeTable(database, table, columns, random);
        insertRows(database, table, std::min<std::size_t>(columns, 5), random, pageBytes);
    }
    if (oneIn(random, 10))
        run(database, "CREATE INDEX i0 ON t0 (c0)");
    if (oneIn(random, 10))
        run(database, "CREATE VIEW v0 AS SELECT * FROM t0");
    if (oneIn(random, 4))
        run(database, "VACUUM");
    if (oneIn(random, 20))
        run(database, "PRAGMA journal_mode=WAL; CREATE TABLE late (a); PRAGMA wal_checkpoint(TRUNCATE);");
}

void mutateFile(const std::string& path, Random& random)
{
    const std::uint64_t bytes = fs::file_size(path);
    if (bytes == 0)
        return;
    if (oneIn(random, 20)) {
        fs::resize_file(path, below(random, bytes));
        return;
    }
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    std::array<unsigned char, 2> size{};
    file.seekg(16);
    file.read(reinterpret_cast<char*>(size.data()), size.size());
    const std::uint64_t pageBytes = std::max<std::uint64_t>(512, size[0] * 256U + size[1]);
    const std::uint64_t pages = std::max<std::uint64_t>(1, bytes / pageBytes);
    const std::uint64_t changes = 1 + below(random, 8);
    for (std::uint64_t i = 0; i < changes; ++i) {
        std::uint64_t place = below(random, bytes);
        if (!oneIn(random, 3)) // the head of a page: kind, counts, pointers
            place = std::min(bytes - 1, below(random, pages) * pageBytes + below(random, 40));
        else if (oneIn(random, 2)) // the end of a page: its first cells
            place = std::min(bytes - 1, (below(random, pages) + 1) * pageBytes - 1 - below(random, 60));
        file.seekp(static_cast<std::streamoff>(place));
        file.put(static_cast<char>(below(random, 256)));
    }
}

Comparison comparePagesWithSqlite(const std::string& path)
{
    Comparison result;
    const auto file = sqlite::ReportFile::open(path);
    if (!file.ok())
        return result;
    auto report = sqlite::Database::open(file.value());
    if (!report.ok())
        return result;
    std::string whyNot;
    auto paged = sqlite::PagedFile::open(file.value(), whyNot);
    const auto tables = report.value().tables();
    if (!tables.ok())
        return result;
    for (const std::string& table : tables.value()) {
        if (!paged)
            ++result.declined;
        else if (result.difference.empty())
            compareTable(table, paged, report.value(), result);
    }
    return result;
}

} // namespace warpline::test
