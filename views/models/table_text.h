#pragma once

#include "core/base/result.h"
#include "core/stats/stats_table.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <span>
#include <stop_token>

class QSaveFile;

namespace warpline {

/// The rows `order` of `cells`, in that order, as text: "csv", "markdown", "json" or "tsv".
QString tableText(const Cells& cells, std::span<const std::uint32_t> order, const QString& format);

/// Writes the rows `order` of `cells` to `path`, piece by piece, at once or not at all: as Markdown, JSON or
/// tab-separated when it ends in ".md", ".json" or ".tsv", else as CSV with the bytes of the report.
Result<void> writeTable(const QString& path, const Cells& cells, std::span<const std::uint32_t> order,
    const std::stop_token& stop);

/// Writes `content` to `path` at once or not at all.
Result<void> writeFile(const QString& path, const QByteArray& content);

/// Why `file` is not written.
Error notWritten(const QSaveFile& file);
/// What the status bar says of an export to `path`.
QString outcomeOf(const Result<void>& written, const QString& path);

/// "vit_findings.html" for the report vit.sqlite and `ending` "findings.html": what a file is called when the
/// user is asked.
QString exportName(const Trace& trace, const QString& ending);

} // namespace warpline
