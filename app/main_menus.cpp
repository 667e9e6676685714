// The menus, the tool bar, and the sheets of the Help menu.

#include "app/icons.h"
#include "app/main_window.h"
#include "app/preferences_dialog.h"
#include "app/search_bar.h"
#include "app/start_page.h"
#include "app/theme_choice.h"
#include "views/models/table_text.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/steps_panel.h"
#include "views/panels/tables_panel.h"
#include "views/timeline/timeline_pane.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QToolBar>

namespace warpline {

namespace {

constexpr double zoomStep = 0.6;

} // namespace

void MainWindow::makeMenus()
{
    makeFileMenu();
    makeViewMenu();
    makeGoMenu();
    makeHelpMenu();
}

void MainWindow::makeFileMenu()
{
    QMenu* const menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open\u2026"), QKeySequence::Open, this, &MainWindow::askForFile);
    m_recent = menu->addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, [this] {
        m_recent->clear();
        for (const QString& path : QSettings().value("recent").toStringList())
            m_recent->addAction(path, this, [this, path] { open(path); });
        m_recent->addSeparator();
        m_recent->addAction(tr("Forget these"), this, [this] {
            QSettings().remove("recent");
            m_start->fill();
        });
    });
    const QString sample = StartPage::samplePath();
    if (!sample.isEmpty())
        menu->addAction(tr("Open the &sample"), this, [this, sample] { open(sample); });
    m_ofReport << menu->addAction(tr("&Close"), QKeySequence::Close, this, &MainWindow::closeReport);
    menu->addSeparator();
    QMenu* const exports = menu->addMenu(tr("&Export"));
    makeExportMenu(*exports);
    m_ofReport << exports->menuAction();
    menu->addSeparator();
    menu->addAction(
        tr("&Preferences\u2026"), QKeySequence::Preferences, this, &MainWindow::choosePreferences);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::makeExportMenu(QMenu& menu)
{
    menu.addAction(tr("&Events as CSV\u2026"), this, [this] {
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Write events"), exportName(m_session.trace(), "events.csv"), tr("CSV (*.csv)"));
        if (!path.isEmpty())
            panel<EventsPanel>().exportCsv(path);
    });
    menu.addAction(tr("&Statistics table\u2026"), this, [this] {
        showPanel("tables"); // what is written is what is seen
        panel<TablesPanel>().exportTable();
    });
    menu.addAction(tr("&Findings\u2026"), &panel<FindingsPanel>(), &FindingsPanel::askForFile);
    menu.addAction(tr("&Picture of the window\u2026"), this, [this] {
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Save a picture"), exportName(m_session.trace(), "window.png"), tr("PNG (*.png)"));
        if (!path.isEmpty() && !grab().save(path))
            showMessage(tr("%1 cannot be written.").arg(path), true);
    });
}

void MainWindow::makeViewMenu()
{
    QMenu* const menu = menuBar()->addMenu(tr("&View"));
    menu->setToolTipsVisible(true);
    for (const PanelKind* const kind : allPanels())
        menu->addAction(dockOf(kind->id)->toggleViewAction());
    menu->addAction(tr("Reset the &layout"), this, [this] {
        for (QDockWidget* const dock : findChildren<QDockWidget*>()) {
            dock->setFloating(false);
            dock->show();
        }
        arrangeDocks();
        showPanel(allPanels().front()->id);
    });
    menu->addSeparator();
    const auto zoom = [this](double factor) {
        const TimeRange shown = m_session.shown();
        m_session.zoomAt(shown.start + shown.duration() / 2, factor);
    };
    menu->addAction(tr("Zoom &in"), QKeySequence::ZoomIn, this, [zoom] { zoom(zoomStep); });
    menu->addAction(tr("Zoom &out"), QKeySequence::ZoomOut, this, [zoom] { zoom(1 / zoomStep); });
    menu->addSeparator();
    m_themes = new QActionGroup(this);
    for (const auto& [name, title] : {std::pair("system", tr("System theme")),
             std::pair("light", tr("Light theme")), std::pair("dark", tr("Dark theme"))}) {
        QAction* const action = menu->addAction(title, this, [this, name = name] { chooseTheme(name); });
        action->setData(name);
        action->setCheckable(true);
        action->setChecked(chosenThemeName() == name);
        m_themes->addAction(action);
    }
    menu->addSeparator();
    QAction* const byName = menu->addAction(tr("&Colour kernels by name"), this, [this](bool checked) {
        QSettings().setValue("timeline/kernelsByName", checked);
        m_timeline->view().setKernelsByName(checked);
    });
    byName->setCheckable(true);
    byName->setChecked(QSettings().value("timeline/kernelsByName").toBool());
    m_timeline->view().setKernelsByName(byName->isChecked());
    menu->addAction(tr("Show &hidden rows"), &m_session, &Session::showAllRows);
    m_showHidden = menu->actions().back();
    m_clearFilter = menu->addAction(tr("Clear &filter"), &m_session, [this] { m_session.setFilter({}); });
    connect(menu, &QMenu::aboutToShow, this, [this] {
        m_showHidden->setEnabled(m_session.hidesRows());
        m_clearFilter->setEnabled(m_session.filter() != EventFilter());
    });
}

void MainWindow::makeGoMenu()
{
    QMenu* const menu = menuBar()->addMenu(tr("&Go"));
    menu->addAction(tr("&Whole report\tHome"), &m_session, &Session::showAll);
    menu->addAction(tr("Zoom to &selection\tShift+Z"), &m_session, &Session::zoomToSelection);
    menu->addAction(tr("&Steps without warm-up"), &panel<StepsPanel>(), &StepsPanel::showSteadySteps);
    menu->addAction(tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), &m_session, &Session::goBack);
    menu->addAction(tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right), &m_session, &Session::goForward);
    menu->addSeparator();
    menu->addAction(tr("&Next evidence"), this, [this] { panel<FindingsPanel>().stepEvidence(true); })
        ->setShortcuts({QKeySequence(Qt::Key_F8), QKeySequence(Qt::Key_N)});
    menu->addAction(tr("&Previous evidence"), this, [this] { panel<FindingsPanel>().stepEvidence(false); })
        ->setShortcuts({QKeySequence(Qt::SHIFT | Qt::Key_F8), QKeySequence(Qt::Key_P)});
    menu->addSeparator();
    menu->addAction(tr("F&ind"), this, [this] { m_search->start(); })
        ->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    menu->addAction(tr("Find ne&xt"), QKeySequence(Qt::Key_F3), this, [this] { m_search->find(true); });
    menu->addAction(
        tr("Find p&revious"), QKeySequence(Qt::SHIFT | Qt::Key_F3), this, [this] { m_search->find(false); });
}

QAction* MainWindow::addIcon(QAction* action, const QString& icon)
{
    action->setData(icon); // setTheme() draws it
    return action;
}

void MainWindow::makeToolBar()
{
    QToolBar* const bar = addToolBar(tr("Navigation"));
    bar->setObjectName("navigation");
    bar->setMovable(false);
    bar->setIconSize(QSize(18, 18));
    addIcon(bar->addAction(tr("Open"), this, &MainWindow::askForFile), "open")
        ->setToolTip(tr("Open a report (Ctrl+O)"));
    bar->addSeparator();
    const qsizetype first = bar->actions().size();
    addIcon(bar->addAction(tr("Back"), &m_session, &Session::goBack), "back")
        ->setToolTip(tr("The view before (Backspace)"));
    addIcon(bar->addAction(tr("Forward"), &m_session, &Session::goForward), "forward")
        ->setToolTip(tr("The view after (Alt+Right)"));
    addIcon(bar->addAction(tr("Show all"), &m_session, &Session::showAll), "show-all")
        ->setToolTip(tr("Show the whole report (Home)"));
    addIcon(bar->addAction(tr("Steps"), &panel<StepsPanel>(), &StepsPanel::showSteadySteps), "steps")
        ->setToolTip(tr("Show the steps without warm-up"));
    addIcon(bar->addAction(tr("Zoom to selection"), &m_session, &Session::zoomToSelection), "zoom-selection")
        ->setToolTip(tr("Zoom to the selected range or event (Shift+Z)"));
    const auto zoom = [this](double factor) {
        const TimeRange shown = m_session.shown();
        m_session.zoomAt(shown.start + shown.duration() / 2, factor);
    };
    addIcon(bar->addAction(tr("Zoom in"), this, [zoom] { zoom(zoomStep); }), "zoom-in")
        ->setToolTip(tr("Zoom in (W, Ctrl+wheel)"));
    addIcon(bar->addAction(tr("Zoom out"), this, [zoom] { zoom(1 / zoomStep); }), "zoom-out")
        ->setToolTip(tr("Zoom out (S, Ctrl+wheel)"));
    m_ofReport << bar->actions().mid(first);
    auto* const space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addWidget(m_search);
}

void MainWindow::setTheme(const Theme& theme)
{
    m_theme = &theme;
    QApplication::setPalette(theme.palette());
    m_timeline->setTheme(theme);
    for (Panel* const panel : m_panels)
        panel->setTheme(theme);
    m_search->setTheme(theme);
    for (QAction* const action : findChild<QToolBar*>("navigation")->actions()) {
        if (action->data().isValid())
            action->setIcon(themedIcon(action->data().toString(), theme));
    }
}

void MainWindow::chooseTheme(const QString& name)
{
    QSettings().setValue("theme", name);
    for (QAction* const action : m_themes->actions())
        action->setChecked(action->data().toString() == name);
    setTheme(themeNamed(name));
}

void MainWindow::choosePreferences()
{
    PreferencesDialog dialog(this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    chooseTheme(chosenThemeName());
    for (Panel* const panel : m_panels)
        panel->preferencesChanged();
}

void MainWindow::makeHelpMenu()
{
    QMenu* const menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys"), QKeySequence(Qt::Key_F1), this, &MainWindow::showKeys);
    menu->addAction(tr("&About Warpline"), this, &MainWindow::showAbout);
}

void MainWindow::showKeys()
{
    struct Key {
        const char* keys;
        const char* meaning;
    };
    static constexpr Key keys[] = {
        {"Wheel", "scroll the rows"},
        {"Ctrl+wheel", "zoom at the cursor"},
        {"Shift+wheel, Shift+drag, middle drag", "pan"},
        {"W / S, A / D", "zoom in / out, pan left / right"},
        {"Left drag", "select a box of time and rows"},
        {"Shift+Z", "zoom to the selection"},
        {"Backspace, Alt+Left / Alt+Right", "view before / after"},
        {"Home", "show the whole report"},
        {"F", "focus the selected event or range, else the whole report"},
        {"Double-click", "zoom to an event"},
        {"Left / Right", "previous / next event of the row"},
        {"Up / Down", "row above / below"},
        {"Esc", "clear the selection"},
        {"Ctrl+F or /, F3, Shift+F3", "find an event by name, next, previous"},
        {"F8 or N, Shift+F8 or P", "next, previous evidence of a finding"},
        {"Ctrl++, Ctrl+-", "zoom in / out at the middle"},
    };
    QString html = "<table cellpadding=3>";
    for (const Key& key : keys)
        html += "<tr><td><b>" + tr(key.keys) + "</b></td><td>" + tr(key.meaning) + "</td></tr>";
    QMessageBox box(QMessageBox::NoIcon, tr("Keys"), html + "</table>", QMessageBox::Close, this);
    box.exec();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Warpline"),
        tr("<h3>Warpline %1</h3><p>Timeline viewer and analyzer for Nsight Systems reports that were "
           "exported to SQLite.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later. It comes without any "
           "warranty.</p>"
           "<p>NVIDIA and Nsight are trademarks of NVIDIA Corporation, which has no part in this "
           "program.</p>")
            .arg(QApplication::applicationVersion()));
}

} // namespace warpline
