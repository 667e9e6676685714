#pragma once

#include "core/rows/row_tree.h"
#include "core/workspace/clock_offset.h"
#include "core/workspace/event_id.h"
#include "core/workspace/exchange_lane.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A rank or another participant of a run: a process, on one device when that is known.
struct Participant {
    GlobalId process = 0;
    std::int32_t device = -1; ///< -1: all that it uses
    std::int64_t rank = -1; ///< -1: unknown
};

/// A report that is open.
struct OpenReport {
    ReportId id{}; ///< its place in Workspace::reports(), set by the workspace
    std::string label; ///< the user's name for it, initially the file's name; unique among open reports
    std::vector<Participant> participants; ///< one report may hold several ranks; empty: not known
    std::shared_ptr<const Trace> trace; ///< never null
    std::shared_ptr<const RowTree> rows; ///< never null; of this report only, with its own keys
    ClockOffset clock;
    std::optional<std::uint32_t> color; ///< 0xRRGGBB that the user gave it; nothing: by colorIndex
    /// Its number among the listed reports, shown or not, which it keeps when others go; nothing: its id.
    std::optional<std::size_t> colorIndex = {};

    /// Its session on the workspace's clock.
    TimeRange session() const;
};

/// The reports that are open together, on one axis. An immutable value like Trace: another report or another
/// offset makes another workspace, which shares all unchanged parts. Reports are never merged into one trace:
/// every table, rule and join stays within its report.
///
/// With a single report, rows, keys and times are its own, and its trees are shared, not copied.
class Workspace {
public:
    /// No report is open.
    Workspace();
    /// Gives the reports their ids in order and makes labels unique ("a", "a (2)"). At most 65,535 reports.
    /// `isPart`: others that belong to them are being loaded.
    explicit Workspace(std::vector<OpenReport> reports, bool isPart = false);

    std::span<const OpenReport> reports() const { return m_reports; }
    bool isEmpty() const { return m_reports.empty(); }
    /// `id` is of this workspace.
    const OpenReport& report(ReportId id) const { return m_reports[raw(id)]; }
    const Trace& trace(ReportId id) const { return *report(id).trace; }
    /// The open report with `trace`; nullptr: none.
    const OpenReport* find(const std::shared_ptr<const Trace>& trace) const;
    /// Whether `trace` is open as `id`: still, and at its place.
    bool holds(ReportId id, const std::shared_ptr<const Trace>& trace) const
    {
        return raw(id) < m_reports.size() && report(id).trace == trace;
    }
    /// True when all of every report is there.
    bool isComplete() const;
    /// Other reports are to join these: what is stored for all of them is not of these alone.
    bool isPart() const { return m_isPart; }
    /// The smallest range that holds the session of each report; empty when none has events.
    TimeRange session() const { return m_session; }
    /// Number of recorded events of all reports.
    std::uint64_t eventCount() const;

    /// The rows of all reports. With several each report's stand below a heading with its label, and their
    /// keys begin with "report:", its label and a slash.
    const RowTree& rows() const { return *m_rows; }
    const std::shared_ptr<const RowTree>& sharedRows() const { return m_rows; }
    /// The row of the workspace that `own`, of the tree of `report`, became; the root becomes its heading.
    RowId rowOf(ReportId report, RowId own) const;
    /// The inverse: the row in OpenReport::rows. Maps headings, and rows of no report (see isOfAll()), to the
    /// root.
    RowId ownRow(RowId row) const;
    /// The row that draws the event in full; root when there is none.
    RowId rowOf(EventId event) const;

    /// The same reports with the rows of their exchanges on top: a heading, a row per communicator, a lane
    /// per rank. The rows of reports keep their ids. nullptr: none.
    Workspace withExchanges(std::shared_ptr<const ExchangeRows> exchanges) const;
    const std::shared_ptr<const ExchangeRows>& exchanges() const { return m_exchanges; }
    /// Whether `row` belongs to all reports together: one of those that withExchanges() adds.
    bool isOfAll(RowId row) const { return raw(row) >= m_ownRows; }
    /// The exchanges of `row` when it is a rank's lane; nullptr: it is not.
    const ExchangeLane* exchangeLane(RowId row) const;
    /// The lane of the rank with index `rank` that shows its `event`; root: there is none.
    RowId exchangeRowOf(std::uint32_t rank, EventId event) const;

    /// The event's time on the workspace's clock.
    TimeRange range(EventId event) const;

    /// The same reports with another offset for one of them. Shares traces and rows.
    Workspace withClock(ReportId report, ClockOffset clock) const;

private:
    void findSession();
    void joinAll(); ///< m_rows without exchanges
    void addExchanges(); ///< to m_rows

    std::vector<OpenReport> m_reports;
    bool m_isPart = false;
    std::shared_ptr<const RowTree> m_rows;
    std::vector<std::uint32_t> m_firstRow; ///< of each report: the row that its own root became
    std::uint32_t m_ownRows = 0; ///< rows from here on are of all reports
    std::shared_ptr<const ExchangeRows> m_exchanges;
    std::vector<const ExchangeLane*> m_lanes; ///< of the rows from m_ownRows on; owned by m_exchanges
    TimeRange m_session;
};

} // namespace warpline
