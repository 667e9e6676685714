#pragma once

#include "core/base/result.h"
#include "core/sqlite/statement.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace warpline::sqlite {

/// A report file that was checked and can be opened any number of times, for parallel connections. Never
/// writes to the file. Respects a -wal or hot -journal file: where reading in place would need writing, the
/// files are copied to a temporary folder, which is removed with the last copy of this object.
class ReportFile {
public:
    /// Checks `path` and selects the way to open it. Errors name the problem and the remedy.
    static Result<ReportFile> open(const std::string& path);

    const std::string& path() const { return m_path; }
    std::uint64_t bytes() const { return m_bytes; }
    /// The URI with which SQLite opens the report read-only.
    const std::string& uri() const { return m_uri; }
    /// True when the file alone is the report: there are no -wal and -journal files, and it is read in place.
    bool isPlain() const { return m_plain; }

private:
    friend class Database;
    class TemporaryCopy;

    std::string m_path; ///< as the user named it
    std::string m_uri; ///< URI for SQLite
    std::uint64_t m_bytes = 0;
    bool m_plain = false;
    std::shared_ptr<TemporaryCopy> m_copy;
};

/// One read-only connection. Not for use by two threads at once.
class Database {
public:
    static Result<Database> open(const ReportFile& file);
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    /// The file as the user named it.
    const std::string& path() const { return m_path; }
    /// The error names the file and SQLite's reason.
    Result<Statement> prepare(std::string_view sql);

    struct ColumnInfo {
        std::string name;
        std::string type;
    };
    /// Names of all tables, in the order of the file.
    Result<std::vector<std::string>> tables();
    Result<std::vector<ColumnInfo>> columns(std::string_view table);
    /// From now on statements fail after `most` steps of SQLite's machine in all, or when `stop` is
    /// requested: a file may ask for work without end.
    void limitSteps(std::uint64_t most, std::stop_token stop);
    /// The connection itself, for GuardedConnection; this object must not be used any more.
    sqlite3* release() { return m_handle.release(); }
    /// A single integer from `sql`; nothing on NULL and where there is no row.
    Result<std::optional<std::int64_t>> integer(std::string_view sql);

private:
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    Database(std::unique_ptr<sqlite3, Closer> handle, std::string path);

    struct Steps;
    std::unique_ptr<Steps> m_steps; ///< null: no limit
    std::unique_ptr<sqlite3, Closer> m_handle;
    std::string m_path;
};

/// The SQLite that this program runs with: "3.40.1".
std::string_view version();

/// `name` as an SQL identifier in double quotes. Not named quoted(), because some compilers prefer the
/// standard library's for std::string.
std::string quotedName(std::string_view name);
/// `text` as it stands between single quotes in SQL.
std::string escaped(std::string_view text);

} // namespace warpline::sqlite
