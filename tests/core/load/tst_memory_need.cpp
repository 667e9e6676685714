// The memory for a report is estimated before reading, with a part that fits.

#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/load/memory_need.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace tst_memory_need {

using namespace warpline;
using namespace warpline::test;

class MemoryNeedTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { qunsetenv("WARPLINE_MEMORY"); }

    void rowsAreThoseOfTheTables()
    {
        qputenv("WARPLINE_MEMORY", "1G");
        const std::string path = WARPLINE_TEST_DATA "/reports/streams.sqlite";
        const auto tables = sqlRows(
            path, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
        long long rows = 0;
        for (const auto& table : *tables)
            rows += table[0].starts_with("ENUM_")
                ? 0
                : sqlInteger(path, "SELECT count(*) FROM \"" + table[0] + '"');
        const MemoryNeed need = memoryNeed(path);
        QVERIFY(need.rows > 1000 && std::abs(static_cast<long long>(need.rows) - rows) < rows / 10);
        QVERIFY(need.bytes / need.rows >= 35 && need.bytes / need.rows < 60);
        QVERIFY(memoryNeed(path, MemoryUse::Window).bytes > 2 * need.bytes);
        const long long first = sqlInteger(path, "SELECT min(start) FROM CUPTI_ACTIVITY_KIND_RUNTIME");
        QVERIFY(std::abs(need.session.start - first) < 1'000'000'000);
        TimeRange before;
        for (const std::uint64_t most : {1000U, 5000U, 20'000U, 1'000'000'000U}) {
            const TimeRange part = need.partWithin(most);
            QVERIFY(part.start >= need.session.start && part.duration() >= before.duration()
                && part.end <= need.session.end);
            QVERIFY(part.start == need.firstWork || part.end == need.session.end);
            before = part;
        }
        QCOMPARE(before, need.session);
    }

    void whatDoesNotFitIsNotRead()
    {
        for (const char* const name : {"/reports/streams.sqlite", "/operators/mix.json.gz"}) {
            const std::string path = std::string(WARPLINE_TEST_DATA) + name;
            qputenv("WARPLINE_MEMORY", "10K");
            const auto refused = loadReport(path);
            QVERIFY(!refused.ok());
            const QString told = QString::fromStdString(plain(refused.error().message));
            QVERIFY2(told.startsWith(QString::fromStdString(path)) && told.contains("WARPLINE_MEMORY"),
                qPrintable(told));
            QCOMPARE(told.contains("cut --range"), path.ends_with(".sqlite"));
            const TimeRange part = partThatFits(path);
            QCOMPARE(!part.empty(), path.ends_with(".sqlite"));
            QVERIFY(part.empty() || told.contains(QString("%1ns:%2ns").arg(part.start).arg(part.end)));
            for (const char* const enough : {"1G", "900M", ""}) {
                qputenv("WARPLINE_MEMORY", enough);
                QVERIFY2(loadReport(path).ok(), enough);
                QVERIFY2(partThatFits(path).empty(), enough);
            }
        }
    }

    void aLimitThatIsNoSizeIsSaid()
    {
        for (const char* const wrong : {"nonsense", "0", "-5", "12Q", "12 Q", "12Gx", "1,5G", "2BB", "2BiB",
                 "2iB", "1e15T", "nan", " "}) {
            qputenv("WARPLINE_MEMORY", wrong);
            const auto refused = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite");
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().message.key(), std::string_view("memory.no_size"));
        }
    }

    void sizesHaveUnits()
    {
        constexpr std::uint64_t giga = std::uint64_t{1} << 30U;
        for (const char* const size :
            {"12G", "12 G", "12g", "12gb", "12 GiB", "12288M", "12G ", " 12GB ", "0.01171875T"}) {
            qputenv("WARPLINE_MEMORY", size);
            const auto limit = memoryLimit();
            QVERIFY2(limit.ok() && limit.value() == 12 * giga, size);
            QCOMPARE(memoryForReports(), 12 * giga);
        }
        for (const char* const bytes : {"1000", "1000B", "1e3"}) {
            qputenv("WARPLINE_MEMORY", bytes);
            QCOMPARE(memoryLimit().value(), 1000U);
        }
    }

    /// What a file turns out to need while it is read counts, too: here its text is kept as a whole.
    void whatGrowsBeyondTheEstimateIsNotReadOn()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("long.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"rocprofiler-sdk-tool":[)" + QByteArray(8'000'000, ' ') + "]}");
        file.close();
        qputenv("WARPLINE_MEMORY", "4M");
        QVERIFY(fitsMemory(path.toStdString()).ok());
        const auto refused = loadReport(path.toStdString());
        QVERIFY(!refused.ok());
        const QString told = QString::fromStdString(plain(refused.error().message));
        QVERIFY2(told.startsWith(path) && told.contains("WARPLINE_MEMORY"), qPrintable(told));
        qputenv("WARPLINE_MEMORY", "100M");
        QVERIFY(loadReport(path.toStdString()).ok());
    }

    /// Where memory would end in the middle, an analysis does not begin: of a shorter range it does.
    void whatIsTooMuchIsNotAnalyzed()
    {
        const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite");
        QVERIFY(trace.ok());
        const Trace& all = *trace.value();
        QVERIFY(!runRules(all, all.session).empty());
        qputenv("WARPLINE_MEMORY", "50K");
        QVERIFY_EXCEPTION_THROWN(runRules(all, all.session), std::bad_alloc);
        const TimeRange tenth{all.session.start, all.session.start + all.session.duration() / 10};
        QVERIFY(mayAnalyze(all, tenth));
        runRules(all, tenth);
    }

    void filesThatAreNoReportsNeedNothing()
    {
        qputenv("WARPLINE_MEMORY", "10");
        QCOMPARE(memoryNeed("/nowhere/x.sqlite").bytes, 0U);
        QCOMPARE(memoryNeed(WARPLINE_SOURCE_DIR "/README.md").bytes, 0U);
    }
};

WARPLINE_TEST(MemoryNeedTest)

} // namespace tst_memory_need

#include "tst_memory_need.moc"
