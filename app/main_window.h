#pragma once

#include "app/report_list.h"
#include "views/session/session.h"
#include "views/style/theme.h"

#include <QMainWindow>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace warpline {

class ComparedTimelines;
class Panel;
class PanelDocks;
class ReportConverter;
class SearchBar;
class StartPage;
class ViewFiles;
class TimelinePane;
class WindowActions;

/// Arranges the panels around the timeline, and contains what belongs to no panel: files, search, menus.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// Where the first window stands on a screen of which `available` is free: with room for its frame.
    static QRect firstPlace(QRect available);
    /// Whether the screen is so small that a first window is maximized; `available` is its free size.
    static bool isSmall(QSize available);
    explicit MainWindow(const Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens an export, a folder, a pattern or a set of reports; a recorded report (.nsys-rep, .qdrep) is
    /// converted first, when nsys is at hand.
    void open(const QString& name) { openAll({name}); }
    /// Together, with the view at `view`, unless another is among them; empty: with their own.
    void openAll(const QStringList& names, const QString& view = {});
    void keepPanels() { m_opensAnew = false; } ///< what is being opened was open before
    void add(const QStringList& names); ///< in addition to the open ones
    void reopen(); ///< reloads the same reports and keeps the current view
    void closeReport(); ///< all of them
    bool opensAlone() const { return m_opensAlone; } ///< what is being opened ends the comparison
    /// Opens `a` and, in a timeline of its own, `b`, each namesOfSide() as in openAll(), and compares them.
    /// `view` is of `a`.
    void compare(const QString& a, const QString& b, const QString& view = {});
    void compare(const QStringList& a, const QStringList& b, const QString& view = {});
    void compareWith(const QStringList& names); ///< the open reports with these
    bool canCompareOpen() const; ///< two reports are open
    void askWhatToCompare();
    void compareOpenReports(); ///< the two open reports
    /// The reports from before compareOpenReports(), as reportSetJson(), for a window that compares the same;
    /// empty: none.
    QByteArray bothOpen() const;
    QString bothOpenSet() const { return m_bothOpen.listed.setPath; } ///< the saved set that they are
    QString bothOpenView() const { return m_bothOpen.view; } ///< ViewFiles::named() of both
    void setBothOpen(const QByteArray& stored, const QString& setPath, const QString& view);
    /// Runs are compared, and neither is being read: Cancel ends that, or brings back what was there.
    bool canEndComparison();
    void swapCompared(); ///< if canEndComparison()
    /// If canEndComparison(). A stays. After compareOpenReports() the reports from before are open again,
    /// also where B is another.
    void endComparison();
    void setTheme(const Theme& theme);
    PanelDocks& docks() const { return *m_docks; }
    /// Lets views glide where the user wants it, see motionIsChosen(). At first they do not: pictures and
    /// tests see where they end.
    void allowMotion(bool allowed);
    void chooseTheme(const QString& name); ///< "system", "light", "dark"; remembered
    void chooseColorBlindSafe(bool safe); ///< remembered
    /// Use of the window: one run, a comparison of two, or the ranks of one run.
    enum class Mode : std::uint8_t { Timeline, Compare, Ranks };
    Mode mode();
    /// Shows what the mode needs, or asks for the run to compare with. Timeline ends a comparison.
    void enter(Mode mode);
    /// The first reports come in the mode Timeline, even where the settings have the panels of Ranks.
    void startInTimeline();
    void askForFile();
    void askForFolder();
    void showRecording(); ///< the dialog with commands that record
    void askForMore(); ///< files in addition to the open ones
    void chooseReports();
    void savePicture(); ///< asks where
    void writePicture(const QString& path);
    void choosePreferences(); ///< may end in renewalNeeded()
    void showPalette(bool rowsOnly); ///< the list of all actions and rows, or of rows alone
    void showKeys();
    void showWords(); ///< the glossary
    void showReading(); ///< how to read a timeline
    void showHelp(const QString& page, const QString& text = {}); ///< see HelpBrowser::open()
    void showAbout();
    /// True when loading, statistics and findings are complete.
    bool isSettled() const;
    /// Closes the window, once what is being written is written. False: that failed, and the window stays.
    bool closeAndWait();
    Session& session() { return m_session; }
    TimelinePane& timeline() { return *m_timeline; }
    ComparedTimelines& timelines() { return *m_timelines; }
    /// The panel of this class; each in allPanels() exists once.
    template <typename Kind> Kind& panel() { return *findChild<Kind*>(); }
    SearchBar& search() { return *m_search; }
    ReportConverter& converter() { return m_reports.converter(); }
    ReportList& reports() { return m_reports; }
    ViewFiles& views() { return *m_views; }
    void saveView(); ///< next to the report
    void saveViewAs(); ///< asks where
    ReportList& otherReports() { return m_others; } ///< the reports of the other side
    /// The same, also while a swap opens A.
    ReportList::Listed listedB() const { return m_others.isEmpty() ? m_nextB : m_others.listed(); }
    /// ViewFiles::named() of the A that a swap opens.
    QString viewOfNextA() const { return m_nextB.reports.empty() ? QString() : m_viewOfNextA; }
    WindowActions& actions() { return *m_actions; }
    /// Reloads theme, shortcuts and thresholds from the settings.
    void applyPreferences();
    /// Whether cached exports and traces are used and written; the preferences may also disable traces.
    void setCacheUsed(bool used);
    /// Above the timeline, until it is closed or another report opened.
    void showMessage(const QString& text, bool isError);

signals:
    /// The reports are there, on their clocks, with their view file, and docks are; panels may still work on
    /// them. Not where they are compared with others, which moves what is shown. May be emitted again.
    void reportsReady();
    void settled();
    void openFailed(const QString& message);
    void renewalNeeded(); ///< another language or text size was chosen: make the window again
    void reloadWanted(); ///< of the open reports, by the user

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fitScreen(); ///< the size of a first start
    void makeCenter();
    void makeMenus();
    void makeRecentMenu();
    void makeToolBar();
    void makeStatusBar();
    void connectLoading();
    void connectComparing();
    void openOther(const QStringList& names); ///< as B
    void offerToCompare(); ///< two files were dropped together and are opened as ranks of one run
    /// Two dropped files are ambiguous: asks what to do with them.
    void askWhatToDoWith(const QStringList& two);
    /// Offers to compare the two open reports; false: the user wants to choose a file.
    bool comparesOpenAsAsked();
    void swapRuns(); ///< also while B is being read; where A was removed, B is open alone
    void dropB(); ///< as endComparison(), also while A is being read
    void leaveComparison(); ///< B goes, and nothing comes back
    bool opensComparison(); ///< B is being opened, or waits for A
    void compareWaiting(); ///< B, if it waited for the A that is being opened
    void showTitle();
    void connectPanels();
    void connectFleet();
    void openFleet(const QString& path);
    bool showFleet(); ///< as a page; false: there is none
    void openOfFleet(const QString& path, TimeRange own);
    void showWanted(); ///< goes to the target of a link of the summary after opening
    /// A new report begins with its story, whichever panel was last open, unless the user has closed the
    /// inspector.
    void bringStory();
    void onShown(const Workspace& workspace);
    void onFinished();
    void onFailed(const QString& message);
    void onProgress(int permille, const QString& text);
    void hideProgress();
    void cancel(); ///< what loads, else what is being written
    void askToOverwrite(); ///< the view, which is not the one that was read
    void lookAtDisk(); ///< says so when it does not answer
    FileWriter* writing() const; ///< nullptr: no file is being written
    bool isWaiting() const; ///< for what is opened, asked or written
    void showStart(); ///< nothing is open
    QStringList askFor(const QString& title, const QString& folder); ///< reports; empty: none was chosen
    QString askedFolder() const; ///< where dialogs begin
    void say(const QString& text); ///< in the status bar, for a while or until the next report
    void hideMessage(); ///< with what it offers to do
    void showProblems(); ///< problems of reading, as a button that opens their list
    void remember(); ///< the open reports, for the next start
    bool areReportsReady() const;
    void checkReady(); ///< reportsReady(), and settled()
    void checkSettled();

    const Theme* m_theme;
    Session m_session;
    ReportList m_reports{this};
    ReportList m_others{this}; ///< side B
    FileWriter m_pictures{&m_session, this};
    ViewFiles* m_views;
    ComparedTimelines* m_timelines;
    TimelinePane* m_timeline; ///< of side A, or of all there is
    Panel* m_fleetPage = nullptr; ///< of m_center: a summary while no report is open
    struct {
        QString path;
        TimeRange own;
    } m_wanted; ///< of a link of the summary; empty: nothing
    QStackedWidget* m_center;
    StartPage* m_start;
    QWidget* m_messageBar;
    QLabel* m_message;
    QPushButton* m_compareThem;
    QPushButton* m_openBoth;
    QPushButton* m_copyExport; ///< of a recorded report, where nsys is missing
    QPushButton* m_setNsys; ///< the same
    QPushButton* m_openPart; ///< of a report that does not fit into memory
    QString m_exportCommand; ///< the nsys command that failed to start; empty: nsys was found
    struct {
        QString path; ///< empty: all that was opened fits
        TimeRange part;
    } m_tooLarge;
    QStringList m_dropped; ///< two reports that wait for a choice; empty: none
    SearchBar* m_search;
    QLabel* m_status;
    QToolButton* m_problems;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    WindowActions* m_actions;
    PanelDocks* m_docks = nullptr;
    QMenu* m_recent = nullptr;
    QTimer m_sayTimer;
    QTimer m_diskTimer;
    std::chrono::steady_clock::time_point m_waitsSince; ///< what is older was abandoned
    QString m_diskHint; ///< that the disk does not answer, where the status bar says so
    bool m_closes = false; ///< when what is being written is written
    bool m_opensAnew = false; ///< reports are being opened that were not open before
    std::weak_ptr<const Trace> m_toldCutOff; ///< the user knows
    std::function<void()> m_leavesView; ///< after successful opening, as well; empty: the view stays
    struct BothOpen {
        ReportList::Listed listed; ///< empty: the compared reports were not the open ones
        std::function<void()> restoresView; ///< see ViewFiles::returning()
        QString view; ///< ViewFiles::named() of all of them
    };
    BothOpen m_bothOpen; ///< what was open before compareOpenReports(), while these are compared or opened
    ReportList::Listed m_nextB; ///< opened as B when the new A is there; empty: nothing
    QString m_viewOfNextA; ///< with m_nextB; empty: its own
    /// Reports are being opened, and no B for them: when they are there, the comparison ends.
    bool m_opensAlone = false;
    bool m_asksAlone = false; ///< the same, for what is still looked for
    QString m_asksView; ///< the view for what is still looked for; empty: their own
    bool m_motionAllowed = false;
};

} // namespace warpline
