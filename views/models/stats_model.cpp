#include "views/models/stats_model.h"

#include "core/base/utf8.h"
#include "core/export/cells_text.h"

#include <algorithm>
#include <cctype>
#include <numeric>

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

/// Empty cells first, then numbers by value, then texts.
bool before(const Cell& a, const Cell& b)
{
    const auto number = [](const Cell& cell) {
        const auto* const whole = std::get_if<std::int64_t>(&cell);
        return whole ? static_cast<double>(*whole) : std::get<double>(cell);
    };
    const auto rank = [](const Cell& cell) { return cell.index() == 0 ? 0 : cell.index() == 3 ? 2 : 1; };
    if (rank(a) != rank(b))
        return rank(a) < rank(b);
    if (rank(a) == 1)
        return number(a) < number(b);
    return rank(a) == 2 && std::get<std::string>(a) < std::get<std::string>(b);
}

} // namespace

std::vector<std::uint32_t> orderedRows(
    const Cells& cells, int column, bool descending, const std::string& text)
{
    std::vector<std::uint32_t> order(cells.rowCount());
    std::iota(order.begin(), order.end(), 0U);
    if (!text.empty())
        std::erase_if(order, [&](std::uint32_t row) { return !rowContains(cells.row(row), text); });
    if (column < 0 || static_cast<std::size_t>(column) >= cells.columns.size())
        return order;
    const auto at = static_cast<std::size_t>(column);
    if (descending)
        std::ranges::stable_sort(order,
            [&](std::uint32_t a, std::uint32_t b) { return before(cells.at(b, at), cells.at(a, at)); });
    else
        std::ranges::stable_sort(order,
            [&](std::uint32_t a, std::uint32_t b) { return before(cells.at(a, at), cells.at(b, at)); });
    return order;
}

void StatsModel::setCells(std::shared_ptr<const Cells> cells, std::vector<std::uint32_t> order)
{
    beginResetModel();
    m_cells = std::move(cells);
    m_order = std::move(order);
    endResetModel();
}

int StatsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int StatsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cells->columns.size());
}

QVariant StatsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto column = static_cast<std::size_t>(index.column());
    const Unit unit = m_cells->columns[column].unit;
    const Cell& cell = m_cells->at(m_order[static_cast<std::size_t>(index.row())], column);
    if (role == Qt::DisplayRole)
        return QString::fromStdString(toUtf8(readableText(cell, unit)));
    if (role == Qt::ToolTipRole && unit == Unit::Text)
        return QString::fromStdString(toUtf8(readableText(cell, unit)));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((unit == Unit::Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

QVariant StatsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_cells->columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QString::fromStdString(column.title);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (column.unit == Unit::Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

void StatsModel::sort(int column, Qt::SortOrder order)
{
    emit sortWanted(column, order == Qt::DescendingOrder);
}

} // namespace warpline
