#pragma once

#include "views/session/session.h"
#include "views/style/painted_chart.h"
#include "views/timeline/row_label_texts.h"
#include "views/timeline/row_layout.h"

#include <QTimer>

#include <optional>
#include <utility>
#include <vector>

namespace warpline {

/// The rows' names as a tree, left of the timeline and scrolled with it. A click on the arrow (or a
/// double-click) expands and collapses, a click selects the row, dragging moves it among its siblings,
/// dragging its lower edge changes its height.
class RowLabels : public PaintedChart {
    Q_OBJECT
public:
    RowLabels(Session& session, const RowLayout& layout, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    void setOffset(int offset);
    std::vector<PaintedItem> paintedItems() override; ///< the rows
    QAccessible::Role paintedRole() const override { return QAccessible::Tree; }
    /// Marks the rows with events related to the current one, each with the first of its events: filled where
    /// the row shows the event, hollow where it is in a collapsed row below.
    void setLinked(std::vector<std::pair<RowId, EventId>> rows);

signals:
    void contextMenuWanted(warpline::RowId row, QPoint globalPosition);
    void wheelTurned(QWheelEvent* event);
    void pointedAt(std::optional<int> y); ///< the mouse; nothing: it left
    void linkWanted(warpline::EventId event); ///< the mark of a row was clicked
    void rowWanted(warpline::RowId row); ///< a key moved here: scroll to it

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag : std::uint8_t { None, Press, Move, Height, Depth };

    EventId linkedEventOf(RowId row) const; ///< that its mark leads to; not valid(): it has none
    static QRect linkMarkIn(QRect line); ///< the place of the mark in the label whose first line is `line`
    void paintLinkMark(QPainter& painter, RowId row, QRect line) const;
    void paintRow(QPainter& painter, const PlacedRow& placed);
    void paintArrow(QPainter& painter, QRect box, bool expanded);
    static QRect arrowBox(const PlacedRow& placed, int y);
    const PlacedRow* edgeAt(int y) const;
    QRect depthHandle(const PlacedRow& placed) const; ///< empty: the row has one lane
    const PlacedRow* depthHandleAt(QPoint position) const;
    void paintDepthHandle(QPainter& painter, const PlacedRow& placed) const;
    void dragDepth(int y);
    void endDrag();
    /// Where a row dragged to `y` would land: before `before` (root: last), its edge on the screen at `edge`.
    struct Drop {
        RowId before{};
        int edge = 0;
    };
    std::optional<Drop> dropAt(int y) const;
    int bottomOf(RowId row) const;
    QRect lineOf(const PlacedRow& placed) const; ///< the line of its label and value
    void stepRow(bool down);
    void selectByKey(RowId row);
    void selectClicked(Qt::KeyboardModifiers modifiers);

    Session& m_session;
    const RowLayout& m_layout;
    int m_offset = 0;
    RowLabelTexts m_texts;
    std::vector<std::pair<RowId, EventId>> m_linked;
    QTimer m_rest; ///< until the shown shares are updated
    Drag m_drag = Drag::None;
    bool m_focusMark = false; ///< the keyboard led here
    RowId m_pointed{}; ///< under the mouse
    RowId m_dragRow{};
    int m_dragFrom = 0;
    double m_dragScale = 1;
    int m_dragHeight = 0;
    std::optional<Drop> m_drop;
};

} // namespace warpline
