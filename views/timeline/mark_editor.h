#pragma once

#include "views/session/marks.h"
#include "views/session/time_view.h"
#include "views/style/theme.h"

#include <QFrame>
#include <QList>

#include <functional>

class QLineEdit;
class QToolButton;

namespace warpline {

/// An editor for a bookmark's text and colour, below the bookmark. Changes apply at once, so that nothing is
/// lost however it is closed: by Return, Esc or a click elsewhere.
class MarkEditor : public QFrame {
    Q_OBJECT
public:
    MarkEditor(TimeView& time, Marks& marks, const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme);
    /// Shows the text of the mark at `place`, with the upper left corner at `corner` of the parent.
    void open(int place, QPoint corner);
    QLineEdit& line() { return *m_line; }
    /// The button of MarkColor `index`.
    QToolButton& color(int index) { return *m_colors[index]; }
    QToolButton& removing() { return *m_remove; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int placeNow() const; ///< of the mark: others may have come before it; -1: it is gone
    void change(const std::function<void(Mark& mark)>& edit); ///< the mark, if it is still there
    void done();

    Marks& m_marks;
    QLineEdit* m_line;
    QList<QToolButton*> m_colors;
    QToolButton* m_remove;
    int m_place = -1; ///< where the mark was last
    TimeRange m_range; ///< of the mark
};

} // namespace warpline
