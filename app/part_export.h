#pragma once

#include "app/part_dialog.h"
#include "core/base/result.h"
#include "views/models/written_files.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>

class QProgressDialog;

namespace warpline {

class Session;

/// Writes the panels' report, or a part of it, to a file: as a Chrome trace, or as a smaller export. Runs in
/// the background, with a progress dialog that can cancel it. An existing file stays until the new one is
/// complete; open and listed reports are never replaced.
class PartExport : public QObject {
    Q_OBJECT
public:
    /// `window` is the parent of dialogs, and owns this object.
    PartExport(Session& session, QWidget* window);

    /// Whether the report is an export, of which a part can be an export again.
    static bool canCut(const Session& session);
    void askForTrace(); ///< which part and where
    void askForCut();
    void writeTrace(const PartChoice& choice, const QString& path);
    void writeCut(const PartChoice& choice, const QString& path);
    /// Asks for a path, and writes the events in `window` of an export that is not open; then emits ready().
    void askForPartOf(const QString& report, TimeRange window);
    void cancel() { m_writer.cancel(); }
    bool isBusy() const { return m_writer.isBusy(); }
    QProgressDialog* progress() const { return m_progress; } ///< nullptr: nothing is being written

signals:
    void ready(const QString& path); ///< the written part, to be opened
    void messages(const QString& text); ///< for the status bar; errors are also shown in a box

private:
    /// How much of how much is done.
    struct Progress {
        std::shared_ptr<std::atomic<std::uint64_t>> done = std::make_shared<std::atomic<std::uint64_t>>(0);
        std::shared_ptr<std::atomic<std::uint64_t>> all = std::make_shared<std::atomic<std::uint64_t>>(0);
    };
    using Work = std::function<Result<void>(const Progress& progress, const std::stop_token& stop)>;
    /// False, with a message, when another file is being written.
    bool isFree();
    void start(const QString& path, Work work);
    void finish(bool isWritten);
    void showProgress();

    Session& m_session;
    QWidget* m_window;
    Progress m_state;
    QPointer<QProgressDialog> m_progress;
    bool m_opensIt = false; ///< open the file after writing
    QTimer m_look;
    FileWriter m_writer{&m_session, this};
};

} // namespace warpline
