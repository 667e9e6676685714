#include "core/sqlite/statement.h"

#include <sqlite3.h>

namespace warpline::sqlite {

void Statement::Finalizer::operator()(sqlite3_stmt* handle) const
{
    sqlite3_finalize(handle);
}

Statement::Statement(std::unique_ptr<sqlite3_stmt, Finalizer> handle, std::string path)
    : m_handle(std::move(handle)),
      m_path(std::move(path))
{
}

Statement Statement::owning(sqlite3_stmt* handle)
{
    return Statement(std::unique_ptr<sqlite3_stmt, Finalizer>(handle), {});
}

Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;

void Statement::bind(int index, std::int64_t value)
{
    sqlite3_bind_int64(m_handle.get(), index, value);
}

void Statement::bind(int index, std::string_view value)
{
    sqlite3_bind_text(m_handle.get(), index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
}

Statement::Step Statement::step()
{
    const int code = sqlite3_step(m_handle.get());
    if (code == SQLITE_ROW)
        return Step::Row;
    if (code == SQLITE_DONE)
        return Step::Done;
    const char* const reason = sqlite3_errmsg(sqlite3_db_handle(m_handle.get()));
    m_error = {"file.refused", "{path}: {reason}.", {{"path", Name{m_path}}, {"reason", Name{reason}}}};
    if (code == SQLITE_INTERRUPT)
        m_error = {"file.endless", "{path} asks for more work than a recording of its size needs.",
            {{"path", Name{m_path}}}};
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        m_error.message += Message("file.copy_damaged",
            "The file is damaged: copy it again, or export the report again with nsys export --type sqlite.");
    return Step::Failed;
}

int Statement::columnCount() const
{
    return sqlite3_column_count(m_handle.get());
}

std::string Statement::columnName(int column) const
{
    const char* const name = sqlite3_column_name(m_handle.get(), column);
    return name ? name : "";
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_handle.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_handle.get(), column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_handle.get(), column);
}

std::string_view Statement::text(int column) const
{
    // Bytes, not a C string: real exports hold NUL and protobuf bytes in text cells.
    const void* const data = sqlite3_column_blob(m_handle.get(), column);
    if (!data)
        return {};
    return {static_cast<const char*>(data),
        static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column))};
}

bool Statement::isBlob(int column) const
{
    return sqlite3_column_type(m_handle.get(), column) == SQLITE_BLOB;
}

bool Statement::isText(int column) const
{
    return sqlite3_column_type(m_handle.get(), column) == SQLITE_TEXT;
}

void Statement::copyTo(Row& row) const
{
    for (std::size_t i = 0; i < row.columnCount(); ++i) {
        const int column = static_cast<int>(i);
        Row::Cell& cell = row.cellAt(i);
        switch (sqlite3_column_type(m_handle.get(), column)) {
        case SQLITE_INTEGER:
            cell = {integer(column), nullptr, 0, Row::Kind::Integer};
            break;
        case SQLITE_FLOAT:
            cell = {std::bit_cast<std::int64_t>(real(column)), nullptr, 0, Row::Kind::Real};
            break;
        case SQLITE_NULL:
            cell = {};
            break;
        default: {
            const bool isTextCell = isText(column);
            const std::string_view bytes = text(column);
            cell = {0, bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                isTextCell ? Row::Kind::Text : Row::Kind::Blob};
        }
        }
    }
}

} // namespace warpline::sqlite
