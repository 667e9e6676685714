#include "app/desktop_session.h"

#include "app/main_window.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>

#include <utility>

namespace warpline {

namespace {

constexpr int noteMs = 1500; ///< how often a moving view is noted at most

} // namespace

DesktopSession::DesktopSession(MainWindow& window)
    : m_window(window)
{
    m_running.listen();
    connect(&m_running, &RunningWindows::openWanted, this, [this](const QStringList& paths) {
        if (!paths.isEmpty())
            m_window.openAll(paths);
        m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
        m_window.raise();
        m_window.activateWindow();
    });
    connect(&m_window, &MainWindow::settled, this, &DesktopSession::onSettled);
    m_noteSoon.setSingleShot(true);
    m_noteSoon.setInterval(noteMs);
    connect(&m_noteSoon, &QTimer::timeout, this, &DesktopSession::note);
    const auto soon = [this] {
        if (!m_noteSoon.isActive())
            m_noteSoon.start();
    };
    connect(&m_window.session(), &Session::shownChanged, this, soon);
    connect(&m_window.session(), &Session::traceChanged, this, soon);
}

DesktopSession::~DesktopSession()
{
    note();
    m_running.leave();
}

QMessageBox* DesktopSession::question() const
{
    return m_question;
}

void DesktopSession::restore()
{
    QList<LastView> left = RunningWindows::takeLeft();
    for (LastView& view : left)
        erase_if(view.paths, [](const QString& path) { return !QFileInfo::exists(path); });
    erase_if(left, [](const LastView& view) { return view.paths.isEmpty(); });
    if (left.isEmpty())
        return;
    const LastView mine = left.takeLast();
    for (const LastView& other : left) {
        QStringList arguments = other.paths;
        if (!other.shown.empty())
            arguments << QString("--range=%1:%2").arg(other.shown.start).arg(other.shown.end);
        QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments);
    }
    m_wanted = mine.shown;
    m_window.openAll(mine.paths);
}

QStringList DesktopSession::openPaths() const
{
    return m_window.reports().origin().split('\n', Qt::SkipEmptyParts);
}

void DesktopSession::watchOpen()
{
    QStringList paths;
    for (const OpenReport& report : m_window.session().workspace().reports())
        paths << QString::fromStdString(report.trace->info.path);
    if (paths == m_watched)
        return;
    m_watched = paths;
    m_watches.clear();
    for (const QString& path : paths) {
        m_watches.push_back(std::make_unique<FileWatch>());
        m_watches.back()->watch(path);
        connect(m_watches.back().get(), &FileWatch::changed, this, [this, path] { offerAnew(path); });
    }
}

void DesktopSession::onSettled()
{
    watchOpen();
    const TimeRange wanted = std::exchange(m_wanted, {}).clippedTo(m_window.session().session());
    if (!wanted.empty())
        m_window.session().show(wanted);
    note();
}

void DesktopSession::note()
{
    const Session& session = m_window.session();
    if (session.isEmpty()) {
        m_running.note(std::nullopt);
        m_watched.clear();
        m_watches.clear();
    } else if (session.workspace().isComplete()) {
        m_running.note(LastView{openPaths(), session.shown()});
    }
}

void DesktopSession::offerAnew(const QString& path)
{
    if (m_question || m_window.session().isEmpty())
        return;
    m_question = new QMessageBox(QMessageBox::Question, tr("The report changed"),
        tr("%1 has another content now. What is shown is what it was.").arg(QFileInfo(path).fileName()),
        QMessageBox::NoButton, &m_window);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->addButton(tr("Open it anew"), QMessageBox::AcceptRole);
    m_question->addButton(tr("Keep this"), QMessageBox::RejectRole);
    connect(m_question, &QMessageBox::accepted, this, &DesktopSession::reopen);
    m_question->open();
}

void DesktopSession::reopen()
{
    m_wanted = m_window.session().shown();
    m_watched.clear(); // the same names, another content
    m_window.openAll(openPaths());
}

} // namespace warpline
