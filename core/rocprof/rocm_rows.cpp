#include "core/rocprof/rocm_rows.h"

#include "core/base/stop.h"

namespace warpline {

Result<void> visitRocmRows(sqlite::Database& report, std::string_view table, const std::string& sql,
    RocmEvents& events, const std::function<void(std::uint64_t)>& rowsRead, const std::stop_token& stop,
    const std::function<void(const sqlite::Statement&)>& visit)
{
    constexpr std::uint64_t progressRows = 4096;
    auto rows = report.prepare(sql);
    if (!rows.ok())
        return rows.error();
    std::uint64_t count = 0;
    sqlite::Statement::Step step = sqlite::Statement::Step::Row;
    while ((step = rows.value().step()) == sqlite::Statement::Step::Row) {
        visit(rows.value());
        if (++count % progressRows == 0) {
            rowsRead(progressRows);
            throwIfStopped(stop);
        }
    }
    rowsRead(count % progressRows);
    events.countRows(table, count, true);
    return step == sqlite::Statement::Step::Failed ? Result<void>(rows.value().error()) : Result<void>();
}

} // namespace warpline
