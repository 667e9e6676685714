#pragma once

#include "core/base/result.h"
#include "core/export/cells_text.h"

#include "views/loading/latest_job.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <stop_token>

class QImage;
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
Result<void> writeFile(const QString& path, const QByteArray& content, const std::stop_token& stop = {});
/// The same of a picture, in the format that the ending of `path` names. Error: there is none, too.
Result<void> writePicture(const QString& path, const QImage& picture, const std::stop_token& stop = {});

/// Writes the files of the window, on threads that a disk that hangs may keep. One at a time: the next one
/// waits for one of the same name, and gives up one of another.
class FileWriter : public QObject {
    Q_OBJECT
public:
    using Work = std::function<Result<void>(const std::stop_token& stop)>;
    using Done = std::function<void(const Result<void>& written)>;
    /// Never writes a report that is open in `session`, listed beside it or compared with it, under any name;
    /// null: any file.
    /// It outlives this, and so does `parent`, below a widget.
    FileWriter(Session* session, QObject* parent);

    /// Asks in a session for a path, with a name such as "vit_findings.html" for the shown report vit.sqlite
    /// and `ending` "findings.html". Empty: the user cancelled, or another report was opened while the dialog
    /// was, which messages() say.
    QString ask(const QString& title, const QString& ending, const QString& filters);
    /// Whether the report of `trace` is still shown in the session, which the answers of a dialog are about;
    /// messages() say it when not.
    bool isStill(const std::shared_ptr<const Trace>& trace);
    /// Returns `complete`, whether all of the reports is read; messages() say it when not.
    bool isRead(bool complete);
    /// Does `work`, which writes `path`, and then `done` in this thread. Without `done`, messages() have the
    /// outcome, and a box shows an error, because the user waits for the file.
    void start(const QString& path, Work work, Done done = {});
    /// The same of little data: before it returns, unless the disk takes longer.
    void write(const QString& path, Work work, Done done = {});
    /// Gives it up; the old file stays. Does not wait for the disk.
    void cancel();
    bool isBusy() const { return m_job.isBusy(); }
    const QString& path() const { return m_path; } ///< that is written, or was last

signals:
    void messages(const QString& text); ///< for the status bar
    void finished(bool isWritten); ///< after `done`; false: failed or cancelled

private:
    Work unlessOpen(const QString& path, Work work) const;
    bool isQueued(const QString& path, std::function<void()> next);
    QWidget* above() const; ///< the widget that owns this
    void finish(const Result<void>& written, const Done& done);
    void tell(const Result<void>& written);

    Session* m_session;
    QString m_path;
    std::function<void()> m_next; ///< writes m_path again
    LatestJob m_job{JobPool::files()};
};

/// Shows `message`, a whole sentence, in a box above `parent`, without blocking.
void tellFailure(const QString& message, QWidget* parent);

} // namespace warpline
