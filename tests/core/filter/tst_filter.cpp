// Filters: results compared with hand-written SQL; places of mistakes; and that no input crashes or hangs.

#include "core/base/stop.h"
#include "core/filter/enclosing_ranges.h"
#include "core/filter/event_predicate.h"
#include "core/filter/filter_completion.h"
#include "core/filter/filter_values.h"
#include "core/filter/text_match.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/render/render.h"
#include "core/store/nvtx_types.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <random>

namespace tst_filter {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr Ns us = 1'000;
constexpr Ns ms = 1'000'000;

std::shared_ptr<const Trace> loaded(const QString& path)
{
    auto trace = loadReport(path.toStdString());
    return trace.ok() ? trace.value() : nullptr;
}

qint64 judged(const QString& path, const QByteArray& sql)
{
    sqlite3* db = nullptr;
    const QByteArray uri = "file:" + path.toUtf8() + "?mode=ro&immutable=1";
    sqlite3_open_v2(uri.constData(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    sqlite3_stmt* statement = nullptr;
    qint64 count = -1;
    if (sqlite3_prepare_v2(db, sql.constData(), -1, &statement, nullptr) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW)
        count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

qint64 passing(const Trace& trace, const std::string& text)
{
    const EventPredicate passes(trace, FilterExpression(text));
    qint64 count = 0;
    for (const EventKind kind : allEventKinds()) {
        for (EventIndex i = 0; i < trace.table(kind).size() && !isDerived(kind); ++i) {
            if (passes({kind, i})) {
                ++count;
                if (!passes.mayPass(kind))
                    return -1;
            }
        }
    }
    return count;
}

/// The synthetic program for the filters.
std::shared_ptr<const Trace> drawn()
{
    DrawnProgram program;
    for (int i = 0; i < 4; ++i) {
        const Ns at = i * ms;
        program.range("step " + std::to_string(i), {at, at + ms});
        program.range("forward", {at + 10 * us, at + 400 * us});
        program.range("attention", {at + 20 * us, at + 100 * us});
        program.range("backward", {at + 500 * us, at + 900 * us});
        program.range("attention", {at + 520 * us, at + 600 * us});
        program.range("reduce", {at + 500 * us, at + 600 * us}, "NCCL");
        program.kernel("sgemm_64x64", at + 30 * us, {at + 50 * us, at + (60 + i) * us}, {.stream = 7});
        program.kernel("flash_fwd", at + 50 * us, {at + 70 * us, at + 90 * us}, {.stream = 13});
        program.kernel("sgemm_64x64", at + 530 * us, {at + 550 * us, at + 650 * us}, {.stream = 7});
        program.copy({at + 700 * us, at + 705 * us}, {at + 710 * us, at + 760 * us}, {.bytes = 1'000'000});
    }
    return program.finish();
}

} // namespace

class FilterTest : public QObject {
    Q_OBJECT

private slots:
    void textsMeanWhatTheySay_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("expected");
        const auto row = [](const char* text, qint64 expected) { QTest::newRow(text) << text << expected; };
        row("sgemm", 8);
        row("  SGEMM  ", 8);
        row("step 1", 1);
        row("\"step 1\"", 1);
        row("step", 4);
        row("name=step*", 4);
        row("name=step", 0);
        row("name~/^(sgemm|flash)_/", 12);
        row("/gemm|flash/", 12);
        row("/gemm|flash/ stream=13", 4);
        row("kind=kernel", 12);
        row("kind=kernel,memcpy", 16);
        row("kind=copy", 4);
        row("not kind=kernel kind=kernel", 0);
        row("kind=kernel -flash", 8);
        row("kind=kernel name!~flash", 8);
        row("kind=kernel not (flash or dur>50us)", 4);
        row("stream=7", 12); // the copies' stream, too
        row("stream=7..13 kind=kernel", 12);
        row("stream>7", 4);
        row("stream!=7", 4);
        row("dur=60us..100us kind=kernel", 4);
        row("kind=kernel dur >= 12us dur <= 20us", 6);
        row("kind=kernel dur=20us", 4);
        row("bytes>=1MB", 4);
        row("bytes>1MB", 0);
        row("bytes=1e6", 4);
        row("domain=NCCL", 4);
        row("domain=nccl or flash", 8);
        row("path=attention kind=kernel", 12);
        row("path=forward/attention kind=kernel", 8);
        row("path=step*/*/attention kind=kernel", 8); // the other one lies in NCCL's range as well
        row("path=/step*/attention kind=kernel", 0);
        row("path=/forward kind=kernel", 0);
        row("path=step*/**/attention kind=kernel", 12);
        row("path=\"step 1/forward\" kind=kernel", 2);
        row("path~\"step 1/for\" kind=kernel", 2);
        row("path~/step [12].*back/ kind=kernel", 2);
        row("path=forward kind=nvtx", 8); // itself and attention inside
        row("kind=kernel path!=forward", 4);
        row("call=cudaLaunchKernel* kind=kernel", 12);
        row("call~memcpy", 4);
        row("grid>0", 12);
        row("process=100 kind=kernel", 12);
        row("process=101 kind=kernel", 0);
        row("thread=1 kind=kernel", 12);
        row("start<1ms kind=kernel", 3);
        row("end>3ms kind=kernel", 3);
        row("foo<int, 4>(float*)", 0); // a name, no mistake
        row("(sgemm or flash) and dur>50us", 4);
        row("or", 0); // a name as well: backward, forward hold no "or" alone ... see below
    }

    void textsMeanWhatTheySay()
    {
        QFETCH(QString, text);
        QFETCH(qint64, expected);
        const auto trace = drawn();
        const FilterExpression filter(text.toStdString());
        QVERIFY2(!filter.mistake(), filter.mistake() ? plain(filter.mistake()->message).c_str() : "");
        if (text == "or")
            expected = passing(*trace, "name~or");
        QCOMPARE(passing(*trace, text.toStdString()), expected);
        // The events panel and search agree.
        EventQuery query;
        query.window = {trace->session.start, trace->session.end};
        query.text = text.toStdString();
        QCOMPARE(qint64(EventList(trace, query).size()), expected);
    }

    void plainTextStaysAName()
    {
        for (const char* const text : {"gemm", "void at::native::foo<int, 4>(float*)", "(anonymous", "foo)",
                 "a/b", "/", "operator==", "step=5", "loss=0.5", "and", "not", "a or", "\"half", "<unnamed>",
                 "block<256>", "tile<64, 32>", "vector<int", "\"loss<5\"", "->", "- x -", "std::vector<int>",
                 "cudaMemcpyAsync_v3020", "kernel!", "50%", "::foo", "=", "=5", "~"}) {
            const FilterExpression filter(text);
            QVERIFY2(!filter.mistake(), text);
            QVERIFY2(!filter.passesAll(), text);
        }
        QVERIFY(FilterExpression("").passesAll());
        QVERIFY(FilterExpression(" \t ").passesAll());
        QCOMPARE(
            *FilterExpression("void at::native::foo<int, 4>").plainText(), "void at::native::foo<int, 4>");
        QCOMPARE(*FilterExpression("step 1").plainText(), "step 1");
        QCOMPARE(*FilterExpression("(open").plainText(), "(open");
        QVERIFY(!FilterExpression("stream=7").plainText());
        QVERIFY(!FilterExpression("/gemm/").plainText());
    }

    void mistakesAreAtTheirPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("place");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* text, int place, const char* word) {
            QTest::newRow(text) << text << place << word;
        };
        row("durr>50us", 0, "did you mean dur?");
        row("flash straem=7", 6, "did you mean stream?");
        row("flops>1e6", 0, "There is no field 'flops'");
        row("kind=kernel occupancy<=50", 12, "There is no field 'occupancy'");
        row("dur>fast", 4, "A time is expected");
        row("dur>", 4, "A value is expected after dur");
        row("dur> )", 5, "A time is expected");
        row("dur~50", 3, "= != < <= > >=");
        row("name>5", 4, "= != ~ !~");
        row("bytes>lots", 6, "A size is expected");
        row("grid=128x", 5, "extent");
        row("kind=colonel", 5, "There is no kind 'colonel'; known: kernel");
        row("stream>7,8", 8, "One value");
        row("dur<50us, kind=kernel", 8, "One value"); // no template, as "tile<64, 32>"
        row("stream<7,", 8, "One value");
        row("durr<50us, flash", 0, "did you mean dur?");
        row("stream>seven", 7, "A number is expected");
        row("dur>5us..6us", 4, "One value");
        row("dur=5ms..1ms", 4, "The shorter time");
        row("rank=3..1", 5, "The smaller value");
        row("bytes=7,2MB..1MB", 8, "The smaller value");
        row("(dur>5us", 0, "Missing )");
        row("(dur>5us or )", 12, "A term is expected");
        row("dur>5us or", 10, "A term is expected");
        row("name~/a(b/", 7, "Missing )");
        row("/a[/", 2, "Missing ]");
        row("name~/gemm", 5, "ends with a second /");
        row("dur>5us (name~/gemm or dur<1ms)", 14, "ends with a second /");
        row("name=\"half", 5, "closing \"");
        row("dur>5us not", 8, "A term is expected after this");
        row("correlation=x", 12, "A number is expected");
    }

    void mistakesAreAtTheirPlace()
    {
        QFETCH(QString, text);
        QFETCH(int, place);
        QFETCH(QString, word);
        const FilterExpression filter(text.toStdString());
        QVERIFY(filter.mistake());
        QVERIFY2(QString::fromStdString(plain(filter.mistake()->message)).contains(word),
            plain(filter.mistake()->message).c_str());
        QCOMPARE(int(filter.mistake()->place), place);
        QVERIFY(!filter.passesAll());
        const auto trace = drawn();
        QCOMPARE(passing(*trace, text.toStdString()), 0);
    }

    /// Counts of real reports against SQL that knows nothing of the reader.
    void countsAreThoseOfTheReport()
    {
        const QString bert = WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite";
        const QString streams = WARPLINE_TEST_DATA "/reports/streams.sqlite";
        const QString payload = WARPLINE_TEST_DATA "/reports/payload.sqlite";
        const QByteArray kernels = "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k "
                                   "JOIN StringIds s ON s.id = k.shortName "
                                   "JOIN StringIds d ON d.id = k.demangledName WHERE ";
        struct Case {
            QString path;
            const char* filter;
            QByteArray sql;
        };
        const std::vector<Case> cases{
            {bert, "kind=kernel dur>50us", kernels + "k.end - k.start > 50000"},
            {bert, "kind=kernel stream=7 dur<=10us", kernels + "k.streamId = 7 AND k.end - k.start <= 10000"},
            {bert, "kind=kernel gemm", kernels + "(s.value LIKE '%gemm%' OR d.value LIKE '%gemm%')"},
            {bert, "kind=kernel name~/gemm|softmax/ grid>100",
                kernels
                    + "(s.value LIKE '%gemm%' OR d.value LIKE '%gemm%' OR s.value LIKE '%softmax%' "
                      "OR d.value LIKE '%softmax%') AND k.gridX * k.gridY * k.gridZ > 100"},
            {bert, "block=128x1x1", kernels + "k.blockX = 128 AND k.blockY = 1 AND k.blockZ = 1"},
            {bert, "block.x=256,512 or registers>=128",
                kernels + "k.blockX IN (256, 512) OR k.registersPerThread >= 128"},
            {streams, "kind=kernel stream!=7", kernels + "k.streamId != 7"},
            {streams, "kind=memcpy bytes>1MB",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes > 1000000"},
            {streams, "kind=memcpy correlation=500..900",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE correlationId BETWEEN 500 AND 900"},
            {payload, "kind=nvtx domain=NCCL",
                "SELECT count(*) FROM NVTX_EVENTS e WHERE e.eventType IN (34, 59, 60) AND EXISTS (SELECT 1 FROM "
                "NVTX_EVENTS d WHERE d.eventType = 75 AND d.domainId = e.domainId AND d.text = 'NCCL')"},
        };
        for (const Case& each : cases) {
            const auto trace = loaded(each.path);
            QVERIFY(trace);
            const qint64 expected = judged(each.path, each.sql);
            QVERIFY2(expected >= 0, each.sql.constData());
            QCOMPARE(passing(*trace, each.filter), expected);
        }
    }

    void rangesThatEndTogetherCloseFromTheInside()
    {
        constexpr int depth = 40;
        DrawnProgram program;
        for (int i = 0; i < depth; ++i)
            program.range("r" + std::to_string(i), {i * us, ms});
        const auto trace = program.finish();
        const EnclosingRanges ranges(*trace);
        QCOMPARE(ranges.nodes().size(), std::size_t{depth} + 1); // no path without an outer range
    }

    /// The ranges around events against a loop over all ranges, on all small reports.
    void pathsAreWhatIsAround()
    {
        QStringList paths;
        for (const QString folder : {WARPLINE_TEST_DATA "/reports", WARPLINE_SHARED_REPORTS}) {
            QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                if (const QString path = files.next(); QFileInfo(path).size() < 8'000'000)
                    paths << path;
            }
        }
        std::mt19937 random(3);
        int looked = 0;
        for (const QString& path : std::as_const(paths)) {
            const auto trace = loaded(path);
            if (!trace || trace->nvtx().empty())
                continue;
            const EnclosingRanges ranges(*trace);
            const NvtxTable& nvtx = trace->nvtx();
            for (int round = 0; round < 60; ++round) {
                const EventKind kind = allEventKinds()[random() % 12];
                if (trace->table(kind).empty())
                    continue;
                const EventRef event{kind, EventIndex(random() % trace->table(kind).size())};
                const EventRef at = runsOnDevice(kind) ? trace->apiCallOf(event) : event;
                std::vector<EventIndex> around;
                const Ns time = at.valid() ? trace->range(at).start : 0;
                const GlobalId thread = at.valid() ? trace->table(at.kind).trackOf(at.index).owner : 0;
                // For a helper thread also the ranges of the thread that it works for; its own are
                // libraries'.
                const GlobalId leader = ranges.placeOf(event).byHelper
                    ? HelperThreads(*trace).worksFor(thread).value_or(0)
                    : thread;
                QVERIFY(leader != 0 || !at.valid());
                for (EventIndex i = 0; i < nvtx.size() && at.valid(); ++i) {
                    const GlobalId owner = nvtx.trackOf(i).owner;
                    if ((owner == thread || owner == leader) && nvtx.attributesOf(i).eventType != nvtxMark
                        && nvtx.duration[i] > 0 && nvtx.start[i] <= time && nvtx.end(i) > time
                        && !(at.kind == EventKind::Nvtx && at.index == i))
                        around.push_back(i);
                }
                if (around.size() >= EnclosingRanges::deepest)
                    continue;
                // The nesting of ranges with equal begin and end depends on the report: compares names.
                std::vector<std::string> expected;
                for (const EventIndex i : around)
                    expected.emplace_back(trace->text(nvtx.name[i]));
                std::vector<std::string> found;
                for (std::uint32_t p = ranges.pathOf(event); p != 0; p = ranges.nodes()[p].parent)
                    found.emplace_back(trace->text(ranges.nodes()[p].name));
                if (kind == EventKind::Nvtx) {
                    // Of two ranges with equal begin the shorter is inside, unrelated to others.
                    const bool alone
                        = std::ranges::none_of(around, [&](EventIndex i) { return nvtx.start[i] == time; });
                    if (!alone)
                        continue;
                    expected.emplace_back(trace->text(nvtx.name[event.index]));
                }
                std::ranges::sort(expected);
                std::ranges::sort(found);
                QVERIFY2(expected == found, qPrintable(path));
                ++looked;
            }
        }
        QVERIFY(looked > 100);
    }

    void hostileTextsEnd()
    {
        const auto trace = loaded(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
        QVERIFY(trace);
        QElapsedTimer clock;
        clock.start();
        std::vector<std::string> texts{std::string(100'000, '('), std::string(19'000, '('),
            std::string(19'000, '-'), std::string(1'000'000, 'a'), std::string(19'000, '!') + "a",
            std::string(19'000, '/'), std::string(500, '"'), "/(a+)+$/", "name~/(.*a){30}/",
            "name~/((a{0,30}){0,30})b/", "/(a|b|ab)*c(a|b){40}/", "dur>1e400s",
            "dur>99999999999999999999999999999", "bytes>-1e308", "stream=..", "stream=1..", "grid=1x1x1x1",
            "grid=99999999999999999999x1", "payload.=1", "payload.a.b.c>1", "path=////", "path=**/**/**",
            "path=*", "kind=*", "name=" + std::string(900, '*') + "x", "name=" + std::string(300, '?'),
            std::string("a\0b", 3), "stream=" + std::string(9'000, ','), "not not not not flash", "\"\\",
            "name~\"\\\"\""};
        std::string chain;
        for (int i = 0; i < 1500; ++i)
            chain += "(dur>" + std::to_string(i) + ") or ";
        texts.push_back(chain + "flash");
        std::string nested;
        for (int i = 0; i < 90; ++i)
            nested += "not (";
        texts.push_back(nested + "flash" + std::string(90, ')'));
        for (const std::string& text : texts)
            (void)passing(*trace, text);
        QVERIFY2(clock.elapsed() < 60'000, qPrintable(QString::number(clock.elapsed())));
    }

    void randomTextsNeverCrash()
    {
        const auto trace = drawn();
        std::mt19937 random(17);
        static const std::vector<std::string> pieces{"dur", "stream", "name", "path", "payload.size", "kind",
            "grid", ">", "<", "=", "!=", "~", "!~", ">=", " ", " ", " ", "(", ")", "\"", "/", "or", "and",
            "not", "-", "50us", "7", "1e6", "7..9", ",", "*", "?", "kernel", "flash", "\\", "[", "{3}",
            "\xff", "\xc3\xa9", ".", "128x1x1"};
        int valid = 0;
        for (int round = 0; round < 20'000; ++round) {
            std::string text;
            for (std::size_t i = random() % 14; i > 0; --i)
                text += pieces[random() % pieces.size()];
            if (round % 5 == 0) {
                for (char& c : text)
                    c = random() % 4 == 0 ? static_cast<char>(random()) : c;
            }
            const FilterExpression filter(text);
            QVERIFY(!filter.mistake() || filter.mistake()->place <= text.size());
            QVERIFY(!filter.mistake() || !filter.mistake()->message.empty());
            valid += filter.mistake() ? 0 : 1;
            (void)passing(*trace, text);
            (void)filterChoicesAt(*trace, text, random() % (text.size() + 3));
        }
        QVERIFY(valid > 1000);
    }

    void quotedValuesAreReadAsTheyWere()
    {
        std::mt19937 random(23);
        static const std::string letters = "\"\"\\\\ab/()=~, -!*?\xc3\xa9";
        for (int round = 0; round < 5'000; ++round) {
            std::string text;
            for (std::size_t i = random() % 9; i > 0; --i)
                text += letters[random() % letters.size()];
            for (const std::string& filter : {quotedValue(text), "name=" + quotedValue(text) + " stream=7"}) {
                const FilterExpression read(filter);
                QVERIFY2(!read.mistake(), filter.c_str());
                const FilterTerm& term = read.nodes().front().term;
                QCOMPARE(term.values.size(), 1U);
                QCOMPARE(term.values.front().text, text);
                QVERIFY(!term.values.front().isExpression);
            }
            const std::string glob
                = FilterExpression("name=" + quotedValue(text)).nodes().front().term.values.front().glob;
            const TextMatch match(TextMatch::How::Glob, glob);
            std::string other = text; // which * or ? as wildcards would match
            std::ranges::replace_if(
                other, [](char c) { return c == '*' || c == '?'; }, 'x');
            QVERIFY(match.isMatch(text));
            QCOMPARE(match.isMatch(other), other == text);
            const std::string word = globOfWord(text);
            QCOMPARE(
                FilterExpression("name=" + quotedGlob(word)).nodes().front().term.values.front().glob, word);
        }
    }

    void wildcardsOfNamesAreEscaped()
    {
        DrawnProgram program;
        program.range("loss?", {0, ms});
        program.range("lossy", {2 * ms, 3 * ms});
        program.kernel("f(float *)", 10 * us, {20 * us, 30 * us}, {.stream = 7});
        program.kernel("f(float *, int *)", 40 * us, {50 * us, 60 * us}, {.stream = 7});
        program.range("a\\b", {ms, 2 * ms});
        const auto trace = program.finish();
        QCOMPARE(passing(*trace, "name=" + quotedValue("f(float *)")), 1);
        QCOMPARE(passing(*trace, "name~" + quotedValue("float *, int *")), 1);
        QCOMPARE(passing(*trace, "name=\"f(float \\*,*\""), 1);
        QCOMPARE(passing(*trace, "name=\"f(float \\?*\""), 0);
        QCOMPARE(passing(*trace, "path=\"loss\\?\" kind=nvtx"), 1);
        QCOMPARE(passing(*trace, "path=\"loss?\" kind=nvtx"), 2);
        // Without the escape they are wildcards. A backslash before other letters, or unquoted, is a letter.
        QCOMPARE(passing(*trace, "name=\"f(float *)\""), 2);
        for (const char* const filter : {"name=a\\b", "name=a\\*", "name=\"a\\b\"", "name=\"a\\\\*\""})
            QCOMPARE(passing(*trace, filter), 1);
        const FilterChoices offered = filterChoicesAt(*trace, "name=f(", 7);
        QCOMPARE(offered.choices.size(), 2U);
        for (const FilterChoice& choice : offered.choices)
            QCOMPARE(passing(*trace, "name=" + choice.text), 1);
    }

    /// PyTorch repeats annotations on the GPU, as ranges of tracks of a device.
    void annotationsOnTheGpuAreAKind()
    {
        const auto trace = loaded(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
        QVERIFY(trace);
        const qint64 onGpu = 40; // events of category gpu_user_annotation
        const auto all = static_cast<qint64>(trace->nvtx().size());
        QCOMPARE(passing(*trace, "kind=nvtx"), all);
        QCOMPARE(passing(*trace, "kind=gpu_annotation"), onGpu);
        QCOMPARE(passing(*trace, "kind~annotation device=*"), onGpu);
        QCOMPARE(passing(*trace, "kind=kernel,gpu_annotation"), passing(*trace, "kind=kernel") + onGpu);
        QCOMPARE(passing(*trace, "kind=nvtx kind!=gpu_annotation"), all - onGpu);
        QCOMPARE(passing(*trace, "kind=nvtx not kind=gpu_annotation"), all - onGpu);
        QCOMPARE(passing(*trace, "kind!=nvtx kind=gpu_annotation"), 0);
        const auto offers = [](const Trace& of) {
            const FilterChoices found = filterChoicesAt(of, "kind=gpu_a", 10);
            return std::ranges::count(found.choices, "gpu_annotation", &FilterChoice::text);
        };
        QCOMPARE(offers(*trace), 1);
        const auto withoutGpuRanges = drawn();
        QCOMPARE(offers(*withoutGpuRanges), 0);
        QCOMPARE(passing(*withoutGpuRanges, "kind=gpu_annotation"), 0);
    }

    void choicesFollowWhatIsTyped()
    {
        const auto trace = drawn();
        const auto choices = [&](const std::string& text) {
            QStringList found;
            const FilterChoices at = filterChoicesAt(*trace, text, text.size());
            for (const FilterChoice& choice : at.choices)
                found << QString::fromStdString(text.substr(0, at.begin) + choice.text);
            return found;
        };
        QVERIFY(choices("").contains("name~"));
        QVERIFY(choices("flash str").contains("flash stream="));
        QVERIFY(choices("dur").contains("dur<="));
        QVERIFY(choices("(dur>5us or kin").contains("(dur>5us or kind="));
        QCOMPARE(choices("stream="), QStringList({"stream=7", "stream=13"}));
        QCOMPARE(choices("stream=7,1"), QStringList({"stream=7,13"}));
        QVERIFY(choices("kind=ker").contains("kind=kernel"));
        QVERIFY(!choices("kind=").contains("kind=osrt")); // there is none
        QCOMPARE(choices("domain=N"), QStringList({"domain=NCCL"}));
        QVERIFY(choices("name~fla").contains("name~flash_fwd"));
        QVERIFY(choices("name~\"step").contains("name~\"step 1\""));
        QVERIFY(choices("path=forward/att").contains("path=forward/attention"));
        QVERIFY(choices("name~/abc").isEmpty());
    }

    void stopsWhenAsked()
    {
        const auto trace = drawn();
        std::stop_source stop;
        stop.request_stop();
        bool stopped = false;
        try {
            const EventPredicate predicate(*trace, FilterExpression("path=a/b"), stop.get_token());
        } catch (const Stopped&) {
            stopped = true;
        }
        QVERIFY(stopped);
    }
};

WARPLINE_TEST(FilterTest)

} // namespace tst_filter

#include "tst_filter.moc"
