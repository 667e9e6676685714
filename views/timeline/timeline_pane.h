#pragma once

#include "views/session/session.h"
#include "views/style/theme.h"
#include "views/timeline/row_layout.h"
#include "views/timeline/timeline_view.h"

#include <QWidget>

class QLabel;
class QMenu;

namespace warpline {

class ColorLegend;
class FirstView;
class MarkBand;
class Overview;
class ResultBand;
class RowChips;
class RowFilter;
class RowFilterBox;
class RowLabels;
class Ruler;
class StepStrip;

/// The whole timeline: overview, ruler, labels and rows, with the edge between labels and rows to drag.
class TimelinePane : public QWidget {
    Q_OBJECT
public:
    TimelinePane(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    TimelineView& view() { return *m_view; }
    RowLabels& labels() { return *m_labels; }
    Ruler& ruler() { return *m_ruler; }
    MarkBand& marks() { return *m_marks; }
    ResultBand& results() { return *m_results; }
    Overview& overview() { return *m_overview; }
    StepStrip& stepStrip() { return *m_steps; }
    ColorLegend& legend() { return *m_legend; }
    RowFilter& rowFilter() { return *m_filter; }
    RowChips& chips() { return *m_chips; }
    /// Lets the user type which rows to show.
    void editRowFilter();
    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);
    /// Marks the pane as one of several runs: a letter in `color` at the top left, with the report's name.
    /// Empty: no mark.
    void setBadge(const QString& letter, const QColor& color);
    /// Draws the mouse's line at `time` in ruler and rows, see TimelineView::showCursor().
    void showCursor(std::optional<Ns> time);
    /// Fills the context menu for `hit`.
    void fillMenu(QMenu& menu, const TimelineView::Hit& hit);

signals:
    void labelWidthChanged(int width);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void arrange();
    /// Length and number of events of the report, as loaded; the range, where two of one report are compared.
    void showSize();
    void showRun(const QString& shown, const QString& whole); ///< with its name; `whole`: in the tooltip
    QString runName() const; ///< of the report, or of the first and how many there are more
    void alignWithRows();
    void openMenu(const TimelineView::Hit& hit, QPoint globalPosition);

    Session& m_session;
    const Theme* m_theme;
    RowLayout m_layout;
    RowFilter* m_filter;
    QLabel* m_size; ///< at the top left, next to the overview
    RowFilterBox* m_filterBox; ///< next to the ruler
    RowChips* m_chips; ///< below the ruler, when rows are hidden
    FirstView* m_first;
    Overview* m_overview;
    StepStrip* m_steps; ///< below the overview, where there are steps
    QLabel* m_stepsLabel; ///< its label
    Ruler* m_ruler;
    MarkBand* m_marks;
    ResultBand* m_results;
    RowLabels* m_labels;
    TimelineView* m_view;
    ColorLegend* m_legend; ///< below all rows
    int m_labelWidth = 320;
    QString m_badge; ///< empty: none
    QColor m_badgeColor;
    bool m_resizing = false;
    bool m_passingKey = false; ///< a key is on its way to the rows
};

} // namespace warpline
