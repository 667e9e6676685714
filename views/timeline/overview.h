#pragma once

#include "views/session.h"
#include "views/style/theme.h"

#include <QImage>
#include <QWidget>

namespace warpline {

/// The whole report in one strip: how busy the GPUs were above, CUDA API calls below, and the shown range as
/// a window that can be dragged and resized. A click outside moves the window there.
class Overview : public QWidget {
    Q_OBJECT
public:
    Overview(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override { return {100, 34}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    enum class Drag : std::uint8_t { None, Move, Left, Right };
    Drag dragAt(double x) const;
    void draw();

    Session& m_session;
    const Theme* m_theme;
    QImage m_strip; ///< redrawn when trace, size or theme change
    Drag m_drag = Drag::None;
    double m_dragFrom = 0;
    TimeRange m_dragShown;
};

} // namespace warpline
