// The ncu command of a launch: how many launches its filters let through before it, against SQL.

#include "core/analysis/trace_analysis.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/kernel_totals.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <random>

namespace tst_ncu_command {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string sqlText(QString text)
{
    return "'" + text.replace("'", "''").toStdString() + "'";
}

struct Command {
    QString name; ///< of the kernel; empty: a regular expression, which SQLite has not
    QString range; ///< of NVTX; empty: no filter
    long long skip = -1;
    bool countsOne = false;
};

Command parsed(const std::string& text)
{
    const QString line = QString::fromStdString(text);
    Command command;
    if (const auto name = QRegularExpression("--kernel-name (\\S+) ").match(line);
        name.hasMatch() && !line.contains("regex:"))
        command.name = name.captured(1);
    if (const auto range = QRegularExpression("--nvtx --nvtx-include ('[^']*'|\\S+) ").match(line);
        range.hasMatch()) {
        command.range = range.captured(1).remove('\'');
        command.range.chop(1); // the slash
        if (const qsizetype at = command.range.indexOf(QRegularExpression("(?<!\\\\)@")); at >= 0)
            command.range = command.range.mid(at + 1);
        command.range.replace(QRegularExpression("\\\\(.)"), "\\1");
    }
    if (const auto skip = QRegularExpression("--launch-skip (\\d+) --launch-count 1 ").match(line);
        skip.hasMatch()) {
        command.skip = skip.captured(1).toLongLong();
        command.countsOne = true;
    }
    return command;
}

/// The same count by SQL: launches of that name in that process before row `rowid`, in ranges of that name.
long long counted(const std::string& path, const Command& command, std::uint32_t rowid)
{
    const std::string calls
        = "SELECT min(r.start) AS at, k.start AS began, r.globalTid AS tid, k.rowid AS id, k.globalPid AS pid FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
          "CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND r.globalTid / 16777216 = k.globalPid / 16777216 "
          "JOIN StringIds s ON s.id = k.shortName WHERE s.value = "
        + sqlText(command.name) + " GROUP BY k.rowid"; // a call inside a call has the same number
    std::string sql = "WITH calls AS (" + calls
        + "), me AS (SELECT * FROM calls WHERE id = " + std::to_string(rowid)
        + ") SELECT count(*) FROM calls, me WHERE calls.pid = me.pid AND (calls.at, calls.began) < (me.at, me.began)";
    if (!command.range.isEmpty()) {
        const std::string around
            = "NVTX_EVENTS n LEFT JOIN StringIds t ON t.id = n.textId WHERE n.eventType = 59 AND "
              "coalesce(n.text, t.value) = "
            + sqlText(command.range);
        sql += " AND EXISTS (SELECT 1 FROM " + around
            + " AND n.globalTid = calls.tid AND n.start <= calls.at AND n.end > calls.at AND coalesce(n.domainId, 0) = "
              "(SELECT coalesce(n.domainId, 0) FROM "
            + around
            + " AND n.globalTid = me.tid AND n.start <= me.at AND n.end > me.at ORDER BY n.start DESC LIMIT 1))";
    }
    return sqlInteger(path, sql);
}

} // namespace

class NcuCommandTest : public QObject {
    Q_OBJECT

private slots:
    void itNamesOneLaunch();
    void namesAreQuoted();
    void someNamesAreNoFilter();
    void aPartWarnsOfMissingLaunches_data();
    void aPartWarnsOfMissingLaunches();
    void unknownProgramsHaveAName();
    void skipsAreThoseOfSql();
};

void NcuCommandTest::itNamesOneLaunch()
{
    const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/streams.sqlite");
    QVERIFY(trace.ok());
    QVERIFY(trace.value()->kernels().size() > 2);
    for (EventIndex kernel = 0; kernel < std::min<std::size_t>(20, trace.value()->kernels().size());
         ++kernel) {
        const Command command = parsed(ncuCommandOf(*trace.value(), kernel));
        QVERIFY(command.countsOne && command.skip >= 0);
    }
}

void NcuCommandTest::namesAreQuoted()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "UPDATE StringIds SET value = 'it''s [a, b]/c@d' WHERE id IN (SELECT textId FROM NVTX_EVENTS)");
    fixture.run("UPDATE NVTX_EVENTS SET text = 'it''s [a, b]/c@d' WHERE text IS NOT NULL");
    fixture.run(
        "UPDATE StringIds SET value = 'add.k[abi:v1]' WHERE id IN (SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL)");
    const auto trace = loadReport(fixture.path());
    QVERIFY(trace.ok());
    bool ranged = false;
    for (EventIndex kernel = 0; kernel < trace.value()->kernels().size(); ++kernel) {
        const QString command = QString::fromStdString(ncuCommandOf(*trace.value(), kernel));
        QVERIFY2(command.contains("--kernel-name 'regex:add\\.k' "), qPrintable(command));
        if (command.contains("--nvtx-include")) {
            ranged = true;
            QVERIFY2(
                command.contains("--nvtx --nvtx-include 'it'\\''s \\[a\\, b\\]\\/c\\@d/' --launch-skip "),
                qPrintable(command));
        }
    }
    QVERIFY(ranged);
}

/// ncu reads "regex:" as a regular expression and cannot handle a backslash before special characters.
void NcuCommandTest::someNamesAreNoFilter()
{
    for (const char* name : {"regex:step", "a\\/b", "a\\\\b"}) {
        ReportFixture fixture;
        fixture.addSmallReport();
        fixture.run("UPDATE StringIds SET value = '" + std::string(name)
            + "' WHERE id IN (SELECT textId FROM NVTX_EVENTS)");
        fixture.run("UPDATE NVTX_EVENTS SET text = '" + std::string(name) + "' WHERE text IS NOT NULL");
        const auto trace = loadReport(fixture.path());
        QVERIFY(trace.ok());
        for (EventIndex kernel = 0; kernel < trace.value()->kernels().size(); ++kernel) {
            const QString command = QString::fromStdString(ncuCommandOf(*trace.value(), kernel));
            QVERIFY2(!command.contains("--nvtx"), qPrintable(command));
        }
    }
}

void NcuCommandTest::aPartWarnsOfMissingLaunches_data()
{
    QTest::addColumn<QString>("range");
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<QString>("outer");
    QTest::addColumn<qint64>("second");
    QTest::addColumn<QString>("key");
    const qint64 none = 0;
    QTest::newRow("no filter") << "" << none << "" << none << "kernel.skip_in_part";
    QTest::newRow("a whole step") << "step_7" << qint64{21 * ms} << "" << none << "";
    QTest::newRow("a cut step") << "step_7" << qint64{19 * ms} << "" << none << "kernel.skip_in_ranges";
    QTest::newRow("no number") << "forward" << qint64{21 * ms} << "" << none << "kernel.skip_in_ranges";
    QTest::newRow("in a step") << "layer_3" << qint64{21 * ms} << "step_7" << none << "kernel.skip_in_ranges";
    QTest::newRow("twice") << "step_7" << qint64{21 * ms} << "" << qint64{31 * ms} << "kernel.skip_in_ranges";
}

/// ncu counts from the start of the program. With an NVTX filter that is the same where the range is whole.
void NcuCommandTest::aPartWarnsOfMissingLaunches()
{
    QFETCH(const QString, range);
    QFETCH(const qint64, begin);
    QFETCH(const QString, outer);
    QFETCH(const qint64, second);
    QFETCH(const QString, key);
    for (const bool isPart : {true, false}) {
        DrawnProgram program;
        if (!outer.isEmpty())
            program.range(outer.toStdString(), {20 * ms + us, 30 * ms});
        if (!range.isEmpty())
            program.range(range.toStdString(), {begin, 28 * ms});
        if (second > 0)
            program.range(range.toStdString(), {second, second + ms});
        program.kernel("before", 22 * ms, {22 * ms + 5 * us, 23 * ms});
        program.kernel("work", 24 * ms, {24 * ms + 5 * us, 27 * ms});
        if (isPart)
            QVERIFY(setPart(program.info(), {{20 * ms, 40 * ms}, {0, 60 * ms}, {ms, 50 * ms}}));
        const auto trace = program.finish();
        const std::string command = ncuCommandOf(*trace, 1);
        QCOMPARE(command.find("--nvtx-include") == std::string::npos, range.isEmpty());
        const Message note = ncuSkipNote(*trace, 1);
        QCOMPARE(QString::fromStdString(std::string(note.key())), isPart ? key : QString());
    }
}

/// It is a word of this language, so that it is not part of the command.
void NcuCommandTest::unknownProgramsHaveAName()
{
    for (const char* const program : {"", "./train --fast"}) {
        DrawnProgram drawn;
        drawn.kernel("work", 0, {ms, 2 * ms});
        drawn.info().commandLine = program;
        const auto trace = drawn.finish();
        const std::string command = ncuCommandOf(*trace, 0);
        QVERIFY2(command.ends_with(std::string(" -o kernel ") + program), command.c_str());
        const Message text = ncuText(*trace, command);
        const auto known = std::ranges::find(text.values(), "known", &Argument::name);
        QVERIFY(known != text.values().end());
        QCOMPARE(known->value.name, std::string(*program == 0 ? "no" : "yes"));
        QCOMPARE(plain(text) == command, *program != 0);
        TraceAnalysis analysis(*trace, trace->session, {});
        const Message fact = judgeKernel(analysis, 0).back().text;
        const auto shown = std::ranges::find(fact.values(), "command", &Argument::name);
        QVERIFY(shown != fact.values().end() && shown->value.messages.size() == 1);
        QVERIFY(shown->value.messages.front() == text);
    }
}

void NcuCommandTest::skipsAreThoseOfSql()
{
    const std::vector<std::string> reports = sharedReports();
    if (reports.empty())
        QSKIP("needs ../shared/reports, which is not there");
    std::mt19937 random(11);
    int checked = 0;
    int ranged = 0;
    for (const std::string& path : reports) {
        if (QFile(QString::fromStdString(path)).size() > 12'000'000
            || !sqlHasTable(path, "CUPTI_ACTIVITY_KIND_KERNEL")
            || !sqlHasTable(path, "CUPTI_ACTIVITY_KIND_RUNTIME")
            || !sqlHasColumn(path, "CUPTI_ACTIVITY_KIND_KERNEL", "shortName")
            || !sqlHasColumn(path, "CUPTI_ACTIVITY_KIND_KERNEL", "globalPid"))
            continue;
        const auto loaded = loadReport(path);
        if (!loaded.ok() || loaded.value()->kernels().size() == 0)
            continue;
        const Trace& trace = *loaded.value();
        if (trace.kernels().size() * trace.nvtx().size() > 20'000'000)
            continue; // SQL asks for each launch about each range
        for (int turn = 0; turn < 3; ++turn) {
            const auto kernel = static_cast<EventIndex>(random() % trace.kernels().size());
            const Command command = parsed(ncuCommandOf(trace, kernel));
            QVERIFY2(command.countsOne, path.c_str());
            if (command.name.isEmpty() || !trace.apiCallOf({EventKind::Kernel, kernel}).valid()
                || (!command.range.isEmpty() && !sqlHasColumn(path, "NVTX_EVENTS", "textId")))
                continue;
            const long long wanted = counted(path, command, trace.kernels().sourceRow[kernel]);
            QVERIFY2(command.skip == wanted,
                qPrintable(QString("%1, row %2, %3 in '%4': %5 instead of %6")
                               .arg(QString::fromStdString(path))
                               .arg(trace.kernels().sourceRow[kernel])
                               .arg(command.name, command.range)
                               .arg(command.skip)
                               .arg(wanted)));
            ++checked;
            ranged += command.range.isEmpty() ? 0 : 1;
        }
    }
    QVERIFY(checked > 20 && ranged > 5);
}

WARPLINE_TEST(NcuCommandTest)

} // namespace tst_ncu_command

#include "tst_ncu_command.moc"
