// Pages of unified memory that leave a GPU because it needs the room: in evict.sqlite a kernel sweeps three
// times over 24 MB where 16 MB of GPU memory are free, and the host reads the last 3 MB after each sweep. On
// an H200, with both --cuda-um-cpu-page-faults and --cuda-um-gpu-page-faults.

#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/load/load_report.h"
#include "core/overview/overview_work.h"
#include "core/store/counter_title.h"
#include "core/store/trace.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/findings/told_text.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QTest>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tst_evictions {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr std::string_view rule = "unified_memory_faults";
constexpr const char* crowded = WARPLINE_TEST_DATA "/reports/evict.sqlite";
constexpr const char* roomy = WARPLINE_TEST_DATA "/reports/um.sqlite";

std::shared_ptr<const Trace> loaded(const char* path)
{
    auto trace = loadReport(path);
    return trace.ok() ? trace.take() : nullptr;
}

/// The sentence about pages that goes with the longest kernel of the overview.
Message pagesOf(const Trace& trace)
{
    for (const OverviewKernel& kernel : overviewOf(trace, wholeOf(trace)).kernels) {
        for (const KernelFact& fact : kernel.facts) {
            if (fact.text.key() == "kernel_fact.page_waits")
                return fact.text;
        }
    }
    return {};
}

/// Four rounds in which a kernel misses 2 MB, which go back because of `back`, and the last time after the
/// last kernel; in the second round the GPU evicts another `evicted` bytes.
std::shared_ptr<const Trace> evictingRounds(std::int32_t back, std::uint64_t evicted)
{
    constexpr std::uint64_t address = 0x10000000;
    DrawnProgram program;
    for (int i = 0; i < 4; ++i) {
        const Ns at = i * 30 * ms;
        program.kernel("touch", at, {at + 10 * us, at + 10 * ms});
        program.migration(CopyKind::UnifiedHtoD, {at + ms, at + 9 * ms}, 2'000'000, address);
        program.migration(CopyKind::UnifiedDtoH, {at + 15 * ms, at + 16 * ms}, 2'000'000, address, back);
        if (i == 1 && evicted > 0)
            program.migration(
                CopyKind::UnifiedDtoH, {at + 5 * ms, at + 6 * ms}, evicted, 4 * address, causeIsEviction);
    }
    program.event(EventKind::OsRuntime, "write", {120 * ms, 121 * ms});
    return program.finish();
}

} // namespace

class EvictionsTest : public QObject {
    Q_OBJECT

private slots:
    void evictionsAreCountedApart()
    {
        const auto trace = loaded(crowded);
        QVERIFY(trace);
        const auto found = run(*trace, rule);
        QCOMPARE(found.size(), std::size_t{1});
        const Message& text = found.front().message;
        const auto reported = [&](std::string_view sentence, std::string_view value) {
            return valueIn(text, "unified_memory_faults." + std::string(sentence), value);
        };
        const std::string evicted = " FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE migrationCause = 4";
        const std::string back = " FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 12";
        QCOMPARE(reported("evictions", "evictions"), sqlInteger(crowded, "SELECT count(*)" + evicted));
        QCOMPARE(reported("evictions", "bytes"), sqlInteger(crowded, "SELECT sum(bytes)" + evicted));
        QCOMPARE(reported("migrations", "back"), sqlInteger(crowded, "SELECT sum(bytes)" + back));
        QCOMPARE(reported("returned", "blocks"),
            sqlInteger(crowded,
                "SELECT count(DISTINCT a.virtualAddress / 2097152) FROM CUPTI_ACTIVITY_KIND_MEMCPY a WHERE "
                "a.copyKind = 11 AND EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_MEMCPY e WHERE "
                "e.migrationCause = 4 AND e.virtualAddress / 2097152 = a.virtualAddress / 2097152 AND "
                "e.start < a.start)"));
        QCOMPARE(reported("thrashing", "blocks"), 2); // of the 3 MB that the host reads
    }

    /// Which memory fills the GPU, by its rows: 149.5 GB of cudaMalloc, and 25 MB of managed memory.
    void whatFillsTheGpuIsNamed()
    {
        const auto trace = loaded(crowded);
        QVERIFY(trace);
        const auto found = run(*trace, rule);
        QCOMPARE(found.size(), std::size_t{1});
        const auto held = [&](std::string_view value) {
            return valueIn(found.front().message, "unified_memory_faults.held", value);
        };
        const std::string sum = "SELECT sum(bytes) FROM CUDA_GPU_MEMORY_USAGE_EVENTS WHERE memKind = ";
        QCOMPARE(held("device"), sqlInteger(crowded, sum + "2"));
        QCOMPARE(held("managed"), sqlInteger(crowded, sum + "4"));
        QCOMPARE(held("all"), sqlInteger(crowded, "SELECT totalMemory FROM TARGET_INFO_GPU"));
        const Message* const room = sentenceOf(found.front().remedy, "unified_memory_faults.make_room");
        QVERIFY(room && room->values()[0].value.name == "device");
    }

    /// The memory that is most of the GPU is the cause, where it and the GPU's size are known.
    void onlyMostOfTheGpuIsACause()
    {
        const auto trace = loaded(crowded);
        QVERIFY(trace);
        const auto causeWith = [&](std::int64_t size, double device, double managed) {
            Trace changed = *trace;
            for (Device& each : changed.devices)
                each.memoryBytes = size;
            for (CounterSeries& series : changed.counters) {
                const std::string_view name = changed.text(series.name);
                const bool isDevice = name == memoryUsageName(MemoryKind::Device);
                if (series.kind != CounterKind::GpuMemoryUsage
                    || (!isDevice && name != memoryUsageName(MemoryKind::Managed)))
                    continue;
                std::vector<std::pair<Ns, double>> samples;
                for (const Ns time : *series.times)
                    samples.emplace_back(time, isDevice ? device : managed);
                CounterSeries held;
                held.kind = series.kind;
                held.name = series.name;
                held.unit = series.unit;
                held.device = series.device;
                held.owner = series.owner;
                held.setSamples(samples);
                series = held;
            }
            const auto found = run(changed, rule);
            const Message* const room = found.size() == 1
                ? sentenceOf(found.front().remedy, "unified_memory_faults.make_room")
                : nullptr;
            return room ? room->values()[0].value.name : std::string("no advice");
        };
        constexpr std::int64_t size = 16'000'000'000;
        QCOMPARE(causeWith(size, 12e9, 4e9), std::string("device"));
        QCOMPARE(causeWith(size, 4e9, 12e9), std::string("managed"));
        QCOMPARE(causeWith(size, 8e9, 7e9), std::string("unknown")); // neither is most of it
        QCOMPARE(causeWith(size, 12e9, 1e9), std::string("unknown")); // there is room
        QCOMPARE(causeWith(0, 12e9, 4e9), std::string("unknown"));
    }

    void theHostWaitsOnlyWhereItReads()
    {
        const auto trace = loaded(crowded);
        QVERIFY(trace);
        const GlobalId process = processOf(trace->kernels().tracks.front().owner);
        const Intervals waits = hostPageWaits(*trace, process, wholeOf(*trace), {});
        QCOMPARE(totalTime(waits), Ns{886'296}); // from faults to the ends of their migrations, in Python
        const auto ranges = sqlRows(crowded,
            "SELECT start, end, text = 'host touches' FROM NVTX_EVENTS WHERE "
            "text LIKE 'own code%' OR text = 'host touches'");
        QVERIFY(ranges);
        QCOMPARE(ranges->size(), std::size_t{9});
        for (const auto& row : *ranges) {
            const Ns inside = totalTime(waits, {std::stoll(row[0]), std::stoll(row[1])});
            QVERIFY2((inside > 0) == (row[2] == "1"), (row[0] + ": " + std::to_string(inside)).c_str());
        }
    }

    void theAdviceFitsTheCause()
    {
        const auto full = loaded(crowded);
        const auto other = loaded(roomy);
        QVERIFY(full && other);
        const auto evicting = run(*full, rule);
        const auto inTurn = run(*other, rule);
        QCOMPARE(evicting.size(), std::size_t{1});
        QCOMPARE(inTurn.size(), std::size_t{1});
        QCOMPARE(evicting.front().remedy.key(), std::string_view("unified_memory_faults.make_room"));
        QVERIFY(sentenceOf(evicting.front().remedy, "unified_memory_faults.host_part")); // it also reads
        QVERIFY(!sentenceOf(evicting.front().remedy, "unified_memory_faults.rule_remedy"));
        QVERIFY(evicting.front().cure.edits.empty());
        QCOMPARE(inTurn.front().remedy.key(), std::string_view("unified_memory_faults.rule_remedy"));
        QVERIFY(!sentenceOf(inTurn.front().remedy, "unified_memory_faults.make_room"));
        QVERIFY(!sentenceOf(inTurn.front().message, "unified_memory_faults.evictions"));
        QVERIFY(!inTurn.front().cure.edits.empty());
        // Of the longest kernel, too: what the GPU evicts while it runs, by SQL.
        QCOMPARE(valueIn(pagesOf(*full), "kernel_fact.page_waits", "evicted"),
            sqlInteger(crowded,
                "SELECT sum(m.bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY m, (SELECT start, end FROM "
                "CUPTI_ACTIVITY_KIND_KERNEL ORDER BY end - start DESC LIMIT 1) k WHERE m.migrationCause = 4 "
                "AND m.start < k.end AND m.end > k.start"));
        QCOMPARE(valueIn(pagesOf(*other), "kernel_fact.page_waits", "evicted"), 0);
    }

    /// With 400 MB free, the last two sweeps take 1.21 and 1.38 ms instead of 8.84 and 9.13 ms, by the clock
    /// of the program. The bound holds, and has no more than kernels and the host wait.
    void theSavingIsABound()
    {
        const auto trace = loaded(crowded);
        QVERIFY(trace);
        const auto found = run(*trace, rule);
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found.front().saving >= 15'380 * us);
        QVERIFY(found.front().saving
            <= sqlInteger(crowded, "SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL") + 886'296);
    }

    void bothCausesHaveBothPiecesOfAdvice()
    {
        struct Program {
            std::int32_t back;
            std::uint64_t evicted;
            std::string_view first; ///< of the advice
            bool room; ///< is part of it
            bool inTurn; ///< thrashing
        };
        constexpr std::array programs{
            Program{causeIsFault, 0, "unified_memory_faults.rule_remedy", false, true},
            Program{causeIsFault, 500'000, "unified_memory_faults.rule_remedy", true, true},
            Program{causeIsFault, 9'000'000, "unified_memory_faults.make_room", true, true},
            Program{causeIsEviction, 0, "unified_memory_faults.make_room", true, false},
        };
        for (const Program& each : programs) {
            const auto trace = evictingRounds(each.back, each.evicted);
            const auto found = run(*trace, rule);
            QCOMPARE(found.size(), std::size_t{1});
            const Finding& finding = found.front();
            QCOMPARE(finding.remedy.key(), each.first);
            QCOMPARE(sentenceOf(finding.remedy, "unified_memory_faults.make_room") != nullptr, each.room);
            QCOMPARE(sentenceOf(finding.message, "unified_memory_faults.evictions") != nullptr, each.room);
            QCOMPARE(sentenceOf(finding.message, "unified_memory_faults.in_turn") != nullptr, each.inTurn);
            QCOMPARE(sentenceOf(finding.message, "unified_memory_faults.returned") != nullptr,
                each.back == causeIsEviction);
        }
    }

    /// Pages that leave after the last kernel are read by the host only where it touched them.
    void evictedPagesAreNotRead()
    {
        for (const std::int32_t back : {causeIsFault, causeIsEviction}) {
            const auto trace = evictingRounds(back, 0);
            const RunOverview overview = overviewOf(*trace, wholeOf(*trace));
            QCOMPARE(!textOfPagesBack(overview, *trace, {}).empty(), back == causeIsFault);
        }
    }
};

WARPLINE_TEST(EvictionsTest)

} // namespace tst_evictions

#include "tst_evictions.moc"
