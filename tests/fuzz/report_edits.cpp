#include "tests/fuzz/report_edits.h"

#include <fmt/format.h>

#include <sqlite3.h>

#include <array>
#include <cstdlib>
#include <memory>

namespace warpline {

namespace {

namespace fs = std::filesystem;

using Connection = std::unique_ptr<sqlite3, decltype([](sqlite3* each) { sqlite3_close(each); })>;

Connection open(const fs::path& path)
{
    sqlite3* opened = nullptr;
    if (sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK)
        std::abort();
    return Connection(opened);
}

std::vector<std::string> firstColumn(sqlite3* connection, const std::string& sql)
{
    std::vector<std::string> values;
    const auto keep = [](void* into, int, char** texts, char**) {
        static_cast<std::vector<std::string>*>(into)->emplace_back(texts[0] ? texts[0] : "");
        return 0;
    };
    sqlite3_exec(connection, sql.c_str(), keep, &values, nullptr);
    return values;
}

constexpr std::array values{"NULL", "9223372036854775807", "-9223372036854775807 - 1", "-1", "0", "1",
    "4294967296", "2147483648", "9007199254740993", "36028797018963967", "1e308", "9e999", "0.5", "'NaN'",
    "''", "'x'", "X'00FF'", "CAST(X'FFFE41' AS TEXT)", "'a' || char(0) || 'b'", "zeroblob(70000)",
    "'{{\"a\": ['", "random()", "rowid", "-rowid", "abs(random() % 20)", "(SELECT max(start) FROM {0})",
    "(SELECT min(start) FROM {0})"};

constexpr std::array rows{
    "1", "rowid = 1", "rowid % 2", "rowid % 3 = 0", "rowid % 10 = 0", "rowid > 50", "rowid < 5"};

/// {0}: the table, {1} and {2}: columns of it, {3}: a value, {4}: rows.
constexpr std::array statements{"UPDATE OR IGNORE {0} SET {1} = {3} WHERE {4}",
    "UPDATE OR IGNORE {0} SET {1} = {3} WHERE {4}", "UPDATE OR IGNORE {0} SET {1} = {1} + {3} WHERE {4}",
    "UPDATE OR IGNORE {0} SET {1} = {2}, {2} = {1} WHERE {4}",
    "UPDATE OR IGNORE {0} SET end = start WHERE {4}",
    "UPDATE OR IGNORE {0} SET start = end, end = start WHERE {4}",
    "UPDATE OR IGNORE {0} SET end = NULL WHERE {4}",
    "UPDATE OR IGNORE {0} SET start = start / 1000, end = end / 1000 WHERE {4}",
    "UPDATE OR IGNORE {0} SET end = end + 1000000000000 WHERE {4}", "DELETE FROM {0} WHERE {4}",
    "INSERT OR IGNORE INTO {0} SELECT * FROM {0} WHERE {4} LIMIT 2000", "DROP TABLE {0}",
    "ALTER TABLE {0} DROP COLUMN {1}", "ALTER TABLE {0} RENAME COLUMN {1} TO x",
    "ALTER TABLE {0} ADD COLUMN {1}2 DEFAULT 7",
    "ALTER TABLE {0} RENAME TO old; CREATE VIEW {0} AS SELECT * FROM old UNION ALL SELECT * FROM old"};

template <typename Texts> const auto& some(const Texts& texts, std::minstd_rand& random)
{
    return texts[random() % texts.size()];
}

} // namespace

ReportEdits::ReportEdits()
{
    for (const fs::directory_entry& entry :
        fs::directory_iterator(fs::path(WARPLINE_TEST_DATA) / "reports")) {
        const Connection report = open(entry.path());
        std::vector<Table>& tables = m_reports[entry.path().filename().string()];
        for (const std::string& table :
            firstColumn(report.get(), "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")) {
            if (!firstColumn(report.get(), fmt::format("SELECT 1 FROM {} LIMIT 1", table)).empty())
                tables.push_back({table,
                    firstColumn(
                        report.get(), fmt::format("SELECT name FROM pragma_table_info('{}')", table))});
        }
    }
}

std::string ReportEdits::someEdit(const std::string& report, std::minstd_rand& random) const
{
    auto chosen = m_reports.find(report);
    if (chosen == m_reports.end())
        chosen = std::next(m_reports.begin(), static_cast<std::ptrdiff_t>(random() % m_reports.size()));
    const auto& [name, tables] = *chosen;
    const Table& table = some(tables, random);
    const std::string value = fmt::format(fmt::runtime(some(values, random)), table.name);
    return fmt::format("edit {} ", name)
        + fmt::format(fmt::runtime(some(statements, random)), table.name, some(table.columns, random),
            some(table.columns, random), value, some(rows, random));
}

std::string ReportEdits::reportOf(std::string_view line) const
{
    line.remove_prefix(std::string_view("edit ").size());
    const std::string report(line.substr(0, line.find(' ')));
    return m_reports.contains(report) ? report : std::string();
}

void ReportEdits::apply(std::string_view line, const fs::path& folder) const
{
    const std::string report = reportOf(line);
    if (report.empty())
        return;
    if (!fs::exists(folder / report))
        fs::copy_file(fs::path(WARPLINE_TEST_DATA) / "reports" / report, folder / report);
    const Connection connection = open(folder / report);
    sqlite3_limit(connection.get(), SQLITE_LIMIT_ATTACHED, 0); // it writes no other file
    constexpr int longest = 3'000'000; // instructions
    sqlite3_progress_handler(
        connection.get(), longest, [](void*) { return 1; }, nullptr);
    sqlite3_exec(connection.get(),
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA max_page_count = 2000", nullptr, nullptr,
        nullptr);
    const std::string statement(line.substr(line.find(report) + report.size()));
    sqlite3_exec(connection.get(), statement.c_str(), nullptr, nullptr, nullptr);
}

} // namespace warpline
