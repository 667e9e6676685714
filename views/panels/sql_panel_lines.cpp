// The target of a line of a result: the event of its row, or its time.

#include "core/query/find_event.h"
#include "core/store/trace.h"
#include "views/panels/sql_panel.h"
#include "views/style/rich_text.h"

#include <QLabel>
#include <QRegularExpression>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace warpline {

namespace {

/// The value in column `name` of a row; nothing where it has no such column, or another kind of value in it.
template <typename Value>
std::optional<Value> valueIn(const Cells& cells, std::uint32_t row, std::string_view name)
{
    for (std::size_t column = 0; column < cells.columns.size(); ++column) {
        if (cells.columns[column].title != name)
            continue;
        const Cell cell = cells.at(row, column);
        if (const auto* const value = std::get_if<Value>(&cell))
            return *value;
    }
    return std::nullopt;
}

} // namespace

const SqlTable* SqlPanel::askedTable() const
{
    static const QRegularExpression from("\\bFROM\\s+\"?(\\w+)", QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch asked = from.match(m_asked);
    const auto table = std::ranges::find_if(m_tables, [&](const SqlTable& each) {
        return textOf(each.name).compare(asked.captured(1), Qt::CaseInsensitive) == 0;
    });
    return asked.hasMatch() && table != m_tables.end() && !table->source.empty() ? &*table : nullptr;
}

void SqlPanel::goToLine(int line)
{
    if (m_model->cells() != m_cells)
        return; // the lines are still those of the answer before
    const std::uint32_t row = m_model->rowOf(line);
    const auto start = valueIn<Ns>(*m_cells, row, "start");
    const SqlTable* const table = askedTable();
    auto rowid = valueIn<std::int64_t>(*m_cells, row, "rowid");
    if (!rowid && table) // SQLite's name for a table with a key of its own
        rowid = valueIn<std::int64_t>(*m_cells, row, table->rowidColumn);
    // A row is one event, where several may take the same time; of another table it starts elsewhere.
    EventRef event;
    if (table && rowid.value_or(0) > 0 && *rowid <= std::numeric_limits<std::uint32_t>::max())
        event = eventOfRow(m_session.trace(), table->source, static_cast<std::uint32_t>(*rowid));
    if (event.valid() && (!start || m_session.trace().range(event).start == *start)) {
        m_session.selection().goToAtScale(m_session.idOf(event));
        return;
    }
    if (!start) {
        const auto has = [&](std::string_view title) {
            return std::ranges::find(m_cells->columns, title, &Column::title) != m_cells->columns.end();
        };
        if (rowid)
            setState(tr("Row %1 is not an event in the timeline").arg(*rowid));
        else if (has("rowid"))
            setState(tr("Cannot jump from this row: add rowid or start to the query"));
        else if (has("start"))
            setState(tr("Cannot jump from this row: it has no time"));
        return;
    }
    const auto duration = valueIn<Ns>(*m_cells, row, "duration");
    const Ns end = valueIn<Ns>(*m_cells, row, "end").value_or(*start + duration.value_or(0));
    const TimeRange time{*start, std::max(*start, end)};
    event = eventTaking(m_session.trace(), time, valueIn<std::string>(*m_cells, row, "name").value_or(""));
    if (event.valid()) {
        m_session.selection().goToAtScale(m_session.idOf(event));
    } else if (!time.empty()) {
        m_session.selection().markRange(m_session.sharedTime(time));
        m_session.time().goToAtScale(m_session.sharedTime(time));
    }
}

} // namespace warpline
