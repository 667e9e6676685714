// Actions are defined once: menus, tool bar, shortcuts, their overview, the preferences and the manual follow
// the list.

#include "app/actions/all_actions.h"
#include "app/key_editor.h"
#include "app/key_sheet.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/preferences_dialog.h"
#include "app/window_actions.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/app/open_settled.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/actions/action_keys.h"
#include "views/panels/findings_panel.h"
#include "views/timeline/timeline_pane.h"

#include <QActionGroup>
#include <QDialogButtonBox>
#include <QFile>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolBar>
#include <QTreeWidget>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace tst_actions {

using namespace warpline;
using namespace warpline::test;

class ActionsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void everyActionIsWhole();
    void noKeyBelongsToTwo();
    void keysOfTheFirstWindowWork();
    void manualListsTheKeys_data();
    void manualListsTheKeys();
    void menusHoldWhatTheListSays();
    void noLetterOpensTwoEntriesOfAMenu();
    void actionsFollowTheSession();
    void actionsCanBeAskedForById();
    void whatIsGreySaysWhy();
    void keysAreChangedByPressingOthers();
    void keysOfTwoActionsAreTold();
    void defaultsComeBack();

private:
    void open(MainWindow& window);
    static QPushButton* okOf(PreferencesDialog& dialog);

    ReportFixture m_fixture;
};

void ActionsTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_actions");
    m_fixture.addSmallReport();
}

void ActionsTest::init()
{
    QSettings().clear();
}

void ActionsTest::open(MainWindow& window)
{
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
}

QPushButton* ActionsTest::okOf(PreferencesDialog& dialog)
{
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

void ActionsTest::everyActionIsWhole()
{
    std::set<std::string> ids;
    for (const Action* const action : allActions()) {
        QVERIFY2(ids.insert(action->id).second, action->id);
        QVERIFY2(QString(action->id).contains('.') && *action->text && action->run, action->id);
        const QString help = helpText(*action);
        QVERIFY2(!help.isEmpty() && help.front().isUpper() && !help.endsWith('.'), action->id);
        const bool hasPlace = action->menu != MainMenu::None || action->context != ContextMenu::None
            || *action->keys || *action->icon;
        QVERIFY2(hasPlace, action->id);
        QVERIFY2(!*action->icon
                || QFile::exists(QString(WARPLINE_SOURCE_DIR "/resources/icons/%1.png").arg(action->icon)),
            action->id);
        for (const QKeySequence& key : defaultKeysOf(*action))
            QVERIFY2(!key.isEmpty() && key[0].key() != Qt::Key_unknown, action->id);
        QCOMPARE(findAction(action->id), action);
    }
    QVERIFY(!findAction("no.such"));
    // Distinct in a list of all actions.
    QCOMPARE(plainText(*findAction("findings.export")), QString("Export: Findings"));
    QCOMPARE(plainText(*findAction("panel.findings")), QString("Panels: Findings"));
    QCOMPARE(plainText(*findAction("file.open")), QString("Open"));
}

void ActionsTest::noKeyBelongsToTwo()
{
    std::map<QString, std::string> owners;
    for (const Action* const action : allActions()) {
        for (const QKeySequence& key : defaultKeysOf(*action))
            QVERIFY2(owners.emplace(key.toString(), action->id).second, qPrintable(key.toString()));
    }
    QVERIFY(KeyEditor().problem().isEmpty());
}

/// Every key that the window had before inspector and drawer does the same still.
void ActionsTest::keysOfTheFirstWindowWork()
{
    QFile file(WARPLINE_TEST_DATA "/golden/first_window_keys.tsv");
    QVERIFY(file.open(QIODevice::ReadOnly));
    int lines = 0;
    while (!file.atEnd()) {
        const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split('\t');
        QCOMPARE(cells.size(), 2);
        const Action* const action = findAction(cells[0]);
        QVERIFY2(action, qPrintable(cells[0]));
        const QList<QKeySequence> keys = defaultKeysOf(*action);
        for (const QKeySequence& key : QKeySequence::listFromString(cells[1]))
            QVERIFY2(keys.contains(key), qPrintable(cells.join(": ")));
        ++lines;
    }
    QVERIFY(lines > 40);
}

void ActionsTest::manualListsTheKeys_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("first");
    QTest::newRow("en") << "timeline.md"
                        << "Keys and mouse"
                        << "Move and zoom";
    QTest::newRow("zh_CN") << "zh-CN/timeline.md" << QString::fromUtf8("按键和鼠标")
                           << QString::fromUtf8("移动和缩放");
}

/// WARPLINE_WRITE_PAGES=1 writes them.
void ActionsTest::manualListsTheKeys()
{
    QFETCH(QString, title);
    QFETCH(QString, first);
    QFETCH(QString, page);
    const auto english = qScopeGuard([] {
        chooseLanguageForThisRun("en");
        applyLanguage();
    });
    chooseLanguageForThisRun(QTest::currentDataTag());
    applyLanguage();
    QFile file(WARPLINE_SOURCE_DIR "/docs/manual/" + page);
    QVERIFY(file.open(QIODevice::ReadOnly));
    page = QString::fromUtf8(file.readAll());
    const QString head = "| " + title + " | |\n";
    QString table = head + "|---|---|\n";
    QString group;
    QStringList groups;
    for (const KeyLine& line : keyLines()) {
        if (line.group != group) {
            group = line.group;
            QVERIFY2(!groups.contains(group), qPrintable(group)); // each stands together
            groups << group;
            table += "| **" + group + "** | |\n";
        }
        table += "| " + line.keys + " | " + line.help + " |\n";
    }
    QCOMPARE(groups.first(), first);
    QVERIFY(groups.size() >= 6);
    QVERIFY(keySheetHtml().contains("<b>" + first + "</b>"));
    const qsizetype begin = page.indexOf(head);
    if (!page.contains(table + '\n') && begin >= 0 && qEnvironmentVariableIsSet("WARPLINE_WRITE_PAGES")) {
        file.close();
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write((page.left(begin) + table + page.mid(page.indexOf("\n\n", begin) + 1)).toUtf8());
        return;
    }
    QVERIFY2(page.contains(table + '\n'), qPrintable("the table should be\n" + table));
    QVERIFY(keySheetHtml().contains(
        keysText({QKeySequence("Ctrl+F"), QKeySequence("/")}).replace(' ', "&nbsp;")));
}

void ActionsTest::menusHoldWhatTheListSays()
{
    MainWindow window(Theme::light());
    std::map<MainMenu, std::set<QAction*>> held;
    const std::array places{MainMenu::File, MainMenu::View, MainMenu::Go, MainMenu::Help};
    const QList<QAction*> menus = window.menuBar()->actions();
    QCOMPARE(menus.size(), static_cast<qsizetype>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (QAction* const entry : menus[static_cast<qsizetype>(i)]->menu()->actions()) {
            held[places[i]].insert(entry);
            for (QAction* const below : entry->menu() ? entry->menu()->actions() : QList<QAction*>())
                held[places[i]].insert(below);
        }
    }
    const auto* const bar = window.findChild<QToolBar*>("navigation");
    for (const Action* const action : allActions()) {
        QAction* const made = window.actions().find(action->id);
        QVERIFY2(made, action->id);
        QVERIFY2(action->menu == MainMenu::None || held[action->menu].contains(made), action->id);
        // The tool bar has the very same one.
        const QByteArray id = action->id;
        const bool hasText = id.startsWith("mode.") || id == "view.inspector";
        QCOMPARE(bar->actions().contains(made), *action->icon != 0 || hasText);
        QVERIFY2(!*action->icon || !made->icon().isNull(), action->id);
        QVERIFY2(made->toolTip().startsWith(helpText(*action)), action->id);
    }
    QVERIFY(window.actions().find("go.back")->text().contains("\tAlt+Left"));
    QCOMPARE(window.actions().find("go.find")->shortcuts(), defaultKeysOf(*findAction("go.find")));
}

void ActionsTest::noLetterOpensTwoEntriesOfAMenu()
{
    MainWindow window(Theme::light());
    open(window);
    QStringList twice;
    const std::function<void(const QList<QAction*>&, const QString&)> check
        = [&](const QList<QAction*>& entries, const QString& menu) {
              std::map<QChar, QString> owners;
              for (QAction* const entry : entries) {
                  const QString text = entry->text();
                  const auto letter = QKeySequence::mnemonic(text);
                  if (!letter.isEmpty() && entry->isVisible()
                      && !owners.emplace(QChar(letter[0].key()), text).second)
                      twice << menu + ": " + text + ", " + owners[QChar(letter[0].key())];
                  if (entry->menu())
                      check(entry->menu()->actions(), text);
              }
          };
    check(window.menuBar()->actions(), "menu bar");
    QMenu ofRow;
    window.findChild<TimelinePane*>()->fillMenu(ofRow, {RowId{1}, {}});
    QVERIFY(!ofRow.isEmpty());
    check(ofRow.actions(), "menu of a row");
    QVERIFY2(twice.isEmpty(), qPrintable(twice.join('\n')));
}

void ActionsTest::actionsFollowTheSession()
{
    MainWindow window(Theme::light());
    const auto isEnabledNow = [&](const char* id) { return window.actions().find(id)->isEnabled(); };
    QVERIFY(isEnabledNow("file.open") && isEnabledNow("theme.dark") && isEnabledNow("help.keys"));
    QVERIFY(!isEnabledNow("file.close") && !isEnabledNow("view.zoomIn") && !isEnabledNow("findings.export"));
    open(window);
    QVERIFY(isEnabledNow("file.close") && isEnabledNow("view.zoomIn") && isEnabledNow("findings.export"));
    QVERIFY(!isEnabledNow("go.back") && !isEnabledNow("go.selection") && !isEnabledNow("event.copyName"));
    window.session().time().show({1000, 2000});
    window.session().selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
    QTRY_VERIFY(isEnabledNow("go.back") && isEnabledNow("go.selection") && isEnabledNow("event.copyName"));
    QVERIFY(!isEnabledNow("go.forward"));
    // Sets of rows exclude each other.
    const QAction* const all = window.actions().find("rows.all");
    QVERIFY(all->actionGroup() && all->actionGroup()->isExclusive());
    QCOMPARE(window.actions().find("rows.compute")->actionGroup(), all->actionGroup());
    QVERIFY(!window.actions().find("rows.inView")->actionGroup());
    // Check marks show the state.
    window.actions().find("theme.light")->trigger();
    QVERIFY(window.actions().find("theme.light")->isChecked());
    window.actions().find("theme.light")->trigger();
    QVERIFY(window.actions().find("theme.light")->isChecked());
    QVERIFY(!window.actions().find("theme.dark")->isChecked());
    window.docks().showPanel("steps");
    window.actions().find("panel.steps")->trigger(); // in front: closes it
    QVERIFY(!window.docks().isPanelOpen("steps") && !window.actions().find("panel.steps")->isChecked());
    window.actions().find("panel.steps")->trigger();
    QVERIFY(window.docks().isPanelOpen("steps") && window.actions().find("panel.steps")->isChecked());
    window.docks().showPanel("report");
    window.actions().find("panel.steps")->trigger(); // behind another tab: comes to the front
    QVERIFY(window.docks().isPanelOpen("steps")
        && !window.findChild<QWidget*>("steps")->visibleRegion().isEmpty());
}

void ActionsTest::actionsCanBeAskedForById()
{
    // As in a list of commands.
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    const Ns before = session.time().shown().duration();
    QVERIFY(perform(*findAction("timeline.zoomIn"), window.actions().context()));
    QVERIFY(session.time().shown().duration() < before);
    QVERIFY(perform(*findAction("go.back"), window.actions().context()));
    QCOMPARE(session.time().shown().duration(), before);
    QVERIFY(!perform(*findAction("event.select"), window.actions().context())); // without an event
    session.selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
    QVERIFY(perform(*findAction("event.select"), window.actions().context()));
    QCOMPARE(session.time().selectedRange(), session.trace().range({EventKind::Kernel, 0}));
    const RowId row = session.rows().rowOf(session.trace().trackOf({EventKind::Kernel, 0}));
    session.selection().selectRows({row});
    QVERIFY(perform(*findAction("row.pin"), window.actions().context()));
    QVERIFY(session.rowView().isPinned(row));
}

void ActionsTest::whatIsGreySaysWhy()
{
    MainWindow window(Theme::light());
    open(window);
    const auto tips = [&](const char* id) {
        const QAction* const action = window.actions().find(id);
        return std::pair(action->isEnabled(), action->toolTip() + "|" + action->statusTip());
    };
    const auto [canCompare, compare] = tips("file.compareOpen");
    QVERIFY(!canCompare);
    QCOMPARE(compare.count("open two reports first"), 2);
    const auto [hasSample, sample] = tips("file.sample");
    QCOMPARE(sample.contains("does not lie beside"), !hasSample);
    const auto [canCut, cut] = tips("export.cut");
    QVERIFY(canCut && !cut.contains("only Nsight Systems exports"));
    const auto part = std::make_shared<Trace>(window.session().trace());
    part->complete = false;
    window.session().setTrace(part, buildRows(*part));
    for (const char* const id : {"events.export", "findings.export", "marks.report", "export.trace"}) {
        const auto [canExport, tip] = tips(id);
        QVERIFY2(!canExport && tip.contains("the report is not read completely"), id);
    }
    // Menus show tips, those in menus too.
    for (const QMenu* const menu : window.findChildren<QMenu*>()) {
        if (menu->title() == "&Export" || menu->title() == "&File")
            QVERIFY2(menu->toolTipsVisible(), qPrintable(menu->title()));
    }
}

void ActionsTest::keysAreChangedByPressingOthers()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    QTreeWidget& list = window.panel<FindingsPanel>().list();
    list.setFocus();
    {
        PreferencesDialog dialog(&window);
        dialog.show();
        QTest::keyClick(dialog.keys().field("timeline.zoomIn"), Qt::Key_K);
        QTest::keyClick(dialog.keys().field("go.find"), Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(dialog.keys().field("go.find")->keySequence(), QKeySequence("Ctrl+G"));
        QVERIFY(okOf(dialog)->isEnabled());
        QTest::mouseClick(okOf(dialog), Qt::LeftButton);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
    }
    window.applyPreferences();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    list.setFocus();
    const TimeRange all = session.time().shown();
    QTest::keyClick(&list, Qt::Key_W);
    QCOMPARE(session.time().shown(), all); // no action has W now
    QTest::keyClick(&list, Qt::Key_K);
    QVERIFY(session.time().shown().duration() < all.duration());
    const auto* const search = window.findChild<QWidget*>("search");
    QTest::keyClick(&list, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(!search->hasFocus());
    QTest::keyClick(&list, Qt::Key_G, Qt::ControlModifier);
    QVERIFY(search->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Slash); // the other key of the search stays
    QVERIFY(search->hasFocus());
    // All places show the new keys.
    QVERIFY(search->property("placeholderText").toString().contains("Ctrl+G"));
    QVERIFY(keySheetHtml().contains("Ctrl+G"));
    QVERIFY(window.actions().find("go.find")->toolTip().contains("Ctrl+G"));
    // They are stored, and apply to another window, too.
    QCOMPARE(keysOf(*findAction("timeline.zoomIn")), QList<QKeySequence>{QKeySequence("K")});
    QVERIFY(
        MainWindow(Theme::light()).actions().find("go.find")->shortcuts().contains(QKeySequence("Ctrl+G")));
}

void ActionsTest::keysOfTwoActionsAreTold()
{
    PreferencesDialog dialog;
    dialog.show();
    QVERIFY(!dialog.problem().isVisible() && okOf(dialog)->isEnabled());
    QTest::keyClick(dialog.keys().field("timeline.focus"), Qt::Key_F8);
    QVERIFY(dialog.problem().text().startsWith("F8 is assigned to "));
    QVERIFY(dialog.problem().text().contains("Next evidence"));
    QVERIFY(!okOf(dialog)->isEnabled());
    dialog.accept();
    QVERIFY(dialog.result() != QDialog::Accepted && QSettings().allKeys().isEmpty());
    dialog.keys().field("findings.next")->clear();
    QVERIFY(dialog.problem().text().isEmpty() && okOf(dialog)->isEnabled());
    dialog.accept();
    QCOMPARE(keysOf(*findAction("timeline.focus")), QList<QKeySequence>{QKeySequence("F8")});
    QCOMPARE(keysOf(*findAction("findings.next")), QList<QKeySequence>{QKeySequence("N")});
    // An action may have no key at all.
    setKeys(*findAction("findings.next"), {});
    QVERIFY(keysOf(*findAction("findings.next")).isEmpty());
}

void ActionsTest::defaultsComeBack()
{
    setKeys(*findAction("go.find"), {QKeySequence("Ctrl+,"), QKeySequence("Ctrl+;")});
    QCOMPARE(keysOf(*findAction("go.find")).size(), 2);
    QCOMPARE(keysOf(*findAction("go.find")).front(), QKeySequence("Ctrl+,"));
    PreferencesDialog dialog;
    QVERIFY(!dialog.keys().problem().isEmpty()); // Ctrl+, is the key of the preferences
    dialog.keys().reset();
    QVERIFY(dialog.keys().problem().isEmpty());
    dialog.accept();
    QCOMPARE(keysOf(*findAction("go.find")), defaultKeysOf(*findAction("go.find")));
    for (const QString& key : QSettings().allKeys())
        QVERIFY2(!key.startsWith("keys/"), qPrintable(key)); // a default leaves no trace
}

WARPLINE_TEST(ActionsTest)

} // namespace tst_actions

#include "tst_actions.moc"
