// Bookmarks: made by key, drawn in a band below the ruler, listed, edited, recoloured, removed, and stored.

#include "core/base/format.h"
#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"
#include "views/panels/marks_panel.h"
#include "views/panels/table_export.h"
#include "views/session/marks.h"
#include "views/session/saved_view.h"
#include "views/timeline/mark_band.h"
#include "views/timeline/mark_editor.h"
#include "views/timeline/ruler.h"
#include "views/timeline/timeline_actions.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QInputMethodEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>

namespace tst_marks {

using namespace warpline;

class MarksTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_marks");
        QSettings().clear();
        const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        QVERIFY(trace.ok());
        m_trace = trace.value();
        m_session.setTrace(m_trace, buildRows(*m_trace));
        m_pane = std::make_unique<TimelinePane>(m_session, Theme::light());
        m_pane->resize(1000, 600);
        m_pane->show();
        m_panel = std::make_unique<MarksPanel>(m_session, Theme::light());
        m_panel->resize(1000, 300);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
    }
    void cleanupTestCase()
    {
        m_panel.reset();
        m_pane.reset();
    }
    void init()
    {
        m_session.selection().clear();
        m_session.marks().clear();
        m_session.time().showAll();
    }

    void aKeyMarksTheSelectedRange();
    void aKeyMarksTheMomentUnderTheMouse();
    void theBandTakesNoRoomWithoutMarks();
    void aClickInTheBandGoesThere();
    void aDoubleClickEditsWhatWasClicked();
    void theEditorWritesRecoloursAndRemoves();
    void textThatComesLateIsOfItsMark();
    void theMenuOfTheBand();
    void theListShowsEditsAndRemoves();
    void theListShowsTimesInFull();
    void theListIsCopied();
    void goingFromMarkToMark();
    void marksAreKeptUntilTheReportIsOpenedAgain();
    void windowsKeepEachOthersMarks();
    void whatAnotherWindowChangesStaysSo();
    void marksWithoutStoredOnesStay();
    void moreThanIsReadAgainIsRefused();
    void whatCouldNotBeReadReplacesNothingStored();
    void whatIsWrittenWhileAReportLoadsComesToTheOlder();
    void whatIsWrittenWhileAReportLoadsIsThereWhenItOpensAgain();
    void whatIsWrittenWhileAReportLoadsIsNeverOutOfTheSettings();
    void notesOfTwoWindowsAreBothKept();
    void notesThatTwoWindowsReadAreThereOnce();
    void marksGoWithTheFirstReport();
    void marksOfReportsThatComeOneAfterAnotherAreThere();
    void whatBothChangedIsMerged();
    void moreThanFitsOfTwoWindowsIsTold();
    void aViewHoldsEverything();
    void thePictureHoldsTheMarks();
    void rowsOfAViewTakeOtherNames();

private:
    void press(Qt::Key key) { QTest::keyClick(&m_pane->view(), key); }
    const std::vector<Mark>& marks() const { return m_session.marks().all(); }
    std::unique_ptr<Session> anotherWindow() const
    {
        auto session = std::make_unique<Session>();
        session->setTrace(m_trace, buildRows(*m_trace));
        return session;
    }
    static QString longestNotes()
    {
        const QString line = "of 16 letters:\n\n";
        return line.repeated(static_cast<qsizetype>(mostNoteBytes) / line.size());
    }
    OpenReport report(const std::shared_ptr<const Trace>& trace) const
    {
        OpenReport report;
        report.trace = trace;
        report.rows = buildRows(*trace);
        return report;
    }
    /// Stores `notes`, and a bookmark with the same text, for `reports`.
    static void store(std::vector<OpenReport> reports, const char* notes)
    {
        Session session;
        session.setWorkspace(Workspace(std::move(reports)));
        session.marks().setNotes(notes);
        session.marks().add({{1000, 2000}, notes});
        session.saveState();
    }
    /// Two reports; "of a" and "of b" are stored for them.
    std::pair<OpenReport, OpenReport> storedReports() const
    {
        const auto longer = std::make_shared<Trace>(*m_trace);
        longer->session.end += 10;
        std::pair both(report(m_trace), report(longer));
        store({both.first}, "of a");
        store({both.second}, "of b");
        return both;
    }
    static QString storedNotes(std::vector<OpenReport> reports)
    {
        Session session;
        session.setWorkspace(Workspace(std::move(reports)));
        return session.marks().notes();
    }
    static std::vector<std::string> textsOf(Session& session)
    {
        std::vector<std::string> texts;
        for (const Mark& mark : session.marks().all())
            texts.push_back(mark.text);
        return texts;
    }

    std::shared_ptr<const Trace> m_trace;
    Session m_session;
    std::unique_ptr<TimelinePane> m_pane;
    std::unique_ptr<MarksPanel> m_panel;
};

void MarksTest::aKeyMarksTheSelectedRange()
{
    const TimeRange all = m_session.session();
    const TimeRange part{all.start + all.duration() / 4, all.start + all.duration() / 2};
    m_session.time().selectRange(part);
    press(Qt::Key_M);
    QCOMPARE(marks().size(), std::size_t{1});
    QVERIFY(marks()[0].range == part);
    QVERIFY(m_pane->marks().editor().isVisible());
    QTest::keyClicks(&m_pane->marks().editor().line(), "warm-up");
    QTest::keyClick(&m_pane->marks().editor().line(), Qt::Key_Return);
    QVERIFY(!m_pane->marks().editor().isVisible());
    QCOMPARE(marks()[0].text, std::string("warm-up"));
    press(Qt::Key_M); // again: the same one
    QCOMPARE(marks().size(), std::size_t{1});
    QTest::keyClick(&m_pane->marks().editor().line(), Qt::Key_Escape);
    QTest::keyClick(&m_pane->view(), Qt::Key_M, Qt::ControlModifier);
    QVERIFY(m_pane->marks().editor().isVisible());
    QCOMPARE(marks()[0].text, std::string("warm-up"));
}

void MarksTest::aKeyMarksTheMomentUnderTheMouse()
{
    QTest::mouseMove(m_pane->view().viewport(), QPoint(200, 100));
    QTest::mouseMove(m_pane->view().viewport(), QPoint(210, 100));
    QTRY_VERIFY(m_pane->view().cursorTime().has_value());
    const Ns time = *m_pane->view().cursorTime();
    press(Qt::Key_M);
    QCOMPARE(marks().size(), std::size_t{1});
    QVERIFY(marks()[0].isMoment());
    QCOMPARE(marks()[0].range.start, time);
}

void MarksTest::theBandTakesNoRoomWithoutMarks()
{
    QCOMPARE(m_pane->marks().height(), 0);
    const int top = m_pane->view().geometry().top();
    m_session.marks().add({{10, 20}, "x"});
    QVERIFY(m_pane->marks().height() > 10);
    QCOMPARE(m_pane->view().geometry().top(), top + m_pane->marks().height());
    QCOMPARE(m_pane->marks().geometry().top(), m_pane->ruler().geometry().bottom() + 1);
    const QFont usual = m_pane->font();
    QFont large = usual;
    large.setPointSize(14);
    m_pane->setFont(large);
    QVERIFY(m_pane->marks().height() > m_pane->marks().fontMetrics().height());
    QCOMPARE(m_pane->view().geometry().top(), m_pane->marks().geometry().bottom() + 1);
    m_pane->setFont(usual);
    m_session.marks().remove(0);
    QCOMPARE(m_pane->view().geometry().top(), top);
}

void MarksTest::aClickInTheBandGoesThere()
{
    const TimeRange all = m_session.session();
    const TimeRange part{all.start + all.duration() / 2, all.start + all.duration() / 2 + all.duration() / 8};
    m_session.marks().add({part, "x"});
    MarkBand& band = m_pane->marks();
    const int x = band.width() * 9 / 16;
    QCOMPARE(band.markAt(x), 0);
    QCOMPARE(band.markAt(5), -1);
    QTest::mouseClick(&band, Qt::LeftButton, {}, QPoint(x, 8));
    QVERIFY(m_session.time().selectedRange() == part);
    QVERIFY(m_session.time().shown().duration() < all.duration() / 4);
    QVERIFY(m_session.time().shown().start < part.start && m_session.time().shown().end > part.end);
}

void MarksTest::aDoubleClickEditsWhatWasClicked()
{
    const TimeRange all = m_session.session();
    const Ns part = all.duration() / 8;
    const auto momentAt = [&](int parts) {
        return TimeRange{all.start + parts * part, all.start + parts * part};
    };
    m_session.marks().add({momentAt(2), "other"});
    m_session.marks().add({momentAt(3), "clicked"});
    m_session.time().show({momentAt(2).start, momentAt(6).start});
    MarkBand& band = m_pane->marks();
    const QPoint at(band.width() / 4 + 4, 8);
    QCOMPARE(band.markAt(at.x()), 1);
    QTest::mouseClick(&band, Qt::LeftButton, {}, at);
    QCOMPARE(band.markAt(at.x()), 0); // the view has moved
    QMouseEvent second(QEvent::MouseButtonDblClick, at, band.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
        Qt::NoModifier);
    QCoreApplication::sendEvent(&band, &second);
    QVERIFY(band.editor().isVisible());
    QCOMPARE(band.editor().line().text(), QString("clicked"));
}

void MarksTest::theEditorWritesRecoloursAndRemoves()
{
    const TimeRange all = m_session.session();
    m_session.marks().add({{all.start, all.start + all.duration() / 3}, "first"});
    m_session.marks().add({{all.start + all.duration() / 3, all.end}, "second"});
    QTest::mouseDClick(&m_pane->marks(), Qt::LeftButton, {}, QPoint(m_pane->marks().width() / 2, 8));
    MarkEditor& editor = m_pane->marks().editor();
    QVERIFY(editor.isVisible());
    QCOMPARE(editor.line().text(), QString("second"));
    QTest::mouseClick(&editor.color(1), Qt::LeftButton);
    QCOMPARE(marks()[1].color, std::string(markColors()[1].id));
    QCOMPARE(marks()[0].color, std::string(markColors()[0].id));
    QTest::keyClicks(&editor.line(), "2");
    QCOMPARE(marks()[1].text, std::string("2"));
    QTest::mouseClick(&editor.removing(), Qt::LeftButton);
    QCOMPARE(marks().size(), std::size_t{1});
    QVERIFY(!editor.isVisible());
}

namespace {

/// Commits its text when the editor hides, as an input method does.
class CommitsLate : public QObject {
public:
    QString text = "late";
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Hide) {
            QInputMethodEvent commit;
            commit.setCommitString(text);
            QCoreApplication::sendEvent(&static_cast<MarkEditor*>(watched)->line(), &commit);
        }
        return false;
    }
};

} // namespace

void MarksTest::textThatComesLateIsOfItsMark()
{
    const Ns start = m_session.session().start;
    const Mark first{{start, start + 1000}, "first"};
    const Mark second{{start + 1000, start + 2000}, ""};
    m_session.marks().add(first);
    m_session.marks().add(second);
    MarkEditor& editor = m_pane->marks().editor();
    CommitsLate method;
    editor.installEventFilter(&method);
    m_session.marks().edit(1);
    QVERIFY(editor.isVisible());
    m_session.marks().setCurrent(0);
    QVERIFY(!editor.isVisible());
    QCOMPARE(marks()[0].text, std::string("first"));
    QCOMPARE(marks()[1].text, std::string("late"));
    QCOMPARE(m_session.marks().current(), 0); // that the user chose
    m_session.marks().edit(1);
    method.text = "moved up";
    m_session.marks().remove(0); // nothing is at place 1 any more
    QVERIFY(!editor.isVisible());
    QCOMPARE(marks().size(), std::size_t{1});
    QCOMPARE(marks()[0].text, std::string("moved up"));
    QCOMPARE(m_session.marks().current(), -1);
    m_session.marks().edit(0);
    method.text = "moved down";
    QCOMPARE(m_session.marks().add(first), 0);
    m_session.marks().setCurrent(-1); // the new one has the place of the edited one
    QVERIFY(!editor.isVisible());
    QCOMPARE(marks()[0].text, std::string("first"));
    QCOMPARE(marks()[1].text, std::string("moved down"));
    QCOMPARE(m_session.marks().current(), -1);
    m_session.marks().remove(0);
    m_session.marks().edit(0);
    m_session.marks().add(first);
    QTest::mouseClick(&editor.removing(), Qt::LeftButton); // of the edited one
    QCOMPARE(marks().size(), std::size_t{1});
    QCOMPARE(marks()[0].text, std::string("first"));
    m_session.marks().setAll({second}, {});
    m_session.marks().edit(0);
    m_session.marks().setAll({first}, {});
    QVERIFY(!editor.isVisible());
    QCOMPARE(marks()[0].text, std::string("first"));
    m_session.marks().edit(0);
    m_session.marks().clear();
    QVERIFY(marks().empty());
}

void MarksTest::theMenuOfTheBand()
{
    m_session.marks().add({{10, 5000}, "x"});
    QMenu menu;
    m_pane->marks().fillMenu(menu, 0);
    QCOMPARE(menu.actions().size(), 4);
    QAction* const colors = menu.actions()[2];
    QCOMPARE(colors->menu()->actions().size(), static_cast<qsizetype>(markColors().size()));
    colors->menu()->actions()[2]->trigger();
    QCOMPARE(marks()[0].color, std::string(markColors()[2].id));
    menu.actions()[3]->trigger();
    QVERIFY(marks().empty());
    QMenu timeline; // and that of the timeline
    m_session.time().selectRange(m_session.session());
    m_pane->fillMenu(timeline, {});
    bool offered = false;
    for (const QAction* const action : timeline.actions())
        offered |= action->text() == "Bookmark the selected range";
    QVERIFY(offered);
}

void MarksTest::theListShowsEditsAndRemoves()
{
    const Ns start = m_session.session().start;
    m_session.marks().add({{start + 2000, start + 3000}, "later"});
    m_session.marks().add({{start + 1000, start + 1000}, ""});
    QAbstractItemModel& model = *m_panel->table().model();
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, 0).data().toString(), QString("Moment"));
    QCOMPARE(model.index(1, 0).data().toString(), QString("later"));
    QCOMPARE(model.index(1, 2).data().toString(), QString::fromStdString(formatDuration(1000)));
    QTableView& table = m_panel->table();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(model.index(1, 0)).center());
    QVERIFY(m_session.time().selectedRange() == (TimeRange{start + 2000, start + 3000}));
    QVERIFY(model.setData(model.index(1, 0), "edited", Qt::EditRole));
    QCOMPARE(marks()[1].text, std::string("edited"));
    m_panel->colors().menu()->actions()[3]->trigger();
    QCOMPARE(marks()[1].color, std::string(markColors()[3].id));
    QTest::mouseClick(&m_panel->removing(), Qt::LeftButton);
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(!m_panel->removing().isEnabled());
    QTest::mouseClick(&m_panel->adding(), Qt::LeftButton); // the selected range
    QCOMPARE(marks().size(), std::size_t{2});
    m_panel->notes().setPlainText("what we saw");
    QCOMPARE(m_session.marks().notes(), QString("what we saw"));
}

/// Also in the largest text size of the preferences.
void MarksTest::theListShowsTimesInFull()
{
    const auto restore = qScopeGuard([font = QApplication::font()] { QApplication::setFont(font); });
    QFont large = QApplication::font();
    large.setPointSize(14);
    QApplication::setFont(large);
    MarksPanel panel(m_session, Theme::light());
    panel.resize(900, 300);
    panel.show();
    const Ns at = 3'803'169'387;
    m_session.marks().add({{at, at}, "third"});
    const QTableView& table = panel.table();
    QCOMPARE(table.font().pointSize(), 14);
    const int start = MarksModel::Start;
    QVERIFY(table.columnWidth(start) >= table.sizeHintForIndex(table.model()->index(0, start)).width());
}

void MarksTest::theListIsCopied()
{
    m_session.marks().add({{2000, 3000}, "a,b"});
    for (const auto& [format, text] :
        {std::pair("csv", "text,start_ns,end_ns,duration_ns,color\n\"a,b\",2000,3000,1000,orange"),
            {"tsv", "text\tstart_ns\tend_ns\tduration_ns\tcolor\na,b\t2000\t3000\t1000\torange"},
            {"markdown", "| a,b | 2000 |"}, {"json", "\"start_ns\": 2000"}}) {
        QApplication::clipboard()->clear();
        m_panel->exporting().copyAs(format);
        QTRY_VERIFY(!m_panel->exporting().isBusy());
        QTRY_VERIFY2(
            QApplication::clipboard()->text().contains(text), qPrintable(QApplication::clipboard()->text()));
    }
}

void MarksTest::goingFromMarkToMark()
{
    const TimeRange all = m_session.session();
    for (int i = 1; i < 4; ++i)
        m_session.marks().add({{all.start + i * 1000, all.start + i * 1000 + 500}, std::to_string(i)});
    m_session.marks().setCurrent(-1);
    const auto go = [&](const char* id) {
        for (const Action& action : markActions()) {
            if (QString(action.id) == id)
                QVERIFY(perform(action, ActionContext{m_session, m_pane.get(), {}, {}}));
        }
    };
    go("mark.next");
    const int first = m_session.marks().current();
    go("mark.next");
    QCOMPARE(m_session.marks().current(), (first + 1) % 3);
    go("mark.previous");
    QCOMPARE(m_session.marks().current(), first);
}

void MarksTest::marksAreKeptUntilTheReportIsOpenedAgain()
{
    m_session.marks().add({{2000, 3000}, "kept"});
    m_session.marks().setNotes("and this");
    QVERIFY(m_session.marks().isChanged());
    m_session.saveState();
    m_session.setWorkspace({});
    QVERIFY(marks().empty());
    QVERIFY(m_session.marks().notes().isEmpty());
    m_session.setTrace(m_trace, buildRows(*m_trace));
    QCOMPARE(marks().size(), std::size_t{1});
    QCOMPARE(marks()[0].text, std::string("kept"));
    QCOMPARE(m_session.marks().notes(), QString("and this"));
    QVERIFY(m_session.marks().isChanged());
    m_session.marks().clear();
    m_session.saveState();
}

/// Two windows of one report.
void MarksTest::windowsKeepEachOthersMarks()
{
    const auto first = anotherWindow();
    const auto second = anotherWindow();
    first->marks().add({{1000, 2000}, "one"});
    second->marks().add({{2000, 3000}, "two"});
    second->saveState();
    first->saveState();
    first->saveState();
    const auto next = anotherWindow();
    QCOMPARE(textsOf(*next), (std::vector<std::string>{"one", "two"}));
    QVERIFY(next->marks().isChanged());
    next->marks().remove(0);
    next->saveState();
    QCOMPARE(
        textsOf(*anotherWindow()), std::vector<std::string>{"two"}); // what the user removes stays removed
    next->marks().clear();
    next->saveState();
    QVERIFY(anotherWindow()->marks().all().empty());
}

void MarksTest::whatAnotherWindowChangesStaysSo()
{
    using Texts = std::vector<std::string>;
    const auto first = anotherWindow();
    first->marks().add({{1000, 2000}, "one"});
    first->marks().add({{2000, 3000}, "two"});
    first->marks().add({{3000, 4000}, "three"});
    first->marks().setNotes("old");
    first->saveState();
    const auto second = anotherWindow();
    second->marks().change(0, {{1000, 2000}, "one, renamed"});
    second->marks().remove(1);
    second->marks().setNotes("new");
    second->saveState();
    first->saveState(); // nothing is changed there
    QCOMPARE(textsOf(*anotherWindow()), (Texts{"one, renamed", "three"}));
    QCOMPARE(anotherWindow()->marks().notes(), QString("new"));
    first->marks().change(2, {{3000, 4000}, "three, renamed"});
    first->saveState();
    first->saveState();
    QCOMPARE(textsOf(*anotherWindow()), (Texts{"one, renamed", "three, renamed"}));
    QCOMPARE(anotherWindow()->marks().notes(), QString("new"));
    const auto third = anotherWindow();
    while (!third->marks().all().empty())
        third->marks().remove(0);
    third->marks().setNotes({});
    third->saveState();
    first->saveState();
    QCOMPARE(textsOf(*anotherWindow()), Texts());
    QVERIFY(!anotherWindow()->marks().isChanged());
}

void MarksTest::marksWithoutStoredOnesStay()
{
    const auto window = anotherWindow();
    window->marks().add({{1000, 2000}, "kept"});
    window->saveState();
    QSettings().remove("reports"); // nothing is known of another window
    window->saveState();
    QCOMPARE(textsOf(*anotherWindow()), std::vector<std::string>{"kept"});
    window->marks().clear();
    window->saveState();
}

void MarksTest::moreThanIsReadAgainIsRefused()
{
    QSignalSpy said(m_panel.get(), &MarksPanel::messages);
    std::vector<Mark> most;
    for (std::size_t i = 0; i < mostMarks; ++i)
        most.push_back({{static_cast<Ns>(i), static_cast<Ns>(i)}, ""});
    m_session.marks().setAll(std::move(most), {});
    const Ns start = m_session.session().start;
    m_session.time().selectRange({start + 1000, start + 5000});
    press(Qt::Key_M);
    QCOMPARE(marks().size(), mostMarks);
    QCOMPARE(said.count(), 1);
    const QString notes = longestNotes();
    m_session.marks().setNotes(notes);
    m_panel->notes().moveCursor(QTextCursor::End);
    m_panel->notes().insertPlainText("more");
    QCOMPARE(m_session.marks().notes().size(), notes.size());
    QCOMPARE(m_panel->notes().toPlainText().size(), notes.size());
    QCOMPARE(said.count(), 2);
    // Longer ones, of two windows, can be made shorter step by step.
    m_session.marks().setAll({}, notes + "of another");
    m_panel->notes().setPlainText(notes + "of");
    QCOMPARE(m_session.marks().notes().size(), notes.size() + 2);
    QCOMPARE(said.count(), 2);
}

void MarksTest::whatCouldNotBeReadReplacesNothingStored()
{
    const auto window = anotherWindow();
    window->marks().add({{1000, 2000}, "kept"});
    window->saveState();
    window->marks().setAll({}, longestNotes() + "of two windows");
    window->marks().add({{2000, 3000}, "new"});
    window->saveState();
    QCOMPARE(textsOf(*anotherWindow()), std::vector<std::string>{"kept"});
    QSettings().remove("reports");
}

void MarksTest::whatIsWrittenWhileAReportLoadsComesToTheOlder()
{
    QSettings().clear();
    const auto before = anotherWindow();
    before->marks().add({{1000, 2000}, "older"});
    before->marks().setNotes("older notes");
    before->saveState();
    auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    m_session.setTrace(partial, buildRows(*partial));
    m_session.marks().add({{2000, 3000}, "typed"});
    QTextCursor cursor = m_panel->notes().textCursor();
    cursor.insertText("typed");
    m_panel->notes().setTextCursor(cursor);
    m_session.setTrace(m_trace, buildRows(*m_trace));
    QCOMPARE(textsOf(m_session), (std::vector<std::string>{"older", "typed"}));
    QCOMPARE(m_session.marks().notes(), QString("typed\n\nolder notes"));
    QVERIFY(m_session.marks().isChanged());
    m_panel->notes().textCursor().insertText(" on"); // where the user was
    QCOMPARE(m_session.marks().notes(), QString("typed on\n\nolder notes"));
    m_session.saveState();
    QCOMPARE(textsOf(*anotherWindow()), (std::vector<std::string>{"older", "typed"}));
    QCOMPARE(anotherWindow()->marks().notes(), QString("typed on\n\nolder notes"));
    QSettings().clear();
    m_session.marks().clear();
}

void MarksTest::whatIsWrittenWhileAReportLoadsIsThereWhenItOpensAgain()
{
    using Texts = std::vector<std::string>;
    QSettings().clear();
    store({report(m_trace)}, "older");
    const auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    partial->info.fileBytes = 0; // not known yet, and its end grows
    {
        Session session;
        session.setWorkspace(Workspace({report(partial)}));
        session.marks().add({{2000, 3000}, "typed"});
        session.marks().setNotes("typed");
        session.saveState();
    }
    const auto longer = std::make_shared<Trace>(*partial);
    longer->session.end += 10;
    {
        Session session; // closed too soon again
        session.setWorkspace(Workspace({report(longer)}));
        QCOMPARE(textsOf(session), Texts{"typed"});
        session.marks().setNotes("typed on");
        session.saveState();
    }
    for (const bool isAtOnce : {false, true}) { // then again, where nothing is new
        Session session;
        if (!isAtOnce) {
            session.setWorkspace(Workspace({report(partial)}));
            session.saveState();
            session.setWorkspace(Workspace({report(longer)}));
            session.saveState(); // as for each part
        }
        session.setWorkspace(Workspace({report(m_trace)}));
        QCOMPARE(textsOf(session), (Texts{"older", "typed"}));
        QCOMPARE(session.marks().notes(), QString("typed on\n\nolder"));
        session.saveState();
    }
    Session alone;
    alone.setWorkspace(Workspace({report(partial)}));
    QVERIFY(alone.marks().all().empty() && alone.marks().notes().isEmpty()); // it is where it belongs
    alone.marks().setNotes("later");
    alone.saveState();
    QCOMPARE(storedNotes({report(m_trace)}), QString("later\n\ntyped on\n\nolder"));
    QSettings().clear();
}

/// Warpline may be killed before the window closes.
void MarksTest::whatIsWrittenWhileAReportLoadsIsNeverOutOfTheSettings()
{
    QSettings().clear();
    store({report(m_trace)}, "older");
    const auto partial = std::make_shared<Trace>(*m_trace);
    partial->complete = false;
    const auto writeWhileItLoads = [&](const QString& notes) {
        Session session;
        session.setWorkspace(Workspace({report(partial)}));
        session.marks().setNotes(notes);
        session.saveState();
    };
    writeWhileItLoads("typed");
    for (int i = 0; i < 2; ++i)
        QCOMPARE(storedNotes({report(m_trace)}), QString("typed\n\nolder"));
    QVERIFY(storedNotes({report(partial)}).isEmpty()); // it is where it belongs
    // Nor where both together are refused.
    writeWhileItLoads(longestNotes());
    Session session;
    QSignalSpy refused(&session.marks(), &Marks::refused);
    session.setWorkspace(Workspace({report(m_trace)}));
    QCOMPARE(refused.count(), 1);
    QCOMPARE(storedNotes({report(partial)}), longestNotes());
    QSettings().clear();
}

/// Neither has read what the other one wrote.
void MarksTest::notesOfTwoWindowsAreBothKept()
{
    QSettings().clear();
    const auto first = anotherWindow();
    const auto second = anotherWindow();
    first->marks().setNotes("first");
    second->marks().setNotes("second");
    second->saveState();
    first->saveState();
    QCOMPARE(anotherWindow()->marks().notes(), QString("first\n\nsecond"));
    first->marks().setNotes("first, and more");
    first->saveState();
    QCOMPARE(anotherWindow()->marks().notes(), QString("first, and more\n\nsecond"));
    second->saveState(); // nothing is changed there
    QCOMPARE(anotherWindow()->marks().notes(), QString("first, and more\n\nsecond"));
    QSettings().clear();
}

/// From a file that was changed since it was stored.
void MarksTest::notesThatTwoWindowsReadAreThereOnce()
{
    QSettings().clear();
    const auto before = anotherWindow();
    before->marks().readFile("/view", {}, "x\ny");
    before->saveState();
    const auto first = anotherWindow();
    const auto second = anotherWindow();
    for (Session* const each : {first.get(), second.get()})
        each->marks().readFile("/view", {}, "a\nx\nb\ny");
    first->saveState();
    second->saveState();
    QCOMPARE(anotherWindow()->marks().notes(), QString("a\nx\nb\ny"));
    QVERIFY(!anotherWindow()->marks().isChanged());
    QSettings().clear();
}

/// Their times are on its clock. The same steps again change nothing.
void MarksTest::marksGoWithTheFirstReport()
{
    using Texts = std::vector<std::string>;
    QSettings().clear();
    const auto [a, b] = storedReports();
    for (int i = 0; i < 3; ++i) {
        Session session;
        session.setWorkspace(Workspace({a}, i == 1)); // at once, or while b loads
        session.marks().change(0, {{1000, 2000}, "of a, " + std::to_string(i)});
        session.marks().setNotes(session.marks().notes().left(4) + "\n" + QString::number(i));
        session.saveState();
        session.setWorkspace(Workspace({a, b})); // added
        QCOMPARE(session.marks().notes(), QString("of a\n%1").arg(i));
        QCOMPARE(textsOf(session), Texts{"of a, " + std::to_string(i)});
        session.saveState();
        session.setWorkspace(Workspace({b})); // a is removed
        QCOMPARE(session.marks().notes(), QString("of b"));
        QCOMPARE(textsOf(session), Texts{"of b"});
        session.saveState();
        session.setWorkspace(Workspace({b, a})); // another one comes
        QCOMPARE(textsOf(session), Texts{"of b"});
        session.saveState();
        session.setWorkspace(Workspace({a, b})); // in another order
        QCOMPARE(session.marks().notes(), QString("of a\n%1").arg(i));
        session.saveState();
        QCOMPARE(storedNotes({a, b}), QString("of a\n%1").arg(i));
        QCOMPARE(storedNotes({b}), QString("of b"));
    }
    // What is removed does not come back.
    Session session;
    session.setWorkspace(Workspace({b}));
    session.marks().remove(0);
    session.saveState();
    session.setWorkspace(Workspace({b, a}));
    QCOMPARE(textsOf(session), Texts());
    QVERIFY(storedNotes({b, a}) == "of b");
    QSettings().clear();
}

void MarksTest::marksOfReportsThatComeOneAfterAnotherAreThere()
{
    QSettings().clear();
    const auto [a, b] = storedReports();
    Session session;
    session.setWorkspace(Workspace({b}, true)); // a is loading
    session.marks().setNotes("of b, typed");
    session.saveState();
    session.setWorkspace(Workspace({a, b}));
    QCOMPARE(textsOf(session), std::vector<std::string>{"of a"});
    QCOMPARE(session.marks().notes(), QString("of a"));
    QCOMPARE(storedNotes({b}), QString("of b, typed"));
    QSettings().clear();
}

void MarksTest::whatBothChangedIsMerged()
{
    const auto notes = [](const char* before, const char* mine, const char* theirs) {
        return merged({{}, before}, {{}, mine}, {{}, theirs}).notes;
    };
    QCOMPARE(notes("run", "run 2", "slow runs here\n\nrun"), QString("run 2\n\nslow runs here"));
    QCOMPARE(notes("a\nb\nc", "a\nb", "a\nb\nc\n\nz"), QString("a\nb\n\nz")); // c was removed
    QCOMPARE(notes("a\nb", "", "a\nb\nz"), QString("z"));
    QCOMPARE(notes("", "a\nb", "b"), QString("a\nb"));
    QCOMPARE(notes("", "a", "b\n\nc"), QString("a\n\nb\n\nc"));
    QCOMPARE(notes("a\n\nb\n\nc", "a\n\nb\n\nc\n\nmine", "a\n\nc\n\nd"), QString("a\n\nc\n\nmine\n\nd"));
    QCOMPARE(notes("x\ny", "a\nx\nb\ny", "a\nx\nb\ny"), QString("a\nx\nb\ny"));
    QCOMPARE(notes("x\ny", "a\nx\nb\ny\nz", "a\nx\nb\ny"), QString("a\nx\nb\ny\nz"));
    QCOMPARE(notes("", "b", "a\nb\nc"), QString("a\nb\nc"));
    const Mark mine{{1, 2}, "mine"};
    const auto both
        = merged({{{{1, 2}, "old"}}, {}}, {{mine}, {}}, {{{{1, 2}, "theirs"}, {{3, 4}, "new"}}, {}});
    QCOMPARE(both.marks, (std::vector<Mark>{mine, {{3, 4}, "new"}}));
    // Two windows that write in turn do not multiply what they wrote.
    QSettings().clear();
    const auto first = anotherWindow();
    const auto second = anotherWindow();
    for (int i = 0; i < 4; ++i) {
        first->marks().setNotes(QString("first %1").arg(i));
        first->saveState();
        second->marks().setNotes(QString("second %1").arg(i));
        second->saveState();
    }
    QCOMPARE(anotherWindow()->marks().notes(), QString("second 3\n\nfirst 3"));
    QSettings().clear();
}

/// Then those of this window are kept, and the user is told.
void MarksTest::moreThanFitsOfTwoWindowsIsTold()
{
    QSettings().clear();
    const auto first = anotherWindow();
    const auto second = anotherWindow();
    const QString most = longestNotes();
    first->marks().setNotes(most);
    first->saveState();
    second->marks().setNotes("of the second");
    QSignalSpy refused(&second->marks(), &Marks::refused);
    second->saveState();
    QCOMPARE(refused.count(), 1);
    QCOMPARE(anotherWindow()->marks().notes(), most);
    QSettings().clear();
}

void MarksTest::aViewHoldsEverything()
{
    const std::vector<RowId> tops = m_session.rowView().visibleChildren(RowTree::root);
    QVERIFY(tops.size() > 1);
    m_session.rowView().setPinned(tops[0], true);
    m_session.rowView().setHidden(tops[1], true);
    m_session.rowView().setRowScale(tops[0], 2);
    m_session.rowView().setExpanded(tops[0], !m_session.rowView().isExpanded(tops[0]));
    m_session.rowView().moveRow(tops.back(), tops[0]);
    m_session.marks().add({{2000, 3000}, "m", "red"});
    m_session.marks().setNotes("n");
    m_session.selection().selectRows({tops[0]});
    EventFilter filter;
    filter.text = "kernel";
    filter.minDuration = 5;
    filter.kind = EventKind::Kernel;
    m_session.selection().setFilter(filter);
    m_session.selection().setSearchText("vec");
    const Ns start = m_session.session().start;
    m_session.time().selectRange({start + 1000, start + 5000});
    m_session.time().show({start + 500, start + 9000});
    const SavedView view = viewOf(m_session);
    const auto read = parseView(viewJson(view), "x");
    QVERIFY(read.ok() && read.value() == view);

    Session other;
    other.setTrace(m_trace, buildRows(*m_trace));
    QVERIFY(isViewOf(read.value(), other.workspace()));
    applyView(other, read.value());
    QVERIFY(other.marks().all().empty() && other.marks().notes().isEmpty()); // those that are newer stay
    other.marks().setAll(read.value().marks, QString::fromStdString(read.value().notes));
    QVERIFY(viewOf(other) == view);
    QVERIFY(other.rowView().isPinned(tops[0]) && other.rowView().isHidden(tops[1])
        && other.selection().filter() == filter);
    QCOMPARE(other.time().shown(), (TimeRange{start + 500, start + 9000}));
    QCOMPARE(other.time().selectedRange(), (TimeRange{start + 1000, start + 5000}));
    QCOMPARE(
        other.rowView().visibleChildren(RowTree::root), m_session.rowView().visibleChildren(RowTree::root));
    // Nothing is done by an empty one.
    SavedView plain;
    plain.reports = view.reports;
    applyView(other, plain);
    QVERIFY(!other.rowView().isPinned(tops[0]) && !other.rowView().isHidden(tops[1]));
    applyView(m_session, plain);
}

void MarksTest::thePictureHoldsTheMarks()
{
    const TimeRange all = m_session.session();
    m_session.marks().add({{all.start + all.duration() / 4, all.start + all.duration() / 2}, "x", "red"});
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        m_pane->setTheme(*theme);
        const QImage band = m_pane->marks().grab().toImage();
        const QColor wanted
            = QColor::fromRgb(theme->isDark() ? markColorOf("red").dark : markColorOf("red").light);
        QCOMPARE(band.pixelColor(band.width() * 3 / 8 + 60, 8).rgb(), wanted.rgb());
    }
    m_pane->setTheme(Theme::light());
}

void MarksTest::rowsOfAViewTakeOtherNames()
{
    SavedView view;
    view.selectedRows = {"b"};
    view.rows.open = {"a", "b"};
    view.rows.hidden = {"of no other recording"};
    view.rows.scale = {{"a", 2}, {"b", 3}};
    view.rows.depths = {{"b", 1}};
    view.rows.order = {{"a", {"b"}}};
    SavedView renamed;
    renamed.selectedRows = {"a"};
    renamed.rows.open = {"x", "a"};
    renamed.rows.hidden = {"of no other recording"};
    renamed.rows.scale = {{"x", 2}, {"a", 3}};
    renamed.rows.depths = {{"a", 1}};
    renamed.rows.order = {{"x", {"a"}}};
    renameRows(view, {{"a", "x"}, {"b", "a"}}); // each once, though a name is another one's
    QVERIFY(view == renamed);
}

WARPLINE_TEST(MarksTest)

} // namespace tst_marks

#include "tst_marks.moc"
