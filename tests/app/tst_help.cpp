// The documents in the window: every page exists, its links work, and "What is this?" goes from a finding, a
// panel and a row to its page.

#include "app/help_browser.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/window_actions.h"
#include "core/across/across_rule.h"
#include "core/store/range_words.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/panels/findings_panel.h"
#include "views/panels/panel.h"
#include "views/panels/table_list.h"
#include "views/panels/tables_panel.h"
#include "views/style/rich_text.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDirIterator>
#include <QDockWidget>
#include <QMenu>
#include <QScopeGuard>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QTreeView>

namespace tst_help {

using namespace warpline;
using namespace warpline::test;

class HelpTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void linksStayInTheHelp();
    void headingsAreScrolledTo();
    void everyRuleHasItsPlace();
    void everyKindAndPanelHasItsPlace_data();
    void everyKindAndPanelHasItsPlace();
    void contextMenusLeadToThePage();
    void whatIsThisFollowsTheKeyboard();

private:
    static QPair<QString, QString> placeByMenu(MainWindow& window, QWidget& widget, QPoint place);

    ReportFixture m_fixture;
};

void HelpTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_help");
    m_fixture.addSmallReport();
}

void HelpTest::linksStayInTheHelp()
{
    HelpBrowser help(nullptr);
    help.setAttribute(Qt::WA_DeleteOnClose, false);
    int pages = 0;
    int links = 0;
    for (QDirIterator it(":/pages", {"*.md"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
        const QString page = it.next().mid(QString(":/pages/").size());
        help.open(page);
        QCOMPARE(help.page(), page);
        QVERIFY2(help.text().toPlainText().size() > 100, qPrintable(page));
        ++pages;
        QStringList targets;
        for (QTextBlock block = help.text().document()->begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                if (const QString href = part.fragment().charFormat().anchorHref(); !href.isEmpty())
                    targets << href;
            }
        }
        for (const QString& href : targets) {
            if (!href.section('#', 0, 0).endsWith(".md") || href.contains("://")
                || href.contains("resources/"))
                continue;
            help.open(page);
            emit help.text().anchorClicked(QUrl(href));
            const QString wanted = QDir::cleanPath(page.section('/', 0, -2) + '/' + href.section('#', 0, 0));
            QVERIFY2(help.page() == (wanted.startsWith('/') ? wanted.mid(1) : wanted),
                qPrintable(page + " leads to " + href));
            ++links;
        }
    }
    QVERIFY2(pages > 40 && links > 150, qPrintable(QString("%1 %2").arg(pages).arg(links)));
}

void HelpTest::headingsAreScrolledTo()
{
    auto* const help = new HelpBrowser(nullptr);
    help->show();
    QVERIFY(QTest::qWaitForWindowExposed(help));
    help->open(helpPlaceOfRule("launch_bound").page);
    QVERIFY(help->text().textCursor().block().text().endsWith("(launch_bound)"));
    QVERIFY(help->text().verticalScrollBar()->value() > 0);
    // In a long page, and at once, as the window does.
    auto* const later = new HelpBrowser(nullptr);
    later->show();
    later->open(helpPlaceOfRule("no_tensor_cores").page);
    QVERIFY(QTest::qWaitForWindowExposed(later));
    help->open(helpPlaceOfRule("no_tensor_cores").page);
    for (HelpBrowser* const each : {help, later}) {
        QTRY_VERIFY2(std::abs(each->text().cursorRect().top()) < 40,
            qPrintable(QString::number(each->text().cursorRect().top())));
    }
    later->close();
    help->open("docs/README.md");
    QCOMPARE(help->text().verticalScrollBar()->value(), 0);
    help->text().backward();
    QCOMPARE(help->page(), QString("core/findings/rules/README.md"));
    help->close();
}

void HelpTest::everyRuleHasItsPlace()
{
    auto* const help = new HelpBrowser(nullptr);
    for (const Rule* const rule : namedRules()) {
        const QString id = textOf(rule->id);
        help->open(helpPlaceOfRule(id).page);
        QCOMPARE(help->text().textCursor().block().text(), QString("%1 (%2)").arg(textOf(rule->title), id));
    }
    help->close();
}

void HelpTest::everyKindAndPanelHasItsPlace_data()
{
    QTest::addColumn<QString>("key");
    QTest::newRow("English") << "en";
    QTest::newRow("Chinese") << "zh_CN";
}

void HelpTest::everyKindAndPanelHasItsPlace()
{
    QFETCH(QString, key);
    const auto english = qScopeGuard([] {
        chooseLanguageForThisRun("en");
        applyLanguage();
    });
    chooseLanguageForThisRun(key);
    applyLanguage();
    auto* const help = new HelpBrowser(nullptr);
    for (const PanelKind* const kind : allPanels()) {
        const QString title = QCoreApplication::translate("Action", kind->title);
        help->open(HelpBrowser::inLanguage("docs/manual/panels.md"), title);
        QCOMPARE(help->text().textCursor().selectedText(), title);
    }
    QStringList titles{HelpBrowser::tr("Group"), HelpBrowser::tr("GPU work"), HelpBrowser::tr("Counter")};
    for (const EventKind kind : allEventKinds())
        titles << plainTextOf(kindText(kind));
    for (const QString& title : titles) {
        help->open(HelpBrowser::inLanguage("docs/manual/rows.md"), title);
        const QTextCursor at = help->text().textCursor();
        QCOMPARE(at.selectedText(), title);
        QCOMPARE(at.selectionStart(), at.block().position()); // not a use of the term elsewhere
    }
    help->close();
}

/// The menu that opens where `widget` is asked for one at `place`: its last entry is chosen, and the page
/// that opens is returned.
QPair<QString, QString> HelpTest::placeByMenu(MainWindow& window, QWidget& widget, QPoint place)
{
    QString text;
    QTimer::singleShot(0, &window, [&] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return;
        QAction* const last = menu->actions().last();
        text = last->text();
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(last).center());
    });
    QTest::mouseClick(&widget, Qt::RightButton, {}, place);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &asked);
    QTest::qWait(0); // menus that are only shown
    if (text != "What &is this?")
        return {"no entry", text};
    auto* const help = window.findChildren<HelpBrowser*>().last();
    const QPair<QString, QString> found(help->page(), help->text().textCursor().selectedText());
    delete help;
    return found;
}

void HelpTest::contextMenusLeadToThePage()
{
    MainWindow window(Theme::light());
    window.resize(1400, 900);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(window.isSettled());

    // An event, of which the list knows the kind.
    QVERIFY(window.docks().showPanel("events"));
    auto* const events = window.findChild<QTableView*>("events-table");
    QTRY_VERIFY(events->model()->rowCount() > 0);
    QTRY_VERIFY(window.isSettled());
    const QPair<QString, QString> event
        = placeByMenu(window, *events->viewport(), events->visualRect(events->model()->index(0, 0)).center());
    QCOMPARE(event.first, QString("docs/manual/rows.md"));
    QVERIFY2(!event.second.isEmpty(), "the kind of the event");

    // A finding leads to its rule, wherever the keyboard was.
    QVERIFY(window.docks().showPanel("findings"));
    auto* const list = window.panel<FindingsPanel>().findChild<QTreeView*>();
    QTRY_VERIFY(list->model()->rowCount() > 0);
    QTRY_VERIFY(window.isSettled());
    window.timeline().view().setFocus();
    QCOMPARE(
        placeByMenu(window, *list->viewport(), list->visualRect(list->model()->index(0, 0)).center()).first,
        QString("core/findings/rules/README.md"));

    // A table of nsys, by a value in it.
    QVERIFY(window.docks().showPanel("tables"));
    auto* const table = window.panel<TablesPanel>().findChild<QTableView*>();
    QTRY_VERIFY(table->model()->rowCount() > 0);
    QTRY_VERIFY(window.isSettled());
    QCOMPARE(placeByMenu(window, *table->viewport(), table->visualRect(table->model()->index(0, 1)).center()),
        qMakePair(QString("core/stats/README.md"), window.panel<TablesPanel>().list().chosenId()));

    // Text with values, which has its own menu.
    QVERIFY(window.docks().showPanel("overview"));
    QTRY_VERIFY(window.isSettled());
    auto* const text = window.findChild<QDockWidget*>("overview")->findChild<QTextBrowser*>();
    QCOMPARE(placeByMenu(window, *text->viewport(), text->viewport()->rect().center()),
        qMakePair(QString("docs/manual/panels.md"), QString("Summary")));

    // A row, by its label.
    auto* const labels = window.timeline().findChild<RowLabels*>();
    const QPair<QString, QString> row = placeByMenu(window, *labels, {60, 10});
    QCOMPARE(row.first, QString("docs/manual/rows.md"));
    QVERIFY2(!row.second.isEmpty(), "the kind of the row");
}

void HelpTest::whatIsThisFollowsTheKeyboard()
{
    MainWindow window(Theme::light());
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.open(QString::fromStdString(m_fixture.path()));
    QTRY_VERIFY(window.isSettled());
    const auto shown = [&] {
        window.actions().find("help.place")->trigger();
        auto* const help = window.findChildren<HelpBrowser*>().last();
        const QPair<QString, QString> place(help->page(), help->text().textCursor().selectedText());
        delete help;
        return place;
    };
    window.timeline().view().setFocus();
    QCOMPARE(shown().first, QString("docs/manual/rows.md"));
    QVERIFY(window.docks().showPanel("events"));
    window.findChild<QTableView*>("events-table")->setFocus();
    QCOMPARE(shown(), qMakePair(QString("docs/manual/panels.md"), QString("Events")));
    QVERIFY(window.docks().showPanel("findings"));
    auto& findings = window.panel<FindingsPanel>();
    findings.stepEvidence(true);
    QTRY_VERIFY(!findings.chosenId().isEmpty());
    findings.findChild<QTreeView*>()->setFocus();
    QCOMPARE(shown().first, QString("core/findings/rules/README.md"));
}

WARPLINE_TEST(HelpTest)

} // namespace tst_help

#include "tst_help.moc"
