// How the window opens reports, shows the progress, and closes them.

#include "app/main_window.h"

#include "app/ask_files.h"
#include "app/panel_docks.h"
#include "app/recent_files.h"
#include "app/report_converter.h"
#include "app/reports_dialog.h"
#include "app/start_page.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "core/base/file_wait.h"
#include "core/findings/lost_work.h"
#include "core/workspace/report_set.h"
#include "views/compare/compared_timelines.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"
#include "views/timeline/timeline_pane.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace warpline {

QStringList MainWindow::askFor(const QString& title, const QString& folder)
{
    return askForReports(this, title, folder,
        tr("Reports (%1);;All files (*)").arg(QString::fromStdString(openablePatterns())));
}

void MainWindow::connectLoading()
{
    for (ReportList* const list : {&m_reports, &m_others}) {
        connect(&list->converter(), &ReportConverter::nsysMissing, this,
            [this](const QString& command) { m_exportCommand = command; });
        connect(list, &ReportList::progressed, m_actions, &WindowActions::updateSoon);
        connect(list, &ReportList::finished, m_actions, &WindowActions::update);
    }
    m_session.setFilesInUse(
        [this] { return m_reports.files() + m_others.files() + QStringList{m_tooLarge.path}; });
    connect(&m_reports, &ReportList::progressed, this, &MainWindow::onProgress);
    connect(&m_reports, &ReportList::shown, this, &MainWindow::onShown);
    connect(&m_reports, &ReportList::failed, this, &MainWindow::onFailed);
    connect(&m_reports, &ReportList::tooLarge, this, [this](const QString& path, TimeRange part) {
        m_tooLarge = {path, part};
    });
    connect(&m_reports, &ReportList::finished, this, &MainWindow::onFinished);
    connect(&m_reports, &ReportList::opening, this, [this](const QString& view) {
        m_session.saveState();
        m_opensAlone = std::exchange(m_asksAlone, false);
        if (m_opensAlone && opensComparison())
            leaveComparison();
        m_leavesView = [this, view = view.isEmpty() ? m_asksView : view] {
            if (m_opensAlone)
                leaveComparison();
            m_views->forget();
            m_views->use(view);
        };
    });
    m_reports.setViewTaker([this](const QString& path, const ReadView& read) {
        if (!m_reports.isLoading() && !m_others.isLoading()) {
            hideProgress();
            m_status->clear();
        }
        const bool isTaken = m_views->open(path, read);
        m_opensAnew = m_opensAnew && !isTaken;
        m_asksAlone = m_asksAlone && !isTaken;
        if (isTaken)
            compareWaiting(); // the open reports are A
        return isTaken;
    });
    connect(&m_reports, &ReportList::summaryNamed, this, &MainWindow::openFleet);
    connect(m_cancel, &QPushButton::clicked, this, &MainWindow::cancel);
    connect(&m_pictures, &FileWriter::messages, this, &MainWindow::say);
    connect(m_views, &ViewFiles::appliedLate, this, &MainWindow::checkReady);
    connect(m_views, &ViewFiles::foreignLate, this, &MainWindow::askToOverwrite);
    connect(m_views, &ViewFiles::said, this, &MainWindow::say);
    connect(m_views, &ViewFiles::thresholdsChanged, this, [this] {
        for (Panel* const panel : m_docks->panels())
            panel->preferencesChanged();
    });
    connect(m_views, &ViewFiles::noticed, this, [this](const QString& text) { showMessage(text, false); });
    connect(m_views, &ViewFiles::failed, this, [this](const QString& text) { showMessage(text, true); });
    connect(&m_diskTimer, &QTimer::timeout, this, &MainWindow::lookAtDisk);
    m_diskTimer.start(std::chrono::seconds(1));
}

void MainWindow::cancel()
{
    while (FileWriter* const writer = m_reports.isLoading() || m_others.isLoading() ? nullptr : writing())
        writer->cancel();
    if (!m_session.pair().isOn() && m_reports.isLoading())
        m_others.close(); // else it is compared with what stays open
    m_reports.cancel();
    m_others.cancel();
    m_waitsSince = std::chrono::steady_clock::now();
}

bool MainWindow::isWaiting() const
{
    return m_reports.isLoading() || m_others.isLoading() || m_views->isBusy() || writing()
        || std::ranges::any_of(m_docks->panels(), &Panel::isBusy);
}

FileWriter* MainWindow::writing() const
{
    const QList<FileWriter*> all = findChildren<FileWriter*>();
    const auto busy = std::ranges::find_if(all, &FileWriter::isBusy);
    return busy == all.end() ? nullptr : *busy;
}

void MainWindow::lookAtDisk()
{
    if (!isWaiting())
        m_waitsSince = std::chrono::steady_clock::now();
    const SlowestFile slowest = slowestFile(m_waitsSince);
    if (!slowest.isSilent()) {
        const QString hint = std::exchange(m_diskHint, {});
        if (!hint.isEmpty() && m_status->text() == hint)
            m_status->clear();
        if (!hint.isEmpty() && !m_progress->isVisible())
            m_cancel->hide();
        return;
    }
    if (m_sayTimer.isActive())
        return;
    if (writing())
        m_cancel->show();
    const QString path = QFileInfo(QString::fromStdString(slowest.path)).fileName();
    m_diskHint = (m_cancel->isVisible() ? tr("The disk has not answered for %1 s: %2. Cancel, or wait.")
                                        : tr("The disk has not answered for %1 s: %2."))
                     .arg(slowest.seconds())
                     .arg(path.isEmpty() ? tr("a file") : path);
    m_status->setText(m_diskHint);
}

void MainWindow::hideMessage()
{
    m_messageBar->hide();
    m_exportCommand.clear(); // it is not about what is opened now
    m_tooLarge = {};
}

void MainWindow::openAll(const QStringList& names, const QString& view)
{
    hideMessage();
    m_opensAnew = true;
    m_asksAlone = true;
    m_asksView = view;
    m_waitsSince = std::chrono::steady_clock::now();
    m_reports.openAny(names);
}

void MainWindow::reopen()
{
    hideMessage();
    m_leavesView = m_views->reloaded(); // before the end of a comparison changes the view
    m_opensAlone = false;
    if (m_session.pair().isWithinOne())
        leaveComparison();
    m_session.saveState();
    m_reports.reopen(); // may fail before it returns
    m_views->keepB();
    if (!m_others.isEmpty())
        m_others.reopen();
}

void MainWindow::add(const QStringList& names)
{
    hideMessage();
    m_session.saveState();
    m_reports.add(names);
}

QString MainWindow::askedFolder() const
{
    if (!m_reports.isEmpty())
        return QFileInfo(m_reports.reports().front().path).path();
    const QList<RecentFiles> recent = recentFiles();
    return recent.isEmpty() ? QString() : QFileInfo(recent.front().paths.value(0)).path();
}

void MainWindow::askForFile()
{
    const QStringList paths = askFor(tr("Open reports"), askedFolder());
    if (!paths.isEmpty())
        openAll(paths);
}

void MainWindow::askForFolder()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a folder of reports"),
        askedFolder(), QFileDialog::ShowDirsOnly | QFileDialog::ReadOnly);
    if (!path.isEmpty())
        open(path);
}

void MainWindow::askForMore()
{
    const QStringList paths = askFor(tr("Add reports"), askedFolder());
    if (!paths.isEmpty())
        add(paths);
}

void MainWindow::chooseReports()
{
    ReportsDialog dialog(m_reports, m_session, this);
    connect(&dialog, &ReportsDialog::addWanted, this, &MainWindow::askForMore);
    dialog.exec();
}

void MainWindow::showStart()
{
    m_session.setWorkspace({});
    m_docks->hide();
    m_status->clear();
    if (!showFleet()) {
        m_center->setCurrentWidget(m_start);
        setWindowTitle("Warpline");
    }
}

void MainWindow::closeReport()
{
    leaveComparison();
    m_docks->keepPanels(false); // no swap comes to its end
    m_session.saveState();
    m_leavesView = {};
    m_views->forget();
    m_reports.close();
    hideProgress();
    hideMessage();
    showStart();
}

void MainWindow::onProgress(int permille, const QString& text)
{
    m_progress->setRange(0, permille < 0 ? 0 : 1000);
    m_progress->setValue(permille);
    m_progress->show();
    m_cancel->show();
    m_status->setText(text);
}

void MainWindow::hideProgress()
{
    m_progress->hide();
    m_cancel->hide();
    m_actions->updateSoon(); // some wait for the end of what is opened
}

void MainWindow::onShown(const Workspace& workspace)
{
    m_session.saveState(); // of the reports before: they could be used while these were loading
    if (const auto leaveView = std::exchange(m_leavesView, {}))
        leaveView();
    const bool isRemoved = workspace.isEmpty() && !m_reports.isLoading()
        && std::ranges::none_of(m_reports.reports(), &ListedReport::canShow);
    if (isRemoved) { // before the view of A is left: it knows the file of B
        if (m_session.pair().isWithinOne())
            leaveComparison();
        else
            swapRuns(); // B stays open, alone
        if (std::ranges::any_of(m_reports.reports(), &ListedReport::isShown))
            return; // it is there
        m_views->forget();
    }
    const bool isViewLeft = m_views->leave(workspace);
    if (workspace.isEmpty()) {
        showStart();
        return;
    }
    m_center->setCurrentWidget(m_timelines);
    m_session.setWorkspace(workspace);
    m_views->showHidden();
    showTitle();
    if (m_docks->areShown())
        bringStory();
    else
        m_docks->showSoon(); // the timeline need not wait for them
    compareWaiting();
    if (isViewLeft)
        emit m_views->thresholdsChanged(); // it may have had some
    if (m_views->isBack() || (isViewLeft && !m_reports.isLoading())) // else when all are there
        m_views->apply();
}

void MainWindow::bringStory()
{
    if (std::exchange(m_opensAnew, false))
        m_docks->bringFirst();
}

void MainWindow::onFinished()
{
    m_asksAlone = false; // the open reports stay
    m_opensAlone = false;
    const bool isNewA = !std::exchange(m_leavesView, {}); // else the reports before are back
    const ReportList::Listed nextB = std::exchange(m_nextB, {});
    const bool isWhole = m_session.workspace().isComplete(); // else it was cancelled
    if (isNewA && isWhole && !nextB.reports.empty() && m_others.isEmpty()
        && !m_others.isLoading()) { // else another was chosen
        m_others.openListed(nextB);
        if (!m_others.isLoading()) // it is there, and the rest is done
            return;
    } else {
        compareWaiting();
    }
    if (!isWhole && m_session.pair().isOn() && !m_reports.isLoading()
        && !m_others.isLoading()) { // else what B has by now would be read again
        dropB(); // the comparison would wait for the rest of A
        if (m_messageBar->isHidden()) // else it says why
            showMessage(tr("The comparison ended, because only a part of A was read."), true);
    }
    if (!m_others.isLoading() && !m_session.pair().isOn()) {
        if (!nextB.reports.empty())
            dropB(); // its A came to nothing
        m_bothOpen = {};
        if (m_reports.isLoading())
            return;
    }
    if (!m_others.isLoading()) {
        hideProgress();
        m_docks->keepPanels(false);
    }
    m_status->clear();
    showTitle(); // the reports before may be back
    if (!m_session.workspace().isComplete())
        return;
    remember();
    if (!m_others.isLoading()) // else panels of the comparison are about to apply
        m_docks->leaveUnneeded();
    showProblems();
    for (const OpenReport& report : m_session.workspace().reports()) {
        const Message note = cutOffNote(*report.trace);
        if (note.empty() || !m_messageBar->isHidden() || m_toldCutOff.lock() == report.trace)
            continue;
        showMessage(plainTextOf(note), true);
        m_toldCutOff = report.trace;
    }
    m_views->apply();
    m_timeline->setFocus();
    showWanted();
    checkReady();
}

void MainWindow::onFailed(const QString& message)
{
    hideProgress();
    m_status->clear();
    m_asksAlone = m_asksAlone && m_reports.isLoading(); // else nothing comes of it
    if (!m_session.hasReport() && !m_reports.isLoading())
        leaveComparison(); // with nothing
    const bool partly = !m_session.isEmpty() && !m_session.workspace().isComplete();
    showMessage(partly ? tr("%1 Warpline shows what it read before.").arg(message) : message, true);
    m_copyExport->setVisible(!m_exportCommand.isEmpty());
    m_setNsys->setVisible(!m_exportCommand.isEmpty());
    if (!m_tooLarge.path.isEmpty())
        m_openPart->setText(tr("Open %1 of it\u2026").arg(durationText(m_tooLarge.part.duration())));
    m_openPart->setVisible(!m_tooLarge.path.isEmpty());
    emit openFailed(message);
}

void MainWindow::saveView()
{
    if (m_views->save() == ViewFiles::Outcome::Foreign)
        askToOverwrite();
}

void MainWindow::askToOverwrite()
{
    const QString path = m_views->path();
    const QFileInfo file(path);
    const QString question = file.isSymLink()
        ? tr("%1 is a link to %2. Write there?").arg(file.filePath(), file.symLinkTarget())
        : !m_views->isOfThese()
        ? tr("%1 was not opened or saved with these reports. Overwrite it?").arg(file.filePath())
        : tr("Another program made or changed %1. Overwrite it?").arg(file.filePath());
    const auto answer = QMessageBox::question(this, tr("Save the view"), plainTip(question),
        QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Save && m_views->path() == path) // else other reports are open by now
        m_views->save(true);
}

void MainWindow::saveViewAs()
{
    const QString offered = m_views->path();
    const QString ending = ".warpline";
    const QString path = askToSave(this, tr("Save the view"), offered, tr("Views (*%1)").arg(ending), ending);
    if (path.isEmpty())
        return;
    if (m_views->path() != offered)
        showMessage(tr("Another report is open now. Nothing was written."), true);
    else
        m_views->saveAs(path);
}

/// Two runs that are compared are one entry, as soon as both are there.
void MainWindow::remember()
{
    if (m_others.isEmpty())
        rememberRecent({m_reports.openedNames(), {}});
    else if (m_session.pair().isOn() && m_session.pair().b().workspace().isComplete())
        rememberRecent({m_reports.openedNames(), m_others.openedNames()});
}

} // namespace warpline
