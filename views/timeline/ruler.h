#pragma once

#include "views/session/session.h"
#include "views/style/theme.h"

#include <QWidget>

#include <optional>

namespace warpline {

/// The time scale above the rows, with the cursor's time and the length of the selected range. Dragging on it
/// selects a range of all rows.
class Ruler : public QWidget {
    Q_OBJECT
public:
    Ruler(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setCursor(std::optional<Ns> time);
    QSize sizeHint() const override { return {100, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void paintTag(QPainter& painter, double x, const QString& text, QColor background);

    Session& m_session;
    const Theme* m_theme;
    std::optional<Ns> m_cursor;
    Ns m_anchor = 0;
};

} // namespace warpline
