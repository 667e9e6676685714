#pragma once

#include "core/operators/kernel_work.h"
#include "core/query/event_list.h"
#include "core/table/cells.h"
#include "core/workspace/events_of_reports.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace warpline {

/// The events of the selected rows and range as a virtual table: any number of rows, with cells made on
/// access. Collected and sorted off the GUI thread; the table changes at once when the new order is complete.
/// For one report, or several (ReportScope) with a column for the report.
class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit EventsModel(Session& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;
    /// The column that the list is sorted by; -1: none of those that are shown.
    int sortedColumn() const;
    Qt::SortOrder sortOrder() const { return m_descending ? Qt::DescendingOrder : Qt::AscendingOrder; }

    EventId idAt(int row) const;
    EventRef eventAt(int row) const { return idAt(row).event; }
    int rowOf(EventId event) const; ///< -1: not in the table
    int rowOf(EventRef own) const { return rowOf(m_session.idOf(own)); } ///< of the session's report
    const EventsOfReports& list() const { return *m_list; }
    const std::shared_ptr<const EventsOfReports>& sharedList() const { return m_list; }
    /// The table for files and the clipboard, with plain numbers. A row is made when it is written, on any
    /// thread, and stays as the table is now.
    Cells cells() const;
    bool isOfSeveral() const { return m_list->parts().size() > 1; }
    bool isBusy() const { return m_job.isBusy() || m_delay.isActive(); }
    const QString& failure() const { return m_job.failure(); } ///< why the list is empty
    /// An inactive table does not follow the session; it catches up when it is active again.
    void setActive(bool active);
    /// Makes the list that the session asks for now (rows, range, filter, order), on any thread; also while
    /// the table is not active.
    using MakeList = std::function<std::shared_ptr<const EventsOfReports>(const std::stop_token& stop)>;
    MakeList makeList();

signals:
    void busyChanged();
    void updated(); ///< a new order is shown

private:
    /// One report's part of the query.
    struct AskedOfReport {
        ReportId report{};
        std::shared_ptr<const Trace> trace;
        ClockOffset clock;
        EventQuery query;
        bool operator==(const AskedOfReport&) const = default;
    };
    struct Asked {
        std::vector<AskedOfReport> parts;
        bool byReport = false;
        bool operator==(const Asked&) const = default;
    };
    struct Kept {
        Asked asked;
        std::shared_ptr<const EventsOfReports> list;
    };
    struct Shown {
        EventColumn column;
        StringId field{}; ///< of EventColumn::Payload
        bool isReport = false; ///< the label of the event's report
        std::optional<WorkColumn> work = {}; ///< of EventColumn::Measure
    };

    EventQuery queryOfReport(ReportId report) const;
    /// Whether rows or a filter leave `report` out altogether.
    bool leavesOut(ReportId report) const;
    /// What the session asks for. Reports that do not have the column of the order are sorted by duration.
    Asked asked();
    void dropOwnColumn(); ///< from the order, where it is one that only the report before has
    static std::shared_ptr<const EventsOfReports> listOf(const Asked& asked, const std::stop_token& stop);
    bool isListOpen() const; ///< the listed reports are still open, with the same indexes
    void follow();
    void refreshSoon();
    void show(std::shared_ptr<const EventsOfReports> list);
    void refresh();
    void keep(const Asked& asked, const std::shared_ptr<const EventsOfReports>& list);
    QString labelOf(ReportId report) const;
    static const EventsPart& partOf(const EventsOfReports& list, EventId event);
    static QString textOf(const EventsPart& part, EventRef event, const Shown& shown,
        const OperatorRooflines* rooflines); ///< not the label of the report
    static Unit unitOf(const Shown& shown); ///< in files
    static Cell cellOf(
        const EventsPart& part, EventRef event, const Shown& shown, const OperatorRooflines* rooflines);
    static QString nvtxTextOf(const Trace& trace, EventRef event, const Shown& shown);
    /// The columns of the shown trace: the common ones, then fields of its NVTX payloads.
    void findColumns();
    /// Looks for operators' work, off the GUI thread: its columns appear where there is any.
    void findWork();
    void showWork(std::shared_ptr<const OperatorRooflines> rooflines);

    Session& m_session;
    std::shared_ptr<const Trace> m_trace; ///< of the list; of several reports that of the session
    std::vector<Kept> m_kept; ///< for the open reports, the newest first: sorting the same way again is free
    std::shared_ptr<const EventsOfReports> m_list = std::make_shared<const EventsOfReports>();
    std::vector<Shown> m_columns;
    EventColumn m_column = EventColumn::Duration;
    StringId m_field{}; ///< with EventColumn::Payload
    std::shared_ptr<const EventMeasure> m_measure; ///< with EventColumn::Measure
    std::shared_ptr<const OperatorRooflines> m_rooflines; ///< of m_trace; nullptr: not known yet, or none
    std::array<std::shared_ptr<const EventMeasure>, allWorkColumns.size()> m_measures; ///< of these
    bool m_byReport = false; ///< one report after another, each as m_column has it
    bool m_descending = true;
    LatestJob m_job;
    LatestJob m_workJob;
    QTimer m_delay; ///< a drag asks many times
    bool m_active = true;
    bool m_outdated = false; ///< requested while not active
};

} // namespace warpline
