#pragma once

#include "app/part_dialog.h"
#include "core/base/result.h"
#include "views/loading/latest_job.h"

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

/// Writes the report that panels are about, or a part of it, to a file of its own: as a Chrome trace, or as a
/// smaller export. That may be long: it is done beside, with a dialog that tells how far it is and can end
/// it. What was at a path stays until the new file is complete; no report that is open is ever replaced.
class PartExport : public QObject {
    Q_OBJECT
public:
    /// `window` is what dialogs stand above; it owns this object.
    PartExport(Session& session, QWidget* window);

    /// Whether the report is an export, of which a part can be an export again.
    static bool canCut(const Session& session);
    void askForTrace(); ///< which part and where
    void askForCut();
    void writeTrace(const PartChoice& choice, const QString& path);
    void writeCut(const PartChoice& choice, const QString& path);
    /// Asks where, and writes the events in `window` of an export that is not open; then ready() tells.
    void askForPartOf(const QString& report, TimeRange window);
    void cancel();
    bool isBusy() const { return m_job.isBusy(); }
    QProgressDialog* progress() const { return m_progress; } ///< nullptr: nothing is being written

signals:
    void ready(const QString& path); ///< a part that was asked for, to be opened
    void messages(const QString& text); ///< for the status bar; what goes wrong is told in a box, too

private:
    /// How much of how much is done.
    struct Progress {
        std::shared_ptr<std::atomic<std::uint64_t>> done = std::make_shared<std::atomic<std::uint64_t>>(0);
        std::shared_ptr<std::atomic<std::uint64_t>> all = std::make_shared<std::atomic<std::uint64_t>>(0);
    };
    using Work = std::function<Result<void>(const Progress& progress, const std::stop_token& stop)>;
    /// False, and said why, where `path` is of an open report or something is being written.
    bool mayWrite(const QString& path);
    void start(const QString& path, Work work);
    void finish(const Result<void>& written, const QString& path);
    void showProgress();

    Session& m_session;
    QWidget* m_window;
    Progress m_state;
    QPointer<QProgressDialog> m_progress;
    bool m_opensIt = false; ///< what is being written
    QTimer m_look;
    LatestJob m_job{JobPool::files()};
};

} // namespace warpline
