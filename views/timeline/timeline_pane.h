#pragma once

#include "views/session/session.h"
#include "views/style/theme.h"
#include "views/timeline/row_layout.h"
#include "views/timeline/timeline_view.h"

#include <QWidget>

class QLabel;
class QMenu;

namespace warpline {

class Overview;
class RowLabels;
class Ruler;

/// The whole timeline: overview, ruler, labels and rows, with the edge between labels and rows to drag.
class TimelinePane : public QWidget {
    Q_OBJECT
public:
    TimelinePane(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    TimelineView& view() { return *m_view; }
    RowLabels& labels() { return *m_labels; }
    Ruler& ruler() { return *m_ruler; }
    Overview& overview() { return *m_overview; }
    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);
    /// The menu for `hit`; what the right mouse button opens.
    void fillMenu(QMenu& menu, const TimelineView::Hit& hit);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void arrange();
    void showSize(); ///< span and number of events of the report, as far as it is read
    void showHidden(); ///< how many rows are hidden, with a link that shows them
    void alignWithRows();
    void openMenu(const TimelineView::Hit& hit, QPoint globalPosition);

    Session& m_session;
    const Theme* m_theme;
    RowLayout m_layout;
    QLabel* m_size; ///< at the top left, beside the overview
    QLabel* m_hidden; ///< beside the ruler
    Overview* m_overview;
    Ruler* m_ruler;
    RowLabels* m_labels;
    TimelineView* m_view;
    int m_labelWidth = 320;
    bool m_resizing = false;
    bool m_passingKey = false; ///< a key is on its way to the rows
};

} // namespace warpline
