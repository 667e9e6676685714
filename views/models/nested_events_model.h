#pragma once

#include "core/query/nested_events.h"
#include "core/workspace/events_of_reports.h"
#include "views/session/session.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace warpline {

/// The events of one report below the NVTX ranges around them.
struct NestedPart {
    ReportId report{};
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const EnclosingRanges> ranges; ///< of `trace`
    NestedEvents events;
};
using NestedParts = std::vector<std::shared_ptr<const NestedPart>>;

/// A part for each report of `list`. Reuses the ranges of parts in `known` for the same trace. Throws
/// Stopped.
NestedParts nestedParts(const EventsOfReports& list, const NestedParts& known, const std::stop_token& stop);

/// The list of the events panel as a tree: NVTX ranges with the number and the time of their events, and the
/// events of each in the order of the list. With several reports each is a top-level line. Lines are made on
/// access; a range lists at most `maxEvents` events.
class NestedEventsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column : std::uint8_t { Name, Count, Time, Start, Where, Columns };
    static constexpr std::uint64_t maxEvents = 5000;

    explicit NestedEventsModel(Session& session, QObject* parent = nullptr);

    void show(std::shared_ptr<const EventsOfReports> list, NestedParts parts);
    const std::shared_ptr<const EventsOfReports>& list() const { return m_list; }
    const NestedParts& parts() const { return m_parts; }
    EventId idAt(const QModelIndex& index) const; ///< not valid where a range is
    QModelIndex indexOf(EventId event) const; ///< not valid: not listed. O(nodes and its range's events)

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// The content of a line: a node of a part, or an event directly below one.
    struct Place {
        std::uint32_t part = 0;
        std::uint32_t node = 0;
        bool isEvent = false;
        int row = 0; ///< index of an event among those below its node
    };
    static quintptr idOf(const Place& place);
    static Place lineAt(const QModelIndex& index); ///< for an invalid index: the root of the only part
    int linesBelow(const Place& place) const;
    bool isRest(const Place& place) const; ///< "and so many more"
    EventRef eventAt(const Place& place) const;
    QString nodeText(const Place& place, int column) const;
    QString eventText(const Place& place, int column) const;

    Session& m_session;
    std::shared_ptr<const EventsOfReports> m_list;
    NestedParts m_parts;
};

} // namespace warpline
