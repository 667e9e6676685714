#include "core/compare/compare_stats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace warpline {

namespace {

using Key = std::pair<std::string, std::size_t>; ///< texts, and which of those that share them

std::optional<double> numberOf(const Cell& cell)
{
    if (const auto* const whole = std::get_if<std::int64_t>(&cell))
        return static_cast<double>(*whole);
    if (const auto* const real = std::get_if<double>(&cell))
        return *real;
    return {};
}

Cell asCell(double value, Unit unit)
{
    const bool whole
        = unit == Unit::Count || unit == Unit::Integer || unit == Unit::Nanoseconds || unit == Unit::Bytes;
    return whole ? Cell(static_cast<std::int64_t>(std::llround(value))) : Cell(value);
}

std::map<Key, std::size_t> rowsByText(const Cells& cells)
{
    std::map<Key, std::size_t> rows;
    std::map<std::string, std::size_t> seen;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        std::string text;
        for (std::size_t column = 0; column < cells.columns.size(); ++column) {
            const Cell cell = cells.at(row, column);
            if (cells.columns[column].unit == Unit::Text)
                text += (std::holds_alternative<std::string>(cell) ? std::get<std::string>(cell)
                                                                   : std::string())
                    + '\n';
        }
        rows.emplace(Key{text, seen[text]++}, row);
    }
    return rows;
}

/// The column by which rows are sorted: the first time, else size, else number of any kind.
std::optional<std::size_t> mainColumn(const Cells& cells)
{
    const auto of = [&](auto&& wanted) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < cells.columns.size(); ++i) {
            if (wanted(cells.columns[i].unit))
                return i;
        }
        return {};
    };
    if (const auto time
        = of([](Unit unit) { return unit == Unit::Nanoseconds || unit == Unit::NanosecondsReal; }))
        return time;
    if (const auto size = of([](Unit unit) { return unit == Unit::Bytes || unit == Unit::Megabytes; }))
        return size;
    return of([](Unit unit) { return unit != Unit::Text; });
}

std::vector<Cell> joinedRow(const Cells& shape, const std::vector<Cell>* a, const std::vector<Cell>* b)
{
    std::vector<Cell> texts;
    std::vector<Cell> numbers;
    for (std::size_t i = 0; i < shape.columns.size(); ++i) {
        const Cell inA = a ? (*a)[i] : Cell();
        const Cell inB = b ? (*b)[i] : Cell();
        if (shape.columns[i].unit == Unit::Text) {
            texts.push_back(a ? inA : inB);
            continue;
        }
        const std::optional<double> before = numberOf(inA);
        const std::optional<double> after = numberOf(inB);
        numbers.push_back(inA);
        numbers.push_back(inB);
        numbers.push_back(
            before || after ? asCell(after.value_or(0) - before.value_or(0), shape.columns[i].unit) : Cell());
    }
    texts.insert(texts.end(), numbers.begin(), numbers.end());
    return texts;
}

std::vector<Column> joinedColumns(const Cells& shape)
{
    std::vector<Column> columns;
    for (const Column& column : shape.columns) {
        if (column.unit == Unit::Text)
            columns.push_back(column);
    }
    for (const Column& column : shape.columns) {
        if (column.unit == Unit::Text)
            continue;
        for (const char* const of : {"A: ", "B: ", "Difference: "})
            columns.push_back({of + column.title, column.unit});
    }
    return columns;
}

/// For each of `columns`, the place of the one with its title and unit in `others`; no place is given twice.
std::vector<std::optional<std::size_t>> placesOf(
    const std::vector<Column>& columns, const std::vector<Column>& others)
{
    std::vector<bool> taken(others.size());
    std::vector<std::optional<std::size_t>> places;
    for (const Column& column : columns) {
        std::size_t at = 0;
        while (at < others.size()
            && (taken[at] || others[at].title != column.title || others[at].unit != column.unit))
            ++at;
        places.push_back(at < others.size() ? std::optional(at) : std::nullopt);
        if (at < others.size())
            taken[at] = true;
    }
    return places;
}

/// `columns` and then those of `others` that are not among them.
std::vector<Column> unitedColumns(std::vector<Column> columns, const std::vector<Column>& others)
{
    const auto places = placesOf(others, columns);
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (!places[i])
            columns.push_back(others[i]);
    }
    return columns;
}

/// The rows of `cells` with these columns; cells that it lacks are empty.
Cells withColumns(Cells cells, const std::vector<Column>& columns)
{
    const auto places = placesOf(columns, cells.columns);
    bool areSame = places.size() == cells.columns.size();
    for (std::size_t i = 0; i < places.size(); ++i)
        areSame = areSame && places[i] == i;
    if (areSame)
        return cells;
    Cells result;
    result.columns = columns;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        const std::vector<Cell> from = cells.row(row);
        std::vector<Cell> to;
        for (const std::optional<std::size_t>& place : places)
            to.push_back(place ? from[*place] : Cell());
        result.addRow(std::move(to));
    }
    return result;
}

/// The mean of several tables of one kind, row by row.
Cells meanOf(std::vector<Cells> tables)
{
    if (tables.size() == 1)
        return std::move(tables.front());
    Cells mean;
    for (const Cells& cells : tables)
        mean.columns = unitedColumns(std::move(mean.columns), cells.columns);
    std::map<Key, std::vector<Cell>> sums;
    for (Cells& table : tables) {
        const Cells cells = withColumns(std::move(table), mean.columns);
        for (const auto& [key, row] : rowsByText(cells)) {
            std::vector<Cell> now = cells.row(row);
            const auto [place, added] = sums.try_emplace(key, now);
            for (std::size_t i = 0; !added && i < now.size(); ++i) {
                const auto more = numberOf(now[i]);
                if (more)
                    place->second[i] = numberOf(place->second[i]).value_or(0) + *more;
            }
        }
    }
    for (auto& [key, row] : sums) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (const auto sum = numberOf(row[i]))
                row[i] = asCell(*sum / static_cast<double>(tables.size()), mean.columns[i].unit);
        }
        mean.addRow(row);
    }
    return mean;
}

Cells ofSide(
    const SideRequest& side, const StatsTable& table, const std::string& variant, const std::stop_token& stop)
{
    std::vector<Cells> tables;
    for (const SideReport& report : side.reports) {
        StatsQuery query;
        query.window = side.range;
        query.variant = variant;
        query.nvtxName = side.stepGlob;
        query.stop = stop;
        if (table.applies(*report.trace))
            tables.push_back(table.fill(*report.trace, query));
    }
    return tables.empty() ? Cells() : meanOf(std::move(tables));
}

} // namespace

Cells joinSides(Cells sideA, Cells sideB)
{
    Cells shape;
    shape.columns = unitedColumns(sideA.columns, sideB.columns);
    const Cells a = withColumns(std::move(sideA), shape.columns);
    const Cells b = withColumns(std::move(sideB), shape.columns);
    Cells joined;
    joined.columns = joinedColumns(shape);
    const auto rowsA = rowsByText(a);
    const auto rowsB = rowsByText(b);
    const std::optional<std::size_t> main = mainColumn(shape);
    std::vector<std::pair<double, std::vector<Cell>>> rows;
    const auto add = [&](const std::vector<Cell>* inA, const std::vector<Cell>* inB) {
        const auto value = [&](const std::vector<Cell>* row) {
            return row && main ? numberOf((*row)[*main]).value_or(0) : 0;
        };
        rows.emplace_back(std::abs(value(inB) - value(inA)), joinedRow(shape, inA, inB));
    };
    for (const auto& [key, row] : rowsA) {
        const std::vector<Cell> inA = a.row(row);
        const auto partner = rowsB.find(key);
        if (partner == rowsB.end()) {
            add(&inA, nullptr);
            continue;
        }
        const std::vector<Cell> inB = b.row(partner->second);
        add(&inA, &inB);
    }
    for (const auto& [key, row] : rowsB) {
        if (rowsA.contains(key))
            continue;
        const std::vector<Cell> inB = b.row(row);
        add(nullptr, &inB);
    }
    std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.first; });
    for (auto& [change, cells] : rows)
        joined.addRow(std::move(cells));
    return joined;
}

Cells compareStatsTable(const CompareRequest& request, const StatsTable& table, const std::string& variant,
    const std::stop_token& stop)
{
    return joinSides(ofSide(request.a, table, variant, stop), ofSide(request.b, table, variant, stop));
}

} // namespace warpline
