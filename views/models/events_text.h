#pragma once

#include "core/base/result.h"
#include "core/workspace/events_of_reports.h"

#include <QByteArray>
#include <QString>

#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// Titles and lines of a table of events for other programs: plain numbers, full names. Comma-separated lines
/// are quoted where necessary; in tab-separated ones tabs and line breaks of a name become spaces. Each ends
/// in a newline. With several reports the label of the report comes first.
QByteArray eventTitles(const EventsOfReports& events, char separator);
/// The line of events[row], with times on the workspace's clock. `labels` are those of the reports, by
/// ReportId; of one report they may be missing.
QByteArray eventLine(
    const EventsOfReports& events, const std::vector<std::string>& labels, std::size_t row, char separator);

/// Writes the events as comma-separated values. The file appears only when it is complete. For a worker
/// thread.
Result<void> writeEventsCsv(const EventsOfReports& events, const std::vector<std::string>& labels,
    const QString& path, const std::stop_token& stop);

} // namespace warpline
