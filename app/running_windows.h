#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

class QLocalServer;

namespace warpline {

/// A window's view, to be restored.
struct LastView {
    QStringList paths; ///< of the reports that were open together, or of a saved set of reports; empty: none
    TimeRange shown; ///< on their axis; empty: all of it
    QStringList compared; ///< the same of the run that they were compared with; empty: none
    TimeRange rangeA; ///< the compared part of A; empty: all. With rangeB and no `compared`: one report with
                      ///< itself
    TimeRange rangeB;
    bool isOpening = false; ///< it is being restored: if that ends the program, it is not tried again
    bool isClosed = false; ///< by the user, as the last window
    QByteArray choices = {}; ///< ReportList::Listed::choices() of the reports
    QByteArray comparedChoices = {}; ///< the same of the run that they were compared with
    QByteArray bothOpen = {}; ///< MainWindow::bothOpen()
    QString bothOpenSet = {}; ///< MainWindow::bothOpenSet()
    QString bothOpenView = {}; ///< MainWindow::bothOpenView()
    QString viewFile = {}; ///< ViewFiles::named() of the reports
    QString comparedView = {}; ///< ViewFiles::namedOfB()

    bool operator==(const LastView&) const = default;
};

/// The windows of this user on this machine, each a process of its own. Each listens on a local socket, so
/// that another start can hand it a report, and notes its view in QSettings. A note outlives its window when
/// that was the last one, or crashed: then the next start restores it.
class RunningWindows : public QObject {
    Q_OBJECT
public:
    /// `name` identifies the window on this machine; by default from the process.
    explicit RunningWindows(const QString& name = {}, QObject* parent = nullptr);
    ~RunningWindows() override;

    /// Begins to listen. False when no socket can be made: the window then works alone.
    bool listen();
    /// Notes that this window shows `view`. Windows without a note, even an empty one, are not found. False:
    /// the settings cannot be written.
    bool note(const LastView& view);
    /// The user closes this window. Its note stays only if no other window runs, and then alone: older notes
    /// are removed.
    void leave();
    /// Takes the notes of windows that no longer run: each is returned once. Notes none of whose reports
    /// exists stay, for a later start. Drops those that ended while being restored, and those the user closed
    /// when a newer window runs.
    QList<LastView> takeLeft();

    /// Leaves a note for each of `views`, as of windows that no longer run: the next starts take them.
    static void leaveBehind(const QList<LastView>& views);

    /// Hands `paths` (absolute) to a running window, which comes to the front; on Wayland it needs the
    /// activation token of the new start. False: there is none.
    static bool handOver(const QStringList& paths, const QByteArray& activation = {});

signals:
    /// Another start handed these over; none: only come to the front. `activation`: with this token, if any.
    void openWanted(const QStringList& paths, const QByteArray& activation);

private:
    void answer();
    QStringList others() const; ///< noted windows, without this one

    QLocalServer* m_server;
    QString m_name; ///< of the socket, and of the note in the settings
};

} // namespace warpline
