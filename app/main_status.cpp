// The status bar: what is open, what was done, how far loading is, and the memory in use.

#include "app/main_window.h"
#include "app/panel_bar.h"
#include "core/base/format.h"
#include "core/base/platform/platform.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

namespace warpline {

namespace {

constexpr int memoryIntervalMs = 2000;
constexpr int sayMs = 10'000; ///< how long a message stays in the status bar

} // namespace

void MainWindow::makeStatusBar()
{
    m_progress->setMaximumWidth(260);
    m_status->setObjectName("status");
    m_status->setTextFormat(Qt::PlainText); // names of files and events come here as they are
    hideProgress();
    // Buttons of the drawer; the timeline has all of the window above them.
    auto* const drawer = new PanelBar(PanelPlace::Below, m_session, *m_actions, this);
    drawer->setVisible(false);
    connect(&m_session, &Session::traceChanged, drawer,
        [this, drawer] { drawer->setVisible(!m_session.isEmpty()); });
    statusBar()->addWidget(drawer);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    statusBar()->addPermanentWidget(m_memory);
    m_memory->setToolTip(tr("Memory that Warpline uses"));
    connect(&m_memoryTimer, &QTimer::timeout, this, &MainWindow::showMemory);
    m_memoryTimer.start(memoryIntervalMs);
    m_sayTimer.setSingleShot(true);
    m_sayTimer.setTimerType(Qt::PreciseTimer); // what remains of a coarse one may be half a second off
    connect(&m_sayTimer, &QTimer::timeout, this, &MainWindow::sayWhatIsOpen);
    // What was said of marked events is over with them.
    connect(&m_session, &Session::currentEventChanged, this, [this] {
        if (m_sayTimer.isActive() && m_sayTimer.remainingTime() < sayMs - 200)
            sayWhatIsOpen();
    });
}

void MainWindow::showMemory()
{
    const std::uint64_t bytes = platform::residentBytes();
    m_memory->setText(
        bytes && !m_session.isEmpty() ? QString::fromStdString(formatBytes(bytes)) + ' ' : QString());
}

void MainWindow::say(const QString& text)
{
    m_status->setText(text);
    m_sayTimer.start(sayMs);
}

void MainWindow::sayWhatIsOpen()
{
    m_sayTimer.stop();
    const Workspace& workspace = m_session.workspace();
    if (m_session.isEmpty() || !workspace.isComplete()) {
        m_status->clear();
        return;
    }
    const std::uint64_t events = workspace.eventCount();
    const QString count
        = events == 1 ? tr("1 event") : tr("%1 events").arg(QString::fromStdString(formatCount(events)));
    quint64 repaired = 0;
    for (const OpenReport& report : workspace.reports()) {
        for (const Problem& problem : report.trace->info.problems)
            repaired += problem.count;
    }
    m_status->setText(repaired == 0 ? count
            : repaired == 1         ? tr("%1, 1 row skipped or repaired: see Report").arg(count)
                                    : tr("%1, %2 rows skipped or repaired: see Report")
                                  .arg(count, QString::fromStdString(formatCount(repaired))));
}

} // namespace warpline
