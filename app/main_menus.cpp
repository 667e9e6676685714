// The menus, the tool bar, the preferences, and the sheets of the Help menu.

#include "app/command_palette.h"
#include "app/help_browser.h"
#include "app/key_sheet.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/motion_choice.h"
#include "app/panel_docks.h"
#include "app/preferences_dialog.h"
#include "app/recent_files.h"
#include "app/record_dialog.h"
#include "app/scope_chip.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "app/text_size.h"
#include "app/theme_choice.h"
#include "app/window_actions.h"
#include "core/render/language.h"
#include "views/compare/compared_timelines.h"
#include "views/models/written_files.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <functional>

namespace warpline {

void MainWindow::makeMenus()
{
    m_actions->fillMenuBar(*menuBar());
    makeRecentMenu();
}

void MainWindow::makeRecentMenu()
{
    m_recent = new QMenu(tr("Open recen&t"), this);
    m_recent->setToolTipsVisible(true);
    QMenu* const files = menuBar()->actions().front()->menu();
    files->insertMenu(files->actions().value(1), m_recent); // after "Open"
    connect(m_recent, &QMenu::aboutToShow, this, [this] {
        m_recent->clear();
        for (const RecentFiles& recent : recentFiles()) {
            QString text = recent.isPair() ? recent.name()
                : recent.paths.size() == 1 ? recent.paths.front()
                                           : QString("%1: %2").arg(recent.folder(), recent.name());
            text.replace('&', "&&"); // no mnemonic
            QAction* const entry = m_recent->addAction(text, this, [this, recent] {
                if (recent.isPair())
                    compare(recent.paths, recent.compared);
                else
                    openAll(recent.paths);
            });
            entry->setToolTip(plainTip(recent.details()));
        }
        m_recent->addSeparator();
        m_recent->addAction(tr("Clear recent files"), this, [this] {
            forgetRecent();
            m_start->fill();
        });
    });
}

void MainWindow::savePicture()
{
    const QString path = m_pictures.ask(tr("Save a picture"), "window.png", tr("PNG (*.png)"));
    if (!path.isEmpty())
        writePicture(path);
}

void MainWindow::writePicture(const QString& path)
{
    m_pictures.write(path, [path, picture = grab().toImage()](const std::stop_token& stop) {
        return warpline::writePicture(path, picture, stop);
    });
}

void MainWindow::chooseColorBlindSafe(bool safe)
{
    QSettings().setValue("colors/safe", safe);
    setTheme(Theme::of(m_theme->isDark(), safe, m_theme->isHighContrast()));
}

void MainWindow::makeToolBar()
{
    QToolBar* const bar = addToolBar(tr("Navigation"));
    bar->setObjectName("navigation");
    bar->setMovable(false);
    bar->setIconSize(QSize(18, 18));
    for (const char* const mode : {"mode.timeline", "mode.compare", "mode.ranks"})
        bar->addAction(m_actions->find(mode));
    bar->addSeparator();
    m_actions->fillToolBar(*bar);
    bar->addSeparator();
    // The tool bar controls the visibility of its direct parts, so the chip hides inside a container.
    auto* const scope = new QWidget(bar);
    auto* const room = new QHBoxLayout(scope);
    room->setContentsMargins(0, 0, 0, 0);
    room->addWidget(new ScopeChip(m_session, m_timeline->stepStrip(), scope));
    bar->addWidget(scope);
    auto* const space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addWidget(m_search);
    bar->addAction(m_actions->find("view.inspector")); // a closed one takes its own buttons along
    for (QAction* const action : bar->actions()) {
        if (QWidget* const button = bar->widgetForAction(action); qobject_cast<QToolButton*>(button))
            button->setFocusPolicy(Qt::TabFocus);
    }
}

void MainWindow::setTheme(const Theme& theme)
{
    m_theme = &theme;
    QApplication::setPalette(theme.palette());
    m_timelines->setTheme(theme);
    for (Panel* const panel : m_docks->panels())
        panel->setTheme(theme);
    m_fleetPage->setTheme(theme);
    m_search->setTheme(theme);
    m_actions->setTheme(theme);
}

void MainWindow::chooseTheme(const QString& name)
{
    storeTheme(name);
    setTheme(themeNamed(name));
}

void MainWindow::allowMotion(bool allowed)
{
    m_motionAllowed = allowed;
    m_session.time().glide().setOn(allowed && motionIsChosen());
}

void MainWindow::choosePreferences()
{
    PreferencesDialog dialog(this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    applyPreferences();
    if (&chosenLanguage() != &language() || !hasChosenTextSize())
        emit renewalNeeded();
}

void MainWindow::applyPreferences()
{
    setTheme(themeNamed(chosenThemeName()));
    allowMotion(m_motionAllowed);
    m_actions->bindKeys();
    m_search->showKeys();
    for (Panel* const panel : m_docks->panels())
        panel->preferencesChanged();
}

namespace {

/// A page to read, with a button that closes it; `fill` puts the text there.
void showSheet(
    QWidget* parent, const QString& title, int width, const std::function<void(QTextBrowser&)>& fill)
{
    QDialog sheet(parent);
    sheet.setWindowTitle(title);
    sheet.resize(QSize(width, 720).boundedTo(sheet.screen()->availableSize() * 0.9)); // with its title bar
    auto* const layout = new QVBoxLayout(&sheet);
    auto* const text = new QTextBrowser(&sheet);
    text->setFrameShape(QFrame::NoFrame);
    fill(*text); // may put something above the text
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, &sheet);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &sheet, &QDialog::reject);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    sheet.exec();
}

} // namespace

void MainWindow::showPalette(bool rowsOnly)
{
    auto* const palette = new CommandPalette(*m_actions, m_session,
        rowsOnly ? CommandPalette::Finds::Rows : CommandPalette::Finds::Everything, this);
    palette->open(); // deletes itself
}

void MainWindow::showRecording()
{
    RecordDialog dialog(m_session.hasReport() ? &m_session.trace() : nullptr, this);
    dialog.exec();
}

void MainWindow::showKeys()
{
    showSheet(this, tr("Keyboard shortcuts"), 760, [](QTextBrowser& text) { text.setHtml(keySheetHtml()); });
}

void MainWindow::showWords()
{
    showSheet(this, tr("Glossary"), 760, [](QTextBrowser& text) {
        text.setHtml(glossaryHtml());
        auto* const search = new QLineEdit(text.parentWidget());
        search->setPlaceholderText(tr("Search the glossary"));
        search->setClearButtonEnabled(true);
        search->setObjectName(QStringLiteral("wordSearch"));
        QObject::connect(search, &QLineEdit::textChanged, &text,
            [&text](const QString& asked) { text.setHtml(glossaryHtml(asked)); });
        text.parentWidget()->layout()->addWidget(search);
        search->setFocus();
    });
}

void MainWindow::showReading()
{
    showSheet(this, tr("How to read a timeline"), 1020, [dark = m_theme->isDark()](QTextBrowser& text) {
        text.setObjectName("reading");
        const std::string_view key = language().key;
        const QString own = QString(":/reading/README.%1.md")
                                .arg(QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size())))
                                .replace('_', '-');
        QFile page(QFile::exists(own) ? own : ":/reading/README.md");
        page.open(QIODevice::ReadOnly);
        QString markdown = QString::fromUtf8(page.readAll());
        if (dark)
            markdown.replace(".png)", "-dark.png)"); // each picture was drawn in both themes
        text.document()->setBaseUrl(QUrl("qrc:/reading/"));
        text.setMarkdown(markdown);
    });
}

void MainWindow::showHelp(const QString& page, const QString& text)
{
    auto* const help = new HelpBrowser(this); // deletes itself
    connect(help, &HelpBrowser::readingAsked, this, &MainWindow::showReading);
    help->show(); // a page is laid out and scrolled for the width that it has
    help->open(HelpBrowser::inLanguage(page), text);
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Warpline"),
        tr("<h3>Warpline %1</h3><p>Timeline viewer and analyzer for Nsight Systems exports and PyTorch profiler traces.</p><p>Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</p><p>NVIDIA and Nsight are trademarks of NVIDIA Corporation, which has no part in this program.</p>")
            .arg(QApplication::applicationVersion()));
}

} // namespace warpline
