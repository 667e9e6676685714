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
/// in a newline. With `ofReports` the label of the report comes first.
QByteArray eventTitles(char separator, bool ofReports = false);
/// Times are on the workspace's clock.
QByteArray eventLine(const EventsPart& part, EventRef event, char separator);
QByteArray eventLine(const EventsPart& part, EventRef event, const std::string& label, char separator);

/// Writes the events of `part` as comma-separated values, like eventLine(). The file appears only when it is
/// complete. For a worker thread.
Result<void> writeEventsCsv(const EventsPart& part, const QString& path, const std::stop_token& stop);

/// The same of several reports; `labels` are theirs, by ReportId.
Result<void> writeEventsCsv(const EventsOfReports& events, const std::vector<std::string>& labels,
    const QString& path, const std::stop_token& stop);

} // namespace warpline
