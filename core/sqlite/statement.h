#pragma once

#include "core/base/result.h"
#include "core/sqlite/row.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace warpline::sqlite {

/// A prepared statement: step() gives one row at a time. Columns count from 0.
class Statement {
public:
    enum class Step : std::uint8_t { Row, Done, Failed };

    Statement(Statement&&) noexcept;
    Statement& operator=(Statement&&) noexcept;
    ~Statement();

    /// A statement of a connection without a file name for errors.
    static Statement owning(sqlite3_stmt* handle);

    /// Binds parameter `index` (from 1).
    void bind(int index, std::int64_t value);
    void bind(int index, std::string_view value);

    /// Moves to the next row. Failed: see error().
    Step step();
    /// Why step() failed: the file and SQLite's reason.
    const Error& error() const { return m_error; }

    int columnCount() const;
    std::string columnName(int column) const;
    bool isNull(int column) const;
    /// 0 for NULL; text and reals are converted as SQLite does.
    std::int64_t integer(int column) const;
    /// `fallback` for NULL. Reads the type only of zeros, because that costs as much as the value.
    std::int64_t integer(int column, std::int64_t fallback) const
    {
        const std::int64_t value = integer(column);
        return value == 0 && isNull(column) ? fallback : value;
    }
    double real(int column) const;
    /// The bytes of a text or blob, NUL and invalid UTF-8 included; valid until the next step().
    std::string_view text(int column) const;
    bool isBlob(int column) const;
    bool isText(int column) const;
    /// Copies the current row into `row`, which has as many columns. Texts stay in SQLite's memory.
    void copyTo(Row& row) const;

private:
    friend class Database;
    struct Finalizer {
        void operator()(sqlite3_stmt* handle) const;
    };
    Statement(std::unique_ptr<sqlite3_stmt, Finalizer> handle, std::string path);

    std::unique_ptr<sqlite3_stmt, Finalizer> m_handle;
    std::string m_path;
    Error m_error;
};

} // namespace warpline::sqlite
