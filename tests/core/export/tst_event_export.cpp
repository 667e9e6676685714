// Events for other programs: every event of the range once, times to the nanosecond, lines that nest.

#include "core/analysis/scope.h"
#include "core/export/event_export.h"
#include "core/filter/event_predicate.h"
#include "core/filter/filter_expression.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/library_domains.h"
#include "core/store/place_names.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

namespace tst_event_export {

using namespace warpline;

namespace {

QByteArray written(const Trace& trace, const EventExport& asked, bool csv = false)
{
    QByteArray text;
    const TextSink sink = [&](std::string_view piece) {
        text.append(piece.data(), static_cast<qsizetype>(piece.size()));
        return true;
    };
    if (csv ? writeEventsCsv(trace, asked, sink) : writeChromeTrace(trace, asked, sink))
        return text;
    return {};
}

/// By kind the number of events that overlap `window`, by examining each.
std::map<QString, qint64> counted(const Trace& trace, TimeRange window)
{
    std::map<QString, qint64> counts;
    for (const EventKind kind : allEventKinds()) {
        if (isDerived(kind))
            continue;
        const EventTable& table = trace.table(kind);
        for (EventIndex i = 0; i < table.size(); ++i) {
            if (window.empty() || window.touches(table.start[i], table.end(i)))
                ++counts[QString::fromStdString(std::string(keyOf(kind)))];
        }
    }
    return counts;
}

/// "12.345" microseconds of the text as nanoseconds: JSON readers would make doubles of them.
Ns nanoseconds(QByteArray text)
{
    const bool negative = text.startsWith('-');
    const QList<QByteArray> parts = text.replace("-", "").split('.');
    const Ns value = parts[0].toLongLong() * 1000 + parts.value(1).toLongLong();
    return negative ? -value : value;
}

QByteArray numberBehind(const QByteArray& line, const char* key)
{
    const qsizetype at = line.indexOf(key) + qsizetype(qstrlen(key));
    qsizetype end = at;
    while (end < line.size() && (isdigit(line[end]) || line[end] == '.' || line[end] == '-'))
        ++end;
    return line.mid(at, end - at);
}

std::shared_ptr<const Trace> loaded(const QString& path)
{
    auto trace = loadReport(path.toStdString());
    return trace.ok() ? trace.value() : nullptr;
}

/// What Warpline reads from the Chrome trace that it wrote of `trace`.
std::shared_ptr<const Trace> readAgain(const Trace& trace)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("again.json"));
    if (!file.open(QFile::WriteOnly))
        return nullptr;
    file.write(written(trace, {}));
    file.close();
    return loaded(file.fileName());
}

} // namespace

class EventExportTest : public QObject {
    Q_OBJECT

private slots:
    void everyEventOnce_data()
    {
        QTest::addColumn<QString>("path");
        QStringList folders{QStringLiteral(WARPLINE_TEST_DATA "/reports")};
        if (QDir(QStringLiteral(WARPLINE_SHARED_REPORTS)).exists())
            folders << QStringLiteral(WARPLINE_SHARED_REPORTS "/public");
        for (const QString& folder : folders) {
            QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                if (QFileInfo(path).size() < 1'000'000)
                    QTest::newRow(qPrintable(QFileInfo(path).completeBaseName())) << path;
            }
        }
    }
    void everyEventOnce()
    {
        QFETCH(QString, path);
        const auto trace = loaded(path);
        if (!trace)
            QSKIP("not a report");
        const TimeRange all = trace->session;
        for (const TimeRange window :
            {TimeRange{}, TimeRange{all.start + all.duration() / 3, all.start + all.duration() / 2}}) {
            if (window != TimeRange{} && window.empty())
                continue;
            const TimeRange asked = window.empty() ? TimeRange{all.start, all.end + 1} : window;
            const QByteArray text = written(*trace, {window, {}});
            QJsonParseError problem;
            const QJsonDocument json = QJsonDocument::fromJson(text, &problem);
            QVERIFY2(!json.isNull(), qPrintable(problem.errorString()));
            // The file contains the report's name, but no folder of this machine.
            QCOMPARE(json.object()["otherData"].toObject()["file"].toString(), QFileInfo(path).fileName());
            std::map<QString, qint64> counts;
            Ns total = 0;
            for (const QByteArray& line : text.split('\n')) {
                const QJsonObject event
                    = QJsonDocument::fromJson(line.endsWith(',') ? line.chopped(1) : line).object();
                const QString phase = event["ph"].toString();
                if (phase == "X" || phase == "i")
                    ++counts[event["cat"].toString()];
                if (phase == "X")
                    total += nanoseconds(numberBehind(line, "\"dur\": "));
            }
            QCOMPARE(counts, counted(*trace, asked));
            if (window.empty()) {
                Ns expected = 0;
                for (const EventKind kind : allEventKinds()) {
                    const EventTable& table = trace->table(kind);
                    for (EventIndex i = 0; !isDerived(kind) && i < table.size(); ++i)
                        expected += asked.touches(table.start[i], table.end(i)) ? table.duration[i] : 0;
                }
                QCOMPARE(total, expected);
            }
            const QByteArray csv = written(*trace, {window, {}}, true);
            qint64 lines = -1; // the header
            bool quoted = false;
            for (const char c : csv) {
                quoted = quoted != (c == '"');
                lines += c == '\n' && !quoted ? 1 : 0;
            }
            qint64 sum = 0;
            for (const auto& [kind, count] : counted(*trace, window)) // also what is outside the session
                sum += count;
            QCOMPARE(lines, sum);
        }
    }

    void linesNestAndTimesAreExact()
    {
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite"));
        QVERIFY(trace);
        const QByteArray text = written(*trace, {});
        std::map<QByteArray, std::vector<Ns>> open; // by line
        std::map<std::pair<Ns, Ns>, int> kernels;
        for (const QByteArray& line : text.split('\n')) {
            if (!line.contains("\"ph\": \"X\""))
                continue;
            const Ns start = nanoseconds(numberBehind(line, "\"ts\": "));
            const Ns end = start + nanoseconds(numberBehind(line, "\"dur\": "));
            auto& ends = open[numberBehind(line, "\"tid\": ")];
            while (!ends.empty() && ends.back() <= start)
                ends.pop_back();
            QVERIFY2(ends.empty() || end <= ends.back(), line.constData());
            ends.push_back(end);
            if (line.contains("\"cat\": \"kernel\""))
                ++kernels[{start, end}];
        }
        for (EventIndex i = 0; i < trace->kernels().size(); ++i)
            --kernels[{trace->kernels().start[i], trace->kernels().end(i)}];
        QVERIFY(!kernels.empty()
            && std::ranges::all_of(kernels, [](const auto& each) { return each.second == 0; }));
    }

    /// Warpline reads its own traces without loss, for the kinds that Chrome's format supports.
    void isReadAgain_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name : {"bert_fp32", "streams", "um", "openmp"})
            QTest::newRow(name) << name;
    }
    void isReadAgain()
    {
        QFETCH(QString, name);
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/reports/") + name + ".sqlite");
        QVERIFY(trace);
        const auto again = readAgain(*trace);
        QVERIFY(again);
        QVERIFY(recorderOf(again->info) == Recorder::OtherTracer);
        for (const EventKind kind :
            {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::ApiCall,
                EventKind::Synchronization, EventKind::OsRuntime, EventKind::NvtxProjected}) {
            const EventTable& before = trace->table(kind);
            const EventTable& after = again->table(kind);
            QCOMPARE(after.size(), before.size());
            QCOMPARE(after.durationSum(0, static_cast<EventIndex>(after.size())),
                before.durationSum(0, static_cast<EventIndex>(before.size())));
        }
        QCOMPARE(lifeOfGpus(*again).duration(), lifeOfGpus(*trace).duration());
        QCOMPARE(again->session.duration(), trace->session.duration());
        // Other kinds of events do not become ranges of the program.
        const auto ownRanges = [](const Trace& of) {
            std::size_t count = 0;
            for (const Track& track : of.nvtx().tracks) {
                if (track.device < 0 && !isLibraryDomain(of.text(track.family)))
                    count += track.eventCount;
            }
            return count;
        };
        QCOMPARE(ownRanges(*again), ownRanges(*trace));
        const auto callingProcesses = [](const Trace& of) {
            std::set<std::string> names;
            for (const Track& track : of.apiCalls().tracks)
                names.insert(plain(processLabel(of, processOf(track.owner))));
            return names;
        };
        QVERIFY(callingProcesses(*again) == callingProcesses(*trace));
        std::map<CopyKind, std::uint64_t> bytes;
        for (const auto& [each, sign] : {std::pair(trace, 1), std::pair(again, -1)}) {
            for (EventIndex i = 0; i < each->memcpys().size(); ++i)
                bytes[each->memcpys().copy(i).kind] += sign * each->memcpys().bytes[i];
        }
        for (const auto& [kind, left] : bytes)
            QCOMPARE(left, 0U);
    }

    /// ROCm counts the host's processors, too: its GPU 9 is the first one.
    void gpusHaveTheNumbersThatAreShown()
    {
        const auto trace = test::loadText(
            R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "AMD Instinct"}], "traceEvents": [
                {"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 1,
                 "dur": 1, "args": {"correlation": 1}},
                {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 9, "tid": 7, "ts": 3, "dur": 2,
                 "args": {"device": 9, "stream": 7, "correlation": 1}}]})");
        QVERIFY(trace.ok());
        QCOMPARE(trace.value()->kernels().tracks[0].device, 9);
        const auto again = readAgain(*trace.value());
        QVERIFY(again);
        QCOMPARE(again->kernels().tracks[0].device, 0);
    }

    /// A CUDA graph that was traced as a whole is work of its GPU, started by its launch.
    void graphsAreReadAgain()
    {
        test::DrawnProgram program;
        for (const Ns start : {Ns{100'000}, Ns{300'000}})
            program.graph(start, {start + 20'000, start + 150'000});
        const auto trace = program.finish();
        const auto again = readAgain(*trace);
        QVERIFY(again);
        const EventTable& before = trace->table(EventKind::GraphTrace);
        const EventTable& after = again->table(EventKind::GraphTrace);
        QCOMPARE(after.size(), std::size_t{2});
        QCOMPARE(after.durationSum(0, 2), before.durationSum(0, 2));
        QCOMPARE(after.tracks[0].device, before.tracks[0].device);
        QCOMPARE(after.tracks[0].stream, before.tracks[0].stream);
        for (EventIndex i = 0; i < after.size(); ++i)
            QVERIFY(again->apiCallOf({EventKind::GraphTrace, i}).valid());
        QVERIFY(again->nvtx().empty());
        QCOMPARE(lifeOfGpus(*again).duration(), lifeOfGpus(*trace).duration());
    }

    void onlyTheKindsThatAreAsked()
    {
        const auto trace = loaded(QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite"));
        QVERIFY(trace);
        const QByteArray text = written(*trace, {{}, {EventKind::Kernel}});
        QCOMPARE(text.count("\"cat\": \"kernel\""), qsizetype(trace->kernels().size()));
        QVERIFY(!text.contains("\"cat\": \"cuda_api\""));
        QCOMPARE(text.count("\"ph\": \"f\""), qsizetype(trace->kernels().size()));
    }

    void valuesOfCountersAreExact()
    {
        test::DrawnProgram program;
        program.graph(100'000, {120'000, 250'000});
        program.metric("Memory in use", {150'000, 160'000}, 20'000, 134'217'728);
        const QByteArray text = written(*program.finish(), {});
        QVERIFY2(text.contains("{\"value\": 134217728}"), text.constData());
    }

    /// A counter is no event that passes a filter.
    void countersGoWithAllEvents()
    {
        test::DrawnProgram program;
        program.graph(100'000, {120'000, 250'000});
        program.metric("SMs Active", {150'000, 230'000}, 20'000, 75);
        const auto trace = program.finish();
        const EventRef graph{EventKind::GraphTrace, 0};
        const auto filter = std::make_shared<const EventPredicate>(*trace, FilterExpression("kind=graph"));
        const auto only = std::make_shared<const std::vector<EventRef>>(1, graph);
        for (const auto& [asked, counters] :
            {std::pair(EventExport{}, 4), {EventExport{.window = {}, .kinds = {EventKind::GraphTrace}}, 0},
                {EventExport{.window = {}, .kinds = {}, .filter = filter}, 0},
                {EventExport{.window = {}, .kinds = {}, .only = only}, 0}}) {
            QCOMPARE(written(*trace, asked).count("\"ph\": \"C\""), counters);
            std::uint64_t events = 0;
            for (const EventKind kind : kindsOf(asked))
                events += trace->table(kind).size();
            QCOMPARE(eventsToLookAt(*trace, asked), events + std::uint64_t(counters));
        }
    }
};

WARPLINE_TEST(EventExportTest)

} // namespace tst_event_export

#include "tst_event_export.moc"
