#pragma once

#include "core/store/track_filter.h"
#include "core/table/joined_cells.h"
#include "views/loading/latest_job.h"
#include "views/models/stats_model.h"
#include "views/panels/panel.h"
#include "views/panels/table_list.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace warpline {

class DurationChart;
class RangeNotice;
class TableExport;

/// The statistics tables: a list on the left, the table on the right, for the whole report or live for the
/// selected range. A click marks all events of a row in the timeline, a double-click steps through them.
class TablesPanel : public Panel {
    Q_OBJECT
public:
    TablesPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    /// How long the events of the chosen line are; hidden until a line is chosen.
    DurationChart& histogram() { return *m_histogram; }
    StatsModel& model() { return *m_model; }
    TableList& list() { return *m_list; }
    QTableView& table() { return *m_table; }
    QLineEdit& search() { return *m_search; }
    bool isBusy() const override { return m_applying.isBusy() || m_job.isBusy() || Panel::isBusy(); }
    /// Shows the table `id` when the report has it.
    void choose(const QString& id);
    TableExport& exporting() { return *m_export; }
    QStringList commandWords() const override;
    LeftOut leftOut() const override { return {.rows = true}; }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    void makeTable();
    void connectWidgets();
    void connectTable();
    void fillList();
    void listTables(std::vector<const StatsTable*> tables);
    void tableChosen();
    void showColumns();
    /// A report that the table shown is of.
    struct Part {
        ReportId report{};
        std::shared_ptr<const Trace> trace;
        TimeRange window; ///< the requested window, on its own clock; empty: all of it
        TrackFilter covers; ///< the requested ones
    };
    /// Where a line comes from.
    struct Source {
        Part part;
        std::shared_ptr<const Cells> cells; ///< of that report alone
        std::uint32_t row = 0; ///< of these
    };
    bool isOfSeveral() const; ///< reports: a column shows the report of a row
    std::vector<Part> partsAsked() const;
    /// The tables that apply to any of `traces`.
    static std::vector<const StatsTable*> tablesOf(
        const std::vector<std::shared_ptr<const Trace>>& traces, const std::stop_token& stop);
    Source sourceOf(int line) const;
    bool isOpen(const Part& part) const { return m_session.workspace().holds(part.report, part.trace); }
    void showRowCount();
    void showEventsOf(int line);
    /// Highlights those events of the line that the histogram shows that take `least` to `most`, both
    /// included.
    void markEventsOfDuration(Ns least, Ns most);

    TableList* m_list;
    QComboBox* m_variant;
    QLineEdit* m_range; ///< name of the NVTX ranges that a table is about
    QLineEdit* m_search;
    QLabel* m_state;
    QLabel* m_about; ///< the request that the table shows
    RangeNotice* m_notice;
    StatsModel* m_model;
    QTableView* m_table;
    TableExport* m_export;
    DurationChart* m_histogram;
    std::vector<Part> m_parts; ///< of the table shown
    std::shared_ptr<const std::vector<CellsOfReport>> m_cells; ///< of each part
    Source m_charted; ///< the line that the histogram shows, wherever it is now
    bool m_listIsOfSeveral = false; ///< the list of tables is that of several reports
    LatestJob m_applying;
    LatestJob m_job;
    LatestJob m_bins;
    LatestJob m_marking;
    QString m_wanted; ///< the table that the user chose last, whether or not this report has it
    QString m_shown; ///< the table whose column widths are set
    int m_columnsShown = 0; ///< and how many there were
    int m_steppedLine = -1; ///< of the double-clicks
    std::size_t m_step = 0;
};

} // namespace warpline
