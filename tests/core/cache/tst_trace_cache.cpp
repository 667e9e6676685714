// Cached traces: a cached trace equals the original in everything that is computed from it; and a damaged
// cache file is ignored, and the report is read.

#include "core/cache/report_key.h"
#include "core/cache/trace_archive.h"
#include "core/cache/trace_cache.h"
#include "core/export/cells_text.h"
#include "core/export/findings_text.h"
#include "core/export/info_json.h"
#include "core/findings/checklist.h"
#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/query/lod.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

Q_DECLARE_METATYPE(void (*)(warpline::Trace&))

namespace tst_trace_cache {

using namespace warpline;
using namespace warpline::test;

namespace fs = std::filesystem;

namespace {

constexpr CacheLimits keepsAll{0, 8ULL << 30U};

/// Of a report that has not changed since it was read.
bool keep(const std::string& folder, const std::string& path, const Trace& trace,
    const CacheLimits& limits = {}, std::stop_token stop = {})
{
    const auto key = keyOf(path);
    return key && keepTrace(folder, *key, trace, limits, std::move(stop));
}

std::shared_ptr<const Trace> load(const std::string& path, const std::string& cache = {})
{
    LoadOptions options;
    options.cacheFolder = cache;
    auto trace = loadReport(path, options);
    return trace.ok() ? trace.take() : nullptr;
}

/// All events of `kind` by all their columns, stacks and partners, as one number.
std::size_t digest(const Trace& trace, EventKind kind)
{
    const EventTable& table = trace.table(kind);
    std::size_t sum = table.sourceRows;
    const auto add = [&sum](std::size_t value) { sum = sum * 1'099'511'628'211ULL + value + 1; };
    for (EventIndex i = 0; i < table.size(); ++i) {
        const EventRef event{kind, i};
        add(static_cast<std::size_t>(table.start[i]));
        add(static_cast<std::size_t>(table.duration[i]));
        add(std::hash<std::string_view>()(trace.name(event)));
        add(std::hash<std::string_view>()(trace.displayName(event)));
        for (const auto* const column :
            {&table.sourceRow, &table.correlation, &table.callchain, &table.attribute})
            add(column->empty() ? 7 : (*column)[i]);
        add(table.bytes.empty() ? 7 : table.bytes[i]);
        add(trace.apiCallOf(event).index);
        add(trace.stackOf(event).size());
        for (const EventRef work : kind == EventKind::ApiCall ? trace.workOf(event) : std::vector<EventRef>())
            add(work.index);
        add(table.trackIndexOf(i));
        add(table.depthOf(i));
    }
    return sum;
}

/// The drawing of a lane with many events per pixel, whose code differs from that for few.
std::string drawing(const Trace& trace, const EventTable& table, const Lane& lane)
{
    constexpr int pixels = 16;
    std::vector<LodSlice> slices;
    levelOfDetail(table, lane, trace.session, pixels, slices);
    std::string all;
    for (const LodSlice& slice : slices)
        all += fmt::format(
            "{} {} {} {} {} {}\n", slice.x0, slice.x1, slice.first, slice.count, slice.share, slice.longest);
    return all;
}

/// All texts about a trace.
std::string everything(const Trace& trace)
{
    std::string all = infoJson(trace).dump();
    for (const StatsTable* const table : allStatsTables()) {
        if (table->applies(trace))
            all += toCsv(table->fill(trace, {}));
    }
    const std::vector<Finding> findings = runRules(trace, trace.session);
    all += findingsJson(trace, AnalysisText{findings, answerChecklist(trace, trace.session)}).dump();
    for (const CounterSeries& series : trace.counters) {
        for (std::size_t i = 0; i < series.size(); ++i)
            all += std::to_string((*series.times)[i]) + ' ' + std::to_string(series.values[i]) + '\n';
    }
    for (const EventKind kind : allEventKinds()) {
        all += std::to_string(digest(trace, kind)) + '\n';
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes)
            all += drawing(trace, table, lane);
        for (EventIndex i = 0; i < table.size(); i += std::max<EventIndex>(1, table.size() / 50)) {
            for (const TextRow& row : detailsOf(trace, {kind, i}))
                all += plain(row.label) + plain(row.value) + '\n';
        }
    }
    return all;
}

fs::path onlyFile(const std::string& folder)
{
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder))
        found = entry.path();
    return found;
}

} // namespace

class TraceCacheTest : public QObject {
    Q_OBJECT

private slots:
    void comesBackAsItWas_data();
    void comesBackAsItWas();
    void snapshotsComeOnTheWay();
    void changedReportIsReadAnew();
    void damagedFilesAreNotBelieved();
    void filesThatWereReplacedAreNoticed();
    void contentThatLeadsNowhereIsRefused_data();
    void contentThatLeadsNowhereIsRefused();
    void smallReportsAreNotKept();
    void theLongestUnusedGoFirst();
    void moreRowsOfCallsThanTheReportHasAreNotBelieved();
    void folderThatCannotBeWrittenIsNoError();
    void stoppedWritingLeavesNothing();
};

void TraceCacheTest::comesBackAsItWas_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("sample") << QString(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    for (const auto& entry : fs::directory_iterator(WARPLINE_TEST_DATA "/reports"))
        QTest::newRow(entry.path().filename().string().c_str())
            << QString::fromStdString(entry.path().string());
    for (const std::string& path : sharedReports())
        QTest::newRow(path.substr(path.find("reports/") + 8).c_str()) << QString::fromStdString(path);
}

void TraceCacheTest::comesBackAsItWas()
{
    QFETCH(const QString, path);
    const QTemporaryDir folder;
    const std::string report = path.toStdString();
    const auto read = load(report);
    if (!read)
        QSKIP("not a report that opens");
    if (!keep(folder.path().toStdString(), report, *read, keepsAll))
        QSKIP("a report that is not kept: a -wal lies beside it");
    const auto kept = findTrace(folder.path().toStdString(), report, 2);
    QVERIFY(kept);
    QVERIFY(kept->complete);
    QCOMPARE(kept->session, read->session);
    QVERIFY(everything(*kept) == everything(*read));
    // Cached already: not written again.
    QVERIFY(!keep(folder.path().toStdString(), report, *read, keepsAll));
}

void TraceCacheTest::snapshotsComeOnTheWay()
{
    const QTemporaryDir folder;
    ReportFixture fixture;
    fixture.addSmallReport();
    QVERIFY(keep(folder.path().toStdString(), fixture.path(), *load(fixture.path()), keepsAll));
    int snapshots = 0;
    bool kernelsFirst = false;
    const auto kept = findTrace(folder.path().toStdString(), fixture.path(), 1, [&](const auto& trace) {
        kernelsFirst
            = kernelsFirst || (snapshots == 0 && trace->kernels().size() == 3 && trace->nvtx().empty());
        ++snapshots;
        QVERIFY(!trace->complete);
    });
    QVERIFY(kept);
    QVERIFY(kernelsFirst);
    QVERIFY(snapshots >= 3);
}

void TraceCacheTest::changedReportIsReadAnew()
{
    const QTemporaryDir folder;
    const std::string cache = folder.path().toStdString();
    ReportFixture fixture;
    fixture.addSmallReport();
    QVERIFY(keep(cache, fixture.path(), *load(fixture.path()), keepsAll));
    QVERIFY(findTrace(cache, fixture.path(), 1));
    const auto time = fs::last_write_time(fixture.path());
    fixture.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET \"end\" = 3500 WHERE start = 1000");
    // Even with the time of the last change set back: SQLite counts its changes in the first page.
    fs::last_write_time(fixture.path(), time);
    QVERIFY(!findTrace(cache, fixture.path(), 1));
    const auto read = load(fixture.path(), cache);
    QCOMPARE(read->kernels().duration[0], 2500);
    // A report that was replaced by one of the same size while it was read is not kept.
    const auto before = keyOf(fixture.path());
    fixture.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET \"end\" = 3600 WHERE start = 1000");
    QCOMPARE(keyOf(fixture.path())->bytes, before->bytes);
    QVERIFY(!keepTrace(cache, *before, *read, keepsAll));
    // Only touched: indistinguishable from changed, and read again.
    QVERIFY(keep(cache, fixture.path(), *read, keepsAll));
    fs::last_write_time(fixture.path(), time + std::chrono::seconds(2));
    QVERIFY(!findTrace(cache, fixture.path(), 1));
}

void TraceCacheTest::damagedFilesAreNotBelieved()
{
    const QTemporaryDir folder;
    const std::string cache = folder.path().toStdString();
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto read = load(fixture.path());
    const std::string expected = everything(*read);
    fs::permissions(cache, fs::perms::group_all | fs::perms::others_all, fs::perm_options::add);
    QVERIFY(keep(cache, fixture.path(), *read, keepsAll));
#ifndef _WIN32 // the report may be closed to others
    QCOMPARE(
        fs::status(cache).permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none);
#endif
    const fs::path file = onlyFile(cache);
    std::ifstream in(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    in.close();
    std::mt19937 random(11);
    int unnoticed = 0;
    for (int round = 0; round < 400; ++round) {
        std::string bad = whole;
        if (round % 2 == 0)
            bad.resize(random() % whole.size());
        else
            bad[random() % whole.size()] ^= static_cast<char>(1U << random() % 8);
        // Like a failing disk: the name stays, the content changes.
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
        const auto kept = findTrace(cache, fixture.path(), 2);
        QVERIFY(!(kept && round % 2 == 0));
        unnoticed += kept ? 1 : 0; // a bit of the padding between blocks
        QVERIFY(!kept || everything(*kept) == expected);
    }
    QVERIFY2(unnoticed < 60, qPrintable(QString::number(unnoticed)));
    std::ofstream(file, std::ios::binary | std::ios::trunc) << "not a trace";
    QVERIFY(everything(*load(fixture.path(), cache)) == expected);
}

/// A change to a trace that no report leads to.
using Spoil = void (*)(Trace& trace);

/// `change` of a copy of the table of `kind`.
template <typename Table, typename Change> void spoilTable(Trace& trace, EventKind kind, Change change)
{
    auto table = std::make_shared<Table>(static_cast<const Table&>(trace.table(kind)));
    change(*table);
    trace.tables[indexOf(kind)] = std::move(table);
}

void TraceCacheTest::contentThatLeadsNowhereIsRefused_data()
{
    QTest::addColumn<Spoil>("spoil");
    const auto row = [](const char* name, Spoil spoil) { QTest::newRow(name) << spoil; };
    row("name of an event", [](Trace& trace) {
        spoilTable<KernelTable>(
            trace, EventKind::Kernel, [](KernelTable& table) { table.name[0] = StringId{99'999}; });
    });
    row("launch of a kernel", [](Trace& trace) {
        spoilTable<KernelTable>(
            trace, EventKind::Kernel, [](KernelTable& table) { table.attribute[0] = 99'999; });
    });
    row("kind of a copy", [](Trace& trace) {
        spoilTable<MemcpyTable>(
            trace, EventKind::Memcpy, [](MemcpyTable& table) { table.copies[0].kind = CopyKind{200}; });
    });
    row("name in a record", [](Trace& trace) {
        spoilTable<NvtxTable>(
            trace, EventKind::Nvtx, [](NvtxTable& table) { table.attributes[0].payload = StringId{99'999}; });
    });
    row("events out of order", [](Trace& trace) {
        spoilTable<KernelTable>(
            trace, EventKind::Kernel, [](KernelTable& table) { table.start[0] = Ns{1} << 54; });
    });
    row("impossible time", [](Trace& trace) {
        spoilTable<EventTable>(trace, EventKind::ApiCall,
            [](EventTable& table) { table.start.back() = std::numeric_limits<Ns>::max(); });
    });
    row("first event of a track", [](Trace& trace) {
        spoilTable<KernelTable>(
            trace, EventKind::Kernel, [](KernelTable& table) { table.tracks[0].firstEvent = 1; });
    });
    row("call of a kernel", [](Trace& trace) {
        auto links = std::make_shared<Links>(*trace.links);
        links->apiOf[0][0] = 99'999;
        trace.links = std::move(links);
    });
    row("work of a call", [](Trace& trace) {
        auto links = std::make_shared<Links>(*trace.links);
        links->firstWork[0] = Links::pack({EventKind::Kernel, 99'999});
        trace.links = std::move(links);
    });
    row("too few calls of kernels", [](Trace& trace) {
        auto links = std::make_shared<Links>(*trace.links);
        links->apiOf[0].pop_back();
        trace.links = std::move(links);
    });
    row("work of too few calls", [](Trace& trace) {
        auto links = std::make_shared<Links>(*trace.links);
        links->firstWork.pop_back();
        trace.links = std::move(links);
    });
    row("start before 1970", [](Trace& trace) { trace.info.startedUtcNs = -1; });
    row("impossible start", [](Trace& trace) { trace.info.startedUtcNs = latestUtcNs + 1; });
    row("name of a process", [](Trace& trace) { trace.processes.push_back({1, 1, StringId{99'999}}); });
    row("frame of a stack", [](Trace& trace) {
        trace.cudaChains = std::make_shared<const Callchains>(Callchains{{1}, {0, 1}, {{StringId{99'999}}}});
    });
    row("stacks out of order", [](Trace& trace) {
        trace.cudaChains = std::make_shared<const Callchains>(Callchains{{1, 2}, {0, 9, 1}, {{}, {}}});
    });
    row("kind of a counter", [](Trace& trace) {
        CounterSeries series;
        series.kind = CounterKind{99};
        series.times = std::make_shared<const std::vector<Ns>>();
        trace.counters.push_back(series);
    });
}

/// An attacker can write valid hashes: contents are never used as memory addresses.
/// By the trace that was read from it, and by a kept one.
void TraceCacheTest::filesThatWereReplacedAreNoticed()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("report.sqlite").toStdString();
    const std::string cache = folder.filePath("cache").toStdString();
    const auto put = [&path](const char* name) {
        fs::remove(path);
        fs::copy_file(fs::path(WARPLINE_TEST_DATA "/reports") / name, path);
    };
    put("streams.sqlite");
    const auto read = load(path);
    QVERIFY(keep(cache, path, *read, keepsAll));
    const auto kept = load(path, cache);
    QVERIFY(unchangedOnDisk(read->info).ok() && unchangedOnDisk(kept->info).ok());
    put("payload.sqlite");
    QVERIFY(!unchangedOnDisk(read->info).ok() && !unchangedOnDisk(kept->info).ok());
    put("streams.sqlite"); // the same content, with another time
    QVERIFY(unchangedOnDisk(read->info).ok() && unchangedOnDisk(kept->info).ok());
}

void TraceCacheTest::contentThatLeadsNowhereIsRefused()
{
    QFETCH(const Spoil, spoil);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("kept.trace").toStdString();
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto read = load(fixture.path());
    const ReportKey key{"/report", 1, 2, 3};
    QVERIFY(writeTrace(*read, key, path));
    QVERIFY(readTrace(path, key, 1));
    Trace spoiled = *read;
    spoil(spoiled);
    QVERIFY(writeTrace(spoiled, key, path));
    QVERIFY(!readTrace(path, key, 1));
}

void TraceCacheTest::smallReportsAreNotKept()
{
    const QTemporaryDir folder;
    ReportFixture fixture;
    fixture.addSmallReport();
    QVERIFY(!keep(folder.path().toStdString(), fixture.path(), *load(fixture.path())));
    QCOMPARE(cacheBytes(folder.path().toStdString()), 0U);
}

void TraceCacheTest::theLongestUnusedGoFirst()
{
    const QTemporaryDir folder;
    const std::string cache = folder.path().toStdString();
    ReportFixture reports[3];
    for (ReportFixture& report : reports)
        report.addSmallReport();
    QVERIFY(keep(cache, reports[0].path(), *load(reports[0].path()), keepsAll));
    const std::uint64_t one = cacheBytes(cache);
    const fs::path first = onlyFile(cache);
    QVERIFY(keep(cache, reports[1].path(), *load(reports[1].path()), keepsAll));
    fs::last_write_time(first, fs::file_time_type::clock::now() - std::chrono::hours(1));
    QVERIFY(findTrace(cache, reports[0].path(), 1)); // used again: now the other one is older
    for (const auto& entry : fs::directory_iterator(cache)) {
        if (entry.path() != first)
            fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::minutes(5));
    }
    // Room for the estimated third one and for one of the two.
    const CacheLimits tight{0, (1ULL << 20U) + one + one / 2};
    QVERIFY(keep(cache, reports[2].path(), *load(reports[2].path()), tight));
    QVERIFY(findTrace(cache, reports[2].path(), 1));
    QVERIFY(!findTrace(cache, reports[1].path(), 1));
    QVERIFY(clearCache(cache) >= one);
    QCOMPARE(cacheBytes(cache), 0U);
}

/// A table lists each row of a call: a forged number of them would take all memory.
void TraceCacheTest::moreRowsOfCallsThanTheReportHasAreNotBelieved()
{
    const QTemporaryDir folder;
    const std::string cache = folder.path().toStdString();
    const std::string path = WARPLINE_TEST_DATA "/reports/halo_one.sqlite";
    const auto read = load(path);
    const auto calls = std::make_shared<LibraryCallTable>(read->libraryCalls());
    QVERIFY(calls->size() > 0);
    for (MessageFacts& facts : calls->messages)
        facts.rows = std::int64_t{1} << 40U;
    Trace forged = *read;
    forged.tables[indexOf(EventKind::Library)] = calls;
    QVERIFY(keep(cache, path, forged, keepsAll));
    QVERIFY(!findTrace(cache, path, 1));
}

void TraceCacheTest::folderThatCannotBeWrittenIsNoError()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto read = load(fixture.path(), "/proc/no/such/folder");
    QVERIFY(read);
    QVERIFY(!keep("/proc/no/such/folder", fixture.path(), *read, keepsAll));
    QVERIFY(!keep(fixture.path(), fixture.path(), *read, keepsAll)); // a file, not a folder
}

void TraceCacheTest::stoppedWritingLeavesNothing()
{
    const QTemporaryDir folder;
    ReportFixture fixture;
    fixture.addSmallReport();
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!keep(
        folder.path().toStdString(), fixture.path(), *load(fixture.path()), keepsAll, stop.get_token()));
    QVERIFY(fs::is_empty(folder.path().toStdString()));
}

WARPLINE_TEST(TraceCacheTest)

} // namespace tst_trace_cache

#include "tst_trace_cache.moc"
