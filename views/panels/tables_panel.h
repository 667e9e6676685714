#pragma once

#include "views/loading/latest_job.h"
#include "views/models/stats_model.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QTimer>
#include <QWidget>

class QChartView;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QTableView;

namespace warpline {

/// The statistics tables: choose one on the left, see it on the right, live for the selected range. A click marks all events of
/// a row in the timeline, a double-click steps through them.
class TablesPanel : public QWidget {
    Q_OBJECT
public:
    TablesPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// The histogram of the chosen line's events; hidden until a line is chosen.
    QChartView& histogram() { return *m_histogram; }

    StatsModel& model() { return *m_model; }
    QListWidget& list() { return *m_list; }
    QTableView& table() { return *m_table; }
    QLineEdit& search() { return *m_search; }
    bool isBusy() const { return m_job.isBusy() || m_delay.isActive(); }
    /// The table as text, in the order shown: "csv", "markdown" or "tsv".
    QString textAs(const QString& format) const;

signals:
    void updated();

private:
    void fillList();
    void refreshSoon();
    void refresh();
    void reorder();
    void showColumns();
    const StatsTable* chosen() const;
    std::vector<EventRef> eventsOf(int line) const;
    void exportTable();
    void drawHistogram();

    Session& m_session;
    const Theme* m_theme;
    QListWidget* m_list;
    QComboBox* m_variant;
    QCheckBox* m_ofRange;
    QLineEdit* m_search;
    QLabel* m_state;
    StatsModel* m_model;
    QTableView* m_table;
    QChartView* m_histogram;
    std::vector<Ns> m_durations; ///< of the chosen line's events
    LatestJob m_job;
    LatestJob m_order;
    QTimer m_delay;
    QString m_shown; ///< the table whose column widths are set
    int m_sortColumn = -1;
    bool m_descending = true;
    int m_steppedLine = -1; ///< of the double-clicks
    std::size_t m_step = 0;
};

} // namespace warpline
