#pragma once

#include "views/session.h"
#include "views/style/theme.h"
#include "views/timeline/row_layout.h"
#include "views/timeline/row_painter.h"
#include "views/timeline/time_axis.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QSet>

#include <optional>

namespace warpline {

/// The rows of the timeline, all painted by this one widget. It is as big as what the user sees, never as big
/// as the rows: the vertical scroll bar moves an offset.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    TimelineView(Session& session, RowLayout& layout, const Theme& theme, QWidget* parent = nullptr);
    ~TimelineView() override;

    void setTheme(const Theme& theme);
    /// Whether kernels have the hue of their name, or all the same.
    void setKernelsByName(bool byName);
    TimeAxis axis() const;
    int offset() const;

    struct Hit {
        RowId row{};
        EventRef event; ///< not valid(): the row, but no event
    };
    /// What is under `position` of the viewport; events thinner than a pixel are hit within three pixels.
    Hit hitAt(QPoint position) const;
    /// Scrolls so that `row` is in view.
    void ensureVisible(RowId row);
    /// The screen's row of `track`, or of its nearest ancestor that is visible; nullptr when there is none.
    const PlacedRow* visibleRowOf(TrackRef track) const;

signals:
    void cursorMoved(qint64 time, bool inside);
    void scrolled();
    void resized();
    void contextMenuWanted(warpline::TimelineView::Hit hit, QPoint globalPosition);

protected:
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

private:
    enum class Drag : std::uint8_t { None, Press, Box, Pan, LeftEdge, RightEdge };

    void onTraceChanged();
    void onShownChanged();
    void onLayoutChanged();
    void onCurrentChanged(EventRef event);
    void updateScrollBar();
    void paintRows(QPainter& painter);
    void paintSelection(QPainter& painter);
    void paintArrows(QPainter& painter);
    void paintEmpty(QPainter& painter);
    void paintGrid(QPainter& painter);
    void hover(QPoint position);
    void dragTo(QPoint position);
    void selectBox(QPoint to);
    void scrollUnderBox();
    void stopDrag();
    void showTip(const Hit& hit, QPoint position);
    void stepEvent(bool forward);
    void stepRow(bool down);
    void focusCurrent();
    bool moveByKey(const QKeyEvent& event); ///< W, S, A, D; false: another key
    bool viewByKey(const QKeyEvent& event); ///< all others; false: not one of the timeline's
    void moveBy(double zoom, double pan);
    bool nativeGesture(QEvent* event);
    Drag dragModeAt(QPoint position, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const;
    EventRef eventNear(const Row& row, const PlacedRow& placed, QPoint position) const;
    std::vector<Outlined> outlined() const;

    Session& m_session;
    RowLayout& m_layout;
    const Theme* m_theme;
    RowPainter m_painter;
    QHash<quint64, RowId> m_rowOfTrack; ///< the row that draws it in full

    Drag m_drag = Drag::None;
    QPoint m_dragFrom;
    TimeRange m_dragShown; ///< when panning began
    int m_dragOffset = 0;
    TimeRange m_dragSelected;
    /// Where a box began, in time and rows: zooming and scrolling under the drag must not move it.
    struct Anchor {
        Ns time = 0;
        int y = 0; ///< from the top of the pinned rows, or of the unscrolled ones
        bool pinned = false;
    } m_anchor;
    EventRef m_hovered;
    std::vector<EventRef> m_partners; ///< of the current event
    std::optional<int> m_cursorX;
    QSet<int> m_keysHeld; ///< W, S, A, D
    QBasicTimer m_keyTimer;
    QBasicTimer m_edgeTimer;
    QPoint m_lastPosition;
};

} // namespace warpline
