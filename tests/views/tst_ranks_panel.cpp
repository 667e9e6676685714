// The Ranks panel: the analysis across reports of one run, as a map, as tables, and in the timeline.

#include "core/base/format.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/rank_map_panel.h"
#include "views/panels/ranks_panel.h"
#include "views/session/findings_judge.h"
#include "views/session/report_scope.h"
#include "views/style/empty_note.h"
#include "views/timeline/timeline_pane.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tst_ranks_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

OpenReport reportOf(const std::string& label, const std::shared_ptr<const Trace>& trace)
{
    OpenReport report;
    report.label = label;
    report.trace = trace;
    report.rows = buildRows(*trace);
    return report;
}

/// `ranks` ranks in `steps` steps; rank r is to blame for 10 ms in step r, 1 ms elsewhere.
AcrossReport drawnMap(std::size_t ranks, std::size_t steps)
{
    AcrossReport across;
    across.judged = true;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        AcrossRank made;
        made.rank = static_cast<std::int64_t>(rank);
        made.label = "rank " + std::to_string(rank);
        across.ranks.push_back(made);
        for (std::size_t step = 0; step < steps; ++step) {
            StepCell cell;
            cell.known = true;
            cell.time = {static_cast<Ns>(step) * 100 * ms, static_cast<Ns>(step + 1) * 100 * ms};
            cell.blame = step == rank ? 10 * ms : ms;
            cell.busy = 50 * ms;
            across.cells.push_back(cell);
        }
    }
    for (std::size_t step = 0; step < steps; ++step)
        across.steps.push_back({"step_" + std::to_string(step), step == 0, noIndex});
    return across;
}

std::vector<std::string> pathsOf(std::initializer_list<const char*> names)
{
    std::vector<std::string> paths;
    for (const char* const name : names)
        paths.push_back(sharedReport(name));
    return paths;
}

} // namespace

class RanksPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void mapShowsRanksAndSteps();
    void mapJoinsStepsWithoutRoom();
    void mapIsWalkedWithKeys();
    void aCellIsMarkedWithoutGoingThere();
    void withoutRanksItSaysWhatToDo();
    void lateRankIsNamed();
    void aClickGoesToTheStepOfTheRank();
    void collectivesAreMarkedOnAllRanks();
    void anExchangeShowsWhoCameWhen();
    void aClickShowsTheRowsOfTheRank();
    void aClickShowsTheLaneOfTheCause();
    void theChecklistKnowsTheOtherRanks();
    void oneCauseIsOneLine();
    void anEarlyRankSavesWhatTheLateOneDoes();
    void ranksOfOneReportAreJudgedUnasked();
    void theOverviewKnowsThemUnasked();
    void waitsAreHatched();
    void theSelectedOneSaysHowToSelect();
    void exchangesComeIntoSight();
    void communicatorsHaveRows();
    void aClickShowsTheCauseOnTheHost();
    void clocksAreAlignedWithTheirError();
    void oneReportMayHoldSeveralRanks();
    void aFailureGoesWhenTheNextAnalysisBegins();
    void nonsenseIsSaidNotJudged();
    void oneStepFarOutHidesNotTheOthers();
    void theMapLeavesRoomForTheTables();
    void theMapFollowsTheTextSize();
    void figuresStayBesideTheirRank();

private:
    /// Opens `paths` together and waits for the judgement; false where one is not there.
    bool open(const std::vector<std::string>& paths)
    {
        std::vector<OpenReport> reports;
        for (const std::string& path : paths) {
            if (path.empty())
                return false;
            auto trace = loadReport(path);
            if (!trace.ok())
                return false;
            reports.push_back(reportOf(std::filesystem::path(path).filename().string(), trace.value()));
        }
        m_session->setWorkspace(Workspace(std::move(reports)));
        m_session->judgement().ranks().want();
        return QTest::qWaitFor([this] { return m_session->judgement().ranks().across() != nullptr; }, 60'000);
    }
    std::vector<std::string> straggler() const
    {
        return pathsOf({"ddp_straggler_rank0", "ddp_straggler_rank1"});
    }
    const AcrossReport& across() const { return *m_session->judgement().ranks().across(); }

    std::unique_ptr<Session> m_session;
    RankMapPanel& map() { return *m_panel->map(); }

    std::unique_ptr<RanksPanel> m_panel;
};

#define OPEN_OR_SKIP(paths) \
    if (!open(paths))       \
    QSKIP("needs ../shared/reports, which is not there")

void RanksPanelTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_ranks_panel");
}

void RanksPanelTest::init()
{
    QSettings().clear();
    m_panel.reset();
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<RanksPanel>(*m_session, Theme::light());
    m_panel->resize(1200, 320);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void RanksPanelTest::mapShowsRanksAndSteps()
{
    const AcrossReport drawn = drawnMap(4, 6);
    RankHeatMap map(Theme::light());
    map.resize(700, 200);
    map.setAcross(&drawn);
    map.show();
    QVERIFY(QTest::qWaitForWindowExposed(&map));
    const QImage image = map.grab().toImage();
    const auto lightness = [&](std::size_t rank, std::size_t step) {
        const QPoint middle = map.areaOf({rank, step}).center() + QPoint(3, 1);
        return image.pixelColor(middle).green();
    };
    // The blamed rank is darker than the others of the step; warm-up is hatched, and does not set the scale.
    for (std::size_t rank = 1; rank < 4; ++rank) {
        for (std::size_t other = 1; other < 4; ++other)
            QVERIFY(other == rank || lightness(rank, rank) < lightness(other, rank));
    }
    // The hatch is seen on the fullest colour and on the emptiest, in both themes.
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        for (const Ns blame : {Ns{0}, 10 * ms}) {
            AcrossReport warm = drawn;
            warm.cells.front().blame = blame;
            RankHeatMap hatched(*theme);
            hatched.resize(700, 200);
            hatched.setAcross(&warm);
            hatched.show();
            QVERIFY(QTest::qWaitForWindowExposed(&hatched));
            const QImage picture = hatched.grab().toImage();
            const QRect cell = hatched.areaOf({0, 0}).adjusted(2, 2, -2, -2);
            int brightest = 0;
            int darkest = 255;
            for (int x = cell.left(); x <= cell.right(); ++x) {
                brightest = std::max(brightest, qGray(picture.pixel(x, cell.center().y())));
                darkest = std::min(darkest, qGray(picture.pixel(x, cell.center().y())));
            }
            QVERIFY2(brightest - darkest >= 60,
                qPrintable(QString("%1 to %2 in %3 x %4")
                               .arg(darkest)
                               .arg(brightest)
                               .arg(cell.width())
                               .arg(cell.height())));
        }
    }
    QSignalSpy chosen(&map, &RankHeatMap::chosen);
    const QPoint where = map.areaOf({2, 3}).center();
    QTest::mouseMove(&map, where);
    QVERIFY2(map.tipAt(where).startsWith("rank 2 \u00b7 step_3 \u00b7 blame 1.000 ms"),
        qPrintable(map.tipAt(where)));
    QTest::mouseClick(&map, Qt::LeftButton, {}, where);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.first()[0].toULongLong(), 2ULL);
    QCOMPARE(chosen.first()[1].toULongLong(), 3ULL);
    QTest::mouseClick(&map, Qt::LeftButton, {}, {2, 2}); // outside of the cells
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(map.tipAt({2, 2}), map.legendText());
    map.setMeasure(HeatMeasure::StepTime);
    QCOMPARE(map.valueOf({0, 0}), 100.0 * ms);
    QCOMPARE(map.legendText(), QString("0 to 100.0 ms"));
    AcrossReport slowBegin = drawn;
    slowBegin.cells.front().time.start -= 100 * ms;
    map.setAcross(&slowBegin);
    map.setMeasure(HeatMeasure::StepTime);
    QCOMPARE(map.legendText(), QString("0 to 100.0 ms; in warm-up, hatched, up to 200.0 ms"));
    // Without enough room it is shortened, and never cut off.
    QCOMPARE(map.legendText(10'000), map.legendText());
    for (const int room : {60, 120, 200, 300})
        QVERIFY(map.fontMetrics().horizontalAdvance(map.legendText(room)) <= room);
    QCOMPARE(map.legendText(map.fontMetrics().horizontalAdvance("0 to 100.0 ms; warm-up hatched")),
        QString("0 to 100.0 ms; warm-up hatched"));
    map.setAcross(&drawn);
    map.setMeasure(HeatMeasure::Busy);
    QCOMPARE(map.legendText(), QString("0 to 100%"));
    QCOMPARE(map.valueOf({0, 0}), 0.5);
    map.setAcross(nullptr);
    QVERIFY(!map.cellAt(where));
    QVERIFY(!map.grab().isNull());
}

void RanksPanelTest::mapJoinsStepsWithoutRoom()
{
    const AcrossReport drawn = drawnMap(300, 5'000);
    RankHeatMap map(Theme::dark());
    map.resize(500, 150);
    map.setAcross(&drawn);
    map.show();
    QVERIFY(!map.grab().isNull());
    // The worst step is never lost: each is in its cell.
    for (const std::size_t rank : {7U, 150U, 299U}) {
        const QRect area = map.areaOf({rank, rank});
        QVERIFY(area.width() > 0);
        const auto cell = map.cellAt({area.center().x(), area.top()});
        QVERIFY(cell);
        QVERIFY(map.valueOf(*cell) >= static_cast<double>(ms));
    }
    const auto worst = map.cellAt(map.areaOf({150, 150}).topLeft());
    QVERIFY(worst);
}

void RanksPanelTest::mapIsWalkedWithKeys()
{
    const AcrossReport drawn = drawnMap(2, 3);
    RankHeatMap map(Theme::light());
    map.resize(400, 120);
    map.setAcross(&drawn);
    map.show();
    QSignalSpy chosen(&map, &RankHeatMap::chosen);
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Down);
    QTest::keyClick(&map, Qt::Key_Down); // there are no more
    QCOMPARE(*map.current(), (RankHeatMap::Cell{1, 1}));
    QTest::keyClick(&map, Qt::Key_Left);
    QTest::keyClick(&map, Qt::Key_Up);
    QCOMPARE(*map.current(), (RankHeatMap::Cell{0, 0}));
    QCOMPARE(chosen.count(), 5);
    map.setAcross(nullptr);
    QTest::keyClick(&map, Qt::Key_Right);
    QCOMPARE(chosen.count(), 5);
}

void RanksPanelTest::aCellIsMarkedWithoutGoingThere()
{
    const AcrossReport across = drawnMap(2, 3);
    RankHeatMap map(Theme::light());
    const QSignalSpy chosen(&map, &RankHeatMap::chosen);
    map.setAcross(&across);
    const RankHeatMap::Cell cell{1, 2};
    map.setCurrent(cell);
    QVERIFY(map.current() == cell);
    map.setCurrent(RankHeatMap::Cell{2, 0}); // there is no such rank
    QVERIFY(!map.current());
    QCOMPARE(chosen.count(), 0);
}

void RanksPanelTest::withoutRanksItSaysWhatToDo()
{
    DrawnProgram program;
    program.kernel("gemm", 5 * us, {10 * us, 40 * us});
    const auto trace = program.finish();
    m_session->setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(m_session->judgement().ranks().across());
    QVERIFY(!across().judged);
    QVERIFY(!map().verdict().text().isEmpty());
    QCOMPARE(m_panel->rankTable().model()->rowCount(), 0);
    QVERIFY(!m_panel->rankTable().isVisible() && !map().map().isVisible()); // an empty table is hidden
    m_session->setWorkspace({});
    QVERIFY(map().verdict().text().isEmpty());
}

void RanksPanelTest::lateRankIsNamed()
{
    OPEN_OR_SKIP(straggler());
    const QString verdict = map().verdict().text();
    QVERIFY2(verdict.contains("data_load"), qPrintable(verdict));
    // The headline has the rank and the number; the text does not repeat it.
    QVERIFY(map().headline().isVisible());
    QCOMPARE(map().headline().text(), QString("Rank 1 is late in 6 of 6 steps"));
    QVERIFY(!verdict.contains("is late"));
    QVERIFY2(verdict.contains("131 ms over the 6 steps"), qPrintable(verdict));
    QCOMPARE(across().verdict.pattern, LatePattern::Persistent);
    QCOMPARE(m_panel->rankTable().model()->rowCount(), 2);
    QVERIFY(m_panel->kindTable().model()->rowCount() > 0);
    QVERIFY(m_panel->findingTable().model()->rowCount() > 0);
    // The first finding is explained at once.
    QVERIFY(m_panel->findChild<QTextBrowser*>()->toPlainText().contains("What to do"));
}

void RanksPanelTest::aClickGoesToTheStepOfTheRank()
{
    OPEN_OR_SKIP(straggler());
    const std::size_t step = across().steps.size() / 2;
    const StepCell& cell = across().cell(1, step);
    QVERIFY(cell.known);
    QTest::mouseClick(&map().map(), Qt::LeftButton, {}, map().map().areaOf({1, step}).center());
    const OpenReport& report = m_session->workspace().report(ReportId{1});
    const TimeRange shared = report.clock.toWorkspace(cell.time);
    QVERIFY(m_session->time().shown().start <= shared.start && shared.end <= m_session->time().shown().end);
    const TimeRange host = report.clock.toWorkspace(cell.host);
    QVERIFY(m_session->time().shown().start <= host.start && host.end <= m_session->time().shown().end);
    QVERIFY(m_session->time().shown().duration() < 2 * shared.unitedWith(host).duration());
    QCOMPARE(m_session->report().id, ReportId{1}); // panels are about that rank now
}

void RanksPanelTest::collectivesAreMarkedOnAllRanks()
{
    OPEN_OR_SKIP(straggler());
    m_panel->tabs().setCurrentWidget(&m_panel->kindTable());
    const QRect line = m_panel->kindTable().visualRect(m_panel->kindTable().model()->index(0, 0));
    QTest::mouseClick(m_panel->kindTable().viewport(), Qt::LeftButton, {}, line.center());
    const std::size_t count = across().kinds.front().count;
    QVERIFY(count > 0);
    QCOMPARE(m_session->selection().highlighted(ReportId{0}).size(), count);
    QCOMPARE(m_session->selection().highlighted(ReportId{1}).size(), count);
}

void RanksPanelTest::anExchangeShowsWhoCameWhen()
{
    OPEN_OR_SKIP(straggler());
    const auto longest = std::ranges::max_element(across().exchanges, {}, &MatchedExchange::wait);
    const ExchangeMember& waiting = longest->members.front();
    m_session->selection().setCurrentEvent(waiting.event);
    QAbstractItemModel* const lines = m_panel->exchangeTable().model();
    QCOMPARE(lines->rowCount(), static_cast<int>(longest->members.size()));
    QCOMPARE(lines->index(0, 0).data().toString(), QString("rank 0"));
    QCOMPARE(lines->index(1, 0).data().toString(), QString("rank 1"));
    QCOMPARE(lines->index(1, 6).data().toString(), QString("came last"));
    QCOMPARE(m_session->judgement().ranks().exchangeOf(waiting.event), &*longest);
    // The details agree, with a link.
    DetailsPanel details(*m_session, Theme::light());
    details.show();
    m_session->selection().setCurrentEvent({});
    m_session->selection().setCurrentEvent(waiting.event);
    auto* const text = details.findChild<QTextBrowser*>();
    QTRY_VERIFY(text->toPlainText().contains("Ranks in order of arrival"));
    const EventId other = longest->members.back().event;
    emit text->anchorClicked(QUrl(QString("there:%1:%2:%3")
                                      .arg(raw(other.report))
                                      .arg(indexOf(other.event.kind))
                                      .arg(other.event.index)));
    QCOMPARE(m_session->selection().currentEvent(), other);
    emit text->anchorClicked(QUrl("there:99:1:1")); // to nowhere
    emit text->anchorClicked(QUrl("there:0:1:4000000000"));
    QCOMPARE(m_session->selection().currentEvent(), other);
    // A double-click in the table goes there, too.
    m_panel->tabs().setCurrentWidget(&m_panel->exchangeTable());
    const QRect line = m_panel->exchangeTable().visualRect(lines->index(0, 0));
    QTest::mouseClick(m_panel->exchangeTable().viewport(), Qt::LeftButton, {}, line.center());
    QTest::mouseDClick(m_panel->exchangeTable().viewport(), Qt::LeftButton, {}, line.center());
    QCOMPARE(m_session->selection().currentEvent(), waiting.event);
}

/// The late rank's activity is visible, not only its heading.
void RanksPanelTest::aClickShowsTheRowsOfTheRank()
{
    OPEN_OR_SKIP(straggler());
    TimelinePane pane(*m_session, Theme::light());
    pane.resize(1200, 500);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    QTest::mouseClick(&map().map(), Qt::LeftButton, {}, map().map().areaOf({1, 2}).center());
    QTest::qWait(50);
    const PlacedRow* const row = pane.view().visibleRowOf({ReportId{1}, {EventKind::Kernel, 0}});
    QVERIFY(row);
    const int y = row->y - pane.view().offset();
    QVERIFY2(y >= 0 && y + row->height <= pane.view().viewport()->height(), qPrintable(QString::number(y)));
}

/// Below the step it is in its own lane, which the click is about.
void RanksPanelTest::aClickShowsTheLaneOfTheCause()
{
    TimelinePane pane(*m_session, Theme::light());
    pane.resize(1200, 330);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    std::vector<std::string> paths;
    for (int rank = 0; rank < 8; ++rank)
        paths.push_back(sharedReport("h200-more/halo8/rank" + std::to_string(rank)));
    OPEN_OR_SKIP(paths);
    QTest::qWait(100); // the first view follows the clocks
    QTest::mouseClick(&map().map(), Qt::LeftButton, {}, map().map().areaOf({3, 11}).center());
    const EventId cause = m_session->selection().currentEvent();
    QCOMPARE(m_session->workspace().trace(cause.report).name(cause.event), std::string_view("assemble"));
    QTest::qWait(600); // rows and times glide
    const PlacedRow* const row = pane.view().visibleRowOf(cause);
    QVERIFY(row);
    const int depth
        = static_cast<int>(m_session->trace(cause.report).table(EventKind::Nvtx).depthOf(cause.event.index));
    const int bottom = row->y + (depth + 1) * RowLayout::laneHeight - pane.view().offset();
    QVERIFY2(bottom <= pane.view().viewport()->height(), qPrintable(QString::number(bottom)));
    QVERIFY(bottom - RowLayout::laneHeight >= 0);
    // The legend takes a line.
    pane.resize(1200, 315);
    QTest::qWait(600);
    QVERIFY(row->y + (depth + 1) * RowLayout::laneHeight - pane.view().offset()
        <= pane.view().viewport()->height());
}

/// Both tabs agree about the waiting.
void RanksPanelTest::theChecklistKnowsTheOtherRanks()
{
    ChecklistPanel checklist(*m_session, Theme::light());
    checklist.show();
    OPEN_OR_SKIP(straggler());
    m_session->chooseReport(ReportId{0});
    auto* const text = checklist.findChild<QTextBrowser*>();
    QTRY_VERIFY_WITH_TIMEOUT(text->toPlainText().contains("146 ms of it waiting for other GPUs"), 30'000);
    QVERIFY2(text->toPlainText().contains("of which 146 ms is waiting for other GPUs"),
        qPrintable(text->toPlainText()));
    QVERIFY(!text->toPlainText().contains("at least about"));
}

/// The late rank's activity, and the other one's wait for it, are below the common line; each is still of its
/// own report.
void RanksPanelTest::oneCauseIsOneLine()
{
    FindingsPanel findings(*m_session, Theme::light());
    findings.resize(1100, 500);
    findings.show();
    OPEN_OR_SKIP(straggler());
    m_session->scope().showAll();
    const auto hasLate = [&] {
        return !findings.isBusy() && !findings.findings().empty()
            && findings.findings().front().rule == "late_rank";
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasLate(), 30'000);
    const Finding& first = findings.findings().front();
    QCOMPARE(plain(first.title), std::string("Rank 0 waits for rank 1: data_load"));
    QCOMPARE(first.merged.size(), 2U);
    for (std::size_t i = 1; i < findings.findings().size(); ++i) {
        const std::string title = plain(findings.findings()[i].title);
        QVERIFY2(title.find("data_load") == std::string::npos
                && title.find("for other ranks") == std::string::npos,
            title.c_str());
    }
    QTreeWidgetItem* const line = findings.list().topLevelItem(0);
    QCOMPARE(line->childCount(), 2);
    for (int i = 0; i < 2; ++i) {
        QTreeWidgetItem* const child = line->child(i);
        const bool isWait = child->text(0).contains("inside collectives");
        QVERIFY(isWait || child->text(0).contains("data_load"));
        QCOMPARE(
            child->text(2), QString(isWait ? "ddp_straggler_rank0.sqlite" : "ddp_straggler_rank1.sqlite"));
        line->setExpanded(true);
        findings.list().scrollToItem(child);
        QTest::mouseClick(
            findings.list().viewport(), Qt::LeftButton, {}, findings.list().visualItemRect(child).center());
        QCOMPARE(findings.list().currentItem(), child);
        const Finding& chosen = first.merged[static_cast<std::size_t>(i)];
        QVERIFY(!chosen.evidence.empty());
        const EventId current = m_session->selection().currentEvent();
        QVERIFY(!current.valid() || current.report == ReportId{static_cast<std::uint16_t>(isWait ? 0 : 1)});
    }
    // For one of the reports alone it leads as before.
    m_session->chooseReport(ReportId{1});
    const std::vector<LeadingFinding> leading = m_session->judgement().findings().leading();
    QVERIFY(std::ranges::any_of(leading,
        [](const LeadingFinding& each) { return each.title.find("data_load") != std::string::npos; }));
}

/// Faster kernels of a rank that waits anyway lengthen its wait, and nothing else.
void RanksPanelTest::anEarlyRankSavesWhatTheLateOneDoes()
{
    FindingsPanel findings(*m_session, Theme::light());
    findings.show();
    OPEN_OR_SKIP(straggler());
    const auto savingOf = [&](ReportId report, std::string_view rule, std::string& message) {
        m_session->chooseReport(report);
        m_session->judgement().findings().evaluate();
        if (!QTest::qWaitFor([&] { return !findings.isBusy() && !findings.findings().empty(); }, 30'000))
            return Ns{-1};
        Ns saving = 0;
        for (const Finding& finding : findings.findings()) {
            saving += finding.rule == rule ? finding.saving : 0;
            message += finding.rule == rule ? plain(finding.message) : std::string();
        }
        return saving;
    };
    m_session->scope().showOne();
    std::string ofEarly;
    std::string ofLate;
    const Ns early = savingOf(ReportId{0}, "no_tensor_cores", ofEarly);
    const Ns late = savingOf(ReportId{1}, "no_tensor_cores", ofLate);
    QVERIFY(early > 0 && late > 0);
    QCOMPARE(early, late);
    QVERIFY2(ofEarly.find("Rank 0 is early, however: it waits 146 ms for rank 1") != std::string::npos,
        ofEarly.c_str());
    QVERIFY(ofLate.find("is early") == std::string::npos);
}

/// One report of several MPI ranks is compared across its ranks even if the Ranks panel is closed.
void RanksPanelTest::ranksOfOneReportAreJudgedUnasked()
{
    const std::string path = sharedReport("h200-more/halo_one");
    if (path.empty())
        QSKIP("needs ../shared/reports, which is not there");
    FindingsPanel findings(*m_session, Theme::light());
    findings.show();
    auto trace = loadReport(path);
    QVERIFY(trace.ok());
    m_session->setWorkspace(Workspace({reportOf("halo_one", trace.value())}));
    QTRY_VERIFY_WITH_TIMEOUT(m_session->judgement().ranks().across() != nullptr, 30'000);
    QVERIFY(across().judged);
    const auto hasLate = [&] {
        return !findings.isBusy() && !findings.findings().empty()
            && findings.findings().front().rule == "late_rank";
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasLate(), 30'000);
    const Finding& first = findings.findings().front();
    QCOMPARE(plain(first.title), std::string("The other ranks wait for rank 2: assemble"));
    // Rank 2's activity for 95.05 ms, and the others' wait in MPI, are the same.
    QCOMPARE(first.merged.size(), 2U);
    for (const Finding& merged : first.merged)
        QVERIFY2(plain(merged.title).find("assemble") != std::string::npos, plain(merged.title).c_str());
    QVERIFY2(plain(first.merged.front().message).find("it would save up to 70.8 ms") != std::string::npos,
        plain(first.merged.front().message).c_str());
    // A sum of the report's own findings would be less than the first of them.
    QVERIFY(findings.list().topLevelItemCount() > 5);
    QVERIFY(findings.list().findItems("Combined, without overlap", Qt::MatchExactly).isEmpty());
}

void RanksPanelTest::theOverviewKnowsThemUnasked()
{
    const std::string path = sharedReport("h200-more/halo_one");
    if (path.empty())
        QSKIP("needs ../shared/reports, which is not there");
    FindingsPanel behindAnotherTab(*m_session, Theme::light());
    auto trace = loadReport(path);
    QVERIFY(trace.ok());
    m_session->setWorkspace(Workspace({reportOf("halo_one", trace.value())}));
    const auto first = [&] {
        const std::vector<LeadingFinding>& leading = m_session->judgement().findings().leading();
        return leading.empty() ? LeadingFinding() : leading.front();
    };
    QTRY_COMPARE_WITH_TIMEOUT(first().rule, std::string("late_rank"), 30'000);
    QCOMPARE(formatDuration(first().saving), std::string("70.82 ms"));
    QCOMPARE(formatShare(first().share), std::string("56.5%"));
}

void RanksPanelTest::aClickShowsTheCauseOnTheHost()
{
    OPEN_OR_SKIP(straggler());
    map().goToStep(1, 2);
    const EventId cause = m_session->selection().currentEvent();
    QCOMPARE(cause.report, ReportId{1});
    QCOMPARE(m_session->workspace().trace(cause.report).name(cause.event), std::string_view("data_load"));
    const TimeRange range = m_session->workspace().range(cause);
    QVERIFY(range.duration() > 20 * ms);
    QVERIFY(m_session->time().shown().start <= range.start && range.end <= m_session->time().shown().end);
    map().goToStep(0, 2); // of a rank that is not late nothing is chosen
    QVERIFY(!m_session->selection().currentEvent().valid());
}

/// A table that needs a selection names it.
void RanksPanelTest::theSelectedOneSaysHowToSelect()
{
    OPEN_OR_SKIP(straggler());
    const auto notes = m_panel->findChildren<EmptyNote*>();
    QVERIFY(std::ranges::any_of(
        notes, [](const EmptyNote* note) { return note->text().startsWith("Select a collective"); }));
}

/// Exchanges of ranks are known later than rows: they appear above them, and are visible.
void RanksPanelTest::exchangesComeIntoSight()
{
    TimelinePane pane(*m_session, Theme::light());
    pane.resize(1200, 500);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    OPEN_OR_SKIP(straggler());
    QTRY_COMPARE(plain(m_session->rows().row(m_session->rows().children(RowTree::root).front()).label),
        std::string("Communication"));
    QTRY_COMPARE(pane.view().offset(), 0);
}

void RanksPanelTest::communicatorsHaveRows()
{
    OPEN_OR_SKIP(straggler());
    const RowTree& rows = m_session->rows();
    const RowId top = rows.children(RowTree::root).front();
    QCOMPARE(plain(rows.row(top).label), std::string("Communication"));
    const RowId communicator = rows.children(top).front();
    QCOMPARE(plain(rows.row(communicator).figure), std::string("72"));
    const RowId lane = rows.children(communicator)[0];
    QCOMPARE(plain(rows.row(lane).label), std::string("rank 0"));
    QCOMPARE(plain(rows.row(lane).figure), std::string("waits 340.5 ms"));
    QCOMPARE(m_session->workspace().exchangeLane(lane)->wait(), across().ranks[0].wait);
    QCOMPARE(m_session->workspace().exchangeLane(lane)->transfer(), across().ranks[0].transfer);
    // A click on a part of it selects the kernel, on the other rank it is outlined.
    TimelinePane pane(*m_session, Theme::light());
    pane.resize(1200, 900);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    const auto longest = std::ranges::max_element(across().exchanges, {}, &MatchedExchange::wait);
    const EventId waiting = longest->members.front().event;
    m_session->time().show(m_session->workspace().range(waiting));
    TimelineView& view = pane.view();
    RowLayout layout;
    layout.rebuild(*m_session);
    const int y = layout.screenY(*layout.find(lane), view.offset()) + 9;
    const QImage image = view.viewport()->grab().toImage();
    // Hatched where it waits: two colours along a line; one where it transfers.
    const auto colorsFrom = [&](double share, int pixels) {
        std::set<QRgb> colors;
        for (int x = 0; x < pixels; ++x)
            colors.insert(image.pixel(static_cast<int>(image.width() * share) + x, y));
        return colors.size();
    };
    QCOMPARE(colorsFrom(0.3, 20), 2U);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(view.viewport()->width() / 2, y));
    QCOMPARE(m_session->selection().currentEvent(), waiting);
    m_session->selection().selectRows({lane});
    QCOMPARE(m_session->report().id, ReportId{0});
    QVERIFY(m_session->selection().ownSelectedRows().empty()); // it is no row of the report's own
    // They are removed when there is no analysis across ranks any more.
    m_session->setWorkspace({});
    QCOMPARE(m_session->rows().size(), 1U);
}

void RanksPanelTest::waitsAreHatched()
{
    OPEN_OR_SKIP(straggler());
    TimelinePane pane(*m_session, Theme::light());
    pane.resize(1200, 900);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    const auto longest = std::ranges::max_element(across().exchanges, {}, &MatchedExchange::wait);
    const ExchangeMember& waiting = longest->members.front();
    QVERIFY(waiting.wait > waiting.range.duration() / 2);
    const TimeRange range = m_session->workspace().range(waiting.event);
    // A hatched area changes its colour repeatedly; a plain one without text does not.
    const auto isHatched = [&] {
        QTest::qWait(50);
        const PlacedRow* const row = pane.view().visibleRowOf(waiting.event);
        if (!row)
            return false;
        const QImage image = pane.view().viewport()->grab().toImage();
        const int left = static_cast<int>(pane.view().axis().xAt(range.start)) + 3;
        const int right = static_cast<int>(pane.view().axis().xAt(range.start + waiting.wait)) - 3;
        const int y = row->y + row->height / 2 - pane.view().offset() + 5;
        int changes = 0;
        for (int x = std::max(1, left + 1); x < right; ++x)
            changes += image.pixel(x, y) != image.pixel(x - 1, y) ? 1 : 0;
        return right - left > 50 && changes > (right - left) / 10;
    };
    // In the row of a stream that is not opened, too.
    m_session->time().show({range.start - range.duration() / 4, range.end + range.duration() / 4});
    QVERIFY(isHatched());
    m_session->selection().goTo(waiting.event);
    m_session->selection().setCurrentEvent({});
    QVERIFY(isHatched());
    const QImage image = pane.view().viewport()->grab().toImage();
    // The partner on the other rank is marked with it.
    m_session->selection().setCurrentEvent(waiting.event);
    QTest::qWait(20);
    QVERIFY(pane.view().viewport()->grab().toImage() != image);
}

void RanksPanelTest::clocksAreAlignedWithTheirError()
{
    OPEN_OR_SKIP(straggler());
    const ClockOffset& clock = m_session->workspace().report(ReportId{1}).clock;
    QVERIFY(clock.method != ClockMethod::Own);
    QVERIFY2(std::abs(std::abs(clock.offset) - 18'663'300) <= 2'000 + clock.uncertainty,
        qPrintable(QString::number(clock.offset)));
    // Set by hand it stays.
    m_session->setClocks(m_session->workspace().withClock(ReportId{1}, {5 * ms, 0, ClockMethod::Manual, {}}));
    QCOMPARE(m_session->workspace().report(ReportId{1}).clock.offset, 5 * ms);
}

void RanksPanelTest::oneReportMayHoldSeveralRanks()
{
    OPEN_OR_SKIP(pathsOf({"ddp_2gpu"}));
    QTRY_VERIFY(across().judged);
    QCOMPARE(m_panel->rankTable().model()->rowCount(), 2);
    QCOMPARE(across().ranks[0].report, across().ranks[1].report);
    map().goToStep(1, across().steps.size() / 2);
    QVERIFY(m_session->time().shown().duration() < m_session->session().duration());
}

void RanksPanelTest::aFailureGoesWhenTheNextAnalysisBegins()
{
    const auto worksAgain = qScopeGuard([] { JobQueue::failsInTests = false; });
    const auto drawn = [](const char* label) {
        DrawnProgram program;
        program.kernel("work", 0, {10'000, 20'000});
        return reportOf(label, program.finish());
    };
    std::vector<OpenReport> reports{drawn("a"), drawn("b")};
    const RankJudge& ranks = m_session->judgement().ranks();
    JobQueue::failsInTests = true;
    m_session->setWorkspace(Workspace(reports));
    QTRY_VERIFY(!ranks.isBusy() && !ranks.failure().isEmpty());
    const QString reason = ranks.failure();
    const auto isShown = [&] {
        return std::ranges::any_of(
            map().findChildren<QLabel*>(), [&](const QLabel* label) { return label->text() == reason; });
    };
    QVERIFY(isShown());
    JobQueue::failsInTests = false;
    reports.push_back(drawn("c"));
    m_session->setWorkspace(Workspace(reports));
    QVERIFY(ranks.isBusy() && !isShown());
    QTRY_VERIFY(ranks.across());
    QVERIFY(ranks.failure().isEmpty() && !isShown());
}

void RanksPanelTest::nonsenseIsSaidNotJudged()
{
    // A report twice, reports of different runs, reports without communication.
    for (const auto& paths : {pathsOf({"ddp_straggler_rank0", "ddp_straggler_rank0"}),
             pathsOf({"ddp_straggler_rank0", "ddp_overlap_rank1"}), pathsOf({"bert_amp", "launch_eager"})}) {
        OPEN_OR_SKIP(paths);
        QTRY_VERIFY(!m_session->judgement().ranks().isBusy());
        QVERIFY2(!across().judged, paths.front().c_str());
        QVERIFY(!across().notes.empty());
        QVERIFY(!map().verdict().text().isEmpty());
        QVERIFY(!m_panel->grab().isNull());
        m_session->setWorkspace({});
    }
}

void RanksPanelTest::oneStepFarOutHidesNotTheOthers()
{
    // Rank 3 is to blame for 24 ms in each of 39 steps, except for one that rank 0 holds up five times as
    // long.
    AcrossReport across = drawnMap(4, 40);
    for (std::size_t step = 1; step < 40; ++step) {
        for (std::size_t rank = 0; rank < 4; ++rank)
            across.cells[rank * 40 + step].blame = rank == 3 ? 24 * ms : 0;
    }
    across.cells[20].blame = 120 * ms;
    RankHeatMap map(Theme::dark());
    map.setAcross(&across);
    const QColor none = map.colorOf({1, 5});
    const QColor late = map.colorOf({3, 5});
    const QColor outlier = map.colorOf({0, 20});
    const auto distance = [](const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    };
    QVERIFY(distance(late, none) * 2 > distance(outlier, none)); // 24 of 36 ms, not of 120
    QVERIFY(distance(outlier, none) > distance(late, none));
    QCOMPARE(outlier, Theme::dark().bad);
    across.cells[20].blame = 0; // without it the scale ends at the most
    map.setAcross(&across);
    QCOMPARE(map.colorOf({3, 5}), Theme::dark().bad);
}

/// Beside long words in large text each of eight ranks has a line; the rest scrolls.
void RanksPanelTest::theMapFollowsTheTextSize()
{
    OPEN_OR_SKIP(straggler());
    const AcrossReport drawn = drawnMap(8, 6);
    for (const int points : {14, 18}) {
        const TextSize size(points);
        RankMapPanel panel(*m_session, Theme::light());
        panel.resize(360, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.map().setAcross(&drawn);
        const int line = panel.map().fontMetrics().height();
        QTRY_VERIFY2(panel.map().areaOf({7, 0}).height() >= line,
            qPrintable(QString("%1 of %2").arg(panel.map().areaOf({7, 0}).height()).arg(line)));
    }
}

void RanksPanelTest::theMapLeavesRoomForTheTables()
{
    m_panel->resize(1366, 320);
    OPEN_OR_SKIP(straggler());
    // Six steps need a third of a small screen, and all columns of the ranks fit next to them.
    QCOMPARE(m_panel->rankTable().horizontalScrollBar()->maximum(), 0);
    QVERIFY(map().map().width() >= map().map().sizeHint().width());
    // The user's sizes stay, whatever the later results.
    auto* const splitter = m_panel->findChild<QSplitter*>(QString(), Qt::FindDirectChildrenOnly);
    QTest::mousePress(splitter->handle(1), Qt::LeftButton);
    QTest::mouseMove(splitter->handle(1), splitter->handle(1)->rect().center() - QPoint(90, 0));
    QTest::mouseRelease(splitter->handle(1), Qt::LeftButton, {}, splitter->handle(1)->rect().center());
    const QList<int> moved = splitter->sizes();
    QVERIFY(moved.front() < map().map().sizeHint().width());
    emit m_session->judgement().ranks().changed();
    QCOMPARE(splitter->sizes(), moved);
}

void RanksPanelTest::figuresStayBesideTheirRank()
{
    m_panel->resize(2500, 320);
    OPEN_OR_SKIP(straggler());
    QVERIFY(m_panel->rankTable().columnWidth(0) < 200);
}

#undef OPEN_OR_SKIP

WARPLINE_TEST(RanksPanelTest)

} // namespace tst_ranks_panel

#include "tst_ranks_panel.moc"
