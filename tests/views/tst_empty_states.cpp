// First use: empty parts explain why and what to do, an empty range is called empty, and every column header
// has an explanation.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/panel.h"
#include "views/panels/stats_panel.h"
#include "views/panels/tables_panel.h"
#include "views/style/column_heads.h"
#include "views/style/empty_note.h"

#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>
#include <QTreeView>

namespace tst_empty_states {

using namespace warpline;
using namespace warpline::test;

class EmptyStatesTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void emptyRangesAreCalledSo();
    void aReportOfAnInstantIsNotOutsideOfItself();
    void filtersSayHowToClearThem();
    void failuresOfTheTreeStandInItsPlace();
    void noPanelSaysNotRecordedOfAnEmptyRange();
    void headsOfAllColumnsExplainThemselves();
    void unknownColumnsSaySomething();

private:
    static EmptyNote& noteOf(QAbstractItemView& view) { return *view.findChild<EmptyNote*>(); }
    RowId kernels() const { return m_rows->rowOf(m_trace->trackOf({EventKind::Kernel, 0})); }
};

void EmptyStatesTest::initTestCase()
{
    openSmallReport("tst_empty_states");
}

void EmptyStatesTest::init()
{
    startSession();
}

void EmptyStatesTest::emptyRangesAreCalledSo()
{
    EventsPanel events(*m_session);
    StatsPanel stats(*m_session, Theme::light());
    events.resize(700, 300);
    stats.resize(900, 300);
    events.show();
    stats.show();
    auto& table = *events.findChild<QTableView*>("events-table");
    QTRY_VERIFY(table.model()->rowCount() > 0);
    QVERIFY(noteOf(table).isHidden());
    m_session->selection().selectRows({kernels()});
    m_session->time().selectRange({4100, 4900}); // between two kernels
    QTRY_COMPARE(table.model()->rowCount(), 0);
    QTRY_VERIFY(noteOf(table).text().startsWith("No events in this range."));
    QVERIFY(noteOf(table).isVisible());
    QTRY_COMPARE(noteOf(stats.nameTable()).text(), QString("No events in this range"));
    // Queues and streams are counted in every report with GPU work.
    QVERIFY(stats.counterTable().model()->rowCount() > 0);
    m_session->selection().clear();
    QTRY_VERIFY(table.model()->rowCount() > 0);
    QTRY_VERIFY(noteOf(table).isHidden());
}

void EmptyStatesTest::aReportOfAnInstantIsNotOutsideOfItself()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("instant.json"));
    const QByteArray content = R"({"traceEvents": [{"ph": "i", "cat": "user_annotation", "name": "hello",
        "pid": 3, "tid": 3, "ts": 90, "s": "t"}]})";
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    const auto trace = loadReport(file.fileName().toStdString());
    QVERIFY(trace.ok());
    Session session;
    session.setTrace(trace.value(), buildRows(*trace.value()));
    QVERIFY(session.time().window().empty());
    StatsPanel stats(session, Theme::light());
    stats.show();
    const QLabel& summary = *stats.findChild<QLabel*>("summary");
    QTRY_VERIFY(!summary.text().isEmpty());
    QVERIFY2(!summary.text().contains("instant.json"), qPrintable(summary.text()));
}

void EmptyStatesTest::filtersSayHowToClearThem()
{
    EventsPanel events(*m_session);
    events.resize(700, 300);
    events.show();
    auto& table = *events.findChild<QTableView*>("events-table");
    EventFilter filter;
    filter.text = "no such name";
    m_session->selection().setFilter(filter);
    QTRY_VERIFY(noteOf(table).text().startsWith("No events match the filter."));
    m_session->time().selectRange({1000, 2000}); // either may be the reason
    QTRY_VERIFY(noteOf(table).text().startsWith("No events in the selection match the filter"));
    QVERIFY(noteOf(table).width() > 300); // in the middle of the list, not in its corner
    events.resize(500, 300);
    QTRY_VERIFY(noteOf(table).width() <= 500);
    DetailsPanel details(*m_session, Theme::light());
    QVERIFY(details.findChild<QTextBrowser*>()->placeholderText().contains("Select an event"));
}

void EmptyStatesTest::failuresOfTheTreeStandInItsPlace()
{
    const auto worksAgain = qScopeGuard([] { JobQueue::failsInTests = false; });
    EventsPanel events(*m_session);
    events.resize(700, 300);
    events.show();
    QTRY_VERIFY(events.findChild<QTableView*>("events-table")->model()->rowCount() > 0);
    auto& tree = *events.findChild<QTreeView*>("events-tree");
    QSignalSpy told(&JobFailures::shared(), &JobFailures::happened);
    JobQueue::failsInTests = true;
    events.findChild<QToolButton*>("events-nest")->setChecked(true);
    QTRY_VERIFY(!told.isEmpty());
    const QString reason = told.front().front().toString();
    QTRY_COMPARE(noteOf(tree).text(), reason); // of the tree
    QVERIFY(noteOf(tree).isVisible() && tree.model()->rowCount() == 0);
    m_session->time().selectRange({4100, 4900});
    QTRY_COMPARE(noteOf(*events.findChild<QTableView*>("events-table")).text(), reason);
    QTRY_COMPARE(noteOf(tree).text(), reason); // of the list
    JobQueue::failsInTests = false;
    m_session->time().selectRange({});
    QTRY_VERIFY(tree.model()->rowCount() > 0);
}

void EmptyStatesTest::noPanelSaysNotRecordedOfAnEmptyRange()
{
    m_session->time().selectRange({5550, 5600}); // CUDA is recorded, and here it does nothing
    for (const PanelKind* const kind : allPanels()) {
        std::unique_ptr<Panel> panel(kind->make(*m_session, Theme::light(), nullptr));
        panel->resize(900, 400);
        panel->show();
        QTRY_VERIFY2(!panel->isBusy(), kind->id);
        QTest::qWait(50);
        QTRY_VERIFY2(!panel->isBusy(), kind->id);
        if (QString(kind->id) == "findings")
            continue; // lists rules whose tables the whole report lacks
        QStringList said;
        for (const QLabel* const label : panel->findChildren<QLabel*>())
            said << label->text();
        for (const QTextBrowser* const text : panel->findChildren<QTextBrowser*>())
            said << text->toPlainText();
        for (const QString& text : said)
            QVERIFY2(!text.contains("not recorded", Qt::CaseInsensitive),
                qPrintable(QString(kind->id) + ": " + text));
    }
}

void EmptyStatesTest::headsOfAllColumnsExplainThemselves()
{
    for (const PanelKind* const kind : allPanels()) {
        std::unique_ptr<Panel> panel(kind->make(*m_session, Theme::light(), nullptr));
        panel->resize(900, 400);
        panel->show();
        QTRY_VERIFY2(!panel->isBusy(), kind->id);
        QList<QAbstractItemModel*> models;
        for (const QTableView* const table : panel->findChildren<QTableView*>())
            models << table->model();
        for (const QAbstractItemModel* const model : models) {
            for (int column = 0; model && column < model->columnCount(); ++column) {
                const QString title = model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
                const QString tip = model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
                QVERIFY2(title.isEmpty() || !tip.isEmpty(), qPrintable(QString(kind->id) + ": " + title));
            }
        }
    }
}

void EmptyStatesTest::unknownColumnsSaySomething()
{
    QVERIFY(columnTip("Total Time (ns)").contains("Sum"));
    QVERIFY(columnTip("StdDev (ns)").contains("Standard deviation"));
    QVERIFY(columnTip("Time (%)").contains("Share"));
    QVERIFY(columnTip("my own field").contains("sort"));
}

WARPLINE_TEST(EmptyStatesTest)

} // namespace tst_empty_states

#include "tst_empty_states.moc"
