// Questions in SQL: typed, chosen, mistaken, stopped; a line leads to its event.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "views/panels/sql_editor.h"
#include "views/panels/sql_panel.h"

#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

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
        m_panel = std::make_unique<SqlPanel>(m_session);
        m_panel->resize(1200, 500);
        m_panel->show();
        m_session.setTrace(trace.value(), buildRows(*trace.value()));
        QTRY_COMPARE(m_panel->names().topLevelItemCount(), 3);
    }
    void cleanupTestCase() { m_panel.reset(); }

    void typedQuestionsAreAnswered()
    {
        ask("SELECT stream, count(*) AS kernels FROM kernels GROUP BY stream");
        QVERIFY(m_panel->model().rowCount() > 1);
        QVERIFY(m_panel->state().endsWith("rows"));
        qint64 kernels = 0;
        for (int line = 0; line < m_panel->model().rowCount(); ++line)
            kernels += m_panel->model().index(line, 1).data().toLongLong();
        QCOMPARE(kernels, qint64(m_session.trace().kernels().size()));
        QTest::keyClick(&m_panel->editor(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(m_panel->editor().toPlainText().startsWith("SELECT stream"));
    }

    void aLineLeadsToItsEvent()
    {
        ask("SELECT start, \"end\", name FROM kernels ORDER BY duration DESC LIMIT 3");
        QTableView& table = m_panel->table();
        QTest::mouseClick(
            table.viewport(), Qt::LeftButton, {}, table.visualRect(m_panel->model().index(0, 0)).center());
        const EventRef event = m_session.ownCurrentEvent();
        QVERIFY(event.valid() && event.kind == EventKind::Kernel);
        QCOMPARE(
            m_session.trace().kernels().start[event.index], m_panel->model().index(0, 0).data().toLongLong());
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

    void mistakesAreMarked()
    {
        ask("SELECT lenght FROM kernels");
        QCOMPARE(m_panel->state(), QString("No such column: lenght."));
        QCOMPARE(m_panel->editor().extraSelections().size(), 1);
        QCOMPARE(m_panel->editor().extraSelections().front().cursor.selectedText(), QString("lenght"));
        QTest::keyClicks(&m_panel->editor(), " ");
        QVERIFY(m_panel->editor().extraSelections().isEmpty());
        ask("DROP TABLE StringIds");
        QVERIFY(m_panel->state().startsWith("A report is only read"));
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

private:
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

QTEST_MAIN(SqlPanelTest)
#include "tst_sql_panel.moc"
