// The status bar: the drawer's buttons, messages, and the progress of loading.

#include "app/main_window.h"
#include "app/panel_bar.h"
#include "app/panel_docks.h"
#include "core/store/trace.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QStatusTipEvent>
#include <QToolButton>

namespace warpline {

namespace {

constexpr int sayMs = 10'000; ///< how long a message stays in the status bar

} // namespace

void MainWindow::makeStatusBar()
{
    m_progress->setMaximumWidth(260);
    m_status->setObjectName("status");
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long texts widen no window
    m_status->setTextFormat(Qt::PlainText); // names of files and events come here as they are
    hideProgress();
    // Buttons of the drawer; the timeline has all of the window above them.
    auto* const drawer = new PanelBar(PanelPlace::Below, m_session, *m_actions, this);
    drawer->setVisible(false);
    connect(&m_session, &Session::traceChanged, drawer,
        [this, drawer] { drawer->setVisible(m_session.hasReport()); });
    statusBar()->addWidget(drawer);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    statusBar()->addPermanentWidget(m_problems);
    m_problems->setObjectName("problems");
    m_problems->setAutoRaise(true);
    m_problems->setToolTip(tr("Show the problems found while reading"));
    m_problems->hide();
    connect(m_problems, &QToolButton::clicked, this, [this] { m_docks->showPanel("report"); });
    m_sayTimer.setSingleShot(true);
    m_sayTimer.setTimerType(Qt::PreciseTimer); // the remaining time of a coarse timer may be off by half a
                                               // second
    connect(&m_sayTimer, &QTimer::timeout, this, &MainWindow::showProblems);
    const RunPair& pair = m_session.pair();
    connect(&pair, &RunPair::markedA, this, [this, &pair] { say(tr("A: %1").arg(pair.markedText())); });
    // The message about marked events ends with the marking.
    const auto endMessage = [this] {
        if (m_sayTimer.isActive() && m_sayTimer.remainingTime() < sayMs - 200)
            showProblems();
    };
    const Selection& selection = m_session.selection();
    connect(&selection, &Selection::currentEventChanged, this, endMessage);
    connect(&selection, &Selection::highlightedChanged, this, [&selection, endMessage] {
        if (!selection.highlightsAny() && selection.markedRange().empty())
            endMessage();
    });
}

/// Shows status tips next to the drawer's buttons: a message of the status bar would hide them.
bool MainWindow::event(QEvent* event)
{
    if (event->type() != QEvent::StatusTip)
        return QMainWindow::event(event);
    const QString tip = static_cast<QStatusTipEvent*>(event)->tip();
    if (!m_sayTimer.isActive() && !m_progress->isVisible())
        m_status->setText(tip);
    return true;
}

void MainWindow::say(const QString& text)
{
    m_status->setText(text);
    m_sayTimer.start(sayMs);
}

void MainWindow::showProblems()
{
    m_sayTimer.stop();
    m_status->clear();
    const Workspace& workspace = m_session.workspace();
    quint64 repaired = 0;
    for (const OpenReport& report : workspace.reports()) {
        for (const Problem& problem : report.trace->info.problems)
            repaired += problem.count;
    }
    m_problems->setVisible(repaired > 0 && workspace.isComplete());
    m_problems->setText(QChar(0x26a0) + QString(" ")
        + (repaired == 1 ? tr("1 row skipped or repaired")
                         : tr("%1 rows skipped or repaired").arg(numberText(repaired))));
}

} // namespace warpline
