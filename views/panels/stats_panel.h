#pragma once

#include "core/query/range_stats.h"
#include "views/loading/latest_job.h"
#include "views/models/cells_model.h"
#include "views/panels/panel.h"

class QLabel;
class QTableView;
class QTabWidget;

namespace warpline {

class DeviceChart;
class DurationChart;

/// Statistics of the selected range, or of the shown one. Follows every drag with a short delay, computed off
/// the GUI thread, and not while the panel is hidden.
class StatsPanel : public Panel {
    Q_OBJECT
public:
    StatsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    const RangeStats& stats() const { return m_stats; }
    bool isBusy() const override { return m_job.isBusy() || Panel::isBusy(); }
    LeftOut leftOut() const override { return {.rows = true}; }
    QLabel& legend() { return *m_legend; }
    QTableView& nameTable() { return *m_nameTable; }
    QTableView& counterTable() { return *m_counterTable; }

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    struct Answer; ///< the statistics, and the lines of the tables
    void connectTables();
    void showAnswer(Answer answer);
    QString emptyText(const QTableView& table) const; ///< why it has no lines
    void highlightName(int row);
    void showCounter(int row);
    /// The covered tracks of kernels, copies and memsets.
    std::vector<TrackRef> gpuWorkAsked() const;
    QTableView* makeTable(CellsModel* model);

    RangeStats m_stats;
    std::vector<RowId> m_rowsAsked;
    std::vector<TrackRef> m_tracksAsked; ///< sorted; empty: all
    QLabel* m_summary;
    CellsModel* m_names;
    CellsModel* m_rows;
    CellsModel* m_copies;
    CellsModel* m_counters;
    QTableView* m_nameTable;
    QTableView* m_rowTable;
    QTableView* m_copyTable;
    QTableView* m_counterTable;
    DeviceChart* m_devices;
    QLabel* m_legend; ///< of m_devices
    DurationChart* m_durations;
    LatestJob m_job;
    LatestJob m_highlight;
};

} // namespace warpline
