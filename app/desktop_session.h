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

/// Ties a window to the desktop: other starts can hand it reports, the next start begins where this one
/// ended, and a report that changed on disk is offered anew.
class DesktopSession : public QObject {
    Q_OBJECT
public:
    /// `window` outlives this object.
    explicit DesktopSession(MainWindow& window);
    ~DesktopSession() override;

    /// Opens what the last window showed, at its place; what other windows showed that ended with it, each in
    /// a window of its own. Nothing when no window left anything.
    void restore();
    /// What the window shows, and makes it show `view`: a window that takes the place of another one.
    LastView view() const;
    void show(const LastView& view);
    /// The question whether to open the changed report anew; nullptr: there is none.
    QMessageBox* question() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(const ReportList& list);
    void bringToFront(const QByteArray& activation);
    void onListChanged();
    void onSettled();
    bool isLoading() const;
    void note();
    void offerAnew();
    /// Opens the reports again and looks at them as before.
    void reopen();
    /// Narrows a comparison to what is wanted. True: what follows settles later.
    bool narrowAsWanted();

    MainWindow& m_window;
    RunningWindows m_running;
    FileWatch m_watch; ///< of the files as the user has them, of both sides
    QTimer m_noteSoon;
    std::optional<LastView> m_wanted; ///< its reports are being opened, to be shown like this
    QStringList m_changed; ///< paths to ask about
    QPointer<QMessageBox> m_question;
    bool m_isNoted = true; ///< what the window shows, and with it all settings
};

} // namespace warpline
