// Traces without correlation ids (early ROCm, or trimmed by hand): a call and its work share an external id.
// Small traces, and others' traces compared with their makers' GPU time per operator.

#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>

namespace tst_external_ids {

using namespace warpline;
using namespace warpline::test;

class ExternalIdsTest : public QObject {
    Q_OBJECT

private slots:
    void joinWhereNothingCorrelates();
    void meanNothingWhereEventsCorrelate();
    void linksBeyond32BitsAreNone();
    void operatorsTakeWhatTheReferenceSays_data();
    void operatorsTakeWhatTheReferenceSays();
};

namespace {

/// An operator that launches twice, and another call. FIRST replaces an argument of the first launch.
const QByteArray twoLaunches = R"json({"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 10, "dur": 20, "args": {"External id": 513}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 9, "tid": 9, "ts": 12, "dur": 3, "args": {FIRST"External id": 25}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 9, "tid": 9, "ts": 20, "dur": 3, "args": {"External id": 26}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipDeviceSynchronize", "pid": 9, "tid": 9, "ts": 40, "dur": 3, "args": {}},
{"ph": "X", "cat": "kernel", "name": "first", "pid": 2, "tid": 0, "ts": 50, "dur": 6, "args": {"External id": 25}},
{"ph": "X", "cat": "kernel", "name": "second", "pid": 2, "tid": 0, "ts": 60, "dur": 5, "args": {"External id": 26}},
{"ph": "X", "cat": "kernel", "name": "unknown", "pid": 2, "tid": 0, "ts": 70, "dur": 1, "args": {}}
]})json";

/// Per operator its calls, own GPU time and that of its subtree, in ns.
using Operators = std::map<std::string, std::array<std::int64_t, 3>>;

Operators operatorsOf(const Trace& trace)
{
    Operators operators;
    const Cells cells = findStatsTable("torch_ops")->fill(trace, {});
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        if (std::get<std::string>(cells.at(row, 0)) == "CPU")
            operators[std::get<std::string>(cells.at(row, 8))] = {std::get<std::int64_t>(cells.at(row, 1)),
                std::get<std::int64_t>(cells.at(row, 5)), std::get<std::int64_t>(cells.at(row, 6))};
    }
    return operators;
}

/// The call that launched kernel `i`; noIndex: none.
EventIndex launchOf(const Trace& trace, EventIndex i)
{
    const EventRef call = trace.apiCallOf({EventKind::Kernel, i});
    return call.valid() ? call.index : noIndex;
}

} // namespace

void ExternalIdsTest::joinWhereNothingCorrelates()
{
    for (const unsigned threads : {1U, 2U}) {
        const auto loaded = loadText(QByteArray(twoLaunches).replace("FIRST", ""), threads);
        QVERIFY(loaded.ok());
        const Trace& trace = *loaded.value();
        QCOMPARE(launchOf(trace, 0), EventIndex{0});
        QCOMPARE(launchOf(trace, 1), EventIndex{1});
        QCOMPARE(launchOf(trace, 2), noIndex);
        QCOMPARE(operatorsOf(trace)["aten::mm"], (std::array<std::int64_t, 3>{1, 11'000, 11'000}));
    }
}

void ExternalIdsTest::meanNothingWhereEventsCorrelate()
{
    const auto loaded = loadText(QByteArray(twoLaunches).replace("FIRST", "\"correlation\": 26, "));
    QVERIFY(loaded.ok());
    for (EventIndex i = 0; i < 3; ++i)
        QCOMPARE(launchOf(*loaded.value(), i), noIndex);
}

/// One that wrapped around would join another call.
void ExternalIdsTest::linksBeyond32BitsAreNone()
{
    const auto loaded = loadText(QByteArray(twoLaunches).replace("FIRST", "\"correlation\": 4294967322, "));
    QVERIFY(loaded.ok());
    QCOMPARE(launchOf(*loaded.value(), 0), EventIndex{0}); // external ids join, as nothing correlates
    QCOMPARE(launchOf(*loaded.value(), 1), EventIndex{1});
    QVERIFY(
        std::ranges::count(loaded.value()->info.problems, ProblemKind::CorrelationIdTooWide, &Problem::kind)
        > 0);
}

void ExternalIdsTest::operatorsTakeWhatTheReferenceSays_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(WARPLINE_SHARED_REPORTS "/../traces/operators");
    for (const QString& name : folder.entryList({"*.json.gz"}, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    if (!folder.exists())
        QSKIP("needs ../shared/traces, which is not there");
}

void ExternalIdsTest::operatorsTakeWhatTheReferenceSays()
{
    QFETCH(QString, name);
    const auto loaded = loadReport(name.toStdString());
    QVERIFY(loaded.ok());
    Operators operators = operatorsOf(*loaded.value());
    QFile file(name.chopped(8) + ".reference/ops_summary.csv");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readLine().startsWith("name,total_direct_kernel_time_sum,total_subtree_kernel_time_sum,"));
    while (!file.atEnd()) {
        const QList<QByteArray> fields = file.readLine().split(',');
        const auto& [calls, own, subtree] = operators[fields[0].toStdString()];
        QCOMPARE(calls, fields[5].toLongLong());
        // In microseconds, of starts and ends rounded to parts of one.
        QVERIFY2(std::abs(static_cast<double>(own) / 1000 - fields[1].toDouble()) < 0.01, fields[0]);
        QVERIFY2(std::abs(static_cast<double>(subtree) / 1000 - fields[2].toDouble()) < 0.01, fields[0]);
    }
}

WARPLINE_TEST(ExternalIdsTest)

} // namespace tst_external_ids

#include "tst_external_ids.moc"
