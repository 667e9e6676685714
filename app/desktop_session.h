#pragma once

#include "app/file_watch.h"
#include "app/running_windows.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <memory>
#include <vector>

class QMessageBox;

namespace warpline {

class MainWindow;

/// Ties a window to the desktop: other starts can hand it reports, the next start begins where this one
/// ended, and a report that changed
/// on disk is offered anew.
class DesktopSession : public QObject {
    Q_OBJECT
public:
    /// `window` outlives this object.
    explicit DesktopSession(MainWindow& window);
    ~DesktopSession() override;

    /// Opens what the last window showed, at its place; what other windows showed that ended with it, each in
    /// a window of its own. Nothing when no window left anything.
    void restore();
    /// The question whether to open the changed report anew; nullptr: there is none.
    QMessageBox* question() const;

private:
    void onSettled();
    void note();
    void offerAnew(const QString& path);
    /// Opens the reports again and shows the same range.
    void reopen();
    QStringList openPaths() const; ///< what opens the same again
    void watchOpen();

    MainWindow& m_window;
    RunningWindows m_running;
    std::vector<std::unique_ptr<FileWatch>> m_watches; ///< one for each report
    QTimer m_noteSoon;
    QStringList m_watched;
    TimeRange m_wanted; ///< to be shown once the report is there; empty: nothing
    QPointer<QMessageBox> m_question;
};

} // namespace warpline
