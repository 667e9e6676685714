#pragma once

#include <QTableView>

#include <cstdint>

namespace warpline {

/// A table of any number of lines, all of one height and in the order of the model. QTableView stores the
/// position of each line, which takes 0.25 s and 250 MB for thirty million. Here positions are computed, and
/// drawing, scrolling, navigation and selection cost the same for any number of lines. Selects whole lines. A
/// line's height is the default of verticalHeader().
///
/// Functions that use the vertical header, such as rowAt(), rowHeight() and setRowHidden(), do not work: use
/// indexAt() and visualRect().
class LongTable : public QTableView {
    Q_OBJECT
public:
    explicit LongTable(QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    QRect visualRect(const QModelIndex& index) const override;
    QModelIndex indexAt(const QPoint& position) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    void reset() override;
    /// Jumps to the line that starts with `typed`, for tables small enough to scan.
    void keyboardSearch(const QString& typed) override;

protected:
    void updateGeometries() override;
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
    QRegion visualRegionForSelection(const QItemSelection& selection) const override;
    bool isIndexHidden(const QModelIndex& index) const override;
    int verticalOffset() const override;
    int sizeHintForColumn(int column) const override;

private:
    int lines() const;
    int lineHeight() const;
    int wholeLines() const; ///< that have room, one at least
    int first() const; ///< line at the top
    /// The y coordinate of `line` in the viewport; only approximate far away.
    int topOf(std::int64_t line) const;
    std::int64_t lineAt(int y) const; ///< also before the first line and after the last
    void setBars();
    void scrollToColumn(int column, bool centered);
    /// The column `steps` further on the screen, not counting hidden ones; `column` when there is none.
    int columnBeside(int column, int steps) const;
    void drawLine(QPainter& painter, int line, const QRect& dirty, const QStyleOptionViewItem& common);

    QAbstractItemModel* m_noLines; ///< for the vertical header
    bool m_isPlacing = false;
};

} // namespace warpline
