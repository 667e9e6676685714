// Loops with one fault each, synthesized event by event: the fault is among the first two findings, and its
// bound covers the known loss.

#include "core/findings/rule.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <string>

namespace tst_causes_lead {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr int steps = 20;

/// A loop, and the cost of its fault per step.
struct Loop {
    const char* name;
    std::vector<std::string_view> rules; ///< each names the fault
    Ns lost; ///< per step, by construction; the rest belongs to the first and last work of the step
    std::function<Ns(DrawnProgram&, Ns)> step; ///< adds one at a time, returns its end
    Ns most = 0; ///< the most that a bound may be, a step; 0: twice `lost`
};

/// Copies of a value, and a wait for each, between kernels of 20 us.
Ns flags(DrawnProgram& program, Ns at, int count)
{
    for (int i = 0; i < count; ++i) {
        program.kernel("work", at, {at + 5 * us, at + 25 * us});
        program.copy({at + 6 * us, at + 40 * us}, {at + 30 * us, at + 31 * us},
            {.call = "cudaMemcpy_v3020", .kind = CopyKind::DtoH, .host = MemoryKind::Pageable, .bytes = 4});
        at += 50 * us;
    }
    return at;
}

const std::vector<Loop>& loops()
{
    static const std::vector<Loop> all{
        {"null_stream", {"streams_serialized"}, 100 * us,
            [](DrawnProgram& program, Ns at) {
                for (std::int32_t stream = 20; stream < 24; ++stream)
                    program.kernel("work", at + (stream - 20) * 3 * us, {at + 20 * us, at + 900 * us},
                        {.stream = stream, .blocks = 33});
                program.kernel("sum", at + 15 * us, {at + 902 * us, at + ms}, {.stream = 7});
                program.call("cudaDeviceSynchronize_v3020", {at + 18 * us, at + ms});
                return at + ms;
            }},
        {"malloc", {"allocation_in_loop"}, 300 * us,
            [](DrawnProgram& program, Ns at) {
                // A millisecond of it during a kernel, 300 us between kernels.
                program.call("cudaFree_v3020", {at + 20 * us, at + 1300 * us});
                program.kernel("work", at, {at + 10 * us, at + ms});
                program.kernel("work", at + 1305 * us, {at + 1310 * us, at + 2310 * us});
                return at + 2310 * us;
            }},
        {"item_sync", {"sync_per_iteration"}, 250 * us,
            [](DrawnProgram& program, Ns at) {
                program.kernel("work", at, {at + 5 * us, at + ms});
                program.copy({at + 10 * us, at + 20 * us}, {at + ms, at + ms + 2 * us},
                    {.kind = CopyKind::DtoH, .host = MemoryKind::Pageable, .bytes = 4});
                program.call("cudaStreamSynchronize_v3020", {at + 25 * us, at + ms + 10 * us});
                return at + 1260 * us;
            }},
        {"overlap", {"copies_not_overlapped", "repeated_uploads"}, 990 * us,
            [](DrawnProgram& program, Ns at) {
                program.copy({at, at + 5 * us}, {at + 10 * us, at + ms}, {.bytes = 20'000'000});
                program.kernel("work", at + 10 * us, {at + ms, at + 6 * ms});
                program.call("cudaDeviceSynchronize_v3020", {at + 20 * us, at + 6 * ms});
                return at + 6010 * us;
            }},
        {"tiny_copies", {"tiny_copies"}, 64 * 8 * us,
            [](DrawnProgram& program, Ns at) {
                for (int i = 0; i < 64; ++i)
                    program.copy({at + i * 10 * us, at + i * 10 * us + 8 * us},
                        {at + i * 10 * us + 6 * us, at + i * 10 * us + 7 * us},
                        {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 256});
                at += 640 * us;
                program.kernel("work", at, {at + 5 * us, at + 105 * us});
                program.call("cudaDeviceSynchronize_v3020", {at + 5 * us, at + 110 * us});
                return at + 110 * us;
            }},
        {"d2h", {"sync_per_iteration", "tiny_copies"}, 50 * 25 * us,
            [](DrawnProgram& program, Ns at) { return flags(program, at, 50); }},
        {"round_trip", {"copy_round_trips"}, 4 * 900 * us,
            [](DrawnProgram& program, Ns at) {
                for (int i = 0; i < 4; ++i) {
                    program.kernel("work", at, {at + 5 * us, at + 55 * us});
                    program.copy({at + 10 * us, at + 500 * us}, {at + 60 * us, at + 490 * us},
                        {.call = "cudaMemcpy_v3020",
                            .kind = CopyKind::DtoH,
                            .host = MemoryKind::Pageable,
                            .bytes = 4'000'000});
                    program.copy({at + 510 * us, at + 950 * us}, {at + 520 * us, at + 945 * us},
                        {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 4'000'000});
                    at += 960 * us;
                }
                return at;
            }},
        {"pageable", {"pageable_copies"}, 2 * ms,
            [](DrawnProgram& program, Ns at) {
                program.copy({at, at + 3 * ms}, {at + 10 * us, at + 3 * ms},
                    {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 20'000'000});
                program.kernel("work", at + 3 * ms, {at + 3010 * us, at + 6 * ms});
                program.call("cudaDeviceSynchronize_v3020", {at + 3010 * us, at + 6 * ms});
                return at + 6010 * us;
            },
            3 * ms + 20 * us}, // of 6.01 ms kernels take 2.99
        {"loader", {"data_starvation"}, 4 * ms,
            [](DrawnProgram& program, Ns at) {
                program.range("load", {at, at + 4 * ms});
                program.kernel("work", at + 4 * ms, {at + 4010 * us, at + 10 * ms});
                program.call("cudaDeviceSynchronize_v3020", {at + 4020 * us, at + 10 * ms});
                return at + 10 * ms;
            }},
        {"event_syncs", {"sync_per_iteration"}, 20 * 15 * us,
            [](DrawnProgram& program, Ns at) {
                for (int i = 0; i < 20; ++i) {
                    program.kernel("work", at, {at + 5 * us, at + 45 * us});
                    program.call("cudaEventSynchronize_v3020", {at + 3 * us, at + 50 * us});
                    at += 60 * us;
                }
                return at;
            }},
        {"small_batch", {"launch_bound", "kernel_storm", "short_kernels"}, 100 * 17 * us,
            [](DrawnProgram& program, Ns at) {
                for (int i = 0; i < 100; ++i)
                    program.kernel(
                        "work", at + i * 20 * us, {at + i * 20 * us + 5 * us, at + i * 20 * us + 8 * us});
                program.call("cudaDeviceSynchronize_v3020", {at + 2000 * us, at + 2003 * us});
                return at + 2010 * us;
            }},
        {"zeroing", {"memory_fills"}, 2 * ms,
            [](DrawnProgram& program, Ns at) {
                program.set("cudaMemsetAsync_v3020", MemoryKind::Device, {at, at + 2 * ms});
                program.kernel("work", at + 10 * us, {at + 2 * ms, at + 6 * ms});
                program.call("cudaDeviceSynchronize_v3020", {at + 20 * us, at + 6 * ms});
                return at + 6010 * us;
            }},
        {"pinning", {"allocation_in_loop"}, 2 * ms,
            [](DrawnProgram& program, Ns at) {
                program.call("cudaHostAlloc_v3020", {at, at + 2 * ms});
                program.copy({at + 2 * ms, at + 2010 * us}, {at + 2010 * us, at + 3 * ms});
                program.kernel("work", at + 2020 * us, {at + 3 * ms, at + 8 * ms});
                program.call("cudaDeviceSynchronize_v3020", {at + 2030 * us, at + 8 * ms});
                return at + 8 * ms;
            }},
    };
    return all;
}

} // namespace

class CausesLeadTest : public QObject {
    Q_OBJECT

private slots:
    void namesTheFault_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < loops().size(); ++i)
            QTest::newRow(loops()[i].name) << static_cast<int>(i);
    }

    void namesTheFault()
    {
        QFETCH(int, index);
        const Loop& loop = loops()[static_cast<std::size_t>(index)];
        DrawnProgram program;
        for (int stream = 0; stream < 4; ++stream)
            program.call("cudaStreamCreate_v3020", {stream * us, stream * us + 500});
        Ns at = 10 * us;
        for (int i = 0; i < steps; ++i) {
            const Ns end = loop.step(program, at);
            program.range("step_" + std::to_string(i), {at, end});
            at = end;
        }
        const auto trace = program.finish();
        const auto findings = runRules(*trace, {0, at});
        const auto names = [&](const Finding& finding) {
            return std::ranges::find(loop.rules, finding.rule) != loop.rules.end();
        };
        const auto found = std::ranges::find_if(findings, names);
        QString list;
        for (const Finding& finding : findings)
            list += QString("\n%1 %2").arg(finding.saving).arg(plain(finding.title).c_str());
        QVERIFY2(found != findings.end() && found - findings.begin() < 2, qPrintable(list));
        const Ns measuredSteps = steps - 2; // the first and the last may lie at the edge of the measured time
        // Its expectation is of the replay of the same cure, and lies below it.
        if (!found->cure.empty()) {
            QVERIFY2(found->expected, qPrintable(list));
            QVERIFY2(
                found->expected->expected > 0 && found->expected->high <= found->saving, qPrintable(list));
        }
        // Four kernels of 33 blocks that run at once fill the GPU: their grids are no fault.
        if (std::string_view(loop.name) == "null_stream")
            QVERIFY2(
                std::ranges::none_of(findings, [](const Finding& each) { return each.rule == "tiny_grid"; }),
                qPrintable(list));
        QVERIFY2(found->saving >= measuredSteps * loop.lost, qPrintable(list));
        QVERIFY2(found->saving <= steps * (loop.most > 0 ? loop.most : 2 * loop.lost), qPrintable(list));
    }

    /// A release that waits for all that was launched before it, and comes once, is in no loop.
    void aSingleReleaseIsNoLoop()
    {
        DrawnProgram program;
        Ns at = ms;
        for (int i = 0; i < 12; ++i) {
            program.call("cudaMalloc_v3020", {at, at + 5 * us});
            program.kernel("work", at + 6 * us, {at + 12 * us, at + 100 * us});
            at += 110 * us;
        }
        program.call("cudaFree_v3020", {at, at + 60 * ms});
        program.kernel("last", at + 60 * ms + us, {at + 60 * ms + 6 * us, at + 61 * ms});
        const auto trace = program.finish();
        for (const Finding& finding : runRules(*trace, {0, at + 62 * ms})) {
            if (finding.rule == "allocation_in_loop")
                QVERIFY2(finding.saving < ms, plain(finding.title).c_str());
        }
    }

    void graphsRecordedAsAWholeLead()
    {
        DrawnProgram program;
        for (int i = 0; i < steps; ++i) {
            const Ns at = i * 5 * ms;
            program.range("step_" + std::to_string(i), {at, at + 5 * ms});
            program.graph(at, {at + 10 * us, at + 4990 * us});
        }
        const auto trace = program.finish();
        const auto findings = runRules(*trace, {0, steps * 5 * ms});
        QVERIFY(!findings.empty());
        QCOMPARE(findings.front().rule, std::string_view("capture_quality"));
    }

    /// Streams that wait for no default stream are not stopped by it: kernels that take turns for another
    /// reason.
    void nonBlockingStreamsAreNotStopped()
    {
        DrawnProgram program;
        for (int i = 0; i < steps; ++i) {
            const Ns at = i * ms;
            for (std::int32_t stream = 20; stream < 24; ++stream)
                program.kernel("work", at, {at + 20 * us, at + 700 * us}, {.stream = stream, .blocks = 33});
            program.kernel("sum", at + 15 * us, {at + 720 * us, at + 900 * us}, {.stream = 7});
        }
        const auto trace = program.finish();
        for (const Finding& finding : runRules(*trace, {0, steps * ms}))
            QVERIFY2(plain(finding.title).find("default stream stops") == std::string::npos,
                plain(finding.title).c_str());
    }
};

WARPLINE_TEST(CausesLeadTest)

} // namespace tst_causes_lead

#include "tst_causes_lead.moc"
