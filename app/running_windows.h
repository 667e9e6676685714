#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

class QLocalServer;

namespace warpline {

/// What a window showed, to be shown again.
struct LastView {
    QStringList paths; ///< of the reports that were open together, or of a saved set of reports; empty: none
    TimeRange shown; ///< on their axis; empty: all of it
    QStringList compared; ///< the same of the run that they were compared with; empty: none
    TimeRange rangeA; ///< what of A was compared; empty: all. With rangeB and no `compared`: one report with
                      ///< itself
    TimeRange rangeB;
    bool isOpening = false; ///< it is being restored. What ends the program then is not tried again
    bool isClosed = false; ///< by the user, as the last window

    bool operator==(const LastView&) const = default;
};

/// The windows of this user on this machine, each a process of its own. Each listens on a local socket, so
/// that another start can hand it a report, and notes what it shows in QSettings. A note outlives its window
/// when that was the last one, or ended without being closed: then it is what the next start begins with.
class RunningWindows : public QObject {
    Q_OBJECT
public:
    /// `name` tells the window from others of this machine; by default the process does.
    explicit RunningWindows(const QString& name = {}, QObject* parent = nullptr);
    ~RunningWindows() override;

    /// Begins to listen. False when no socket can be made: the window then works alone.
    bool listen();
    /// This window shows `view` now. Who noted nothing, not even that nothing is open, is not found. False:
    /// the settings cannot be written.
    bool note(const LastView& view);
    /// The user closes this window. Its note stays where no other window runs, and then alone: what windows
    /// before it left is over.
    void leave();
    /// Takes the notes of windows that run no more: each is given once. Those none of whose reports is there
    /// stay, for a start that finds them. Those that ended while they were restored are dropped, and so is
    /// what the user closed where a window was opened since, and runs.
    QList<LastView> takeLeft();

    /// Hands `paths` (absolute) to a window that runs, which comes to the front; on Wayland it may only with
    /// the token that the desktop gave whoever was started. False: there is none.
    static bool handOver(const QStringList& paths, const QByteArray& activation = {});

signals:
    /// Another start handed these over; none: only come to the front. `activation`: with this token, if any.
    void openWanted(const QStringList& paths, const QByteArray& activation);

private:
    void answer();
    QStringList others() const; ///< noted windows, but for this one

    QLocalServer* m_server;
    QString m_name; ///< of the socket, and of the note in the settings
};

} // namespace warpline
