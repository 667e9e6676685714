// How the window opens reports, tells how far they are, and closes them.

#include "app/main_window.h"

#include "app/report_converter.h"
#include "app/start_page.h"
#include "core/base/format.h"
#include "core/cache/trace_cache.h"
#include "core/load/recording.h"
#include "views/timeline/timeline_pane.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>

namespace warpline {

void MainWindow::connectLoading()
{
    connect(&m_loader, &TraceLoader::progressed, this, &MainWindow::onProgress);
    connect(&m_loader, &TraceLoader::loaded, this, &MainWindow::onLoaded);
    connect(&m_loader, &TraceLoader::failed, this, &MainWindow::onFailed);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_loader.cancel();
        if (m_converter->isRunning()) {
            m_converter->cancel();
            hideProgress();
            m_status->setText(tr("Conversion was cancelled."));
        }
    });
    connect(m_converter, &ReportConverter::converted, this, &MainWindow::load);
    connect(m_converter, &ReportConverter::failed, this, &MainWindow::onFailed);
    connect(m_converter, &ReportConverter::progressed, this, [this](int percent, const QString& text) {
        m_status->setText(text);
        m_progress->setRange(0, percent < 0 ? 0 : 100);
        m_progress->setValue(percent);
        m_progress->show();
        m_cancel->show();
    });
}

void MainWindow::open(const QString& path)
{
    m_messageBar->hide();
    m_loader.abandon();
    m_converter->cancel();
    m_path = QFileInfo(path).absoluteFilePath();
    if (isRecording(path.toStdString()))
        m_converter->convert(m_path);
    else
        load(m_path);
}

void MainWindow::load(const QString& exportPath)
{
    m_session.saveState();
    m_status->setText(tr("Opening %1").arg(QFileInfo(m_path).fileName()));
    const bool keeps = m_cacheUsed && QSettings().value("cache/keep", true).toBool();
    m_loader.setCacheFolder(keeps ? QString::fromStdString(defaultCacheFolder()) : QString());
    m_loader.open(exportPath);
}

void MainWindow::closeReport()
{
    m_loader.abandon();
    m_converter->cancel();
    hideProgress();
    m_messageBar->hide();
    m_session.saveState();
    m_session.setWorkspace({});
    m_center->setCurrentWidget(m_start);
    showDocks(false);
    m_start->fill();
    setWindowTitle("Warpline");
    m_status->clear();
    showMemory();
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

void MainWindow::hideProgress()
{
    m_progress->hide();
    m_cancel->hide();
}

void MainWindow::onLoaded(const OpenReport& report)
{
    m_center->setCurrentWidget(m_timeline);
    showDocks(true);
    m_session.setWorkspace(Workspace({report}));
    setWindowTitle(QFileInfo(m_path).fileName() + " \u2014 Warpline");
    if (!m_session.workspace().isComplete())
        return;
    hideProgress();
    remember(m_path);
    sayWhatIsOpen();
    m_timeline->setFocus();
    showMemory();
    checkSettled();
}

void MainWindow::onFailed(const QString& message)
{
    hideProgress();
    m_status->clear();
    const bool partly = !m_session.isEmpty() && !m_session.workspace().isComplete();
    showMessage(partly ? tr("%1 What was read until then is shown.").arg(message) : message, true);
    emit openFailed(message);
}

void MainWindow::remember(const QString& path)
{
    constexpr int most = 10;
    QSettings settings;
    QStringList recent = settings.value("recent").toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    while (recent.size() > most)
        recent.removeLast();
    settings.setValue("recent", recent);
}

} // namespace warpline
