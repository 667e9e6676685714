#pragma once

#include "app/file_watch.h"
#include "app/running_windows.h"

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <optional>

class QMessageBox;

namespace warpline {

class MainWindow;
class ReportList;

/// Connects a window with the desktop: other starts can hand it reports, the next start restores its reports,
/// and it offers to reload a report that changed on disk.
class DesktopSession : public QObject {
    Q_OBJECT
public:
    /// `window` outlives this object.
    explicit DesktopSession(MainWindow& window);
    ~DesktopSession() override;

    /// Restores the last window's reports and place; other windows that ended with it are restored one after
    /// another, each by a further start. Nothing when no window left a note.
    void restore();
    /// The current view of the window, or what is being opened. Or makes it show `view`, to replace another
    /// window.
    LastView view() const;
    void show(const LastView& view);
    /// The box that offers to reload the changed report; nullptr: none.
    QMessageBox* question() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(const ReportList& list);
    /// Opens what other programs handed over, once no dialog is open that is about the present reports.
    void takeHanded();
    void bringToFront(const QByteArray& activation);
    void onListChanged();
    void watchListed(); ///< and no other files
    void onSettled();
    void showWanted(); ///< its range, once
    bool isLoading() const;
    void note();
    void offerAnew();
    /// Opens the reports again and restores their view.
    void reopen();
    /// What the user chose for the wanted reports, as soon as they are listed.
    void chooseAsWanted();
    /// Narrows a comparison to the wanted ranges. True: loading the rest settles later.
    bool narrowAsWanted();

    MainWindow& m_window;
    RunningWindows m_running;
    FileWatch m_watch; ///< of the files as the user has them, of both sides
    QTimer m_noteSoon;
    QTimer m_later; ///< looks whether the dialog is closed
    QStringList m_handed; ///< reports that wait for that
    std::optional<LastView> m_wanted; ///< its reports are being opened, to be shown like this
    bool m_rangeRestored = false; ///< of m_wanted: later the user may have chosen another
    /// LastView::choices and comparedChoices of m_wanted, until they are taken.
    QByteArray m_toChoose;
    QByteArray m_toChooseOfOthers;
    QStringList m_changed; ///< paths to ask about
    QPointer<QMessageBox> m_question;
    bool m_isNoted = true; ///< the note of the window's view, and so all settings, are written
};

} // namespace warpline
