// Statistics of every name, compared with SQL on the same file.

#include "core/query/name_book.h"
#include "core/store/trace.h"

#include "core/base/stop.h"
#include "core/load/load_report.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_name_book {

using namespace warpline;
using namespace warpline::test;

class NameBookTest : public QObject {
    Q_OBJECT

private slots:
    void figuresAreThoseOfSql();
    void medianIsBetweenTheMiddleTwo();
    void stopsWhenAsked();
};

namespace {

/// Compares the kernels of the report at `path` with SQL.
void compareKernels(const std::string& path)
{
    const auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    const NameBook book = NameBook::of(trace);
    const auto rows = sqlRows(path,
        "SELECT s.value, count(*), sum(k.end - k.start), max(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k "
        "JOIN StringIds s ON s.id = k.demangledName GROUP BY 1");
    QVERIFY(rows.has_value());
    QCOMPARE(book.ofKind(EventKind::Kernel).size(), rows->size());
    Ns whole = 0;
    for (const auto& row : *rows)
        whole += std::stoll(row[2]);
    for (const auto& row : *rows) {
        StringId name{};
        QVERIFY(trace.pool->find(row[0], name));
        const NameSummary* const known = book.find(EventKind::Kernel, name);
        QVERIFY(known);
        QCOMPARE(known->count, std::stoull(row[1]));
        QCOMPARE(known->total, std::stoll(row[2]));
        QCOMPARE(known->longest, std::stoll(row[3]));
        QCOMPARE(known->share, static_cast<double>(known->total) / static_cast<double>(whole));
        std::string escaped;
        for (const char c : row[0])
            escaped += c == '\'' ? std::string("''") : std::string(1, c);
        const auto sorted = sqlRows(path,
            "SELECT k.end - k.start FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
            "WHERE s.value = '"
                + escaped + "' ORDER BY 1");
        const std::size_t n = sorted->size();
        const long long median
            = (std::stoll((*sorted)[(n - 1) / 2][0]) + std::stoll((*sorted)[n / 2][0]) + 1) / 2;
        QCOMPARE(known->median, median);
    }
    for (std::size_t i = 1; i < book.ofKind(EventKind::Kernel).size(); ++i)
        QVERIFY(book.ofKind(EventKind::Kernel)[i - 1].total >= book.ofKind(EventKind::Kernel)[i].total);
}

} // namespace

void NameBookTest::figuresAreThoseOfSql()
{
    compareKernels(WARPLINE_SOURCE_DIR "/tests/data/reports/streams.sqlite");
    compareKernels(WARPLINE_SOURCE_DIR "/tests/data/reports/bert_fp32.sqlite");
}

void NameBookTest::medianIsBetweenTheMiddleTwo()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    const NameBook book = NameBook::of(*loaded.value());
    for (const EventKind kind : allEventKinds()) {
        std::uint64_t events = 0;
        for (const NameSummary& each : book.ofKind(kind)) {
            events += each.count;
            QVERIFY(each.median <= each.longest && each.total <= each.longest * static_cast<Ns>(each.count));
        }
        QCOMPARE(events, loaded.value()->table(kind).size());
    }
    QVERIFY(!book.find(EventKind::Kernel, StringId{noIndex}));
    QVERIFY(!NameBook().find(EventKind::Kernel, StringId{}));
}

void NameBookTest::stopsWhenAsked()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(NameBook::of(*loaded.value(), stop.get_token()), Stopped);
}

WARPLINE_TEST(NameBookTest)

} // namespace tst_name_book

#include "tst_name_book.moc"
