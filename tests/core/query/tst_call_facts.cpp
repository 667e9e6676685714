// The meaning of host calls, as a user reads it.

#include "core/query/event_text.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_call_facts {

using namespace warpline;
using namespace warpline::test;

class CallFactsTest : public QObject {
    Q_OBJECT
private slots:
    void waitsAreToldInPlainWords()
    {
        DrawnProgram drawn;
        drawn.event(EventKind::OsRuntime, "futex", {0, 10 * ms});
        drawn.event(EventKind::OsRuntime, "write", {20 * ms, 21 * ms});
        drawn.event(EventKind::ThreadState, "Blocked", {0, 9 * ms});
        drawn.event(EventKind::ThreadState, "Running", {9 * ms, 10 * ms});
        const auto trace = drawn.finish();
        QCOMPARE(plain(meaningOfCall(*trace, {EventKind::OsRuntime, 0})),
            std::string("waits for a lock, or to be woken by another thread; on a CPU for 10.0% of it"));
        QCOMPARE(plain(meaningOfCall(*trace, {EventKind::OsRuntime, 1})),
            std::string()); // no state is known there
        const auto rows = detailsOf(*trace, {EventKind::OsRuntime, 0});
        QVERIFY(std::ranges::any_of(
            rows, [](const TextRow& row) { return row.label.key() == "details.during_call"; }));
    }

    void spinningIsToldFromSleeping()
    {
        for (const bool spins : {true, false}) {
            DrawnProgram drawn;
            drawn.call("cudaStreamSynchronize_v3020", {0, 10 * ms});
            drawn.event(EventKind::ThreadState, spins ? "Running" : "Blocked", {0, 10 * ms});
            const auto trace = drawn.finish();
            const std::string text = plain(meaningOfCall(*trace, {EventKind::ApiCall, 0}));
            QVERIFY2(text.ends_with(spins ? "(spins)" : "(sleeps)"), text.c_str());
        }
        DrawnProgram drawn; // without thread states nothing is claimed
        drawn.call("cudaStreamSynchronize_v3020", {0, 10 * ms});
        drawn.call("cudaLaunchKernel_v7000", {10 * ms, 20 * ms});
        const auto trace = drawn.finish();
        QCOMPARE(plain(meaningOfCall(*trace, {EventKind::ApiCall, 0})), std::string("waits for the GPU"));
        QCOMPARE(plain(meaningOfCall(*trace, {EventKind::ApiCall, 1})), std::string());
    }
};

WARPLINE_TEST(CallFactsTest)

} // namespace tst_call_facts

#include "tst_call_facts.moc"
