#pragma once

#include "core/compare/compare_runs.h"
#include "views/loading/latest_job.h"
#include "views/models/stats_model.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace warpline {

/// Any summary table of Statistics for two compared runs: each value of A, of B and the difference. A table
/// is made on selection, off the GUI thread.
class CompareStatistics : public QWidget {
    Q_OBJECT
public:
    explicit CompareStatistics(QWidget* parent = nullptr);

    /// The comparison; nothing: none. The selected table stays selected.
    void setRequest(std::optional<CompareRequest> request);
    bool isBusy() const { return m_listing.isBusy() || m_filling.isBusy() || m_model->isOrdering(); }
    QComboBox& tables() { return *m_tables; }
    QLineEdit& search() { return *m_search; }
    QTableView& table() { return *m_table; }
    const StatsModel& model() const { return *m_model; }

signals:
    void updated();

private:
    void fillList(const std::vector<std::string>& ids);
    void fill();
    void showOrdered();

    QComboBox* m_tables; ///< the ids are their data
    QLineEdit* m_search;
    QLabel* m_state;
    QTableView* m_table;
    StatsModel* m_model;
    std::optional<CompareRequest> m_request;
    QString m_wanted; ///< the table that the user chose last, whether or not these runs have it
    QString m_shown; ///< the table whose column widths are set
    LatestJob m_listing;
    LatestJob m_filling;
};

} // namespace warpline
