#include "core/sqlite/table_copier.h"

#include "core/base/platform/platform.h"
#include "core/sqlite/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace warpline::sqlite {

namespace {

void callFunction(sqlite3_context* context, int, sqlite3_value** values)
{
    const auto& function
        = *static_cast<std::function<std::string(std::string_view)>*>(sqlite3_user_data(context));
    const auto* const bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
    const std::string result = function(bytes ? std::string_view(bytes, size) : std::string_view());
    sqlite3_result_text(context, result.data(), static_cast<int>(result.size()), SQLITE_TRANSIENT);
}

constexpr int copierStepsBetweenLooks = 10'000;

int lookAtStop(void* stop)
{
    return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

/// Authorizer for declarations of foreign files: allows only creating tables and indexes, and no queries.
int allowDeclarations(void*, int action, const char*, const char*, const char*, const char*)
{
    switch (action) {
    case SQLITE_CREATE_VTABLE:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_PRAGMA:
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_DENY;
    default:
        return SQLITE_OK;
    }
}

/// `code`: SQLite's, which may also be about what was to be written, as a damaged report.
Error notWritten(const std::string& path, const char* reason, int code)
{
    switch (code) {
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
        return {"file.not_written", "{path} could not be written: {reason}. Choose another folder.",
            {{"path", Name{path}}, {"reason", Name{reason}}}};
    case SQLITE_FULL:
        return {"file.not_written_full",
            "{path} could not be written: {reason}. Free disk space, or choose another folder.",
            {{"path", Name{path}}, {"reason", Name{reason}}}};
    default:
        return {"file.not_written_why", "{path} could not be written: {reason}.",
            {{"path", Name{path}}, {"reason", Name{reason}}}};
    }
}

} // namespace

void TableCopier::Closer::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

TableCopier::TableCopier(std::unique_ptr<sqlite3, Closer> handle, std::string path, std::stop_token stop)
    : m_stop(std::make_unique<const std::stop_token>(std::move(stop))),
      m_handle(std::move(handle)),
      m_path(std::move(path))
{
}

TableCopier::TableCopier(TableCopier&&) noexcept = default;
TableCopier& TableCopier::operator=(TableCopier&&) noexcept = default;
TableCopier::~TableCopier() = default;

Error TableCopier::failure() const
{
    return notWritten(m_path, sqlite3_errmsg(m_handle.get()), sqlite3_errcode(m_handle.get()));
}

Result<TableCopier> TableCopier::create(
    const ReportFile& report, const std::string& path, const std::stop_token& stop)
{
    std::error_code ignored;
    if (std::filesystem::exists(platform::pathOf(path), ignored))
        return Error{"file.exists", "{path} exists. Name a new file.", {{"path", Name{path}}}};
    // SQLite does not say why a file cannot be made.
    const int made = platform::createFile(platform::pathOf(path));
    if (made == platform::noFile || !platform::closeFile(made))
        return notWritten(path, std::strerror(errno), SQLITE_CANTOPEN);
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    TableCopier copier(std::unique_ptr<sqlite3, Closer>(opened), path, stop);
    if (code != SQLITE_OK)
        return copier.failure();
    sqlite3_progress_handler(
        opened, copierStepsBetweenLooks, lookAtStop, const_cast<std::stop_token*>(copier.m_stop.get()));
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // A new file that is thrown away when its making fails needs no journal. CHECK constraints are a
    // stranger's expressions: a function in one can run for hours, which no stop interrupts.
    for (const std::string& sql : {std::string("PRAGMA journal_mode = MEMORY"),
             std::string("PRAGMA synchronous = OFF"), std::string("PRAGMA ignore_check_constraints = 1"),
             "ATTACH '" + escaped(report.uri()) + "' AS report", std::string("BEGIN")}) {
        if (auto done = copier.run(sql); !done.ok())
            return done.error();
    }
    return copier;
}

Result<void> TableCopier::run(const std::string& sql)
{
    if (sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return failure();
    return {};
}

void TableCopier::addFunction(const std::string& name, Function function)
{
    m_functions.push_back(std::make_unique<Function>(std::move(function)));
    sqlite3_create_function(m_handle.get(), name.c_str(), 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
        m_functions.back().get(), callFunction, nullptr, nullptr);
}

Result<void> TableCopier::declare(const std::string& declaration)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(m_handle.get(), declaration.c_str(), -1, &statement, nullptr);
    const bool isDone = code == SQLITE_OK && sqlite3_step(statement) == SQLITE_DONE;
    const Result<void> result = isDone ? Result<void>() : Result<void>(failure());
    sqlite3_finalize(statement);
    return result;
}

Result<void> TableCopier::makeTable(std::string_view table)
{
    std::vector<std::string> declarations;
    sqlite3_stmt* statement = nullptr;
    // Indexes of expressions, or with a condition, would be evaluated for each row.
    const std::string sql
        = "SELECT sql FROM report.sqlite_schema s WHERE tbl_name = ?1 AND sql IS NOT NULL AND (type = 'table' "
          "OR (type = 'index' AND name IN (SELECT name FROM pragma_index_list(?1, 'report') WHERE NOT partial) "
          "AND NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(s.name, 'report') WHERE cid = -2))) "
          "ORDER BY type DESC";
    if (sqlite3_prepare_v2(m_handle.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        return failure();
    sqlite3_bind_text(statement, 1, table.data(), static_cast<int>(table.size()), SQLITE_TRANSIENT);
    while (sqlite3_step(statement) == SQLITE_ROW)
        declarations.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
    sqlite3_finalize(statement);
    sqlite3_set_authorizer(m_handle.get(), allowDeclarations, nullptr);
    Result<void> result;
    for (const std::string& declaration : declarations) {
        if (result.ok())
            result = declare(declaration);
    }
    sqlite3_set_authorizer(m_handle.get(), nullptr, nullptr);
    return result;
}

Result<void> TableCopier::copy(std::string_view table, const std::string& condition)
{
    if (auto made = makeTable(table); !made.ok())
        return made;
    const std::string name = quotedName(table);
    return run("INSERT INTO main." + name + " SELECT t.* FROM report." + name + " t"
        + (condition.empty() ? "" : " WHERE " + condition));
}

Result<void> TableCopier::finish()
{
    for (const char* const sql : {"COMMIT", "DETACH report", "VACUUM"}) {
        if (auto done = run(sql); !done.ok())
            return done;
    }
    const int code = sqlite3_close(m_handle.get());
    if (code != SQLITE_OK)
        return failure();
    (void)m_handle.release();
    return {};
}

} // namespace warpline::sqlite
