#pragma once

#include "core/base/result.h"
#include "core/store/trace.h"

#include <QByteArray>
#include <QString>

#include <span>
#include <stop_token>

namespace warpline {

/// Titles and lines of a table of events for other programs: plain numbers, whole names. Comma-separated
/// lines quote what must be quoted; in tab-separated ones tabs and line breaks of a name become spaces. Each
/// ends in a newline.
QByteArray eventTitles(char separator);
QByteArray eventLine(const Trace& trace, EventRef event, char separator);

/// Writes `events` as comma-separated values. The file appears only when it is complete. For a worker
/// thread.
Result<void> writeEventsCsv(
    const Trace& trace, std::span<const EventRef> events, const QString& path, const std::stop_token& stop);

} // namespace warpline
