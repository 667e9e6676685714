#pragma once

#include "core/query/event_list.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <memory>
#include <vector>

namespace warpline {

/// The events of the selected rows and range as a virtual table: any number of rows, each cell made when it
/// is seen. Collected and sorted off the GUI thread; the table changes at once when the new order is there.
class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit EventsModel(Session& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    EventRef eventAt(int row) const;
    int rowOf(EventRef event) const; ///< -1: not in the table
    const EventList& list() const { return *m_list; }
    bool isBusy() const { return m_job.isBusy() || m_delay.isActive(); }
    /// While nobody sees the table it does not follow the session; it catches up when it is active again.
    void setActive(bool active);
    /// What the table is asked for now: selected rows, range, filter and order of the session.
    EventQuery query() const;

signals:
    void busyChanged();
    void updated(); ///< a new order is shown

private:
    struct Kept {
        EventQuery query;
        std::shared_ptr<const EventList> list;
    };

    void refreshSoon();
    void show(std::shared_ptr<const Trace> trace, std::shared_ptr<const EventList> list);
    void refresh();
    void keep(const EventQuery& query, const std::shared_ptr<const EventList>& list);
    QString textOf(EventRef event, EventColumn column, StringId field) const;
    QString nvtxTextOf(EventRef event, EventColumn column, StringId field) const;
    /// The columns of the trace shown: those that every event has, then what its NVTX events say.
    void findColumns();

    Session& m_session;
    std::shared_ptr<const Trace> m_trace; ///< of the list
    std::vector<Kept> m_kept; ///< of this trace, the newest first: sorting the same way again costs nothing
    std::shared_ptr<const EventList> m_list = std::make_shared<const EventList>();
    struct Shown {
        EventColumn column;
        StringId field{}; ///< of EventColumn::Payload
    };
    std::vector<Shown> m_columns;
    EventColumn m_column = EventColumn::Duration;
    StringId m_field{}; ///< with EventColumn::Payload
    bool m_descending = true;
    LatestJob m_job;
    QTimer m_delay; ///< a drag asks many times
    bool m_active = true;
    bool m_outdated = false; ///< asked for a refresh while not active
};

} // namespace warpline
