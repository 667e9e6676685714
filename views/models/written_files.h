#pragma once

#include "core/base/result.h"
#include "core/export/cells_text.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <stop_token>

class QPixmap;
class QWidget;

namespace warpline {

class Session;
class Trace;

/// Writes the output of `write` to `path` atomically: the old file stays until the new one is on disk.
/// `write` ends early when its sink returns false, and returns whether it completed. For a worker thread.
/// Errors: the file cannot be written; `stop` was requested.
Result<void> saveText(
    const QString& path, const std::stop_token& stop, const std::function<bool(const TextSink& sink)>& write);
/// The same for data in memory.
Result<void> writeFile(const QString& path, const QByteArray& content);
/// The same of a picture, in the format that the ending of `path` names. Error: there is none, too.
Result<void> writePicture(const QString& path, const QPixmap& picture);

/// False, with a message box above `parent`, when `path` is a report that is open in `session` or compared
/// with it, under any name: reports are never written.
bool mayWrite(Session& session, const QString& path, QWidget* parent);
/// The status bar's text for an export to `path`. An error is also shown in a box above `parent`, because the
/// user waits for the file.
QString tellOutcome(const Result<void>& written, const QString& path, QWidget* parent);
/// Shows `message`, a whole sentence, in a box above `parent`, without blocking.
void tellFailure(const QString& message, QWidget* parent);

/// "vit_findings.html" for the report vit.sqlite and `ending` "findings.html": the suggested name of a file.
QString exportName(const Trace& trace, const QString& ending);

} // namespace warpline
