// Drawing of counters: origin and range of their scale, and their statistics in the selected range.

#include "core/base/format_instant.h"
#include "core/query/counter_stats.h"
#include "core/render/render.h"
#include "core/rows/counter_help.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/style/counter_scale.h"
#include "views/timeline/counter_selection.h"
#include "views/timeline/timeline_pane.h"

#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tst_counters {

using namespace warpline;
using namespace warpline::test;

class CountersTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void scalesBeginWhereWanted();
    void scalesOfTheView();
    void scalesAreShared();
    void heightFollowsTheScale();
    void selectionIsTold();
    void wordsLeaveRoomForEachOther();
    void mouseTellsValueAndTime();
    void rowMenuChoosesTheScale();
    void metricsExplainThemselves();
    void rowsWithoutRoomHaveNoItems();

private:
    const CounterSeries& series(std::string_view name) const;
    int heightAt(std::string_view name, Ns time) const;

    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<TimelinePane> m_pane;
};

void CountersTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_counters");
    DrawnProgram program;
    program.kernel("gemm", 0, {10 * us, 390 * us});
    program.metric("Low", {0, 200 * us}, 10 * us, 40);
    program.metric("High", {0, 400 * us}, 10 * us, 80);
    auto trace = std::make_shared<Trace>(*program.finish());
    // One that changes: 40 at first, 50 from the middle on, never below.
    for (CounterSeries& each : trace->counters) {
        each.unit = {};
        if (trace->text(each.name) != "High")
            continue;
        for (std::size_t i = 0; i < each.values.size(); ++i)
            each.values[i] = i < each.values.size() / 2 ? 100.0F : 1000.0F;
        each.summarize();
    }
    m_trace = trace;
}

void CountersTest::init()
{
    QSettings().clear();
    CounterChoice::shared().reload();
    m_pane.reset();
    m_session = std::make_unique<Session>();
    m_pane = std::make_unique<TimelinePane>(*m_session, Theme::light());
    m_pane->resize(1200, 600);
    const auto rows = buildRows(*m_trace);
    m_session->setTrace(m_trace, rows);
    for (const RowId row : rows->subtree(RowTree::root))
        m_session->rowView().setExpanded(row, true);
    m_pane->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_pane.get()));
}

const CounterSeries& CountersTest::series(std::string_view name) const
{
    const auto found = std::ranges::find_if(
        m_trace->counters, [&](const CounterSeries& each) { return m_trace->text(each.name) == name; });
    return *found;
}

int CountersTest::heightAt(std::string_view name, Ns time) const
{
    const auto index = static_cast<std::uint32_t>(&series(name) - m_trace->counters.data());
    const RowTree& rows = m_session->rows();
    RowLayout layout;
    layout.rebuild(*m_session);
    const QImage image = m_pane->view().viewport()->grab().toImage();
    for (const PlacedRow& placed : layout.rows()) {
        if (rows.row(placed.row).counter != index)
            continue;
        const int x = static_cast<int>(m_pane->view().axis().xAt(time));
        for (int y = placed.y + 3; y < placed.y + placed.height - 1; ++y) {
            if (image.pixelColor(x, y) != Theme::light().background)
                return placed.y + placed.height - 1 - y;
        }
    }
    return 0;
}

void CountersTest::scalesBeginWhereWanted()
{
    const TimeRange all = m_trace->session;
    CounterScale scale = scaleOf(*m_trace, series("High"), all);
    QCOMPARE(scale.low, 0.0);
    QCOMPARE(scale.high, 1000.0);
    QCOMPARE(scale.shareOf(500), 0.5);
    CounterChoice::shared().setBase(CounterBase::Lowest);
    scale = scaleOf(*m_trace, series("High"), all);
    QCOMPARE(scale.low, 100.0);
    QCOMPARE(scale.shareOf(100), 0.0);
    QCOMPARE(scale.shareOf(1000), 1.0);
    scale = scaleOf(*m_trace, series("Low"), all); // never changes
    QCOMPARE(scale.shareOf(40), 0.5);
    CounterChoice::shared().setBase(CounterBase::Log);
    scale = scaleOf(*m_trace, series("High"), all);
    QVERIFY(std::abs(scale.shareOf(1000) - 1) < 1e-9);
    QVERIFY(scale.shareOf(100) > 0.15 && scale.shareOf(100) < 0.35); // from 50 on
    QCOMPARE(scale.shareOf(0), 0.0);
    QCOMPARE(scale.shareOf(-1), 0.0);
    QCOMPARE(scaleOf(*m_trace, CounterSeries(), all).shareOf(0), 0.0); // nothing was sampled
}

void CountersTest::scalesOfTheView()
{
    CounterChoice::shared().setOfView(true);
    QCOMPARE(scaleOf(*m_trace, series("High"), {0, 100 * us}).high, 100.0);
    QCOMPARE(scaleOf(*m_trace, series("High"), {0, 400 * us}).high, 1000.0);
    // Between two samples the value before holds.
    QCOMPARE(scaleOf(*m_trace, series("High"), {41 * us, 42 * us}).high, 100.0);
}

void CountersTest::scalesAreShared()
{
    QCOMPARE(scaleOf(*m_trace, series("Low"), m_trace->session).high, 40.0);
    CounterChoice::shared().setShared(true);
    QCOMPARE(scaleOf(*m_trace, series("Low"), m_trace->session).high, 1000.0);
}

void CountersTest::heightFollowsTheScale()
{
    m_session->time().show({0, 400 * us});
    const int low = heightAt("High", 57 * us);
    const int high = heightAt("High", 357 * us);
    QVERIFY2(low > 0 && high > 5 * low, qPrintable(QString("%1 %2").arg(low).arg(high)));
    CounterChoice::shared().setBase(CounterBase::Log); // repaints by itself
    QVERIFY(heightAt("High", 57 * us) > low);
    CounterChoice::shared().setBase(CounterBase::Zero);
    QCOMPARE(heightAt("High", 57 * us), low);
}

void CountersTest::selectionIsTold()
{
    CounterSelection figures(*m_session);
    QSignalSpy changed(&figures, &CounterSelection::changed);
    const auto index = static_cast<std::uint32_t>(&series("High") - m_trace->counters.data());
    QVERIFY(!figures.of(ReportId{}, index));
    m_session->time().selectRange({100 * us, 300 * us});
    QTRY_VERIFY(figures.of(ReportId{}, index));
    const CounterFigures* const of = figures.of(ReportId{}, index);
    QCOMPARE(of->low, 100.0F);
    QCOMPARE(of->high, 1000.0F);
    const auto expected = counterFigures(*m_trace, index, {100 * us, 300 * us});
    QCOMPARE(of->mean, expected->mean);
    m_session->time().selectRange({});
    QVERIFY(!figures.of(ReportId{}, index));
}

/// The statistics of the selection take the place of the maximum where there is no room for both.
void CountersTest::wordsLeaveRoomForEachOther()
{
    m_session->time().show({0, 180 * us}); // where the curve is low
    m_session->time().selectRange({200 * us, 390 * us});
    const auto index = static_cast<std::uint32_t>(&series("High") - m_trace->counters.data());
    const auto placed = [&] {
        RowLayout layout;
        layout.rebuild(*m_session);
        return *std::ranges::find_if(layout.rows(),
            [&](const PlacedRow& each) { return m_session->rows().row(each.row).counter == index; });
    }();
    QWidget* const rows = m_pane->view().viewport();
    // The columns of its first line that have letters.
    const auto inked = [&] {
        const QImage image = rows->grab().toImage();
        const int ground = qGray(Theme::light().background.rgb());
        const int letters = qGray(Theme::light().dimText.rgb());
        std::vector<int> columns;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = placed.y + 3; y < placed.y + 14; ++y) {
                const int gray = qGray(image.pixel(x, y));
                if (std::abs(gray - letters) < std::abs(gray - ground)) {
                    columns.push_back(x);
                    break;
                }
            }
        }
        return columns;
    };
    const auto afterWords = [&] { // where the first text ends
        const std::vector<int> columns = inked();
        constexpr int gap = 40;
        const auto end = std::ranges::adjacent_find(columns, [](int a, int b) { return b - a > gap; });
        return end == columns.end() ? rows->width() : *end;
    };
    const auto last = [&] {
        const std::vector<int> columns = inked();
        return columns.empty() ? 0 : columns.back();
    };
    QTRY_VERIFY(afterWords() > 100 && afterWords() < rows->width() / 2); // once they are counted
    const int words = afterWords();
    QVERIFY(last() > rows->width() - 40); // the maximum
    m_pane->setLabelWidth(m_pane->width()); // half is left
    m_pane->resize(2 * (words + 50), m_pane->height());
    QTRY_VERIFY2(rows->width() <= words + 60, qPrintable(QString("%1 %2").arg(rows->width()).arg(words)));
    QTRY_VERIFY2(last() <= words + 10, qPrintable(QString("%1 %2").arg(last()).arg(words)));
}

void CountersTest::mouseTellsValueAndTime()
{
    m_session->time().show({0, 400 * us});
    TimelineView& view = m_pane->view();
    QWidget* const rows = view.viewport();
    const auto index = static_cast<std::uint32_t>(&series("High") - m_trace->counters.data());
    RowLayout layout;
    layout.rebuild(*m_session);
    const auto placed = std::ranges::find_if(layout.rows(),
        [&](const PlacedRow& each) { return m_session->rows().row(each.row).counter == index; });
    QVERIFY(placed != layout.rows().end());
    const int x = static_cast<int>(view.axis().xAt(357 * us));
    QTest::mouseMove(rows, QPoint(3, 3));
    QTest::mouseMove(rows, QPoint(x, placed->y - view.offset() + placed->height / 2));
    QTRY_VERIFY(view.tip().isVisible());
    const QString text = view.tip().text();
    QVERIFY2(text.contains("1000") || text.contains("1,000"), qPrintable(text));
    const Ns pointed = view.axis().timeAt(x);
    const QString time
        = QString::fromStdString(formatInstant(pointed, static_cast<Ns>(view.axis().nsPerPixel())));
    QVERIFY2(text.contains(" at " + time), qPrintable(text + " for " + time));
    // A dot at the top of the curve: 1000 is the highest value.
    const QPoint top(x, placed->y - view.offset() + 3);
    const QImage image = rows->grab().toImage();
    int ink = 0;
    for (int dx = -3; dx <= 3; ++dx) {
        for (int dy = -3; dy <= 3; ++dy)
            ink += image.pixelColor(top + QPoint(dx, dy)) == Theme::light().text ? 1 : 0;
    }
    QVERIFY2(ink > 8, qPrintable(QString::number(ink)));
}

void CountersTest::rowMenuChoosesTheScale()
{
    RowId counter{};
    RowId other{};
    for (const RowId each : m_session->rows().subtree(RowTree::root)) {
        const Row& row = m_session->rows().row(each);
        (row.counter != noIndex ? counter : other) = each;
    }
    QVERIFY(counter != RowId{});
    QMenu menu;
    m_pane->fillMenu(menu, {counter, {}});
    QMenu* scales = nullptr;
    for (QAction* const each : menu.actions())
        scales = each->text() == "Co&unters" ? each->menu() : scales;
    QVERIFY(scales);
    for (QAction* const each : scales->actions()) {
        if (each->text() == "Loga&rithmic") {
            QVERIFY(each->isCheckable() && !each->isChecked() && each->actionGroup()); // one of several
            each->trigger();
        }
    }
    QCOMPARE(CounterChoice::shared().base(), CounterBase::Log);
    CounterChoice::shared().setBase(CounterBase::Zero);
    if (other != RowId{}) {
        QMenu ofOther;
        m_pane->fillMenu(ofOther, {other, {}});
        for (QAction* const each : ofOther.actions())
            QVERIFY(each->text() != "Co&unters");
    }
}

void CountersTest::metricsExplainThemselves()
{
    QVERIFY(plain(counterHelp("SMs Active [Throughput %]")).starts_with("Share of time"));
    QVERIFY(plain(counterHelp("PCIe RX Throughput [Throughput %]")).find("PCIe") != std::string::npos);
    QVERIFY(counterHelp("nobody knows").empty());
}

void CountersTest::rowsWithoutRoomHaveNoItems()
{
    m_pane->resize(100, 600); // names of rows need all of it
    QCOMPARE(m_pane->view().viewport()->width(), 0);
    QVERIFY(m_pane->view().viewport()->height() > 0);
    QVERIFY(m_pane->view().paintedItems().empty());
}

WARPLINE_TEST(CountersTest)

} // namespace tst_counters

#include "tst_counters.moc"
