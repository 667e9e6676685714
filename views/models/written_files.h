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

/// Writes to `path` what `write` hands to its sink, at once or not at all: what was there stays until all of
/// the new is on the disk. `write` ends early when its sink returns false, and says whether it came to its
/// end. For a worker thread. Errors: the file cannot be written; `stop` was requested.
Result<void> saveText(
    const QString& path, const std::stop_token& stop, const std::function<bool(const TextSink& sink)>& write);
/// The same of what is in memory already.
Result<void> writeFile(const QString& path, const QByteArray& content);
/// The same of a picture, in the format that the ending of `path` names. Error: there is none, too.
Result<void> writePicture(const QString& path, const QPixmap& picture);

/// False, and said in a box above `parent`, where a report that is open in `session`, or held against it,
/// lies at `path`, under whatever name: reports are read and never written.
bool mayWrite(Session& session, const QString& path, QWidget* parent);
/// What the status bar says of an export to `path`. One that failed is also told in a box above `parent`: who
/// waits for a file looks there.
QString tellOutcome(const Result<void>& written, const QString& path, QWidget* parent);
/// Says `message`, a whole sentence, in a box above `parent`. It waits for nobody.
void tellFailure(const QString& message, QWidget* parent);

/// "vit_findings.html" for the report vit.sqlite and `ending` "findings.html": what a file is called when the
/// user is asked.
QString exportName(const Trace& trace, const QString& ending);

} // namespace warpline
