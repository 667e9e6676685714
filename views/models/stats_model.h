#pragma once

#include "core/stats/stats_table.h"
#include "views/loading/latest_job.h"

#include <QAbstractTableModel>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// Which rows of `cells` contain `text` in any text column, in the order of `column` (-1: the table's). Makes
/// every row at most once for each; O(n log n); for a worker thread. After a stop request the result is
/// invalid.
std::vector<std::uint32_t> orderedRows(const Cells& cells, int column, bool descending,
    const std::string& text, const std::stop_token& stop = {});

/// What the user wants to see of a table, and in which order: see orderedRows().
struct WantedRows {
    int column = -1;
    bool descending = true;
    std::string search;

    bool operator==(const WantedRows&) const = default;
};

/// A statistics table for a view. Cells become text when they are seen; sorting and searching only change the
/// order, off the GUI thread.
class StatsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Shows `cells` in `order`, a list of row numbers.
    void setCells(std::shared_ptr<const Cells> cells, std::vector<std::uint32_t> order);
    const std::shared_ptr<const Cells>& cells() const { return m_cells; }
    const std::vector<std::uint32_t>& order() const { return m_order; }
    const WantedRows& wanted() const { return m_wanted; }
    void setSearch(const QString& text);
    void forgetSort() { m_wanted.column = -1; }
    /// Shows `cells` as soon as their rows are those wanted(), in order. ordered() follows, unless setCells()
    /// comes first.
    void showInOrder(std::shared_ptr<const Cells> cells);
    bool isOrdering() const { return m_ordering.isBusy(); }
    /// The row of cells() that line `line` shows.
    std::uint32_t rowOf(int line) const { return m_order[static_cast<std::size_t>(line)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder direction) override;

signals:
    void ordered(bool isNew); ///< `isNew`: showInOrder() brought other cells than those shown

private:
    std::shared_ptr<const Cells> m_cells = std::make_shared<const Cells>();
    std::vector<std::uint32_t> m_order;
    std::shared_ptr<const Cells> m_next = m_cells; ///< shown, or being ordered
    WantedRows m_wanted;
    LatestJob m_ordering;
    /// The last used row: a view reads its cells one after another.
    const std::vector<Cell>& seenRow(std::uint32_t row) const;
    mutable std::vector<Cell> m_seenCells;
    mutable std::uint32_t m_seenRow = noIndex;
};

} // namespace warpline
