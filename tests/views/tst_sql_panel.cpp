// SQL queries: typed, chosen, wrong, stopped; a line leads to its event.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "tests/core/import/import_helpers.h"
#include "tests/support/hostile_sql.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/panels/sql_editor.h"
#include "views/panels/sql_panel.h"
#include "views/panels/table_export.h"
#include "views/session/result_rows.h"
#include "views/session/saved_view.h"
#include "views/timeline/result_band.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QContextMenuEvent>
#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace tst_sql_panel {

using namespace warpline;

class SqlPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_sql_panel");
        QSettings().clear();
        const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        QVERIFY(trace.ok());
        m_panel = std::make_unique<SqlPanel>(m_session, Theme::light());
        m_panel->resize(1200, 500);
        m_panel->show();
        m_session.setTrace(trace.value(), buildRows(*trace.value()));
        QTRY_COMPARE(m_panel->names().topLevelItemCount(), 3);
    }
    void cleanupTestCase() { m_panel.reset(); }

    /// The first query is below.
    void withoutResultsNothingIsExported()
    {
        const QTemporaryDir folder;
        auto* const exporting = m_panel->findChild<TableExport*>();
        QSignalSpy said(m_panel.get(), &SqlPanel::messages);
        for (const char* const ending : {"csv", "tsv", "md", "json"})
            exporting->write(folder.filePath(QString("none.") + ending));
        exporting->copyAs("csv");
        QTRY_VERIFY(!exporting->isBusy());
        QVERIFY(QDir(folder.path()).isEmpty());
        QCOMPARE(said.size(), 5);
        QVERIFY(!said[0][0].toString().isEmpty());
    }

    void theEditorFollowsTheTextSize()
    {
        for (const int points : {14, 18}) {
            const test::TextSize size(points);
            const SqlEditor editor;
            QCOMPARE(editor.font().pointSize(), points);
        }
    }

    void typedQuestionsAreAnswered()
    {
        ask("SELECT stream, count(*) AS kernels FROM kernels GROUP BY stream");
        QVERIFY(m_panel->model().rowCount() > 1);
        QVERIFY(m_panel->state().endsWith("rows"));
        QCOMPARE(m_panel->commandWords(), QStringList{m_panel->editor().toPlainText()});
        qint64 kernels = 0;
        for (int line = 0; line < m_panel->model().rowCount(); ++line)
            kernels += m_panel->model().index(line, 1).data().toLongLong();
        QCOMPARE(kernels, qint64(m_session.trace().kernels().size()));
        QTest::keyClick(&m_panel->editor(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(m_panel->editor().toPlainText().startsWith("SELECT stream"));
    }

    /// Two hundred queries, as fast as they can be typed: the file does not change, no other is created, and
    /// the window keeps responding.
    void forbiddenOnesChangeNothing()
    {
        const auto hashOf = [] {
            QFile file(WARPLINE_TEST_DATA "/reports/streams.sqlite");
            QCryptographicHash hash(QCryptographicHash::Sha256);
            return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result() : QByteArray();
        };
        const QByteArray before = hashOf();
        QVERIFY(!before.isEmpty());
        QTemporaryDir folder;
        QElapsedTimer since;
        qint64 longest = 0;
        QTimer beat;
        connect(&beat, &QTimer::timeout, this, [&] { longest = std::max(longest, since.restart()); });
        since.start();
        beat.start(10);
        const QStringList texts = test::forbiddenTexts(folder.filePath("written"));
        QVERIFY(texts.size() >= 200);
        for (const QString& text : texts)
            ask(text);
        for (const QString& text : texts) { // the one before is not waited for
            m_panel->editor().setPlainText(text);
            QTest::keyClick(&m_panel->editor(), Qt::Key_Return, Qt::ControlModifier);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), 30'000);
        QVERIFY2(longest < 2000, qPrintable(QString::number(longest)));
        QCOMPARE(hashOf(), before);
        QVERIFY(QDir(folder.path()).isEmpty());
        ask("SELECT count(*) FROM StringIds");
        QVERIFY(m_panel->model().index(0, 0).data().toLongLong() > 0);
    }

    void aLineLeadsToItsEvent()
    {
        ask("SELECT start, \"end\", name FROM kernels ORDER BY duration DESC LIMIT 3");
        QTableView& table = m_panel->table();
        QTest::mouseClick(
            table.viewport(), Qt::LeftButton, {}, table.visualRect(m_panel->model().index(0, 0)).center());
        const EventRef event = m_session.selection().ownCurrentEvent();
        QVERIFY(event.valid() && event.kind == EventKind::Kernel);
        QCOMPARE(
            m_session.trace().kernels().start[event.index], m_panel->model().index(0, 0).data().toLongLong());
    }

    void aRowIdLeadsToItsEvent()
    {
        m_session.selection().clear();
        ask("SELECT rowid, gridX FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY rowid LIMIT 5");
        QTableView& table = m_panel->table();
        QTest::mouseClick(
            table.viewport(), Qt::LeftButton, {}, table.visualRect(m_panel->model().index(2, 0)).center());
        const EventRef event = m_session.selection().ownCurrentEvent();
        QVERIFY(event.valid() && event.kind == EventKind::Kernel);
        QCOMPARE(
            m_session.trace().kernels().sourceRow[event.index], m_panel->model().index(2, 0).data().toUInt());
    }

    /// A view has the rowid of the table that it is of.
    void aRowIdOfAViewLeadsToItsEvent()
    {
        m_session.selection().clear();
        ask("SELECT rowid, duration, name FROM kernels LIMIT 3");
        clickLine(1);
        const EventRef event = m_session.selection().ownCurrentEvent();
        QVERIFY(event.valid() && event.kind == EventKind::Kernel);
        QCOMPARE(
            m_session.trace().kernels().sourceRow[event.index], m_panel->model().index(1, 0).data().toUInt());
        const auto alignment = [&](int column) {
            return m_panel->model().index(1, column).data(Qt::TextAlignmentRole).toInt()
                & Qt::AlignHorizontal_Mask;
        };
        QCOMPARE(alignment(1), int(Qt::AlignRight));
        QCOMPARE(alignment(2), int(Qt::AlignLeft)); // titles are aligned like their cells
        QCOMPARE(
            m_panel->model().headerData(2, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignLeft,
            int(Qt::AlignLeft));
    }

    /// A click on a line without a target shows the reason.
    void linesThatLeadNowhereSayWhy()
    {
        m_session.selection().clear();
        ask("SELECT NULL AS rowid, duration FROM kernels LIMIT 3");
        clickLine(1);
        QVERIFY(!m_session.selection().ownCurrentEvent().valid());
        QVERIFY2(m_panel->state().contains("add rowid"), qPrintable(m_panel->state()));
        ask("SELECT rowid AS rowid, value FROM StringIds LIMIT 3");
        clickLine(1);
        QVERIFY2(m_panel->state().contains("not an event"), qPrintable(m_panel->state()));
    }

    /// SQLite calls the rowid of a table that numbers its rows itself by the name of its key.
    void aKeyOfItsOwnLeadsToTheEvent()
    {
        test::ReportFixture fixture;
        test::copyInto(fixture, WARPLINE_TEST_DATA "/reports/streams.sqlite");
        fixture.run(
            "CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER, cpu INTEGER, "
            "threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER); INSERT INTO COMPOSITE_EVENTS "
            "SELECT 70 + rowid, start, 0, 1, globalTid, 0 FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 5");
        const auto trace = loadReport(fixture.path());
        QVERIFY(trace.ok());
        const auto before = m_session.sharedTrace();
        m_session.setTrace(trace.value(), buildRows(*trace.value()));
        QTRY_COMPARE(m_panel->names().topLevelItemCount(), 3);
        ask("SELECT rowid, cpu FROM COMPOSITE_EVENTS");
        QCOMPARE(m_panel->model().headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QString("id"));
        clickLine(3);
        const EventRef event = m_session.selection().ownCurrentEvent();
        QVERIFY(event.valid() && event.kind == EventKind::Sample);
        QCOMPARE(m_session.trace().table(EventKind::Sample).sourceRow[event.index],
            m_panel->model().index(3, 0).data().toUInt());
        m_session.setTrace(before, buildRows(*before));
        QTRY_COMPARE(m_panel->names().topLevelItemCount(), 3);
    }

    /// Esc closes the list of completions; typing continues.
    void escapeEndsNoTyping()
    {
        SqlEditor& editor = m_panel->editor();
        editor.clear();
        QTest::keyClicks(&editor, "SELECT str");
        auto* const list = editor.findChild<QCompleter*>()->popup();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(&editor, Qt::Key_Escape);
        QVERIFY(!list->isVisible());
        QKeyEvent again(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
        QApplication::sendEvent(&editor, &again);
        QVERIFY(again.isAccepted()); // it is no key of the window
        QCOMPARE(editor.toPlainText(), QString("SELECT str"));
    }

    void nothingIsToldFromAnEmptyText()
    {
        ask("SELECT NULL AS absent, '' AS empty, 'NULL' AS word, 1 AS one");
        const auto text = [&](int column) { return m_panel->model().index(0, column).data().toString(); };
        const auto color
            = [&](int column) { return m_panel->model().index(0, column).data(Qt::ForegroundRole); };
        QCOMPARE(text(0), QString("NULL"));
        QCOMPARE(text(1), QString());
        QVERIFY(color(0).isValid() && !color(1).isValid() && !color(2).isValid() && !color(3).isValid());
    }

    void columnsTakeTheRoomThereIs()
    {
        m_panel->resize(2000, 500);
        const QString longName(400, 'w');
        ask("SELECT 1 AS one, '" + longName + "' AS long_name, 'x' AS short_name");
        const QTableView& table = m_panel->table();
        QVERIFY2(table.columnWidth(1) > 600, qPrintable(QString::number(table.columnWidth(1))));
        const int all = table.columnWidth(0) + table.columnWidth(1) + table.columnWidth(2);
        QVERIFY(all <= table.viewport()->width());
        m_panel->resize(1200, 500);
    }

    void anAnswerBecomesARow()
    {
        TimelinePane pane(m_session, Theme::light());
        pane.resize(900, 500);
        pane.show();
        QCOMPARE(pane.results().height(), 0);
        ask("SELECT count(*) AS kernels FROM kernels");
        QVERIFY(!m_panel->rowButton().isEnabled());
        QVERIFY2(m_panel->rowButton().toolTip().contains("needs a column start"),
            qPrintable(m_panel->rowButton().toolTip()));
        ask("SELECT NULL AS start, 1 AS n");
        QVERIFY(!m_panel->rowButton().isEnabled());
        QVERIFY2(m_panel->rowButton().toolTip().contains("No result has a time"),
            qPrintable(m_panel->rowButton().toolTip()));
        ask("SELECT start, duration, name, stream AS value FROM kernels ORDER BY duration");
        QTest::mouseClick(&m_panel->rowButton(), Qt::LeftButton);
        const auto& rows = m_session.results().all();
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].slices.size(), m_session.trace().kernels().size());
        QVERIFY(std::ranges::is_sorted(
            rows[0].slices, {}, [](const ResultSlice& each) { return each.range.start; }));
        QVERIFY(rows[0].slices[0].value && !rows[0].slices[0].name.isEmpty());
        QCOMPARE(pane.results().height(), ResultBand::rowHeight);
        QCOMPARE(pane.view().geometry().top(), pane.results().geometry().bottom() + 1);

        // A click on a slice goes to its event.
        const ResultSlice slice = rows[0].slices[1];
        m_session.time().show(
            {slice.range.start - slice.range.duration(), slice.range.end + slice.range.duration()});
        m_session.selection().clear();
        const int middle = pane.view().x() + pane.view().viewport()->width() / 2;
        QVERIFY(pane.results().sliceAt(0, middle));
        QTest::mouseClick(&pane.results(), Qt::LeftButton, {}, QPoint(middle, 10));
        QVERIFY(m_session.selection().ownCurrentEvent().valid());
        QVERIFY(m_session.trace().range(m_session.selection().ownCurrentEvent()) == slice.range);
        // The cross takes the row away.
        QTest::mouseClick(&pane.results(), Qt::LeftButton, {}, QPoint(10, 10));
        QVERIFY(rows.empty());
        QCOMPARE(pane.results().height(), 0);
    }

    /// Rows of results have the functions of other rows, in their menu.
    void rowsOfAnswersHaveAMenu()
    {
        TimelinePane pane(m_session, Theme::light());
        pane.resize(900, 500);
        pane.show();
        const auto& rows = m_session.results().all();
        ask("SELECT start, duration, name FROM kernels");
        QTest::mouseClick(&m_panel->rowButton(), Qt::LeftButton);
        m_panel->editor().setPlainText("half a question"); // the row is of the executed query
        QTest::mouseClick(&m_panel->rowButton(), Qt::LeftButton);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].sql, QString("SELECT start, duration, name FROM kernels"));
        ask("SELECT start, duration, direction FROM copies");
        QTest::mouseClick(&m_panel->rowButton(), Qt::LeftButton);
        QCOMPARE(rows.size(), std::size_t{2});
        const auto choose = [&](int line, const QString& text) {
            const QPoint at(40, line * ResultBand::rowHeight + 10);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, pane.results().mapToGlobal(at));
            QCoreApplication::sendEvent(&pane.results(), &event);
            auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            for (QAction* const action : menu->actions()) {
                if (action->text() == text && action->isEnabled()) {
                    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                    return;
                }
            }
            QFAIL(qPrintable("no such line: " + text));
        };
        choose(0, "Move row down");
        QVERIFY(rows[1].sql.contains("kernels"));
        choose(1, "&Taller row");
        QCOMPARE(rows[1].scale, 1.5);
        QCOMPARE(pane.results().height(), ResultBand::rowHeight * 5 / 2);
        choose(1, "Reset row height");
        QCOMPARE(pane.results().height(), ResultBand::rowHeight * 2);
        choose(0, QString("Rename row\u2026"));
        auto* const dialog = pane.results().findChild<QInputDialog*>();
        QVERIFY(dialog);
        auto* const line = dialog->findChild<QLineEdit*>();
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, "My copies");
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(rows[0].title, QString("My copies"));
        choose(0, "Copy query");
        QCOMPARE(QGuiApplication::clipboard()->text(), rows[0].sql);
        choose(0, "Remove row");
        QCOMPARE(rows.size(), std::size_t{1});
        // The row may go while its menu or its dialog is open: another one has its place then.
        for (const QString& name : {QString("second"), QString("third")}) {
            ResultRow next = rows[0];
            next.title = name;
            m_session.results().add(std::move(next));
        }
        QContextMenuEvent event(
            QContextMenuEvent::Mouse, {40, 10}, pane.results().mapToGlobal(QPoint(40, 10)));
        QCoreApplication::sendEvent(&pane.results(), &event);
        QVERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
        m_session.results().remove(0);
        QVERIFY(!QApplication::activePopupWidget());
        choose(0, QString("Rename row\u2026"));
        const auto isAsked = [&] {
            return std::ranges::any_of(pane.results().findChildren<QInputDialog*>(), &QWidget::isVisible);
        };
        QVERIFY(isAsked());
        m_session.results().remove(0);
        QVERIFY(!isAsked());
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].title, QString("third"));
    }

    void strangeAnswersAreRowsOrNot()
    {
        Cells cells;
        cells.columns = {{"timestamp", Unit::AsStored}, {"end", Unit::AsStored}, {"n", Unit::AsStored}};
        cells.addRow({std::int64_t{50}, std::int64_t{20}, 1.5});
        cells.addRow({Cell(), std::int64_t{20}, 1.5});
        cells.addRow({std::string("x"), Cell(), Cell()});
        cells.addRow(
            {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), -2.0});
        const std::vector<std::uint32_t> order{0, 1, 2, 3};
        const auto row = resultRow(cells, order);
        QVERIFY(row.ok());
        QCOMPARE(row.value().slices.size(), std::size_t{2});
        QVERIFY(row.value().slices[1].range == (TimeRange{50, 50}));
        QCOMPARE(row.value().most, 1.5);
        QVERIFY(!resultRow(cells, std::vector<std::uint32_t>{1, 2}).ok());
        QVERIFY(!resultRow(Cells(), {}).ok());
    }

    void readyQuestionsAreAClick()
    {
        QTreeWidget& names = m_panel->names();
        QTreeWidgetItem* const question = names.topLevelItem(0)->child(0);
        QTest::mouseClick(names.viewport(), Qt::LeftButton, {}, names.visualItemRect(question).center());
        QTRY_VERIFY(!m_panel->isBusy());
        QVERIFY(m_panel->editor().toPlainText().contains("FROM kernels"));
        QVERIFY(m_panel->model().rowCount() > 0);
        QTest::keyClicks(&m_panel->search(), "no kernel has this name");
        QTRY_COMPARE(m_panel->model().rowCount(), 0);
        m_panel->search().clear();
        QTRY_VERIFY(m_panel->model().rowCount() > 0);
    }

    void typedStatementsComeBack()
    {
        SqlEditor& editor = m_panel->editor();
        editor.setPlainText("SELECT 1 AS typed");
        QTreeWidget& names = m_panel->names();
        QTreeWidgetItem* const question = names.topLevelItem(0)->child(0);
        QTest::mouseClick(names.viewport(), Qt::LeftButton, {}, names.visualItemRect(question).center());
        QTRY_VERIFY(!m_panel->isBusy());
        const QString asked = editor.toPlainText().trimmed();
        QTest::keyClick(&editor, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(editor.toPlainText(), QString("SELECT 1 AS typed"));
        editor.setPlainText("SELECT 2 AS changed");
        QTest::keyClick(&editor, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(editor.toPlainText(), asked);
        QTest::keyClick(&editor, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(editor.toPlainText(), QString("SELECT 2 AS changed"));
        QTest::keyClick(&editor, Qt::Key_Down, Qt::AltModifier);
        QVERIFY(editor.toPlainText().isEmpty());
    }

    void eachWindowAddsToTheHistory()
    {
        QSettings settings;
        settings.beginGroup("history of three windows");
        Session session;
        std::vector<std::unique_ptr<SqlPanel>> panels;
        for (int i = 0; i < 3; ++i) {
            panels.push_back(std::make_unique<SqlPanel>(session, Theme::light()));
            panels.back()->restoreState(settings);
        }
        for (std::size_t i = 0; i < 2; ++i) { // the third asks nothing
            panels[i]->editor().setPlainText(QString("SELECT %1").arg(i));
            panels[i]->editor().remember();
        }
        for (const auto& panel : panels)
            panel->saveState(settings);
        QCOMPARE(settings.value("history").toStringList(), (QStringList{"SELECT 0", "SELECT 1"}));
    }

    void mistakesAreMarked()
    {
        ask("SELECT lenght FROM kernels");
        QCOMPARE(m_panel->state(), QString("No such column: lenght."));
        QCOMPARE(m_panel->editor().extraSelections().size(), 1);
        QCOMPARE(m_panel->editor().extraSelections().front().cursor.selectedText(), QString("lenght"));
        for (const Theme& theme : {Theme::dark(), Theme::light()}) {
            m_panel->editor().setPalette(theme.palette());
            QCOMPARE(m_panel->editor().extraSelections().front().format.underlineColor(), theme.bad);
        }
        ask("SELECT shortname FROM kernels");
        QCOMPARE(m_panel->state(), QString("No such column: shortname. Did you mean short_name?"));
        ask("SELECT lenght FROM kernels");
        QTest::keyClicks(&m_panel->editor(), " ");
        QVERIFY(m_panel->editor().extraSelections().isEmpty());
        ask("DROP TABLE StringIds");
        QVERIFY(m_panel->state().startsWith("Reports are read-only"));
    }

    void problemsHaveTheirColor()
    {
        const auto inkOf = [this] {
            const QList<QLabel*> labels = m_panel->findChildren<QLabel*>();
            const auto state = std::ranges::find(labels, m_panel->state(), &QLabel::text);
            return state == labels.end() ? QColor() : (*state)->palette().color(QPalette::WindowText);
        };
        ask("SELECT lenght FROM kernels");
        QCOMPARE(inkOf(), Theme::light().bad);
        m_panel->setTheme(Theme::dark());
        QCOMPARE(inkOf(), Theme::dark().bad);
        ask("SELECT 1");
        QCOMPARE(inkOf(), m_panel->palette().color(QPalette::WindowText));
        m_panel->setTheme(Theme::light());
    }

    /// What to do is at the end of a message.
    void messagesAreNotCutOff()
    {
        const QSize before = m_panel->size();
        const auto restore = qScopeGuard([&] { m_panel->resize(before); });
        for (const int width : {350, 700}) {
            m_panel->resize(width, before.height());
            ask("SELECT shortname FROM kernels");
            const QList<QLabel*> labels = m_panel->findChildren<QLabel*>();
            const auto state = std::ranges::find(labels, m_panel->state(), &QLabel::text);
            QVERIFY(state != labels.end());
            const QTableView& table = m_panel->table();
            QTRY_VERIFY((*state)->width() > table.width() / 2);
            QTRY_VERIFY((*state)->height() >= (*state)->heightForWidth((*state)->width()));
            QVERIFY(table.height() * 5 > table.parentWidget()->height() * 4);
        }
    }

    void endlessOnesAreStopped()
    {
        m_panel->editor().setPlainText(
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c");
        m_panel->ask();
        QVERIFY(m_panel->isBusy());
        m_panel->stop();
        QCOMPARE(m_panel->state(), QString("Stopped."));
        ask("SELECT 1");
        QCOMPARE(m_panel->model().rowCount(), 1);
    }

    void queriesEndWithTheirReport()
    {
        Session session;
        SqlPanel panel(session, Theme::light());
        panel.show();
        session.setWorkspace(twoReports());
        panel.editor().setPlainText(
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c");
        panel.ask();
        QVERIFY(panel.isBusy());
        session.chooseReport(ReportId{1});
        QVERIFY(!panel.isBusy());
        QCOMPARE(panel.state(), QString());
    }

    /// The rows of another file have other times.
    void aReplacedFileIsNotQueried()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("report.sqlite");
        QVERIFY(QFile::copy(WARPLINE_TEST_DATA "/reports/streams.sqlite", path));
        const auto trace = loadReport(path.toStdString());
        QVERIFY(trace.ok());
        Session session;
        SqlPanel panel(session, Theme::light());
        panel.show();
        session.setTrace(trace.value(), buildRows(*trace.value()));
        const auto rowsOf = [&panel] {
            panel.editor().setPlainText("SELECT start, duration, name FROM kernels");
            panel.ask();
            return QTest::qWaitFor([&panel] { return !panel.isBusy(); }) ? panel.model().rowCount() : -1;
        };
        QVERIFY(rowsOf() > 0);
        QVERIFY(QFile::remove(path) && QFile::copy(WARPLINE_TEST_DATA "/reports/payload.sqlite", path));
        QCOMPARE(rowsOf(), 0);
        QVERIFY(!panel.rowButton().isEnabled());
        const std::vector<AskedRow> ofAView{
            {"Kernels", "SELECT start, duration, name FROM kernels", {}, session.report().id}};
        QSignalSpy failed(&session.results(), &ResultRows::failed);
        session.results().restore(ofAView);
        QTRY_VERIFY(!session.results().isBusy());
        QCOMPARE(failed.count(), 1);
        QVERIFY(session.results().all().front().slices.empty());
        QVERIFY(QFile::remove(path) && QFile::copy(WARPLINE_TEST_DATA "/reports/streams.sqlite", path));
        QVERIFY(rowsOf() > 0); // the same content again
        session.results().restore(ofAView);
        QTRY_COMPARE(session.results().all().size(), std::size_t{1});
        QVERIFY(session.results().all().front().problem.isEmpty());
    }

    /// It stays in the view until then.
    void aRowWhoseQueryFailsCanBeRemoved()
    {
        Session session;
        session.setTrace(m_session.sharedTrace(), buildRows(m_session.trace()));
        TimelinePane pane(session, Theme::light());
        pane.resize(900, 500);
        pane.show();
        ResultRows& rows = session.results();
        const ReportId report = session.report().id;
        rows.restore({{"Fails", "SELECT start FROM NEVER", {}, report},
            {"Kernels", "SELECT start, duration, name FROM kernels", {}, report}});
        QTRY_VERIFY(!rows.isBusy());
        QCOMPARE(pane.results().height(), ResultBand::rowHeight * 2);
        QVERIFY(rows.all()[0].problem.contains("NEVER"));
        // The same again, while it has a result, leaves that.
        ResultRow failed = rows.all()[0];
        static_cast<AskedRow&>(failed) = rows.all()[1];
        rows.add(failed);
        QVERIFY(!rows.all()[1].slices.empty());
        QTest::mouseClick(&pane.results(), Qt::LeftButton, {}, QPoint(10, 10));
        QCOMPARE(rows.asked().size(), std::size_t{1});
        QCOMPARE(rows.asked().front().title, QString("Kernels"));
        QCOMPARE(pane.results().height(), ResultBand::rowHeight);
    }

    void aQueryWithoutResultsDoesNotFail()
    {
        ask("SELECT start FROM kernels WHERE start < 0");
        QVERIFY(!m_panel->rowButton().isEnabled());
        QVERIFY2(m_panel->rowButton().toolTip().contains("The query has no results."),
            qPrintable(m_panel->rowButton().toolTip()));
        Session session;
        session.setTrace(m_session.sharedTrace(), buildRows(m_session.trace()));
        ResultRows& rows = session.results();
        const QSignalSpy failed(&rows, &ResultRows::failed);
        const ReportId report = session.report().id;
        rows.restore({{"Slow", "SELECT start, duration, name FROM kernels WHERE start < 0", {}, report},
            {"Found", "SELECT start, duration, name FROM kernels", "no such name", report}});
        QTRY_VERIFY(!rows.isBusy());
        QCOMPARE(rows.all().size(), std::size_t{2});
        QCOMPARE(rows.all()[0].problem, QString("The query has no results."));
        QCOMPARE(rows.all()[1].problem, QString("No result contains the search text."));
        QCOMPARE(failed.count(), 0);
    }

    /// The titles of long queries are their beginnings.
    void rowsReplaceNoneOfAnotherQuery()
    {
        Session session;
        session.setTrace(m_session.sharedTrace(), buildRows(m_session.trace()));
        ResultRow row;
        row.title = "SELECT start, duration, name FROM kernels WHERE stream = 7";
        row.sql = row.title + " AND duration > 1000";
        row.slices.push_back({{0, 10}, "gemm", {}});
        session.results().add(row);
        session.results().add(row); // the same again
        QCOMPARE(session.results().all().size(), std::size_t{1});
        row.sql = row.title + " AND duration > 2000";
        session.results().add(row);
        row.search = "gemm";
        session.results().add(row);
        QCOMPARE(session.results().all().size(), std::size_t{3});
    }

    /// A view that is saved at once has them, too, and so has a window that is reloaded.
    void rowsWhoseQueriesRunAreOfTheView()
    {
        Session session;
        session.setTrace(m_session.sharedTrace(), buildRows(m_session.trace()));
        session.results().restore(
            {{"Kernels", "SELECT start, duration, name FROM kernels", {}, session.report().id}});
        QVERIFY(session.results().isBusy() && session.results().all().empty());
        QCOMPARE(viewOf(session).answers.size(), std::size_t{1});
        QTRY_COMPARE(session.results().all().size(), std::size_t{1});
        QCOMPARE(viewOf(session).answers.size(), std::size_t{1});
        session.results().remove(0);
        QVERIFY(viewOf(session).answers.empty());
    }

    void withoutADatabaseNothingIsOffered()
    {
        Session session;
        SqlPanel panel(session, Theme::light());
        panel.resize(1200, 400);
        panel.show();
        auto trace = std::make_shared<Trace>(m_session.trace());
        setRecorder(trace->info, Recorder::PyTorchProfiler);
        session.setTrace(trace, buildRows(*trace));
        QTRY_VERIFY(panel.state().contains("needs an Nsight Systems export"));
        QVERIFY(!panel.names().isVisible() && !panel.editor().isEnabled());
        QVERIFY(panel.commandWords().isEmpty());
        const QList<QLabel*> labels = panel.findChildren<QLabel*>();
        const auto state = std::ranges::find(labels, panel.state(), &QLabel::text);
        QVERIFY(state != labels.end() && (*state)->isVisible());
        session.setTrace(m_session.sharedTrace(), buildRows(m_session.trace()));
        QTRY_VERIFY(panel.names().isVisible() && panel.editor().isEnabled());
        QCOMPARE(panel.commandWords(), QStringList{"--tables"});
        QVERIFY((*state)->isHidden()); // an empty line takes no room
    }

private:
    Workspace twoReports() const
    {
        std::vector<OpenReport> reports(2);
        for (OpenReport& report : reports) { // traces of their own
            report.trace = std::make_shared<const Trace>(m_session.trace());
            report.rows = buildRows(*report.trace);
        }
        return Workspace(std::move(reports));
    }

    void clickLine(int line)
    {
        QTableView& table = m_panel->table();
        QTest::mouseClick(
            table.viewport(), Qt::LeftButton, {}, table.visualRect(m_panel->model().index(line, 0)).center());
    }

    /// Types `sql` and asks it by key.
    void ask(const QString& sql)
    {
        m_panel->editor().setPlainText(sql);
        QTest::keyClick(&m_panel->editor(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(!m_panel->isBusy());
    }

    Session m_session;
    std::unique_ptr<SqlPanel> m_panel;
};

WARPLINE_TEST(SqlPanelTest)

} // namespace tst_sql_panel

#include "tst_sql_panel.moc"
