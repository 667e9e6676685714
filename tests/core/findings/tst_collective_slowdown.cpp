// The slowdown of kernels by concurrent collectives, compared with a program's own arithmetic and with SQL.

#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "tests/core/findings/rule_cases.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace tst_collective_slowdown {

using namespace warpline;
using namespace warpline::test;

namespace {

std::vector<Finding> findingsOf(const Trace& trace)
{
    const std::array<const Rule*, 1> rules{findRule("collective_slows_compute")};
    return runRules(trace, {trace.session.start, trace.session.end + 1}, rules);
}

} // namespace

class CollectiveSlowdownTest : public QObject {
    Q_OBJECT

private slots:
    /// 58.8 ms, 1.7 times, as measured by an independent script.
    void straggler()
    {
        const std::string path = sharedReport("ddp_straggler_rank0");
        if (path.empty())
            QSKIP("../shared/reports is not here");
        auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const auto findings = findingsOf(*trace.value());
        QCOMPARE(findings.size(), std::size_t{1});
        const Finding& finding = findings.front();
        QVERIFY2(std::abs(static_cast<double>(finding.saving) - 58.8e6) < 0.02 * 58.8e6,
            qPrintable(QString::number(finding.saving)));
        QVERIFY2(plain(finding.title).find("1.7 times") != std::string::npos, plain(finding.title).c_str());
        QVERIFY2(plain(finding.message).find("24 of 132 multiprocessors") != std::string::npos,
            plain(finding.message).c_str());
        QVERIFY2(plain(finding.message).find("2 waves") != std::string::npos, plain(finding.message).c_str());
        QVERIFY2(
            plain(finding.message).find("registers") != std::string::npos, plain(finding.message).c_str());
    }

    /// Ties are in order of time, whatever the order in which names were read.
    void equalLossesComeInOrder()
    {
        DrawnProgram drawn;
        besideCollectives(drawn, 2 * ms, {"first", "second"});
        const auto trace = drawn.finish();
        const auto findings = findingsOf(*trace);
        QCOMPARE(findings.size(), std::size_t{1});
        const auto& places = findings.front().evidence;
        QCOMPARE(places.size(), std::size_t{10});
        QVERIFY(std::ranges::is_sorted(places, {}, [](const Evidence& each) { return each.range.start; }));
    }

    void impossibleLaunchesCannotShare()
    {
        constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
        DrawnProgram drawn;
        besideCollectives(drawn, 2 * ms);
        Trace trace = *drawn.finish();
        auto kernels = std::make_shared<KernelTable>(trace.kernels());
        for (KernelLaunch& launch : kernels->launches) {
            launch.block = {most, most, most};
            launch.registersPerThread = most;
        }
        trace.tables[indexOf(EventKind::Kernel)] = kernels;
        const auto findings = findingsOf(trace);
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY2(plain(findings.front().message).find("many registers") != std::string::npos,
            plain(findings.front().message).c_str());
    }

    void equalsSql_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"ddp_straggler_rank0", "ddp_overlap_rank0", "ddp_overlap_rank1"})
            QTest::newRow(name) << QString(name);
    }

    /// The same sums from SQL's rows: kernels of one name, grid and block, and how much of each any NCCL
    /// kernel covers.
    void equalsSql()
    {
        QFETCH(QString, name);
        const std::string path = sharedReport(name.toStdString());
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto rows = sqlRows(path,
            "select k.start, k.end, s.value like '%nccl%', k.demangledName || '/' || gridX || ',' || gridY "
            "|| ',' "
            "|| gridZ || '/' || blockX || ',' || blockY || ',' || blockZ from CUPTI_ACTIVITY_KIND_KERNEL k "
            "join "
            "StringIds s on s.id = k.demangledName order by k.start");
        QVERIFY(rows);
        std::vector<std::pair<Ns, Ns>> nccl; // disjoint: they share a stream
        for (const auto& row : *rows) {
            if (row[2] == "1")
                nccl.emplace_back(std::stoll(row[0]), std::stoll(row[1]));
        }
        std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> alike;
        for (const auto& row : *rows) {
            if (row[2] == "1")
                continue;
            const Ns start = std::stoll(row[0]);
            const Ns end = std::stoll(row[1]);
            Ns covered = 0;
            for (const auto& [from, to] : nccl)
                covered += std::max<Ns>(0, std::min(end, to) - std::max(start, from));
            const double share = static_cast<double>(covered) / static_cast<double>(end - start);
            if (share >= 0.9)
                alike[row[3]].first.push_back(static_cast<double>(end - start));
            else if (share <= 0.1)
                alike[row[3]].second.push_back(static_cast<double>(end - start));
        }
        double lost = 0;
        for (auto& [key, times] : alike) {
            auto& [beside, alone] = times;
            if (alone.size() < 3)
                continue;
            std::ranges::sort(alone);
            const double usual = (alone[(alone.size() - 1) / 2] + alone[alone.size() / 2]) / 2;
            for (const double time : beside)
                lost += time - usual;
        }
        auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const auto findings = findingsOf(*trace.value());
        QCOMPARE(findings.size(), std::size_t{1});
        QVERIFY2(std::abs(static_cast<double>(findings.front().saving) - lost) < 1000,
            qPrintable(QString("%1 %2").arg(findings.front().saving).arg(lost, 0, 'f', 0)));
    }
};

WARPLINE_TEST(CollectiveSlowdownTest)

} // namespace tst_collective_slowdown

#include "tst_collective_slowdown.moc"
