// Why GPUs idle, in compact form: equal to the budget, its definition, at each moment.

#include "core/budget/idle_times.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "tests/core/budget/random_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <functional>
#include <utility>

namespace tst_idle_times {

using namespace warpline;
using namespace warpline::test;

namespace {

/// In every idle stretch of the budgets, at its ends and in its middle, and along pixels.
void compareWithBudgets(const Trace& trace)
{
    const GpuBudgets budgets(trace);
    const IdleTimes times(budgets);
    std::size_t stretches = 0;
    for (const GpuBudget& gpu : budgets.gpus()) {
        const GpuOfProcess id{gpu.process, gpu.device};
        for (std::size_t i = 0; i < gpu.stretches(); ++i) {
            const auto [start, part] = gpu.stretch(i);
            if (budgets.parts()[part].group != BudgetGroup::Idle)
                continue;
            ++stretches;
            const Ns end = i + 1 < gpu.stretches() ? gpu.stretch(i + 1).first : trace.session.end + 1;
            for (const Ns time : {start, (start + end) / 2, std::max(start, end - 1)}) {
                const BudgetPart* const told = times.at(id, time);
                QVERIFY(told);
                QVERIFY2(isSameReason(*told, budgets.parts()[part]), told->id.c_str());
            }
        }
        std::vector<std::uint16_t> along;
        const TimeRange window{
            trace.session.start - 1000, trace.session.start + trace.session.duration() / 2 + 7};
        constexpr int pixels = 333;
        times.along(id, window, pixels, along);
        QCOMPARE(along.size(), std::size_t{pixels});
        for (int x = 0; x < pixels; ++x) {
            const Ns time
                = window.start + static_cast<Ns>((x + 0.5) * static_cast<double>(window.duration()) / pixels);
            const BudgetPart* const told = times.at(id, time);
            QCOMPARE(along[static_cast<std::size_t>(x)] == 0, told == nullptr);
            QVERIFY(!told || &times.partOf(along[static_cast<std::size_t>(x)]) == told);
        }
        const TimeRange inside{trace.session.start + trace.session.duration() / 5,
            trace.session.start + trace.session.duration() * 3 / 4};
        const auto busyIn = [&](TimeRange range) {
            return range.duration() - totalOf(budgets.parts(), gpu.within(range), BudgetGroup::Idle);
        };
        const auto reasons = times.within(id, inside, busyIn);
        QVERIFY(
            std::ranges::is_sorted(reasons, std::greater{}, [](const auto& each) { return each.second; }));
        Budget left = gpu.within(inside);
        for (const auto& [told, time] : reasons) {
            Ns expected = 0;
            for (std::size_t part = 0; part < left.size(); ++part) {
                if (budgets.parts()[part].group == BudgetGroup::Idle
                    && isSameReason(*told, budgets.parts()[part]))
                    expected += std::exchange(left[part], 0);
            }
            QCOMPARE(time, expected);
        }
        QCOMPARE(totalOf(budgets.parts(), left, BudgetGroup::Idle), Ns{0}); // none is left out
    }
    QVERIFY(times.stretches() <= stretches);
}

} // namespace

class IdleTimesTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatTheBudgetSays_data()
    {
        QTest::addColumn<QString>("path");
        for (const std::string& path : reportsBelow({WARPLINE_SOURCE_DIR "/tests/data"}))
            QTest::newRow(QFileInfo(QString::fromStdString(path)).fileName().toUtf8())
                << QString::fromStdString(path);
    }

    void saysWhatTheBudgetSays()
    {
        QFETCH(const QString, path);
        const auto trace = loadReport(path.toStdString());
        QVERIFY(trace.ok());
        compareWithBudgets(*trace.value());
    }

    void saysSoOfRandomPrograms()
    {
        for (unsigned seed = 1; seed < 20; ++seed)
            compareWithBudgets(RandomProgram(seed).trace());
    }

    /// Ten thousand launches with as many gaps have one reason.
    void onePaceIsOneStretch()
    {
        DrawnProgram drawn;
        for (Ns i = 0; i < 10'000; ++i)
            drawn.kernel("k", i * 20 * us, {i * 20 * us + 12 * us, i * 20 * us + 16 * us});
        const auto trace = drawn.finish();
        const auto times = IdleTimes::of(*trace);
        QVERIFY2(times->stretches() < 5, qPrintable(QString::number(times->stretches())));
        const GpuOfProcess gpu{DrawnProgram::process, 0};
        QVERIFY(times->at(gpu, 50 * us));
        QCOMPARE(plain(idleText(*times->at(gpu, 50 * us), times->api())), std::string("Idle: launching"));
        QVERIFY(!times->at({DrawnProgram::process, 3}, 50 * us)); // there is no such GPU
    }

    void isWorkedOutOnce()
    {
        const auto loaded = loadReport(WARPLINE_SOURCE_DIR "/tests/data/reports/streams.sqlite");
        QVERIFY(loaded.ok());
        const auto first = IdleTimes::of(*loaded.value());
        QCOMPARE(IdleTimes::of(*loaded.value()), first);
    }
};

WARPLINE_TEST(IdleTimesTest)

} // namespace tst_idle_times

#include "tst_idle_times.moc"
