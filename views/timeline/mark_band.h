#pragma once

#include "views/session/marks.h"
#include "views/session/time_view.h"
#include "views/style/theme.h"

#include <QWidget>

class QMenu;

namespace warpline {

class MarkEditor;
struct Mark;

/// The user's bookmarks below the ruler: ranges as bars, instants as flags, with texts where there is room. A
/// click goes there, a double-click edits, the right mouse button opens a menu. Hidden without bookmarks.
class MarkBand : public QWidget {
    Q_OBJECT
public:
    /// Both outlive the band.
    MarkBand(TimeView& time, Marks& marks, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// The bookmark at `x`; -1: none. Of several the one that begins last, which is drawn on top.
    int markAt(double x) const;
    /// Lets the user write the mark at `place`, right below it.
    void openEditor(int place);
    MarkEditor& editor() { return *m_editor; }
    void fillMenu(QMenu& menu, int place);
    QSize sizeHint() const override;

signals:
    void heightChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow(); ///< the marks
    QRectF barOf(const Mark& mark) const;
    void paintMark(QPainter& painter, std::size_t place);

    TimeView& m_time;
    Marks& m_marks;
    const Theme* m_theme;
    MarkEditor* m_editor;
    bool m_pressedMark = false; ///< the last press led to the current mark
};

} // namespace warpline
