// The menus, the search field, and the sheets of the Help menu.

#include "app/main_window.h"
#include "app/report_converter.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/timeline/timeline_pane.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QToolBar>

namespace warpline {

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
    });
    menu->addAction(tr("&Close"), QKeySequence::Close, this, &MainWindow::closeReport);
    menu->addSeparator();
    menu->addAction(tr("Export &events as CSV\u2026"), this, [this] {
        const QString path
            = QFileDialog::getSaveFileName(this, tr("Export events"), "events.csv", tr("CSV (*.csv)"));
        if (!path.isEmpty())
            m_events->exportCsv(path);
    });
    menu->addAction(tr("Save &picture\u2026"), this, [this] {
        const QString path
            = QFileDialog::getSaveFileName(this, tr("Save a picture"), "warpline.png", tr("PNG (*.png)"));
        if (!path.isEmpty() && !grab().save(path))
            showMessage(tr("%1 cannot be written.").arg(path), true);
    });
    menu->addSeparator();
    menu->addAction(tr("Path of &nsys\u2026"), this, [this] {
        QSettings settings;
        bool accepted = false;
        const QString path = QInputDialog::getText(this, tr("Path of nsys"),
            tr("The nsys program that converts .nsys-rep and .qdrep files.\nEmpty: the one on PATH."),
            QLineEdit::Normal, settings.value("nsysProgram").toString(), &accepted);
        if (!accepted)
            return;
        if (!path.isEmpty() && !QFileInfo(path).isExecutable())
            showMessage(tr("%1 is not a program.").arg(path), true);
        else
            settings.setValue("nsysProgram", path);
    });
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::makeViewMenu()
{
    QMenu* const menu = menuBar()->addMenu(tr("&View"));
    for (const QDockWidget* const dock : findChildren<QDockWidget*>())
        menu->addAction(dock->toggleViewAction());
    menu->addSeparator();
    auto* const themes = new QActionGroup(this);
    for (const bool dark : {false, true}) {
        QAction* const action
            = menu->addAction(dark ? tr("Dark theme") : tr("Light theme"), this, [this, dark] {
                  QSettings().setValue("theme", dark ? "dark" : "light");
                  setTheme(dark ? Theme::dark() : Theme::light());
              });
        action->setCheckable(true);
        action->setChecked(m_theme->isDark() == dark);
        themes->addAction(action);
    }
    menu->addSeparator();
    menu->addAction(tr("Show hidden rows"), &m_session, &Session::showAllRows);
    menu->addAction(tr("Clear filter"), &m_session, [this] { m_session.setFilter({}); });
}

void MainWindow::makeGoMenu()
{
    QMenu* const menu = menuBar()->addMenu(tr("&Go"));
    menu->addAction(tr("Show all\tHome"), &m_session, &Session::showAll);
    menu->addAction(tr("Zoom to selection\tShift+Z"), &m_session, &Session::zoomToSelection);
    menu->addAction(tr("Back\tBackspace"), &m_session, &Session::goBack);
    menu->addAction(tr("Forward\tAlt+Right"), &m_session, &Session::goForward);
    menu->addSeparator();
    menu->addAction(
        tr("Next evidence"), QKeySequence(Qt::Key_F8), this, [this] { m_findings->stepEvidence(true); });
    menu->addAction(tr("Previous evidence"), QKeySequence(Qt::SHIFT | Qt::Key_F8), this,
        [this] { m_findings->stepEvidence(false); });
    menu->addSeparator();
    menu->addAction(tr("Find"), QKeySequence::Find, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    menu->addAction(tr("Find next"), QKeySequence(Qt::Key_F3), this, [this] { findText(true); });
    menu->addAction(
        tr("Find previous"), QKeySequence(Qt::SHIFT | Qt::Key_F3), this, [this] { findText(false); });
}

void MainWindow::makeSearch()
{
    m_search->setPlaceholderText(tr("Find an event by name (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(320);
    QToolBar* const bar = addToolBar(tr("Navigation"));
    bar->setObjectName("navigation");
    bar->setMovable(false);
    bar->addAction(tr("Open"), this, &MainWindow::askForFile);
    bar->addSeparator();
    bar->addAction(tr("Back"), &m_session, &Session::goBack)->setToolTip(tr("The view before (Backspace)"));
    bar->addAction(tr("Forward"), &m_session, &Session::goForward)
        ->setToolTip(tr("The view after (Alt+Right)"));
    bar->addAction(tr("Show all"), &m_session, &Session::showAll)->setToolTip(tr("The whole report (Home)"));
    bar->addAction(tr("Zoom to selection"), &m_session, &Session::zoomToSelection)->setToolTip(tr("Shift+Z"));
    auto* const space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addWidget(m_search);
    connect(m_search, &QLineEdit::returnPressed, this,
        [this] { findText(!(QApplication::keyboardModifiers() & Qt::ShiftModifier)); });
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
        {"Home", "show all"},
        {"F", "focus the selected event or range, else show all"},
        {"Double-click", "zoom to an event"},
        {"Left / Right", "previous / next event of the row"},
        {"Up / Down", "row above / below"},
        {"Esc", "clear the selection"},
        {"Ctrl+F, F3, Shift+F3", "find an event by name, next, previous"},
        {"F8, Shift+F8", "next, previous evidence of a finding"},
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
