#pragma once

#include "core/base/report_id.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/table/cells.h"
#include "views/loading/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace warpline {

class Session;
class Trace;
class Workspace;

/// A line of an SQL result with a time, as a slice of a row.
struct ResultSlice {
    TimeRange range; ///< on the report's clock; a moment where start == end
    QString name; ///< may be empty
    std::optional<double> value; ///< a number of the line other than its times
};

/// The definition of a row of a result: the query runs again when a view is opened.
struct AskedRow {
    QString title;
    QString sql;
    QString search; ///< only lines of the result that contain it, ignoring case; empty: all
    ReportId report{};
    double scale = 1; ///< of its height

    /// Whether both have one title and query; their reports and heights may differ.
    bool isAlike(const AskedRow& other) const
    {
        return title == other.title && sql == other.sql && search == other.search;
    }
};

/// An SQL result in the timeline.
struct ResultRow : AskedRow {
    std::vector<ResultSlice> slices; ///< sorted by start
    Ns longest = 0; ///< the longest slice: bounds the search for slices that reach into a range
    double most = 0; ///< of the values; 0: none is positive
    QString problem = {}; ///< why it has no slices: its query failed or has no results; empty: it has some
};

/// Why lines of `cells` cannot be a row, in a sentence; empty: they can.
QString whyNoRow(const Cells& cells);

/// The lines `order` of `cells` as a row. Times come from a column start, timestamp, time or rawTimestamp
/// (the first that exists), ends from end or duration; both in whole nanoseconds. Names come from name,
/// short_name, text, label or value if it holds text; values from value or the first other column with
/// numbers. Error: a sentence, when there are no times.
Result<ResultRow> resultRow(const Cells& cells, std::span<const std::uint32_t> order);

/// Results that the user pinned to the top of the timeline.
class ResultRows : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit ResultRows(Session& session);

    const std::vector<ResultRow>& all() const { return m_rows; }
    /// Adds it below the others, or replaces one of the same title, query and report.
    void add(ResultRow row);
    void remove(std::size_t place);
    /// Calls row `place` otherwise; no name is no change.
    void rename(std::size_t place, const QString& title);
    /// Moves row `place` by `lines`, within the rows.
    void move(std::size_t place, int lines);
    /// Limited to the scales of timeline rows.
    void setScale(std::size_t place, double scale);
    /// Runs the queries of `rows` again. The results, in that order, replace the current rows. Those that
    /// fail are rows, too: they may run elsewhere.
    void restore(const std::vector<AskedRow>& rows);
    /// The workspace is `next` instead of `before`: rows follow their reports, and go with them.
    void moveTo(const Workspace& before, const Workspace& next);
    bool isBusy() const { return m_job.isBusy(); }
    /// The definitions of all rows, and of those whose queries still run.
    std::vector<AskedRow> asked() const;

signals:
    void changed();
    void failed(const QString& message); ///< why a query failed, in a sentence

private:
    struct Pending {
        AskedRow row;
        std::shared_ptr<const Trace> trace; ///< of its report
    };

    Session& m_session;
    std::vector<ResultRow> m_rows;
    std::vector<Pending> m_pending; ///< their queries run
    LatestJob m_job;
};

} // namespace warpline
