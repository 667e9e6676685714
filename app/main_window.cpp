#include "app/main_window.h"

#include "app/panel_docks.h"
#include "app/part_export.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "app/window_keys.h"
#include "core/across/participants.h"
#include "core/base/moment.h"
#include "core/steps/steps.h"
#include "core/workspace/report_set.h"
#include "views/compare/compared_timelines.h"
#include "views/loading/job_failures.h"
#include "views/panels/panel.h"
#include "views/session/fleet_summary.h"
#include "views/session/rank_judge.h"
#include "views/style/color_choice.h"
#include "views/style/counter_scale.h"
#include "views/style/text_scale.h"
#include "views/style/wrapped_label.h"
#include "views/timeline/overview.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

QString spokenName(const QWidget& part, const QString& title)
{
    if (const auto* const edit = qobject_cast<const QLineEdit*>(&part);
        edit && !edit->placeholderText().isEmpty())
        return edit->placeholderText();
    if (const auto* const button = qobject_cast<const QAbstractButton*>(&part);
        button && !button->text().isEmpty())
        return {}; // its text is its name
    const QString tip = part.toolTip();
    if (tip.isEmpty())
        return title;
    return Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
}

/// Gives each focusable part of `area` without an accessible name one for screen readers: its placeholder or
/// tooltip, else `title`, the area's name.
void nameParts(QWidget& area, const QString& title)
{
    for (QWidget* const part : area.findChildren<QWidget*>()) {
        if (part->focusPolicy() == Qt::NoFocus || !part->accessibleName().isEmpty())
            continue;
        const QString name = spokenName(*part, title);
        if (!name.isEmpty())
            part->setAccessibleName(name);
    }
}

} // namespace

MainWindow::MainWindow(const Theme& theme, QWidget* parent)
    : QMainWindow(parent),
      m_theme(&theme),
      m_views(new ViewFiles(m_session, m_reports, m_others, this)),
      m_timelines(new ComparedTimelines(m_session, theme, this)),
      m_timeline(&m_timelines->a()),
      m_center(new QStackedWidget(this)),
      m_start(new StartPage(this)),
      m_messageBar(new QWidget(this)),
      m_message(new QLabel(this)),
      m_compareThem(new QPushButton(this)),
      m_openBoth(new QPushButton(tr("Open both"), this)),
      m_copyExport(new QPushButton(tr("Copy export command"), this)),
      m_setNsys(new QPushButton(tr("Set nsys path\u2026"), this)),
      m_openPart(new QPushButton(this)),
      m_search(new SearchBar(m_session, theme, this)),
      m_status(new QLabel(this)),
      m_problems(new QToolButton(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_actions(new WindowActions(*this, m_session))
{
    setWindowTitle("Warpline");
    setAcceptDrops(true);
    makeCenter();
    m_docks = new PanelDocks(*this, m_session, *m_timelines, *m_actions, theme);
    makeToolBar();
    makeMenus();
    makeStatusBar();
    m_views->setRowFilter(m_timeline->rowFilter());
    connectLoading();
    connectComparing();
    connectPanels();
    connectFleet();
    new WindowKeys(*this, *m_timelines, *m_actions, this);
    ColorChoice::shared().reload();
    CounterChoice::shared().reload();
    setTheme(theme);
    for (QDockWidget* const dock : findChildren<QDockWidget*>())
        nameParts(*dock, dock->windowTitle());
    nameParts(*this, windowTitle());

    const QSettings settings;
    fitScreen();
    if (settings.contains("window/geometry")) {
        restoreGeometry(settings.value("window/geometry").toByteArray());
        const QSize room = screen()->availableSize(); // a larger scale makes the screen smaller
        if (width() > room.width() || height() > room.height())
            fitScreen();
        const QByteArray state = settings.value("window/state").toByteArray();
        if (m_docks->restore(state))
            m_timeline->setLabelWidth(qRound(settings.value("window/labels", 320).toDouble() * textScale()));
    }
    m_docks->hide();
}

MainWindow::~MainWindow()
{
    // Hides while the session still exists, because docks notify panels, which use it.
    hide();
    for (QDockWidget* const dock : findChildren<QDockWidget*>()) {
        if (dock->isFloating()) // a floating window
            dock->hide();
    }
}

QRect MainWindow::firstPlace(QRect available)
{
    // Room for the frame and the desktop's bars; the status bar must be on the screen.
    const double share = isSmall(available.size()) ? 0.9 : 0.85;
    QRect place({}, available.size() * share);
    place.moveCenter(available.center());
    return place;
}

bool MainWindow::isSmall(QSize available)
{
    return available.width() < 1600 || available.height() < 900;
}

void MainWindow::fitScreen()
{
    setGeometry(firstPlace(screen()->availableGeometry()));
}

void MainWindow::setCacheUsed(bool used)
{
    m_reports.setCacheUsed(used);
    m_others.setCacheUsed(used);
}

void MainWindow::makeCenter()
{
    auto* const page = new QWidget(this);
    auto* const bar = new QHBoxLayout(m_messageBar);
    bar->setContentsMargins(10, 6, 6, 6);
    m_message->setObjectName("message");
    wrapInWidth(*m_message);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const close = new QToolButton(m_messageBar);
    close->setText(QString(QChar(0x00d7)));
    close->setToolTip(tr("Hide this message"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, m_messageBar, &QWidget::hide);
    bar->addWidget(m_message, 1);
    for (QPushButton* const button : {m_compareThem, m_openBoth, m_copyExport, m_setNsys, m_openPart})
        bar->addWidget(button);
    connect(m_copyExport, &QPushButton::clicked, this,
        [this] { QApplication::clipboard()->setText(m_exportCommand); });
    connect(m_setNsys, &QPushButton::clicked, this, &MainWindow::choosePreferences);
    bar->addWidget(close, 0, Qt::AlignTop);
    m_messageBar->setAutoFillBackground(true);
    m_messageBar->hide();
    connect(m_start, &StartPage::filesWanted, this, [this](const QStringList& names) { openAll(names); });
    connect(m_start, &StartPage::pairWanted, this,
        [this](const QStringList& a, const QStringList& b) { compare(a, b); });
    m_center->addWidget(m_start);
    m_center->addWidget(m_timelines);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messageBar);
    layout->addWidget(m_center, 1);
    setCentralWidget(page);
}

void MainWindow::connectPanels()
{
    connect(m_docks, &PanelDocks::messages, this, &MainWindow::say);
    connect(m_docks, &PanelDocks::updated, this, &MainWindow::checkSettled);
    connect(m_docks, &PanelDocks::shown, this, [this](bool wanted) {
        if (wanted)
            m_opensAnew = false; // nor when more of the report is loaded
        else
            bringStory();
        if (!m_reports.isLoading() && !m_others.isLoading())
            m_docks->leaveUnneeded();
        checkReady();
    });
    connect(&JobFailures::shared(), &JobFailures::happened, this, [this](const QString& message) {
        showMessage(message, true);
        checkSettled(); // a failed job gives no result
    });
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, &MainWindow::checkReady,
        Qt::QueuedConnection); // panels ask for more by it
    connect(&m_timeline->overview(), &Overview::updated, this, &MainWindow::checkSettled);
    connect(m_timelines, &ComparedTimelines::updated, this, &MainWindow::checkSettled);
    auto* const parts = new PartExport(m_session, this); // found by the actions that ask it
    connect(parts, &PartExport::messages, this, &MainWindow::say);
    connect(parts, &PartExport::ready, this, &MainWindow::open);
    connect(m_openPart, &QPushButton::clicked, parts, [this, parts] {
        const auto tooLarge = m_tooLarge; // others may be opened while the dialog asks
        parts->askForPartOf(tooLarge.path, tooLarge.part);
    });
}

void MainWindow::showMessage(const QString& text, bool isError)
{
    QPalette colors = palette();
    const QColor background = isError ? QColor(0x8e2f22) : m_theme->panel;
    const QColor foreground = Theme::textOn(background);
    for (const auto role : {QPalette::Window, QPalette::Button})
        colors.setColor(role, background);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        colors.setColor(role, foreground);
    m_messageBar->setPalette(colors);
    m_message->setText(text);
    for (QPushButton* const button : m_messageBar->findChildren<QPushButton*>())
        button->hide();
    m_dropped.clear();
    m_messageBar->show();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_docks && m_docks->areShown())
        QTimer::singleShot(0, m_docks, &PanelDocks::leaveRoomForRows); // the layout has its sizes then
}

MainWindow::Mode MainWindow::mode()
{
    if (!m_docks->areShown())
        return Mode::Timeline;
    if (m_session.pair().isOn())
        return Mode::Compare;
    return m_docks->isPanelOpen("ranks") || m_docks->isPanelOpen("rankmap") ? Mode::Ranks : Mode::Timeline;
}

void MainWindow::enter(Mode mode)
{
    switch (mode) {
    case Mode::Timeline:
        if (m_session.pair().isOn()) {
            if (!canEndComparison())
                break;
            endComparison();
            m_docks->forgetReplaced(); // else those of the ranks come back with both reports
        }
        if (m_docks->openPanel(PanelPlace::Below) == "ranks")
            m_docks->togglePlace(PanelPlace::Below);
        if (m_docks->openPanel(PanelPlace::Beside) == "rankmap")
            m_docks->showPanel(allPanels().front()->id);
        break;
    case Mode::Compare:
        if (m_session.pair().isOn())
            m_docks->showPanel("compare");
        else
            askWhatToCompare();
        break;
    case Mode::Ranks: // without others there are no tables
        m_docks->showPanel(m_session.workspace().reports().size() > 1 ? "ranks" : "rankmap");
        break;
    }
    m_actions->updateChecksSoon();
}

void MainWindow::startInTimeline()
{
    m_docks->forgetReplaced();
    connect(
        m_docks, &PanelDocks::shown, this,
        [this](bool wanted) {
            if (!wanted && mode() == Mode::Ranks)
                enter(Mode::Timeline);
        },
        Qt::SingleShotConnection);
}

bool MainWindow::areReportsReady() const
{
    return !m_reports.isLoading() && !m_others.isLoading() && m_nextB.reports.empty() && !m_views->isBusy()
        && m_session.workspace().isComplete() && !m_session.judgement().ranks().isBusy();
}

bool MainWindow::isSettled() const
{
    if (m_session.fleet().isReading())
        return false;
    if (m_center->currentWidget() == m_fleetPage)
        return !m_reports.isLoading();
    return !m_docks->areComing() && areReportsReady() && m_timelines->isReady()
        && std::ranges::none_of(m_docks->panels(), &Panel::isBusy);
}

void MainWindow::checkReady()
{
    if (m_docks->areShown() && areReportsReady() && m_others.isEmpty())
        emit reportsReady();
    checkSettled();
}

void MainWindow::checkSettled()
{
    if (isSettled())
        emit settled();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_session.saveState();
    m_docks->savePanels();
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", m_docks->state());
    settings.setValue("window/labels", m_timeline->labelWidth() / textScale()); // for any text size
    FileWriter* const writer = writing();
    if (!writer || std::exchange(m_closes, true)) {
        QMainWindow::closeEvent(event);
        return;
    }
    event->ignore();
    say(tr("The window closes when %1 is written. Close it again to give up the file.").arg(writer->path()));
    connect(
        writer, &FileWriter::finished, this,
        [this](bool isWritten) {
            m_closes = false;
            if (isWritten)
                close();
        },
        Qt::SingleShotConnection);
}

bool MainWindow::closeAndWait()
{
    close(); // stores the settings
    while (isVisible() && m_closes)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return !isVisible();
}

namespace {

/// Whether `name` is a file that the window saved: a set of reports, or a view.
bool isSaved(const QString& name)
{
    return isReportSet(name.toStdString());
}

/// Whether `name` is a file with one report: no folder.
bool isOneReport(const QString& name)
{
    return withinAMoment([name] { return QFileInfo(name).isFile(); }).value_or(true) && !isSaved(name);
}

/// Whether the names of two files differ in nothing but the rank.
bool areRanksOfOneRun(const QStringList& two)
{
    const std::string a = QFileInfo(two[0]).fileName().toStdString();
    const std::string b = QFileInfo(two[1]).fileName().toStdString();
    return rankInFileName(a) && rankInFileName(b) && rankInFileName(a) != rankInFileName(b)
        && withoutNumbers(a) == withoutNumbers(b);
}

} // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList names;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            names << url.toLocalFile();
    }
    if (names.isEmpty())
        return;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        add(names);
    } else if (names.size() == 2 && std::ranges::all_of(names, isOneReport) && !areRanksOfOneRun(names)) {
        askWhatToDoWith(names);
    } else {
        openAll(names);
        if (names.size() == 2 && std::ranges::none_of(names, isSaved))
            offerToCompare();
    }
}

} // namespace warpline
