#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

class QLocalServer;

namespace warpline {

/// What a window showed, to be shown again.
struct LastView {
    QStringList paths; ///< of the reports that were open together, or of a saved set of reports
    TimeRange shown; ///< on their axis; empty: all of it
};

/// The windows of this user, each a process of its own. Each listens on a local socket, so that another start
/// can hand it a report, and notes what it shows in QSettings. A note outlives its window when that was the
/// last one, or ended without being closed: then it is what the next start begins with.
class RunningWindows : public QObject {
    Q_OBJECT
public:
    /// `name` is of the socket; by default it tells the process.
    explicit RunningWindows(const QString& name = {}, QObject* parent = nullptr);
    ~RunningWindows() override;

    /// Begins to listen. False when no socket can be made: the window then works alone.
    bool listen();
    /// This window shows `view` now; nothing: no report is open.
    void note(const std::optional<LastView>& view);
    /// The user closes this window: its note stays only where no other window runs.
    void leave();

    /// Hands `paths` (absolute) to a window that runs, which comes to the front. False: there is none.
    static bool handOver(const QStringList& paths);
    /// Takes the notes of windows that run no more: each is given once.
    static QList<LastView> takeLeft();

signals:
    void openWanted(
        const QStringList& paths); ///< another start handed these over; none: only come to the front

private:
    void answer();

    QLocalServer* m_server;
    QString m_name; ///< of the socket, and of the note in the settings
};

} // namespace warpline
