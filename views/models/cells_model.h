#pragma once

#include "core/table/cells.h"

#include <QAbstractTableModel>
#include <QVariant>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Any small table: texts to show and numbers to sort by. Sorted in place when a column is clicked.
class CellsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Cell {
        QString text;
        QVariant key; ///< sort key; the text when it is not valid
        bool isValue = true; ///< the key is a number in the unit of the column, not only an order
    };
    struct Line {
        std::vector<Cell> cells;
        quint64 id = 0; ///< the caller's: survives sorting
    };

    explicit CellsModel(QStringList titles, QObject* parent = nullptr);

    /// Replaces all lines; the order of the user is applied again. `firstNumber` columns on are
    /// right-aligned.
    void setLines(std::vector<Line> lines);
    void setFirstNumberColumn(int column) { m_firstNumber = column; }
    /// Of the columns, for files; those behind the last one and those of Unit::Text are written as shown.
    void setUnits(std::vector<Unit> units) { m_units = std::move(units); }
    /// The time that the lines are about: its start and end are two more columns of a file.
    void setRange(TimeRange range) { m_range = range; }
    TimeRange range() const { return m_range; }
    const Line& line(int row) const { return m_lines[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void applyOrder();

    QStringList m_titles;
    std::vector<Unit> m_units;
    TimeRange m_range;
    std::vector<Line> m_lines;
    int m_firstNumber = 1;
    int m_sortColumn = -1; ///< -1: as given
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

/// Cells as all tables show them. They sort by ns, by the count and by percent; `share` is of 1.
CellsModel::Cell textCell(std::string_view text);
CellsModel::Cell timeCell(double ns);
CellsModel::Cell timeCell(Ns time);
CellsModel::Cell countCell(std::uint64_t count);
CellsModel::Cell shareCell(double share);

} // namespace warpline
