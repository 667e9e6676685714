#pragma once

#include "core/base/result.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace warpline::sqlite {

class ReportFile;

/// Copies tables, or rows of them, from a report into a new database. The report is only read. In statements
/// it is "report", the new database "main". A stop request ends each statement. Evaluates no expression that
/// the report declares: no CHECK constraint, no index of expressions. For one thread.
class TableCopier {
public:
    /// Makes the new file at `path`. Errors: it exists, or cannot be made; the report cannot be read.
    static Result<TableCopier> create(
        const ReportFile& report, const std::string& path, const std::stop_token& stop);
    TableCopier(TableCopier&&) noexcept;
    TableCopier& operator=(TableCopier&&) noexcept;
    ~TableCopier();

    /// Creates `table` as the report declares it, with its indexes of whole columns, and copies the rows that
    /// satisfy `condition`, which refers to the row as `t`; empty: all. Rows keep their order. Errors: the
    /// table has generated columns.
    Result<void> copy(std::string_view table, const std::string& condition);
    /// Runs a statement on both databases that gives no rows.
    Result<void> run(const std::string& sql);
    /// `text -> text` for statements: `function(name)`.
    void addFunction(const std::string& name, std::function<std::string(std::string_view)> function);
    /// Commits: the copied data is complete and on disk.
    Result<void> finish();

private:
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    using Function = std::function<std::string(std::string_view)>;
    TableCopier(std::unique_ptr<sqlite3, Closer> handle, std::string path, std::stop_token stop);
    Error failure() const;
    Result<void> makeTable(std::string_view table);
    /// Runs the first statement of `declaration`: SQLite reads no further, but a file may hold more.
    Result<void> declare(const std::string& declaration);

    std::vector<std::unique_ptr<Function>> m_functions; ///< the connection points to them
    std::unique_ptr<const std::stop_token> m_stop; ///< likewise
    std::unique_ptr<sqlite3, Closer> m_handle;
    std::string m_path;
};

} // namespace warpline::sqlite
