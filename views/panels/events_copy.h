#pragma once

#include "core/workspace/events_of_reports.h"

#include <QItemSelection>
#include <QString>

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

/// Runs of consecutive rows of a table: the first row, and the one after the last.
using RowStretches = std::vector<std::pair<std::size_t, std::size_t>>;

/// The rows of `selection` from top to bottom, `most` at most.
RowStretches stretchesOf(QItemSelection selection, std::size_t most);
std::size_t rowsIn(const RowStretches& rows);

/// These rows of `events` as tab-separated lines below their titles; `labels` are those of the reports, by
/// ReportId. For a worker thread.
QString textOfRows(const EventsOfReports& events, const std::vector<std::string>& labels,
    const RowStretches& rows, const std::stop_token& stop);

} // namespace warpline
