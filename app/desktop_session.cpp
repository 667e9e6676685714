#include "app/desktop_session.h"

#include "app/kept_settings.h"
#include "app/main_window.h"
#include "app/view_files.h"
#include "views/session/run_pair.h"

#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QFileOpenEvent>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>

#include <utility>

namespace warpline {

namespace {

constexpr int noteMs = 1500; ///< how often a moving view is noted at most
constexpr int laterMs = 200; ///< how often it looks whether a dialog is still open

} // namespace

DesktopSession::DesktopSession(MainWindow& window)
    : m_window(window)
{
    m_running.listen();
    m_running.note({}); // so that other starts find it
    connect(&m_running, &RunningWindows::openWanted, this,
        [this](const QStringList& paths, const QByteArray& activation) {
            if (!paths.isEmpty())
                m_handed = paths;
            bringToFront(activation);
            takeHanded();
        });
    m_later.setSingleShot(true);
    m_later.setInterval(laterMs);
    connect(&m_later, &QTimer::timeout, this, &DesktopSession::takeHanded);
    follow(m_window.reports());
    follow(m_window.otherReports());
    connect(&m_watch, &FileWatch::changed, this, [this](const QString& path) {
        m_changed << path;
        offerAnew();
    });
    m_window.installEventFilter(this);
    QCoreApplication::instance()->installEventFilter(this);
    connect(&m_window, &MainWindow::reportsReady, this, [this] {
        if (m_wanted && m_wanted->compared.isEmpty() && m_wanted->rangeA.empty()) // a comparison moves it
            showWanted();
    });
    connect(&m_window, &MainWindow::settled, this, &DesktopSession::onSettled);
    connect(&m_window, &MainWindow::openFailed, this, &DesktopSession::note);
    connect(&m_window, &MainWindow::reloadWanted, this, &DesktopSession::reopen);
    m_noteSoon.setSingleShot(true);
    m_noteSoon.setInterval(noteMs);
    connect(&m_noteSoon, &QTimer::timeout, this, &DesktopSession::note);
    const auto soon = [this] {
        if (!m_noteSoon.isActive())
            m_noteSoon.start();
    };
    connect(&m_window.session().time(), &TimeView::shownChanged, this, soon);
    connect(&m_window.session(), &Session::traceChanged, this, soon);
    connect(&m_window.session().pair(), &RunPair::changed, this, soon);
}

DesktopSession::~DesktopSession()
{
    if (m_wanted) // closed before it was there
        m_running.note(*m_wanted);
    else
        note();
    m_running.leave();
    keepSettings();
}

void DesktopSession::follow(const ReportList& list)
{
    connect(&list, &ReportList::reading, &m_watch, &FileWatch::watch);
    connect(&list, &ReportList::reading, this, [this] { m_isNoted = true; }); // the message is hidden by then
    connect(&list, &ReportList::changed, this, &DesktopSession::onListChanged);
    connect(&list, &ReportList::changed, this, &DesktopSession::watchListed,
        Qt::QueuedConnection); // a swap closes what it shows again
}

QMessageBox* DesktopSession::question() const
{
    return m_question;
}

bool DesktopSession::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window && event->type() == QEvent::WindowActivate)
        m_watch.lookSoon();
    if (event->type() == QEvent::FileOpen) { // how macOS hands over a file that is double-clicked
        m_handed = QStringList(static_cast<QFileOpenEvent*>(event)->file());
        takeHanded();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void DesktopSession::takeHanded()
{
    if (QApplication::activeModalWidget() && m_question != QApplication::activeModalWidget()) {
        m_later.start();
        return;
    }
    const QStringList paths = std::exchange(m_handed, {});
    if (paths.isEmpty()) {
        offerAnew();
        return;
    }
    while (auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
        if (!menu->close())
            break;
    }
    if (m_question)
        m_question->reject();
    m_window.openAll(paths);
}

void DesktopSession::bringToFront(const QByteArray& activation)
{
    if (!activation.isEmpty())
        qputenv("XDG_ACTIVATION_TOKEN", activation); // Qt takes it from there, once
    m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
    m_window.raise();
    m_window.activateWindow();
}

void DesktopSession::restore()
{
    QList<LastView> left = m_running.takeLeft();
    if (left.isEmpty())
        return;
    const LastView mine = left.takeLast();
    RunningWindows::leaveBehind(left);
    if (!left.isEmpty()) // it restores one, and does the same
        QProcess::startDetached(QCoreApplication::applicationFilePath());
    show(mine);
}

void DesktopSession::show(const LastView& view)
{
    if (view.paths.isEmpty())
        return;
    // It must not be lost while loading, nor crash each start: memory may be too small.
    LastView opening = view;
    opening.isOpening = true;
    m_running.note(opening);
    if (view.compared.isEmpty())
        m_window.openAll(view.paths, view.viewFile);
    else
        m_window.compare(view.paths, view.compared, view.viewFile);
    m_window.setBothOpen(view.bothOpen, view.bothOpenSet, view.bothOpenView);
    m_window.keepPanels();
    if (!isLoading())
        return;
    m_wanted = view;
    m_rangeRestored = false;
    m_toChoose = view.choices;
    m_toChooseOfOthers = view.comparedChoices;
    chooseAsWanted();
}

void DesktopSession::chooseAsWanted()
{
    const auto choose = [](ReportList& list, const QStringList& wanted, QByteArray& choices) {
        if (!choices.isEmpty() && list.names() == wanted)
            list.takeChoices(std::exchange(choices, {})); // once: the user may choose others
    };
    if (m_wanted)
        choose(m_window.reports(), m_wanted->paths, m_toChoose);
    if (m_wanted)
        choose(m_window.otherReports(), m_wanted->compared, m_toChooseOfOthers);
    if (m_wanted && m_window.otherReports().names() == m_wanted->compared
        && m_window.views().namedOfB() != m_wanted->comparedView) // else it knows what was changed of it
        m_window.views().useForB(m_wanted->comparedView);
}

bool DesktopSession::isLoading() const
{
    return m_window.reports().isLoading() || m_window.otherReports().isLoading();
}

LastView DesktopSession::view() const
{
    const ReportList::Listed listed = m_window.reports().listed();
    const QStringList names = listed.names();
    if (m_wanted && isLoading() && (names.isEmpty() || names == m_wanted->paths))
        return *m_wanted; // not all of it is there yet
    Session& session = m_window.session();
    if (!session.hasReport() && !m_window.reports().isLoading())
        return {};
    const bool isShown = m_window.reports().placeOf(session.report().id).has_value(); // else others are
    LastView view{names, {}, {}, {}, {}};
    view.choices = listed.choices();
    const bool isOfNext // B waits for reports that are looked for
        = isShown && m_window.reports().isReplacing() && !session.pair().isOn();
    if (!isOfNext && (isShown || !m_window.opensAlone())) {
        const ReportList::Listed compared = m_window.listedB();
        view.compared = compared.names();
        view.comparedChoices = compared.choices();
        view.bothOpen = m_window.bothOpen();
        view.bothOpenSet = m_window.bothOpenSet();
        view.bothOpenView = m_window.bothOpenView();
        view.comparedView = m_window.views().namedOfB();
    }
    if (isShown || !m_window.opensAlone()) // else the reports are no next A
        view.viewFile = m_window.viewOfNextA();
    if (!isShown)
        return view;
    if (view.viewFile.isEmpty())
        view.viewFile = m_window.views().named();
    view.shown = session.time().shown();
    if (session.pair().isOn()) {
        view.rangeA = session.pair().narrowed(Side::A);
        view.rangeB = session.pair().narrowed(Side::B);
    }
    return view;
}

void DesktopSession::note()
{
    const Session& session = m_window.session();
    if (isLoading() || m_wanted || (!session.isEmpty() && !session.workspace().isComplete()))
        return;
    const bool isWritten = m_running.note(view());
    const bool before = std::exchange(m_isNoted, keepSettings() && isWritten);
    if (before && !m_isNoted)
        m_window.showMessage(
            tr("Cannot write %1. Settings, bookmarks and notes are lost when Warpline closes. Free disk space, or check the permissions of the file.")
                .arg(QSettings().fileName()),
            true);
}

void DesktopSession::onListChanged()
{
    if (m_window.reports().isEmpty())
        m_wanted.reset(); // it could not be opened, or was closed before it was there
    chooseAsWanted();
}

void DesktopSession::watchListed()
{
    if (isLoading())
        return; // the previous reports may be restored
    QStringList paths;
    for (const ReportList* const list : {&m_window.reports(), &m_window.otherReports()}) {
        for (const ListedReport& listed : list->reports()) {
            if (listed.report.trace)
                paths << listed.path;
        }
    }
    m_watch.keep(paths);
    erase_if(m_changed, [&](const QString& path) { return !paths.contains(path); });
    if (m_question && m_changed.isEmpty())
        m_question->reject(); // nothing is left to reload
}

void DesktopSession::showWanted()
{
    if (!m_wanted || m_wanted->paths != m_window.reports().names() || std::exchange(m_rangeRestored, true))
        return;
    const TimeRange there = m_wanted->shown.clippedTo(m_window.session().session());
    if (!there.empty())
        m_window.session().time().show(there);
}

void DesktopSession::onSettled()
{
    if (m_wanted && m_wanted->paths != m_window.reports().names())
        m_wanted.reset();
    if (narrowAsWanted())
        return;
    showWanted();
    m_wanted.reset();
    note();
    offerAnew();
}

bool DesktopSession::narrowAsWanted()
{
    if (!m_wanted)
        return false;
    RunPair& pair = m_window.session().pair();
    const bool isOfTwo = pair.isOn() && !pair.isWithinOne();
    const TimeRange whole = m_window.session().session();
    const TimeRange a = std::exchange(m_wanted->rangeA, {}).clippedTo(whole); // once: it settles again
    const TimeRange b = std::exchange(m_wanted->rangeB, {}).clippedTo(isOfTwo ? pair.b().session() : whole);
    if (isOfTwo && !a.empty())
        pair.narrow(Side::A, a);
    if (isOfTwo && !b.empty())
        pair.narrow(Side::B, b);
    if (m_wanted->compared.isEmpty() && !a.empty() && !b.empty())
        pair.compareWithin(a, b);
    return !m_window.isSettled();
}

void DesktopSession::offerAnew()
{
    if (m_question || m_changed.isEmpty() || isLoading() || !m_window.session().hasReport())
        return;
    if (QApplication::activeModalWidget()) {
        m_later.start();
        return;
    }
    const QString name = QFileInfo(m_changed.front()).fileName();
    m_question = new QMessageBox(QMessageBox::Question, tr("The report changed"),
        tr("%1 changed on disk. You are viewing the earlier version.").arg(name), QMessageBox::NoButton,
        &m_window);
    m_question->setTextFormat(Qt::PlainText); // a name of a file may look like markup
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->addButton(tr("Reload"), QMessageBox::AcceptRole);
    m_question->addButton(tr("Keep"), QMessageBox::RejectRole);
    connect(m_question, &QMessageBox::accepted, this, &DesktopSession::reopen);
    connect(m_question, &QMessageBox::finished, this, [this, name] {
        if (!std::exchange(m_changed, {}).isEmpty()) // else they are read again, or closed
            m_window.showMessage(
                tr("%1 changed on disk. You are viewing the earlier version. To read it again, choose File > Reload files.")
                    .arg(name),
                false);
    });
    m_question->open();
}

void DesktopSession::reopen()
{
    m_question.clear(); // it is answered, and closes
    if (isLoading())
        return; // other reports are on their way
    m_changed.clear();
    LastView wanted = view();
    if (wanted.shown == m_window.session().session())
        wanted.shown = allTime;
    m_toChoose.clear(); // the lists keep them
    m_toChooseOfOthers.clear();
    const bool isRangeKept = m_window.session().workspace().isComplete(); // see ViewFiles::reloaded()
    m_window.reopen();
    if (isLoading()) { // else it failed, and the view stays
        m_wanted = wanted;
        m_rangeRestored = isRangeKept;
    }
}

} // namespace warpline
