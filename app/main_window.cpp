#include "app/main_window.h"

#include "app/report_converter.h"
#include "core/base/format.h"
#include "core/query/search.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/report_panel.h"
#include "views/panels/stats_panel.h"
#include "views/panels/steps_panel.h"
#include "views/panels/tables_panel.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

namespace warpline {

MainWindow::MainWindow(const Theme& theme, QWidget* parent)
    : QMainWindow(parent),
      m_theme(&theme),
      m_converter(new ReportConverter(this)),
      m_timeline(new TimelinePane(m_session, theme, this)),
      m_events(new EventsPanel(m_session, this)),
      m_stats(new StatsPanel(m_session, theme, this)),
      m_tables(new TablesPanel(m_session, theme, this)),
      m_steps(new StepsPanel(m_session, theme, this)),
      m_findings(new FindingsPanel(m_session, theme, this)),
      m_details(new DetailsPanel(m_session, this)),
      m_report(new ReportPanel(m_session, this)),
      m_center(new QStackedWidget(this)),
      m_start(new QTextBrowser(this)),
      m_messageBar(new QWidget(this)),
      m_message(new QLabel(this)),
      m_search(new QLineEdit(this)),
      m_status(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this))
{
    setWindowTitle("Warpline");
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    makeStartPage();
    makeDocks();
    makeSearch();
    makeMenus();

    m_progress->setMaximumWidth(260);
    m_progress->hide();
    m_cancel->hide();
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);

    connect(&m_loader, &TraceLoader::progressed, this, &MainWindow::onProgress);
    connect(&m_loader, &TraceLoader::loaded, this, &MainWindow::onLoaded);
    connect(&m_loader, &TraceLoader::failed, this, &MainWindow::onFailed);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_loader.cancel();
        m_converter->cancel();
    });
    connect(m_converter, &ReportConverter::converted, this, [this](const QString& path) { open(path); });
    connect(m_converter, &ReportConverter::failed, this, &MainWindow::onFailed);
    connect(m_converter, &ReportConverter::progressed, this, [this](int percent, const QString& text) {
        m_status->setText(text);
        m_progress->setRange(0, percent < 0 ? 0 : 100);
        m_progress->setValue(percent);
        m_progress->show();
        m_cancel->show();
    });
    connect(m_events, &EventsPanel::messages, this, [this](const QString& text) { m_status->setText(text); });
    connect(&m_session, &Session::eventsViewRequested, this, [this] {
        m_eventsDock->show();
        m_eventsDock->raise();
    });
    connect(m_stats, &StatsPanel::updated, this, &MainWindow::checkSettled);
    connect(m_findings, &FindingsPanel::updated, this, &MainWindow::checkSettled);
    connect(m_tables, &TablesPanel::updated, this, &MainWindow::checkSettled);
    connect(m_steps, &StepsPanel::updated, this, &MainWindow::checkSettled);
    connect(&m_events->model(), &EventsModel::updated, this, &MainWindow::checkSettled);

    const QSettings settings;
    if (settings.contains("window/geometry")) {
        restoreGeometry(settings.value("window/geometry").toByteArray());
        restoreState(settings.value("window/state").toByteArray());
        m_timeline->setLabelWidth(settings.value("window/labels", 320).toInt());
    }
}

MainWindow::~MainWindow() = default;

void MainWindow::setUsesCache(bool uses)
{
    m_converter->setUsesCache(uses);
}

void MainWindow::makeStartPage()
{
    auto* const page = new QWidget(this);
    auto* const bar = new QHBoxLayout(m_messageBar);
    bar->setContentsMargins(10, 6, 6, 6);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const close = new QToolButton(m_messageBar);
    close->setText(QString(QChar(0x00d7)));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, m_messageBar, &QWidget::hide);
    bar->addWidget(m_message, 1);
    bar->addWidget(close, 0, Qt::AlignTop);
    m_messageBar->setAutoFillBackground(true);
    m_messageBar->hide();
    m_start->setFrameShape(QFrame::NoFrame);
    m_start->setOpenLinks(false);
    connect(m_start, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.toString() == "open:")
            askForFile();
        else
            open(url.toString(QUrl::FullyDecoded).mid(5));
    });
    m_center->addWidget(m_start);
    m_center->addWidget(m_timeline);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messageBar);
    layout->addWidget(m_center, 1);
    setCentralWidget(page);
    fillStartPage();
}

void MainWindow::fillStartPage()
{
    QString html = "<div style='margin:40px'><h1>Warpline</h1><p>"
        + tr("Opens Nsight Systems reports that were exported to SQLite:")
        + " <code>nsys export --type sqlite</code></p><p><a href='open:'>" + tr("Open a report") + "</a> "
        + tr("or drop one here.") + "</p>";
    const QStringList recent = QSettings().value("recent").toStringList();
    if (!recent.isEmpty()) {
        html += "<h3>" + tr("Recent") + "</h3>";
        for (const QString& path : recent)
            html += "<p><a href='file:" + QString::fromLatin1(QUrl::toPercentEncoding(path, "/")) + "'>"
                + QFileInfo(path).fileName().toHtmlEscaped() + "</a> &nbsp; "
                + QFileInfo(path).path().toHtmlEscaped() + "</p>";
    }
    m_start->setHtml(html + "</div>");
}

QDockWidget* MainWindow::addDock(
    const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area)
{
    auto* const dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::makeDocks()
{
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_eventsDock = addDock(tr("Events"), "events", m_events, Qt::BottomDockWidgetArea);
    QDockWidget* const stats
        = addDock(tr("Range statistics"), "statistics", m_stats, Qt::BottomDockWidgetArea);
    m_findingsDock = addDock(tr("Findings"), "findings", m_findings, Qt::BottomDockWidgetArea);
    QDockWidget* const tables = addDock(tr("Statistics"), "tables", m_tables, Qt::BottomDockWidgetArea);
    QDockWidget* const steps = addDock(tr("Steps"), "steps", m_steps, Qt::BottomDockWidgetArea);
    QDockWidget* const report = addDock(tr("Report"), "report", m_report, Qt::BottomDockWidgetArea);
    QDockWidget* const details = addDock(tr("Details"), "details", m_details, Qt::RightDockWidgetArea);
    // Their tabs already say what they are: no second title.
    for (QDockWidget* const dock : {m_eventsDock, stats, tables, steps, m_findingsDock, report})
        dock->setTitleBarWidget(new QWidget(dock));
    tabifyDockWidget(m_findingsDock, m_eventsDock);
    tabifyDockWidget(m_eventsDock, stats);
    tabifyDockWidget(stats, tables);
    tabifyDockWidget(tables, steps);
    tabifyDockWidget(steps, report);
    m_findingsDock->raise();
    resizeDocks({m_findingsDock}, {300}, Qt::Vertical);
    resizeDocks({details}, {330}, Qt::Horizontal);
}

void MainWindow::open(const QString& path)
{
    m_messageBar->hide();
    if (ReportConverter::isRecorded(path)) {
        m_converter->convert(path);
        return;
    }
    m_session.saveState();
    m_path = QFileInfo(path).absoluteFilePath();
    m_status->setText(tr("Opening %1").arg(QFileInfo(path).fileName()));
    m_loader.open(m_path);
}

void MainWindow::closeReport()
{
    m_session.saveState();
    m_session.setTrace(std::make_shared<const Trace>(), std::make_shared<const RowTree>());
    m_center->setCurrentWidget(m_start);
    fillStartPage();
    setWindowTitle("Warpline");
    m_status->clear();
}

void MainWindow::onProgress(quint64 read, quint64 total, const QString& stage)
{
    m_progress->setRange(0, 1000);
    m_progress->setValue(total ? static_cast<int>(read * 1000 / total) : 0);
    m_progress->show();
    m_cancel->show();
    m_status->setText(tr("%1: %2 of %3 rows")
                          .arg(stage, QString::fromStdString(formatCount(read)),
                              QString::fromStdString(formatCount(total))));
}

void MainWindow::onLoaded(
    const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const RowTree>& rows)
{
    m_center->setCurrentWidget(m_timeline);
    m_session.setTrace(trace, rows);
    setWindowTitle(QFileInfo(m_path).fileName() + " \u2014 Warpline");
    if (!trace->complete)
        return;
    m_progress->hide();
    m_cancel->hide();
    remember(m_path);
    m_status->setText(tr("%1 events").arg(QString::fromStdString(formatCount(trace->eventCount()))));
    quint64 repaired = 0;
    for (const Problem& problem : trace->info.problems)
        repaired += problem.count;
    if (repaired > 0)
        m_status->setText(m_status->text() + tr(", %1 rows skipped or repaired: see Report").arg(repaired));
    m_timeline->setFocus();
    checkSettled();
}

void MainWindow::onFailed(const QString& message)
{
    m_progress->hide();
    m_cancel->hide();
    m_status->clear();
    showMessage(message, true);
    emit openFailed(message);
}

void MainWindow::showMessage(const QString& text, bool isError)
{
    QPalette colors = palette();
    const QColor background = isError ? QColor(0x8e2f22) : m_theme->panel;
    colors.setColor(QPalette::Window, background);
    colors.setColor(QPalette::WindowText, Theme::textOn(background));
    m_messageBar->setPalette(colors);
    m_message->setText(text);
    m_messageBar->show();
}

bool MainWindow::isSettled() const
{
    return !m_loader.isLoading() && m_session.trace().complete && !m_stats->isBusy() && !m_findings->isBusy()
        && !m_events->model().isBusy() && !m_tables->isBusy() && !m_steps->isBusy();
}

void MainWindow::checkSettled()
{
    if (isSettled())
        emit settled();
}

void MainWindow::setTheme(const Theme& theme)
{
    m_theme = &theme;
    QApplication::setPalette(theme.palette());
    m_timeline->setTheme(theme);
    m_stats->setTheme(theme);
    m_steps->setTheme(theme);
    m_tables->setTheme(theme);
    m_findings->setTheme(theme);
}

void MainWindow::remember(const QString& path)
{
    QSettings settings;
    QStringList recent = settings.value("recent").toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    while (recent.size() > 10)
        recent.removeLast();
    settings.setValue("recent", recent);
}

void MainWindow::findText(bool forward)
{
    const NameMatch match(m_session.trace(), m_search->text().toStdString());
    if (m_search->text().isEmpty() || m_session.isEmpty())
        return;
    EventRef found
        = findNext(m_session.trace(), match, m_session.currentEvent(), m_session.shown().start, forward);
    if (!found.valid()) {
        // Once around.
        const TimeRange session = m_session.trace().session;
        found = findNext(m_session.trace(), match, {}, forward ? session.start : session.end, forward);
    }
    if (found.valid())
        m_session.goTo(found);
    else
        m_status->setText(tr("No event is named \u201c%1\u201d").arg(m_search->text()));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_session.saveState();
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", saveState());
    settings.setValue("window/labels", m_timeline->labelWidth());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        open(urls.front().toLocalFile());
}

void MainWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a report"), QFileInfo(m_path).path(),
        tr("Nsight Systems reports (*.sqlite *.db *.nsys-rep *.qdrep);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

} // namespace warpline
