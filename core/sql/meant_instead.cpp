// Suggestions for an unknown name in a query: SQLite's error has the name; existing tables and columns are
// compared with it.

#include "core/base/ascii_case.h"
#include "core/base/near_names.h"
#include "core/sql/sql_session.h"

#include <algorithm>
#include <cctype>

namespace warpline {

namespace {

/// The name at the end of `problem`, after `lead`, without its qualifier ("k.shortname", "main.kernel");
/// empty: another error.
std::string_view nameBehind(std::string_view problem, std::string_view lead)
{
    if (!lowered(problem).starts_with(lead))
        return {};
    std::string_view name = problem.substr(lead.size());
    if (name.ends_with('.'))
        name.remove_suffix(1);
    if (const std::size_t point = name.rfind('.'); point != std::string_view::npos)
        name.remove_prefix(point + 1);
    return name;
}

/// Whether `sql` contains `name` as a whole word, ignoring case.
bool mentions(std::string_view lowerSql, std::string_view name)
{
    const auto isPart = [&](std::size_t at) {
        return at < lowerSql.size()
            && (std::isalnum(static_cast<unsigned char>(lowerSql[at])) || lowerSql[at] == '_');
    };
    const std::string wanted = lowered(name);
    for (std::size_t at = lowerSql.find(wanted); at != std::string_view::npos;
         at = lowerSql.find(wanted, at + 1)) {
        if (!isPart(at + wanted.size()) && (at == 0 || !isPart(at - 1)))
            return true;
    }
    return false;
}

/// "Did you mean a, b or c?"; empty: none.
Message question(const std::vector<std::string>& near)
{
    return near.empty() ? Message()
                        : Message("sql.did_you_mean", "Did you mean {names}?", {{"names", orList(near)}});
}

/// For an unknown column: a similar one of the queried tables, else the table that has it.
Message columnSuggestion(std::string_view sql, std::string_view wanted, std::span<const SqlTable> tables)
{
    const std::string lowerSql = lowered(sql);
    std::vector<std::string> asked;
    std::vector<std::string> elsewhere;
    std::string owners;
    Message calledElse;
    for (const SqlTable& table : tables) {
        const bool isAsked = mentions(lowerSql, table.name);
        const auto renamed = std::ranges::find(
            table.renamed, lowered(wanted), [](const auto& pair) { return lowered(pair.first); });
        if (isAsked && renamed != table.renamed.end() && calledElse.empty())
            calledElse = {"sql.named_else", "In {table}, it is named {name}.",
                {{"table", Name{table.name}}, {"name", Name{renamed->second}}}};
        for (const auto& column : table.columns) {
            (isAsked ? asked : elsewhere).push_back(column.name);
            if (!isAsked && lowered(column.name) == lowered(wanted) && owners.find(',') == std::string::npos)
                owners += (owners.empty() ? "" : ", ") + table.name;
        }
    }
    const std::vector<std::string> near = nearNames(wanted, asked);
    const bool isSpelledOtherwise = !near.empty() && keyOfName(near.front()) == keyOfName(wanted);
    if (!calledElse.empty() && !isSpelledOtherwise)
        return calledElse;
    if (!owners.empty() && !isSpelledOtherwise)
        return {"sql.column_of", "It is a column of {owners}.", {{"owners", Name{owners}}}};
    if (!near.empty())
        return question(near);
    return asked.empty() ? question(nearNames(wanted, elsewhere)) : Message();
}

} // namespace

Message nameSuggestion(std::string_view sql, std::string_view problem, std::span<const SqlTable> tables)
{
    if (const std::string_view column = nameBehind(problem, "no such column: "); !column.empty())
        return columnSuggestion(sql, column, tables);
    const std::string_view wanted = nameBehind(problem, "no such table: ");
    if (wanted.empty())
        return {};
    return question(nearNames(wanted, entryNames(tables, &SqlTable::name)));
}

} // namespace warpline
