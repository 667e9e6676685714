#pragma once

#include "core/base/report_id.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/table/cells.h"

#include <QObject>
#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace warpline {

class Session;

/// A line of an answer with a time, as a slice of a row.
struct ResultSlice {
    TimeRange range; ///< on the report's clock; a moment where start == end
    QString name; ///< may be empty
    std::optional<double> value; ///< a number that the line has beside its times
};

/// An answer in the timeline.
struct ResultRow {
    QString title;
    ReportId report{};
    std::vector<ResultSlice> slices; ///< sorted by start
    Ns longest = 0; ///< slice: bounds the search for those that reach into a stretch
    double most = 0; ///< of the values; 0: none is positive
};

/// The lines `order` of `cells` as a row. Times are in a column called start, timestamp, time or rawTimestamp
/// (the first of these there is), their ends in one called end or duration; both whole nanoseconds. Names
/// come from a column called name, short_name, text, label or value that holds text, values from value or,
/// where there is none, the first other column with numbers. Error: there are no times, in a sentence.
Result<ResultRow> resultRow(const Cells& cells, std::span<const std::uint32_t> order);

/// Answers that the user pinned to the top of the timeline. One for each session, which owns it.
class ResultRows : public QObject {
    Q_OBJECT
public:
    /// That of `session`, made when it is first asked for.
    static ResultRows& of(Session& session);

    const std::vector<ResultRow>& all() const { return m_rows; }
    /// Below those that are there; one of the same title is replaced.
    void add(ResultRow row);
    void remove(std::size_t place);

signals:
    void changed();

private:
    explicit ResultRows(Session& session);

    std::vector<ResultRow> m_rows;
};

} // namespace warpline
