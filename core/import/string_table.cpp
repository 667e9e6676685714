#include "core/import/string_table.h"

namespace warpline {

namespace {

constexpr std::int64_t denseLimit = 1 << 22; // 16 MB of ids at most
constexpr StringId absent{noIndex};

} // namespace

Result<StringTable> StringTable::read(sqlite::Database& report, bool tablePresent, StringPool& pool)
{
    StringTable table;
    table.m_missingText = pool.intern("[name missing in the report]");
    if (!tablePresent)
        return table;
    auto query = report.prepare("SELECT id, value FROM StringIds");
    if (!query.ok())
        return query.error();
    auto& row = query.value();
    sqlite::Statement::Step step = sqlite::Statement::Step::Row;
    while ((step = row.step()) == sqlite::Statement::Step::Row) {
        const std::int64_t id = row.integer(0);
        const StringId text = pool.intern(row.text(1));
        ++table.m_rows;
        if (id < 0 || id >= denseLimit) {
            table.m_sparse.emplace(id, text);
            continue;
        }
        const auto place = static_cast<std::size_t>(id);
        if (place >= table.m_dense.size())
            table.m_dense.resize(place + 1, absent);
        table.m_dense[place] = text;
    }
    if (step == sqlite::Statement::Step::Failed)
        return row.error();
    return table;
}

StringId StringTable::at(std::int64_t id, bool& missing) const
{
    if (id >= 0 && static_cast<std::size_t>(id) < m_dense.size()) {
        const StringId text = m_dense[static_cast<std::size_t>(id)];
        if (text != absent)
            return text;
    } else if (const auto found = m_sparse.find(id); found != m_sparse.end()) {
        return found->second;
    }
    missing = true;
    return m_missingText;
}

} // namespace warpline
