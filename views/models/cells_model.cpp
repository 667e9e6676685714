#include "views/models/cells_model.h"
#include "views/models/written_roles.h"
#include "views/style/column_heads.h"
#include "views/style/rich_text.h"

#include <algorithm>

namespace warpline {

CellsModel::CellsModel(QStringList titles, QObject* parent)
    : QAbstractTableModel(parent),
      m_titles(std::move(titles))
{
}

void CellsModel::setLines(std::vector<Line> lines)
{
    beginResetModel();
    m_lines = std::move(lines);
    applyOrder();
    endResetModel();
}

int CellsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int CellsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_titles.size());
}

QVariant CellsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto& cells = m_lines[static_cast<std::size_t>(index.row())].cells;
    const auto column = static_cast<std::size_t>(index.column());
    if (column >= cells.size())
        return {};
    if (role == Qt::DisplayRole)
        return cells[column].text;
    if (role == numberRole && cells[column].isValue && !cells[column].text.isEmpty())
        return cells[column].key;
    if (role == Qt::ToolTipRole && index.column() < m_firstNumber)
        return plainTip(cells[column].text);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (index.column() >= m_firstNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

QVariant CellsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_titles.size())
        return {};
    if (role == Qt::DisplayRole)
        return m_titles[section];
    if (role == unitRole && static_cast<std::size_t>(section) < m_units.size())
        return static_cast<int>(m_units[static_cast<std::size_t>(section)]);
    if (role == Qt::ToolTipRole)
        return columnTip(m_titles[section]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (section >= m_firstNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::InitialSortOrderRole) // of the first click: the largest first
        return section >= m_firstNumber ? Qt::DescendingOrder : Qt::AscendingOrder;
    return {};
}

void CellsModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    applyOrder();
    endResetModel();
}

void CellsModel::applyOrder()
{
    if (m_sortColumn < 0 || m_sortColumn >= columnCount())
        return;
    const auto column = static_cast<std::size_t>(m_sortColumn);
    const auto before = [&](const Line& a, const Line& b) {
        if (column >= a.cells.size() || column >= b.cells.size())
            return false;
        const Cell& left = a.cells[column];
        const Cell& right = b.cells[column];
        if (left.key.isValid() && right.key.isValid())
            return left.key.toDouble() < right.key.toDouble();
        return left.text.localeAwareCompare(right.text) < 0;
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::ranges::stable_sort(m_lines, before);
    else
        std::ranges::stable_sort(m_lines, [&](const Line& a, const Line& b) { return before(b, a); });
}

CellsModel::Cell textCell(std::string_view text)
{
    return {textOf(text), {}};
}

CellsModel::Cell timeCell(double ns)
{
    return {durationText(ns), ns};
}

CellsModel::Cell timeCell(Ns time)
{
    return {durationText(time), static_cast<double>(time)};
}

CellsModel::Cell countCell(std::uint64_t count)
{
    return {numberText(count), static_cast<double>(count)};
}

CellsModel::Cell shareCell(double share)
{
    return {shareText(share), share * 100};
}

} // namespace warpline
