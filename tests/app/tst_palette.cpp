// The command palette: found by letters, remembered, reached and used by keyboard only; and using the whole
// window without a mouse.

#include "app/actions/all_actions.h"
#include "app/command_palette.h"
#include "app/fuzzy_match.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/search_bar.h"
#include "app/window_actions.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "tests/app/open_settled.h"
#include "tests/core/workspace/drawn_exchanges.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/timeline/timeline_pane.h"

#include <QAccessible>
#include <QLineEdit>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

namespace tst_palette {

using namespace warpline;
using namespace warpline::test;

class PaletteTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void lettersStandForWords();
    void everyActionAndRowIsInIt();
    void otherLanguagesFindEnglish();
    void keysAloneFindAndDo();
    void whatWasUsedLastComesFirst();
    void helpLosesItsEnd();
    void rowsAreGoneTo();
    void rowsAreThoseOfTheReportThatIsThere();
    void whatCannotBeDoneIsTold();
    void everythingHasANameAndCanBeReached();
    void partsAreReachedByOneKey();

private:
    void open(MainWindow& window);
    /// P with these, in the window, which has the keyboard again after a list was closed.
    static void press(MainWindow& window, Qt::KeyboardModifiers modifiers)
    {
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_P, modifiers);
    }
    static CommandPalette* shown(MainWindow& window) { return window.findChild<CommandPalette*>(); }
    static QStringList lines(CommandPalette& palette);

    ReportFixture m_fixture;
};

void PaletteTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_palette");
    m_fixture.addSmallReport();
}

void PaletteTest::init()
{
    QSettings().clear();
}

void PaletteTest::open(MainWindow& window)
{
    window.resize(1200, 800);
    window.show();
    QVERIFY(opensAndSettles(window, QString::fromStdString(m_fixture.path())));
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
}

QStringList PaletteTest::lines(CommandPalette& palette)
{
    QStringList all;
    for (int i = 0; i < palette.list().topLevelItemCount(); ++i)
        all << palette.list().topLevelItem(i)->text(0);
    return all;
}

void PaletteTest::lettersStandForWords()
{
    QVERIFY(fuzzyScore("Zoom to the selected event", "zse").has_value());
    QVERIFY(!fuzzyScore("Zoom to the selected event", "zxe").has_value());
    QVERIFY(fuzzyScore("Zoom to the selected event", "event zoom").has_value()); // words in any order
    QVERIFY(!fuzzyScore("Zoom", "zoomer").has_value());
    QCOMPARE(fuzzyScore("Anything", ""), std::optional<int>(0));
    QVERIFY(fuzzyScore("", "a") == std::nullopt);
    // Letters at the begin of words beat letters anywhere, whole words beat both, short texts beat long ones.
    QVERIFY(*fuzzyScore("Show hidden rows", "shr") > *fuzzyScore("Statistics of the threads", "shr"));
    QVERIFY(*fuzzyScore("Stream 7", "stream") > *fuzzyScore("Set of three areas in memory", "stream"));
    QVERIFY(*fuzzyScore("Find", "find") > *fuzzyScore("Find next", "find"));
    QVERIFY(fuzzyScore(QString(100'000, 'a'), "aaaa").has_value()); // and does not take forever
}

void PaletteTest::everyActionAndRowIsInIt()
{
    MainWindow window(Theme::light());
    open(window);
    press(window, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shown(window));
    CommandPalette& palette = *shown(window);
    for (const Action* const action : allActions()) {
        palette.edit().setText(plainText(*action));
        QVERIFY2(lines(palette).contains(plainText(*action)), action->id);
    }
    const RowTree& rows = window.session().rows();
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        const QString label = QString::fromStdString(plain(rows.row(RowId{i}).label));
        palette.edit().setText(label);
        bool found = false;
        for (const QString& line : lines(palette))
            found = found || line.endsWith(label);
        QVERIFY2(found, qPrintable(label));
    }
    // With its shortcut.
    palette.edit().setText("Find next");
    QCOMPARE(palette.list().topLevelItem(0)->text(2), QString("F3"));
}

/// In another language also by the English text and the id, as manuals and settings have them.
void PaletteTest::otherLanguagesFindEnglish()
{
    const auto english = qScopeGuard([] {
        chooseLanguageForThisRun("en");
        applyLanguage();
    });
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
    MainWindow window(Theme::light());
    open(window);
    window.showPalette(false);
    CommandPalette& palette = *shown(window);
    for (const Action* const action : allActions()) {
        for (const QString& words : {englishText(*action), QString(action->id), plainText(*action)}) {
            palette.edit().setText(words);
            QVERIFY2(lines(palette).contains(plainText(*action)), action->id);
        }
    }
    const Action* const zoom = findAction("view.zoomIn");
    QVERIFY(plainText(*zoom) != englishText(*zoom));
    palette.edit().setText("zoom in");
    QCOMPARE(lines(palette).front(), plainText(*zoom));
    palette.close();
}

void PaletteTest::keysAloneFindAndDo()
{
    MainWindow window(Theme::light());
    open(window);
    window.session().selection().setCurrentEvent({ReportId{}, {EventKind::Kernel, 0}});
    press(window, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shown(window));
    QTest::keyClicks(&shown(window)->edit(), "set range");
    QCOMPARE(lines(*shown(window)).front(), QString("Select range"));
    QTest::keyClick(&shown(window)->edit(), Qt::Key_Return);
    QTRY_COMPARE(
        window.session().time().selectedRange(), window.session().trace().range({EventKind::Kernel, 0}));
    QTRY_VERIFY(!shown(window));
    // The arrows move the line while the field keeps the keyboard.
    press(window, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shown(window));
    const QTreeWidgetItem* const first = shown(window)->list().currentItem();
    QTest::keyClick(&shown(window)->edit(), Qt::Key_Down);
    QVERIFY(shown(window)->list().currentItem() != first);
    QTest::keyClick(&shown(window)->edit(), Qt::Key_Escape);
    QTRY_VERIFY(!shown(window));
}

void PaletteTest::whatWasUsedLastComesFirst()
{
    MainWindow window(Theme::light());
    open(window);
    for (const char* const wanted : {"Dark theme", "Zoom in", "Light theme"}) {
        window.showPalette(false);
        shown(window)->edit().setText(wanted);
        if (shown(window)->list().topLevelItemCount() > 0)
            QTest::keyClick(&shown(window)->edit(), Qt::Key_Return);
        else
            shown(window)->close();
        QTRY_VERIFY(!shown(window));
    }
    QTRY_COMPARE(QSettings().value("theme").toString(), QString("light"));
    QCOMPARE(CommandPalette::recent().front(), QString("theme.light"));
    window.showPalette(false);
    const QStringList all = lines(*shown(window));
    QCOMPARE(all[0], QString("Light theme"));
    QVERIFY(all.indexOf("Dark theme") <= 2);
    shown(window)->close();
}

void PaletteTest::helpLosesItsEnd()
{
    MainWindow window(Theme::light());
    open(window);
    press(window, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shown(window));
    auto& list = *shown(window)->findChild<QTreeWidget*>();
    const auto pictureOf = [&](const QString& end) {
        list.topLevelItem(0)->setText(1, QString("Compare ").repeated(60) + end);
        return list.viewport()->grab(list.visualRect(list.model()->index(0, 1))).toImage();
    };
    const QImage first = pictureOf("iii");
    QVERIFY(!first.isNull());
    QVERIFY(first == pictureOf("WWW"));
}

void PaletteTest::rowsAreGoneTo()
{
    MainWindow window(Theme::light());
    open(window);
    Session& session = window.session();
    const RowId row = session.rows().rowOf(session.trace().trackOf({EventKind::Kernel, 0}));
    session.rowView().setHidden(row, true); // even one that is hidden
    session.rowView().setExpanded(session.rows().row(row).parent, false);
    press(window, Qt::ControlModifier);
    QTRY_VERIFY(shown(window));
    const QString label = QString::fromStdString(plain(session.rows().row(row).label));
    shown(window)->edit().setText(label);
    for (const QString& line : lines(*shown(window)))
        QVERIFY(line != "Find");
    QVERIFY2(lines(*shown(window)).front().endsWith(label), qPrintable(lines(*shown(window)).join('\n')));
    QTest::keyClick(&shown(window)->edit(), Qt::Key_Return);
    QTRY_VERIFY(!shown(window));
    QCOMPARE(session.selection().selectedRows().size(), 1U);
    QVERIFY(!session.rowView().isHidden(session.selection().selectedRows().front()));
    QVERIFY(
        QString::fromStdString(plain(session.rows().row(session.selection().selectedRows().front()).label))
        == label);
    press(window, Qt::ControlModifier);
    QTRY_VERIFY(shown(window));
    shown(window)->edit().setText(">find");
    QCOMPARE(lines(*shown(window)).front(), QString("Find"));
}

/// A report that is closed or reloaded while the list is open has other rows.
void PaletteTest::rowsAreThoseOfTheReportThatIsThere()
{
    MainWindow window(Theme::light());
    open(window);
    press(window, Qt::ControlModifier);
    QTRY_VERIFY(shown(window));
    CommandPalette& palette = *shown(window);
    const int rows = palette.list().topLevelItemCount();
    QVERIFY(rows > 1);
    window.session().setExchanges(drawnExchanges({0, 1}));
    window.session().setExchanges(drawnExchanges({1})); // rows are others now
    QCOMPARE(palette.list().topLevelItemCount(), rows + 3);
    window.closeReport();
    QCOMPARE(palette.list().topLevelItemCount(), 0);
    QTest::keyClick(&palette.edit(), Qt::Key_Return); // goes nowhere
    QVERIFY(window.session().isEmpty());
}

void PaletteTest::whatCannotBeDoneIsTold()
{
    MainWindow window(Theme::light());
    window.resize(1200, 800);
    window.show();
    window.showPalette(false);
    CommandPalette& palette = *shown(window);
    QVERIFY(!lines(palette).contains("Close")); // nothing is open
    palette.edit().setText("Close");
    QVERIFY(lines(palette).contains("Close"));
    for (int i = 0; i < palette.list().topLevelItemCount(); ++i) {
        if (palette.list().topLevelItem(i)->text(0) == "Close")
            QVERIFY(palette.list().topLevelItem(i)->isDisabled());
    }
    palette.edit().setText("xqzxqz");
    QCOMPARE(palette.list().topLevelItemCount(), 0);
    QTest::keyClick(&palette.edit(), Qt::Key_Return); // nothing, and no fault
}

void PaletteTest::everythingHasANameAndCanBeReached()
{
    MainWindow window(Theme::light());
    open(window);
    for (const QWidget* const widget : window.findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->objectName().startsWith("qt_")
            || widget->inherits("QMenu") || widget->inherits("QTabBar") || widget->inherits("QLabel"))
            continue;
        QAccessibleInterface* const spoken
            = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        QVERIFY(spoken);
        QString place;
        for (const QWidget* above = widget; above; above = above->parentWidget())
            place += QString(above->metaObject()->className()) + '(' + above->objectName() + ") < ";
        QVERIFY2(!spoken->text(QAccessible::Name).trimmed().isEmpty(), qPrintable(place));
    }
}

void PaletteTest::partsAreReachedByOneKey()
{
    MainWindow window(Theme::light());
    open(window);
    window.docks().showPanel("events");
    QWidget& timeline = window.timeline().view();
    timeline.setFocus();
    QList<QWidget*> visited;
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(&window, Qt::Key_F6);
        QVERIFY(QApplication::focusWidget());
        visited << QApplication::focusWidget();
        if (visited.back() == &timeline)
            break;
    }
    QVERIFY(visited.back() == &timeline); // once around
    QVERIFY(visited.contains(&window.search().edit()));
    QVERIFY(std::ranges::any_of(visited,
        [&](const QWidget* widget) { return window.findChild<QWidget*>("events")->isAncestorOf(widget); }));
    QTest::keyClick(&window, Qt::Key_F6, Qt::ShiftModifier);
    QVERIFY(visited.size() > 2);
    QCOMPARE(QApplication::focusWidget(), visited[visited.size() - 2]); // and back
}

WARPLINE_TEST(PaletteTest)

} // namespace tst_palette

#include "tst_palette.moc"
