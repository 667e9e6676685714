#pragma once

#include "core/query/range_stats.h"
#include "views/loading/latest_job.h"
#include "views/models/cells_model.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QChart>
#include <QTimer>
#include <QWidget>

class QChartView;
class QLabel;
class QTableView;

namespace warpline {

/// Statistics of the selected range, or of what is shown when nothing is selected. Follows every drag: asked
/// again a blink after the last change, answered off the GUI thread.
class StatsPanel : public QWidget {
    Q_OBJECT
public:
    StatsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    const RangeStats& stats() const { return m_stats; }
    bool isBusy() const { return m_job.isBusy() || m_delay.isActive(); }

signals:
    void updated();

private:
    void refreshSoon();
    void refresh();
    void showStats(RangeStats stats);
    void fillNames();
    void fillRows();
    void fillCopies();
    void drawDevices();
    void drawHistogram();
    void highlightName(int row);
    QTableView* makeTable(CellsModel* model);

    Session& m_session;
    const Theme* m_theme;
    RangeStats m_stats;
    std::vector<RowId> m_rowsAsked;
    QLabel* m_summary;
    CellsModel* m_names;
    CellsModel* m_rows;
    CellsModel* m_copies;
    QTableView* m_nameTable;
    QTableView* m_rowTable;
    QTableView* m_copyTable;
    QChartView* m_devices;
    QChartView* m_histogram;
    LatestJob m_job;
    QTimer m_delay;
};

} // namespace warpline
