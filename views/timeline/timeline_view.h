#pragma once

#include "views/loading/own_turn.h"
#include "views/session/session.h"
#include "views/style/painted_items.h"
#include "views/style/theme.h"
#include "views/timeline/current_links.h"
#include "views/timeline/hover_tip.h"
#include "views/timeline/measure.h"
#include "views/timeline/motion.h"
#include "views/timeline/row_layout.h"
#include "views/timeline/row_painter.h"
#include "views/timeline/snapping.h"
#include "views/timeline/time_axis.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QHash>

#include <optional>

namespace warpline {

class ColumnWidth;
class NoteLabel;
class RowGlide;

/// The rows of the timeline, all painted by this one widget. It has the size of the visible part, not of all
/// rows: the vertical scroll bar moves an offset.
class TimelineView : public QAbstractScrollArea, public PaintedItems {
    Q_OBJECT
public:
    TimelineView(Session& session, RowLayout& layout, const Theme& theme, QWidget* parent = nullptr);
    ~TimelineView() override;

    void setTheme(const Theme& theme);
    /// The events that can be seen one by one, row after row.
    std::vector<PaintedItem> paintedItems() override;
    QString paintedValue() const override; ///< the shown range
    TimeAxis axis() const;
    int offset() const;
    std::optional<Ns> cursorTime() const; ///< under the mouse; nothing: it is elsewhere

    struct Hit {
        RowId row{};
        EventId event; ///< not valid(): a row without event
    };
    /// The row and event at `position` of the viewport; events thinner than a pixel are hit within three
    /// pixels.
    Hit hitAt(QPoint position) const;
    /// Lays out the rows again. The row under the mouse stays in place, else the first one.
    void relayout();
    /// The row at `y` of the viewport stays in place; nothing: the first one.
    void keepInPlace(std::optional<int> y) { m_keptY = y; }
    /// Scrolls so that `row` is in view.
    void ensureVisible(RowId row);
    using Motion = warpline::Motion;
    /// One step at the mouse, or in the middle when it is elsewhere; continues while `heldKey` is pressed (0:
    /// none).
    void move(Motion motion, int heldKey);
    /// Moves with the pressed keys up to the current time; called by a timer.
    void moveByHeldKeys();
    /// To the next or previous event of the row in which the current one was selected; pans when there is
    /// none, while `heldKey` is pressed. Expands no row.
    void stepEvent(bool forward, int heldKey = 0);
    /// To the child or parent of the current event, then to the nearest row below or above with events. The
    /// time stays that of the click, else the middle of the visible part, over consecutive steps; the view
    /// only moves when the event is out of view.
    void stepRow(bool down);
    /// Shows the current event, else the selected range, else everything.
    void focusCurrent();
    /// Marks all events with the name of `event` (not valid(): of the one under the mouse, else of the
    /// current one), until the same is asked for once more.
    void pinHighlight(EventId event = {});
    /// Events related to the current one.
    CurrentLinks& currentLinks() { return *m_links; }
    const std::vector<EventLink>& links() const { return m_links->links(); }
    /// Tags for related events and the current one when they are out of view; without any visible event for
    /// the nearest.
    std::vector<LinkHint> linkHints() const;
    /// The rows on the screen that show them, or hold the rows that do; each with the first of its events.
    std::vector<std::pair<RowId, EventId>> linkedRows() const;
    const EventLight& light() const { return m_light; }
    const HoverTip& tip() const { return *m_tip; }
    /// The last message of a key, while it is shown.
    NoteLabel& note() { return *m_note; }
    /// Where rows glide to, when something scrolls them.
    RowGlide& rowGlide() { return *m_rowGlide; }
    /// The text in the middle when there is nothing to show; else empty.
    QString emptyText() const;
    /// Ends a drag and clears the selection.
    void clearSelection();
    /// Selects the time between the current event and `event`, and shows the gap and the distance of starts.
    void measureTo(EventId event);
    const std::optional<Measure>& measure() const { return m_measure; }
    /// Where its label is: at the start of the second event, or at the edge that is next to it. Nothing: no
    /// part of what is measured is in view.
    std::optional<double> measureX() const;
    /// Copies the measurement, else the selected range, else the facts of the current event; false without
    /// any.
    bool copy();
    /// The edge to which a dragged selection snaps; nothing: none.
    const std::optional<Snap>& snap() const { return m_snap; }
    /// The label at the mouse while a range is dragged; else empty.
    QString dragLabel() const;
    /// Draws the cursor line at `time`, which is hovered in another timeline; nothing: removes it.
    void showCursor(std::optional<Ns> time);
    /// The first scrolled row, and how many pixels of it are above the edge; nothing without rows.
    struct TopRow {
        RowId row{};
        int beyond = 0;
    };
    std::optional<TopRow> topRow() const;
    /// Scrolls so that it is there. No further than there are rows.
    void scrollTo(TopRow top);
    /// The screen's row of `event`, or of its nearest ancestor that is visible; nullptr when there is none.
    const PlacedRow* visibleRowOf(EventId event) const;

signals:
    void cursorMoved(qint64 time, bool inside);
    void scrolled();
    void linksChanged(); ///< links() or linkedRows()
    void resized();
    void contextMenuWanted(warpline::TimelineView::Hit hit, QPoint globalPosition);

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag : std::uint8_t { None, Press, Box, Pan, LeftEdge, RightEdge, ZoomPress, Zoom };

    void onTraceChanged();
    void onDrawnChanged();
    void repaint(); ///< at once, for direct manipulation
    void repaintInTurn(); ///< apart from panels that show the same change
    bool isJump(TimeRange drawn) const; ///< relative to the previous frame: not direct manipulation
    void onCurrentChanged(EventId event);
    void onLinksChanged();
    void indexRows();
    void placeRows();
    void updateScrollBar();
    void paintRows(QPainter& painter);
    void paintSelection(QPainter& painter);
    void paintMarked(QPainter& painter); ///< the time range that is evidence
    void paintMarks(QPainter& painter); ///< the user's
    void paintStep(QPainter& painter); ///< at which it is aligned with another timeline
    void paintArrows(QPainter& painter);
    void paintExchange(QPainter& painter);
    std::optional<QPointF> placeOf(EventId event) const; ///< where it begins, in the middle of its lane
    std::optional<QPointF> placeOf(
        EventId event, const PlacedRow* row) const; ///< in that one; nullptr: nowhere
    QRect laneOf(EventId event, const PlacedRow& row) const; ///< on the screen; all of a row of one line
    const PlacedRow* walkedRow(EventId event) const; ///< the row from which the arrow keys move; nullptr:
                                                     ///< none
    Ns walkedTime(EventId event) const; ///< to which keys keep when they go up and down
    void walkTo(EventId event, const PlacedRow& row, std::optional<Ns> time);
    void ensureLaneVisible(EventId event, const PlacedRow& row);
    void scrollIntoView(int top, int bottom); ///< of the unscrolled rows
    void onRevealed(RowId row);
    PaintedItem itemOf(EventId event, QRect place, const Row& row);
    void describeCurrent(); ///< to those who do not see it
    void findNearest(); ///< when nothing is in view
    void addHint(std::vector<LinkHint>& hints, EventId event, const QString& text, bool isCurrent) const;
    void paintEmpty(QPainter& painter);
    QImage groundLine(const QColor& back) const; ///< with the grid; opaque, in device pixels
    void hover(QPoint position);
    void dragTo(QPoint position);
    void selectBox(QPoint to);
    std::optional<Snap> edgeNear(QPoint position, double reach, Qt::KeyboardModifiers modifiers) const;
    void beginSelection(QPoint position, Qt::KeyboardModifiers modifiers);
    Ns movingEnd(QPoint position); ///< of a selection: there, or the edge of an event nearby
    void showMeasure(EventId first, EventId second);
    void forgetMeasure(); ///< when another range is selected
    TimeRange zoomRange() const; ///< of a drag that zooms
    void finishZoom();
    void paintMeasure(QPainter& painter);
    void paintTimeLine(QPainter& painter, Ns time);
    void paintCurvePoint(QPainter& painter); ///< the value of the counter under the mouse
    void paintLabel(QPainter& painter, QPointF at, const QString& text);
    void scrollUnderBox();
    void stopDrag();
    void openMenuAt(QPoint position, QPoint globalPosition);
    void showTip(const Hit& hit, QPoint position);
    void forgetHover();
    bool isDense(const Hit& hit, QPoint position) const; ///< too many events there to describe one
    DensePlace placeAt(const Hit& hit, QPoint position) const;
    QRect subjectOf(const Hit& hit, QPoint position) const; ///< the area that a tooltip must not hide
    void paintArrow(QPainter& painter, const EventLink& link);
    void paintTag(QPainter& painter, const QRect& place, const QString& text) const;
    void paintHint(QPainter& painter, const LinkHint& hint) const;
    QRect tagAt(QPoint middle, const QString& text) const;
    std::optional<LinkHint> hintAt(QPoint position) const;
    void moveBy(MotionStep step);
    void zoomBy(double x, double factor, Manner manner); ///< keeps the time at x in place
    void panBy(double ns, Manner manner);
    TimeAxis targetAxis() const; ///< of where a glide ends
    bool nativeGesture(QEvent* event);
    Drag dragModeAt(QPoint position, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const;
    EventId eventNear(const Row& row, const PlacedRow& placed, QPoint position) const;
    std::vector<Outlined> outlined() const;

    Session& m_session;
    RowLayout& m_layout;
    const Theme* m_theme;
    RowPainter m_painter;
    OwnTurn m_repaint;
    TimeRange m_drawnBefore; ///< of the last or due frame
    bool m_isDue = false; ///< the turn came, but the paint event that it requested did not
    bool m_isNew = true; ///< the screen shows another trace
    QHash<quint64, RowId> m_rowOfTrack; ///< by report, kind and number: the row that draws it in full

    Drag m_drag = Drag::None;
    QPoint m_dragFrom;
    TimeRange m_dragShown; ///< when panning began
    int m_dragOffset = 0;
    TimeRange m_dragSelected;
    std::vector<RowId> m_dragRows; ///< selected when the drag began
    /// Where a box began, in time and rows: zooming and scrolling under the drag must not move it.
    struct Anchor {
        Ns time = 0;
        int y = 0; ///< from the top of the pinned rows, or of the unscrolled ones
        bool pinned = false;
    } m_anchor;
    Qt::KeyboardModifiers m_modifiers; ///< of the last move of the mouse
    std::optional<Snap> m_firstSnap; ///< where a selection began
    std::optional<Snap> m_snap; ///< where it ends
    std::optional<Measure> m_measure;
    bool m_pressedHint = false; ///< by the last press
    bool m_menuOnRelease = false; ///< the right button was pressed: it may be the beginning of a drag
    EventId m_hovered;
    static constexpr int noPixel = -1;
    int m_hoveredPixel = noPixel; ///< where too many events are under the mouse to describe one
    CurrentLinks* m_links;
    std::vector<EventLink> m_hoverLinks; ///< of the hovered one
    EventLight m_light;
    const NameBooks& m_books;
    HoverTip* m_tip;
    NoteLabel* m_note;
    RowGlide* m_rowGlide;
    ColumnWidth* m_columnWidth;
    /// The place from which the arrow keys move; valid while `event` is the current one.
    struct Walk {
        EventId event;
        RowId row{}; ///< in which it was chosen
        bool pinned = false; ///< at the top, not at its normal place
        std::optional<Ns> time;
    } m_walk;
    RowId m_revealed{}; ///< to which the current event leads now
    /// Before and after the range that is shown, when no row has an event in it.
    struct Nearest {
        TimeRange of; ///< for which it was looked up
        bool isEmpty = false;
        EventId before;
        EventId after;
    } m_nearest;
    bool m_focusMark = false; ///< the keyboard led here
    CounterSelection* m_counters;
    IdleBooks& m_idle;
    std::optional<int> m_cursorX;
    std::optional<int> m_keptY; ///< see keepInPlace()
    HeldKeys m_keysHeld;
    WholeParts m_scrolled; ///< parts of pixels down, of nanoseconds across, and of lengths
    WholeParts m_panned;
    WholeLengths m_zoomed;
    QBasicTimer m_keyTimer;
    QBasicTimer m_edgeTimer;
    QPoint m_lastPosition;
};

} // namespace warpline
