// One scope for all panels: selected rows and ranges restrict each of them, or it shows that they do not.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/models/stats_model.h"
#include "views/models/table_text.h"
#include "views/panels/budget_view.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/host_steps.h"
#include "views/panels/judged_range.h"
#include "views/panels/overview_bar.h"
#include "views/panels/overview_panel.h"
#include "views/panels/roofline_panel.h"
#include "views/panels/steps_panel.h"
#include "views/panels/tables_panel.h"
#include "views/panels/what_if_panel.h"
#include "views/session/checklist_judge.h"
#include "views/session/row_scope.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QSettings>
#include <QTableWidget>
#include <QTest>

#include <array>

namespace tst_scope {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Six steps of 10 ms on two GPUs: the first computes "first" for 8 ms of each, the other "second" for 2 ms.
/// Both are products of PyTorch.
std::shared_ptr<const Trace> twoGpus()
{
    DrawnProgram drawn;
    for (int i = 0; i < 6; ++i) {
        const Ns at = 10 * ms * i;
        drawn.range("step_" + std::to_string(i), {at, at + 9 * ms});
        drawn.range("aten::mm, seq = 0, op_id = " + std::to_string(i)
                + ", sizes = [[4096, 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
            {at, at + 60 * us});
        drawn.kernel("first_gemm", at, {at + 10 * us, at + 8 * ms});
        drawn.kernel("second_gemm", at + 20 * us, {at + 30 * us, at + 2 * ms}, {.device = 1});
    }
    return drawn.finish();
}

/// Three batches in each of two processes; those of the second take twice as long.
std::shared_ptr<const Trace> twoProcesses()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    for (const qint64 process : {100, 200}) {
        for (qint64 i = 0; i < 3; ++i) {
            const qint64 length = process * 10;
            fixture.run(QString("INSERT INTO NVTX_EVENTS VALUES (%1, %2, 59, NULL, 'batch_%3', %4, NULL, 0)")
                            .arg(6000 + i * length)
                            .arg(6000 + i * length + length)
                            .arg(i)
                            .arg(process << 24 | 1)
                            .toStdString());
        }
    }
    auto trace = loadReport(fixture.path());
    return trace.ok() ? trace.take() : nullptr;
}

void openIn(Session& session, std::shared_ptr<const Trace> trace)
{
    auto rows = buildRows(*trace);
    session.setTrace(std::move(trace), std::move(rows));
}

/// Selects a row that is of GPU `number` alone.
bool selectGpu(Session& session, std::int32_t number)
{
    for (RowId row{1}; raw(row) < session.rows().size(); row = RowId{raw(row) + 1}) {
        session.selection().selectRows({row});
        if (rowScopeOf(session).gpus == std::set{number})
            return true;
    }
    return false;
}

bool selectProcess(Session& session, std::uint32_t pid)
{
    for (RowId row{1}; raw(row) < session.rows().size(); row = RowId{raw(row) + 1}) {
        session.selection().selectRows({row});
        const RowScope scope = rowScopeOf(session);
        if (scope.processes.size() == 1 && pidOf(*scope.processes.begin()) == pid && scope.gpus.empty())
            return true;
    }
    return false;
}

bool says(const QWidget& panel)
{
    const auto notices = panel.findChildren<RangeNotice*>();
    const auto back = panel.findChildren<WayBack*>();
    const auto isThere = [](const QWidget* widget) { return !widget->isHidden(); };
    return std::ranges::any_of(notices, isThere) || std::ranges::any_of(back, isThere);
}

} // namespace

class ScopeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_scope");
        QSettings().clear();
    }

    void everyPanelSaysWhatItIsAbout_data()
    {
        QTest::addColumn<QString>("id");
        // About one event, the user's texts, or the file: the selection does not apply.
        const std::set<std::string_view> ofOther{"details", "marks", "report"};
        for (const PanelKind* const kind : allPanels()) {
            if (!ofOther.contains(kind->id))
                QTest::newRow(kind->id) << QString(kind->id);
        }
    }

    void everyPanelSaysWhatItIsAbout()
    {
        QFETCH(QString, id);
        Session session;
        openIn(session, twoGpus());
        const auto kind
            = std::ranges::find_if(allPanels(), [&](const PanelKind* each) { return id == each->id; });
        const std::unique_ptr<Panel> panel((*kind)->make(session, Theme::light(), nullptr));
        panel->resize(900, 400);
        panel->show();
        QVERIFY(!says(*panel));
        session.time().selectRange({10 * ms, 30 * ms});
        QVERIFY(says(*panel));
        session.time().selectRange({});
        QVERIFY(!says(*panel));
        QVERIFY(selectGpu(session, 1));
        QVERIFY(says(*panel));
        for (RangeNotice* const notice : panel->findChildren<RangeNotice*>())
            emit notice->linkActivated("all");
        for (WayBack* const back : panel->findChildren<WayBack*>())
            emit back->linkActivated("all");
        QVERIFY(session.selection().selectedRows().empty());
        QVERIFY(!says(*panel));
    }

    void theBudgetIsThatOfTheGpu()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, twoGpus());
        auto* const gpus = panel.gpuTime().choices().findChildren<QComboBox*>().front();
        QTRY_COMPARE(gpus->count(), 2);
        for (const std::int32_t number : {0, 1}) {
            QVERIFY(selectGpu(session, number));
            QTRY_VERIFY(gpus->count() == 1 && gpus->itemText(0).startsWith(QString("GPU %1").arg(number)));
            // Its time is in the table, not that of the other GPU.
            QVERIFY(panel.gpuTime().table().rowCount() > 0);
        }
        session.selection().selectRows({});
        QTRY_COMPARE(gpus->count(), 2);
    }

    void whatIfReplaysTheGpuAndTheRange()
    {
        Session session;
        WhatIfPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, twoGpus());
        auto* const gpus = panel.findChildren<QComboBox*>().front();
        QTRY_COMPARE(gpus->count(), 2);
        QVERIFY(selectGpu(session, 1));
        QTRY_COMPARE(gpus->count(), 1);
        QVERIFY(gpus->itemText(0).contains("GPU 1"));
        session.selection().selectRows({});
        QTRY_COMPARE(gpus->count(), 2);
        QTRY_VERIFY(panel.expected());
        const std::size_t all = panel.steps();
        session.time().selectRange({10 * ms, 40 * ms});
        QTRY_VERIFY(!panel.isBusy() && panel.steps() < all);
        session.time().selectRange({});
        QTRY_VERIFY(!panel.isBusy() && panel.steps() == all);
    }

    void theRooflineIsThatOfTheGpu()
    {
        Session session;
        RooflinePanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.setVisible(true);
        openIn(session, twoGpus());
        QTRY_VERIFY(panel.answer() && panel.answer()->listed.size() == 2);
        for (const std::int32_t number : {0, 1}) {
            QVERIFY(selectGpu(session, number));
            QTRY_VERIFY(panel.answer()->listed.size() == 1);
            const OperatorGpu& gpu = panel.answer()->rooflines->gpus()[panel.answer()->gpu];
            QCOMPARE(gpu.device, number);
            session.selection().selectRows({});
            QTRY_VERIFY(panel.answer()->listed.size() == 2);
        }
    }

    void tablesCountTheGpuAlone()
    {
        Session session;
        TablesPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, twoGpus());
        QTRY_VERIFY(!panel.isBusy());
        panel.choose("cuda_gpu_kern_sum");
        QTRY_COMPARE(panel.model().rowCount(), 2);
        QVERIFY(selectGpu(session, 1));
        QTRY_COMPARE(panel.model().rowCount(), 1);
        QVERIFY(tableText(*panel.model().cells(), panel.model().order(), "csv").contains("second_gemm"));
        QVERIFY(!tableText(*panel.model().cells(), panel.model().order(), "csv").contains("first_gemm"));
    }

    void theChecklistJudgesTheGpu()
    {
        Session session;
        ChecklistPanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        openIn(session, twoGpus());
        ChecklistJudge& judge = session.judgement().checklist();
        const auto isBusy
            = [&] { return judge.answers().empty() ? Answer::NotRecorded : judge.answers().front().answer; };
        QTRY_COMPARE(isBusy(), Answer::No); // the GPU that computes least
        const double least = judge.answers().front().percent;
        QVERIFY(selectGpu(session, 0));
        QTRY_VERIFY(judge.answers().front().percent > 3 * least);
        QVERIFY(selectGpu(session, 1));
        QTRY_COMPARE(judge.answers().front().percent, least);
    }

    void stepsAreThoseOfTheProcess()
    {
        Session session;
        StepsPanel panel(session, Theme::light());
        panel.resize(1000, 500);
        panel.showPart("host");
        panel.show();
        const auto trace = twoProcesses();
        QVERIFY(trace);
        openIn(session, trace);
        QTRY_COMPARE(panel.host().charts().size(), std::size_t{2});
        QVERIFY(panel.summaryLabel().text().contains("6 steps on 2 threads"));
        QVERIFY(selectProcess(session, 200));
        QTRY_COMPARE(panel.host().charts().size(), std::size_t{1});
        QVERIFY2(panel.summaryLabel().text().contains("3 steps \u00b7 median 2 \u00b5s"),
            qPrintable(panel.summaryLabel().text()));
        session.selection().selectRows({});
        QTRY_COMPARE(panel.host().charts().size(), std::size_t{2});
    }

    void theSummaryFollowsTheRange()
    {
        Session session;
        OverviewPanel panel(session, Theme::light());
        panel.resize(400, 600);
        panel.show();
        openIn(session, twoGpus());
        QTRY_VERIFY(!panel.isBusy() && !panel.bar().isHidden());
        const QString ofAll = panel.headline().text();
        session.time().selectRange({8 * ms + 100 * us, 9 * ms + 900 * us}); // neither GPU works
        QTRY_VERIFY(!panel.isBusy() && panel.headline().text() != ofAll);
        session.time().selectRange({});
        QTRY_VERIFY(!panel.isBusy() && panel.headline().text() == ofAll);
    }

    /// Data that rules, summary and checklist share is computed once per analyzed range.
    void panelsShareOneAnalysis()
    {
        Session session;
        const Judgement& judgement = session.judgement();
        std::vector<std::unique_ptr<Panel>> panels;
        for (const PanelKind* const kind : allPanels()) {
            if (std::ranges::count(
                    std::array{"findings", "overview", "checklist"}, std::string_view(kind->id))
                > 0)
                panels.emplace_back(kind->make(session, Theme::light(), nullptr))->show();
        }
        QCOMPARE(panels.size(), std::size_t{3});
        const auto allAnswered
            = [&] { return std::ranges::none_of(panels, [](const auto& panel) { return panel->isBusy(); }); };
        openIn(session, twoGpus());
        {
            const auto held = session.judgement().analysisOf(session.sharedTrace(), session.trace().session);
            QTRY_VERIFY(allAnswered());
            QCOMPARE(judgement.analysesMade(), std::size_t{1});
            const TimeRange range{10 * ms, 40 * ms};
            const auto ofRange = session.judgement().analysisOf(session.sharedTrace(), range);
            session.time().selectRange(range);
            QVERIFY(!allAnswered());
            QTRY_VERIFY(allAnswered());
            QCOMPARE(judgement.analysesMade(), std::size_t{2});
        }
        // It is not cached: the last job releases it on its thread.
        QTRY_VERIFY(session.judgement().analysisOf(session.sharedTrace(), session.trace().session)
            && judgement.analysesMade() > 2);
    }
};

WARPLINE_TEST(ScopeTest)

} // namespace tst_scope

#include "tst_scope.moc"
