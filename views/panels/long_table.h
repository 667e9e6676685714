#pragma once

#include <QTableView>

#include <cstdint>

namespace warpline {

/// A table of any number of lines, all of one height and in the order of the model. QTableView keeps the
/// place of each line of its model, which takes a quarter of a second and 250 MB for thirty million; here a
/// line is where its number says, and what is drawn, scrolled, walked through and selected costs the same
/// however many lines there are. Whole lines are selected. A line's height is verticalHeader()'s default.
///
/// What asks the vertical header, such as rowAt(), rowHeight() and setRowHidden(), knows no line: use
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
    /// Jumps to what starts with `typed`, where looking at all lines takes no time.
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
    /// Where `line` begins in the viewport; far away it is only said to be far away.
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
