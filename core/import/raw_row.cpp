#include "core/import/raw_row.h"

#include "core/base/secrets.h"
#include "core/base/utf8.h"
#include "core/sqlite/database.h"

namespace warpline {

namespace {

/// Columns that hold ids of StringIds.
bool namesString(std::string_view column)
{
    return column == "demangledName" || column == "shortName" || column == "mangledName"
        || column.ends_with("nameId") || column == "textId" || column == "jsonTextId" || column == "symbol"
        || column == "module";
}

std::string hexOf(std::string_view bytes)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::size_t most = 64;
    std::string text = "0x";
    for (const char c : bytes.substr(0, most)) {
        text += digits[static_cast<unsigned char>(c) >> 4U];
        text += digits[static_cast<unsigned char>(c) & 15U];
    }
    return bytes.size() > most ? text + "..." : text;
}

std::string withoutSecrets(std::string_view text)
{
    return toUtf8(withoutCredentials(text).value_or(std::string(text)));
}

std::string stringAt(sqlite::Database& report, std::int64_t id)
{
    auto query = report.prepare("SELECT value FROM StringIds WHERE id = ?");
    if (!query.ok())
        return {};
    query.value().bind(1, id);
    return query.value().step() == sqlite::Statement::Step::Row ? withoutSecrets(query.value().text(0))
                                                                : std::string();
}

} // namespace

Result<std::vector<std::pair<std::string, std::string>>> readRawRow(
    const std::string& path, const std::string& table, std::uint32_t rowid)
{
    auto file = sqlite::ReportFile::open(path);
    if (!file.ok())
        return file.error();
    auto report = sqlite::Database::open(file.value());
    if (!report.ok())
        return report.error();
    const auto columns = report.value().columns(table); // without computed ones, which may take any time
    if (!columns.ok())
        return columns.error();
    std::string names;
    for (const auto& column : columns.value())
        names += (names.empty() ? "" : ", ") + sqlite::quotedName(column.name);
    auto query = report.value().prepare(
        "SELECT " + (names.empty() ? "*" : names) + " FROM " + sqlite::quotedName(table) + " WHERE rowid = ?");
    if (!query.ok())
        return query.error();
    sqlite::Statement& row = query.value();
    row.bind(1, std::int64_t{rowid});
    const auto step = row.step();
    if (step == sqlite::Statement::Step::Failed)
        return row.error();
    if (step == sqlite::Statement::Step::Done)
        return Error{"file.no_row", "{path}: {table} has no row {row} any more.",
            {{"path", Name{path}}, {"table", Name{table}}, {"row", Ordinal{rowid}}}};
    std::vector<std::pair<std::string, std::string>> cells;
    for (int column = 0; column < row.columnCount(); ++column) {
        std::string value = row.isNull(column) ? std::string("NULL")
            : row.isBlob(column)               ? hexOf(row.text(column))
                                               : withoutSecrets(row.text(column));
        const std::string name = row.columnName(column);
        if (!row.isNull(column) && namesString(name)) {
            if (const std::string text = stringAt(report.value(), row.integer(column)); !text.empty())
                value += " [" + text + "]";
        }
        cells.emplace_back(name, std::move(value));
    }
    return cells;
}

} // namespace warpline
