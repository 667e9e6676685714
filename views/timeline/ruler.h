#pragma once

#include "views/loading/latest_job.h"
#include "views/session/session.h"
#include "views/style/text_scale.h"
#include "views/style/theme.h"
#include "views/timeline/time_axis.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace warpline {

struct TimeScale;

/// The time scale above the rows, with the cursor's time and the length of the selected range. Dragging
/// selects a range of all rows; with the right button it zooms. Ticks mark search hits, exactly at every
/// scale.
class Ruler : public QWidget {
    Q_OBJECT
public:
    Ruler(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setCursor(std::optional<Ns> time);
    QSize sizeHint() const override { return {100, inTextSize(26)}; }
    /// The pixels with a tick, as painted; ascending. Empty while nothing is searched for, or not yet found.
    std::vector<int> ticks() const;
    /// The label at the mouse's line; empty without one in view.
    QString cursorLabel() const;
    QRectF cursorPlace() const; ///< of cursorLabel(); empty without one
    /// The places of the marked and selected lengths: separate from each other and from startLabel(), where
    /// there is room.
    std::vector<QRectF> tagPlaces() const;
    /// The place of the base time of the ticks' labels; empty: they count from zero.
    QRectF startLabel() const;
    bool isReady() const { return !m_searching.isBusy(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void search();
    /// A length or a time in a box; labels of ticks make room for it.
    struct Tag {
        QRectF place;
        QString text;
        QColor background;
    };
    Tag tagAt(double x, const QString& text, QColor background) const; ///< in the middle above `x`
    std::vector<Tag> tagsOf(const TimeAxis& axis) const; ///< for the marked and the selected range
    QString startText(const TimeScale& scale) const; ///< of startLabel()
    static void paintTag(QPainter& painter, const Tag& tag);

    Session& m_session;
    const Theme* m_theme;
    std::optional<Ns> m_cursor;
    std::vector<Ns> m_found; ///< when matches of the search start, ascending
    LatestJob m_searching;
    Ns m_anchor = 0;
    bool m_zooms = false; ///< the current drag zooms instead of selecting
};

} // namespace warpline
