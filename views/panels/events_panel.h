#pragma once

#include "views/models/events_model.h"
#include "views/models/nested_events_model.h"
#include "views/models/written_files.h"
#include "views/panels/panel.h"
#include "views/panels/table_export.h"
#include "views/session/filter_edit.h"

class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;
class QTreeView;

namespace warpline {

class ElidedLabel;
class EventsFilterBar;

/// The events panel, for one report or several (ReportScope): filters above, the table below, or the same
/// events as a tree of the NVTX ranges around them. A click selects in the timeline, a double-click zooms
/// there; the selection in the timeline is scrolled to here.
class EventsPanel : public Panel {
    Q_OBJECT
public:
    explicit EventsPanel(Session& session, QWidget* parent = nullptr);

    bool isBusy() const override { return m_model->isBusy() || m_nesting.isBusy(); }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    EventsModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    NestedEventsModel& nested() { return *m_nested; }
    QTreeView& tree() { return *m_tree; }
    QToolButton& nestButton() { return *m_nest; }
    FilterEdit& nameFilter();
    /// Fills the context menu for `event`.
    void fillMenu(QMenu& menu, EventId event);
    void askForFile(); ///< asks where, then exportCsv()
    /// Writes the table as CSV, off the GUI thread; messages() has the result.
    void exportCsv(const QString& path);
    /// Copies the selected rows, the first `most`, as tab-separated text, off the GUI thread; messages() has
    /// the result.
    void copySelection(std::size_t most = mostCopied);

protected:
    void showReport() override;
    void clear() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void showOrder(); ///< by the mark of the sorted column
    void widenStart(); ///< to what its times need in the font
    void connectTable();
    void makeTree();
    void connectTree();
    void nest();
    void showCurrent();
    void showFirst();
    void showCount();
    void openMenu(QPoint position);
    std::vector<std::string> labelsOfReports() const; ///< by ReportId

    EventsModel* m_model;
    QTableView* m_table;
    NestedEventsModel* m_nested;
    QTreeView* m_tree;
    QStackedWidget* m_stack;
    QToolButton* m_nest;
    EventsFilterBar* m_filter;
    ElidedLabel* m_count;
    LatestJob m_nesting;
    FileWriter m_export{&m_session, this};
    LatestJob m_copy;
    bool m_leading = false; ///< the timeline's selection changes because the table's did
    bool m_isFilteredAnew = false; ///< the list of another filter is on its way
    bool m_following = false; ///< the selection changes because the timeline's did
};

} // namespace warpline
