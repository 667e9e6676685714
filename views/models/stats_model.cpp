#include "views/models/stats_model.h"

#include "core/base/format.h"
#include "core/export/cells_text.h"
#include "views/style/column_heads.h"
#include "views/style/rich_text.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>

namespace warpline {

namespace {

bool contains(std::string_view text, std::string_view part)
{
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool rowContains(std::span<const Cell> row, std::string_view part)
{
    return std::ranges::any_of(row, [&](const Cell& cell) {
        const auto* const text = std::get_if<std::string>(&cell);
        return text && contains(*text, part);
    });
}

/// Sort keys of the rows in `order` for `column`: empty cells come first, then numbers by value, then texts.
/// Compares each distinct text once, because tables of ten million rows have few names.
std::vector<double> sortKeys(
    const Cells& cells, std::size_t column, std::span<const std::uint32_t> order, const std::stop_token& stop)
{
    std::vector<double> keys(cells.rowCount(), -std::numeric_limits<double>::infinity());
    std::unordered_map<std::string, std::vector<std::uint32_t>> rowsOfText;
    for (const std::uint32_t row : order) {
        if (stop.stop_requested())
            return keys;
        Cell cell = cells.at(row, column);
        if (const auto* const whole = std::get_if<std::int64_t>(&cell))
            keys[row] = static_cast<double>(*whole);
        else if (const auto* const real = std::get_if<double>(&cell))
            keys[row] = *real;
        else if (auto* const text = std::get_if<std::string>(&cell))
            rowsOfText[std::move(*text)].push_back(row);
    }
    std::vector<const std::pair<const std::string, std::vector<std::uint32_t>>*> texts;
    texts.reserve(rowsOfText.size());
    for (const auto& entry : rowsOfText)
        texts.push_back(&entry);
    std::ranges::sort(texts, {}, [](const auto* entry) { return std::string_view(entry->first); });
    // A column of numbers and texts has the texts last.
    const bool onlyTexts = std::ranges::none_of(keys, [](double key) { return std::isfinite(key); });
    double place = onlyTexts ? 0 : std::numeric_limits<double>::max() / 2;
    for (const auto* const entry : texts) {
        for (const std::uint32_t row : entry->second)
            keys[row] = place;
        place = onlyTexts ? place + 1 : std::nextafter(place, std::numeric_limits<double>::infinity());
    }
    return keys;
}

} // namespace

std::vector<std::uint32_t> orderedRows(
    const Cells& cells, int column, bool descending, const std::string& text, const std::stop_token& stop)
{
    std::vector<std::uint32_t> order(cells.rowCount());
    std::iota(order.begin(), order.end(), 0U);
    if (!text.empty())
        std::erase_if(order,
            [&](std::uint32_t row) { return stop.stop_requested() || !rowContains(cells.row(row), text); });
    if (column < 0 || static_cast<std::size_t>(column) >= cells.columns.size())
        return order;
    const std::vector<double> keys = sortKeys(cells, static_cast<std::size_t>(column), order, stop);
    const auto keyOf = [&](std::uint32_t row) { return keys[row]; };
    if (descending)
        std::ranges::stable_sort(order, std::greater{}, keyOf);
    else
        std::ranges::stable_sort(order, {}, keyOf);
    return order;
}

namespace {

/// Whether column `column` holds texts; for database values decided by the first one.
bool holdsText(const Cells& cells, std::span<const std::uint32_t> order, std::size_t column)
{
    constexpr std::size_t linesLookedAt = 20;
    if (cells.columns[column].unit != Unit::AsStored)
        return cells.columns[column].unit == Unit::Text;
    for (const std::uint32_t row : order.first(std::min(order.size(), linesLookedAt))) {
        const Cell cell = cells.at(row, column);
        if (!std::holds_alternative<std::monostate>(cell))
            return std::holds_alternative<std::string>(cell);
    }
    return false;
}

} // namespace

void StatsModel::setCells(std::shared_ptr<const Cells> cells, std::vector<std::uint32_t> order)
{
    m_ordering.cancel();
    beginResetModel();
    m_cells = std::move(cells);
    m_next = m_cells;
    m_order = std::move(order);
    m_seenRow = noIndex;
    endResetModel();
}

void StatsModel::setSearch(const QString& text)
{
    m_wanted.search = text.toStdString();
    showInOrder(m_next);
}

void StatsModel::showInOrder(std::shared_ptr<const Cells> cells)
{
    m_next = cells;
    m_ordering.start(
        [cells, wanted = m_wanted](const std::stop_token& stop) {
            return orderedRows(*cells, wanted.column, wanted.descending, wanted.search, stop);
        },
        [this, cells](std::vector<std::uint32_t> order) {
            const bool isNew = m_cells != cells;
            setCells(cells, std::move(order));
            emit ordered(isNew);
        });
}

int StatsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int StatsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cells->columns.size());
}

namespace {

/// Shows times in milliseconds; copies and files keep nsys' nanoseconds.
bool inMilliseconds(const Column& column)
{
    return (column.unit == Unit::Nanoseconds || column.unit == Unit::NanosecondsReal)
        && column.title.find("(ns)") != std::string::npos;
}

/// To the nanosecond: "164.157078". Empty: there is no number.
QString millisecondsText(const Cell& cell)
{
    constexpr double perMillisecond = 1e6;
    constexpr int decimals = 6;
    double value = 0;
    if (const auto* const whole = std::get_if<std::int64_t>(&cell))
        value = static_cast<double>(*whole);
    else if (const auto* const real = std::get_if<double>(&cell))
        value = *real;
    else
        return {};
    const QString text = QString::fromStdString(formatReal(std::abs(value) / perMillisecond, decimals));
    const QString whole = numberText(text.section('.', 0, 0).toULongLong());
    return (value < 0 ? "-" : "") + whole + '.' + text.section('.', 1);
}

} // namespace

QVariant StatsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto column = static_cast<std::size_t>(index.column());
    const Unit unit = m_cells->columns[column].unit;
    const Cell& cell = seenRow(rowOf(index.row()))[column];
    if (role == Qt::DisplayRole)
        return inMilliseconds(m_cells->columns[column])
            ? millisecondsText(cell)
            : textOf(readableText(cell, m_cells->columns[column]));
    if (role == Qt::ToolTipRole && inMilliseconds(m_cells->columns[column]))
        return QString::fromStdString(readableText(cell, m_cells->columns[column])) + " ns";
    if (role == Qt::ToolTipRole && unit == Unit::Text)
        return plainTip(textOf(readableText(cell, m_cells->columns[column])));
    if (unit == Unit::AsStored && std::holds_alternative<std::monostate>(cell)) {
        if (role == Qt::ForegroundRole) // in addition to a text
            return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
        if (role == Qt::ToolTipRole)
            return tr("NULL: no value");
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isNull = std::holds_alternative<std::monostate>(cell);
        const bool isText = unit == Unit::Text || std::holds_alternative<std::string>(cell)
            || (isNull && holdsText(*m_cells, m_order, column));
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    return {};
}

const std::vector<Cell>& StatsModel::seenRow(std::uint32_t row) const
{
    if (row != m_seenRow)
        m_seenCells = m_cells->row(row);
    m_seenRow = row;
    return m_seenCells;
}

QVariant StatsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_cells->columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) {
        QString title = QString::fromStdString(column.title);
        return inMilliseconds(column) ? title.replace("(ns)", "(ms)") : title;
    }
    if (role == Qt::ToolTipRole)
        return columnTip(QString::fromStdString(column.title));
    if (role != Qt::TextAlignmentRole && role != Qt::InitialSortOrderRole)
        return {};
    const bool isText = holdsText(*m_cells, m_order, static_cast<std::size_t>(section));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return isText ? Qt::AscendingOrder : Qt::DescendingOrder; // of the first click: the largest first
}

void StatsModel::sort(int column, Qt::SortOrder direction)
{
    m_wanted.column = column;
    m_wanted.descending = direction == Qt::DescendingOrder;
    showInOrder(m_next);
}

} // namespace warpline
