#pragma once

#include "views/loading/trace_loader.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QMainWindow>

class QComboBox;
class QDockWidget;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace warpline {

class DetailsPanel;
class EventsPanel;
class FindingsPanel;
class ReportConverter;
class ReportPanel;
class StatsPanel;
class StepsPanel;
class TablesPanel;
class TimelinePane;

/// Places the panels around the timeline, and holds what belongs to no panel: files, search, menus.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens an export; a recorded report (.nsys-rep, .qdrep) is converted first, when nsys is at hand.
    void open(const QString& path);
    void closeReport();
    void setTheme(const Theme& theme);
    /// Whether exports that an earlier opening of a recorded report left behind may be used; they are unless
    /// told otherwise.
    void setUsesCache(bool uses);
    /// True when nothing more will change by itself: loaded, statistics and findings shown.
    bool isSettled() const;
    Session& session() { return m_session; }
    TimelinePane& timeline() { return *m_timeline; }

signals:
    void settled();
    void openFailed(const QString& message);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeDocks();
    void makeMenus();
    void makeFileMenu();
    void makeViewMenu();
    void makeGoMenu();
    void makeHelpMenu();
    void makeSearch();
    void makeStartPage();
    QDockWidget* addDock(
        const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area);
    void askForFile();
    void onLoaded(const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const RowTree>& rows);
    void onFailed(const QString& message);
    void onProgress(quint64 read, quint64 total, const QString& stage);
    void showMessage(const QString& text, bool isError);
    void remember(const QString& path);
    void fillStartPage();
    void findText(bool forward);
    void showKeys();
    void showAbout();
    void checkSettled();

    const Theme* m_theme;
    Session m_session;
    TraceLoader m_loader;
    ReportConverter* m_converter;
    TimelinePane* m_timeline;
    EventsPanel* m_events;
    StatsPanel* m_stats;
    TablesPanel* m_tables;
    StepsPanel* m_steps;
    FindingsPanel* m_findings;
    DetailsPanel* m_details;
    ReportPanel* m_report;
    QStackedWidget* m_center;
    QTextBrowser* m_start;
    QWidget* m_messageBar;
    QLabel* m_message;
    QLineEdit* m_search;
    QLabel* m_status;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QMenu* m_recent = nullptr;
    QDockWidget* m_eventsDock = nullptr;
    QDockWidget* m_findingsDock = nullptr;
    QString m_path;
};

} // namespace warpline
