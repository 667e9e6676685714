// A small report of a drawing program, whose labels, frames and GPU work are computed by hand. The tables of
// real recordings are compared with nsys' own in tst_stats_golden.

#include "core/findings/rule.h"
#include "core/import/frames.h"
#include "core/load/load_report.h"
#include "core/overview/overview_work.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/stats/stats_table.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/steps.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace tst_graphics {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Four frames of 10 us, the third of 40; each labels its drawing, and one label never ends.
/// `unit`: how long a ns of these times is.
std::string smallReport(const char* endOfFrame, Ns unit = 1, int frames = 4)
{
    std::string sql
        = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
          "CREATE TABLE VULKAN_API (id INTEGER PRIMARY KEY, start INTEGER, end INTEGER, eventClass INTEGER, globalTid "
          "INTEGER, correlationId INTEGER, endCorrelationId INTEGER, nameId INTEGER, contextId INTEGER);"
          "CREATE TABLE VULKAN_DEBUG_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
          "correlationId INTEGER, endCorrelationId INTEGER, nameId INTEGER, contextId INTEGER, color INTEGER, textId "
          "INTEGER);"
          "CREATE TABLE VULKAN_WORKLOAD (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
          "correlationId INTEGER, endCorrelationId INTEGER, nameId INTEGER, gpu INTEGER, contextId INTEGER, color "
          "INTEGER, textId INTEGER);"
          "INSERT INTO StringIds VALUES (1,'vkCmdDraw'),(3,'begin'),(4,'end'),(5,'draw'),(6,'lost');";
    sql += "INSERT INTO StringIds VALUES (2,'" + std::string(endOfFrame) + "');";
    const std::string thread = std::to_string((std::int64_t{7} << 24U) | 9);
    Ns at = 1000;
    for (int i = 0; i <= frames; ++i) {
        const auto n = [](Ns number) { return std::to_string(number); };
        sql += "INSERT INTO VULKAN_DEBUG_API VALUES (" + n(at) + "," + n(at + 10) + ",66," + thread + ","
            + n(100 + i) + ",0,3,8,0,5),(" + n(at + 510) + "," + n(at + 520) + ",66," + thread + ","
            + n(100 + i) + ",0,4,8,NULL,NULL);";
        sql += "INSERT INTO VULKAN_API VALUES (NULL," + n(at + 100) + "," + n(at + 200) + ",53," + thread
            + "," + n(i) + ",0,1,3),(NULL," + n(at + 900) + "," + n(at + 1000) + ",53," + thread + ","
            + n(50 + i) + ",0,2,4),(NULL," + n(at) + "," + n(at + 10) + ",66," + thread + ",0,0,3,8);";
        sql += "INSERT INTO VULKAN_WORKLOAD VALUES (" + n(at + 300) + "," + n(at + 700) + ",53," + thread
            + "," + n(i) + ",0,1,0,3,0,NULL),(" + n(at + 300) + "," + n(at + 600) + ",53," + thread + ","
            + n(i) + ",0,1,0,3,0,5);";
        at += unit * (i == 2 ? 40'000 : 10'000);
    }
    return sql + "INSERT INTO VULKAN_DEBUG_API VALUES (90000,90010,66," + thread + ",300,0,3,8,0,6);";
}

std::shared_ptr<const Trace> load(const std::string& sql)
{
    ReportFixture report;
    report.run(sql);
    auto loaded = loadReport(report.path());
    return loaded.ok() ? loaded.take() : nullptr;
}

Cells tableOf(const Trace& trace, const char* id)
{
    return findStatsTable(id)->fill(trace, {});
}

} // namespace

class GraphicsTest : public QObject {
    Q_OBJECT

private slots:
    /// Command buffers are rows of their own, from the end of the call that begins one; they are no calls.
    void commandBuffersAndPipelines()
    {
        std::string sql = smallReport("vkQueuePresentKHR");
        const std::string thread = std::to_string((std::int64_t{7} << 24U) | 9);
        sql += "INSERT INTO StringIds VALUES (11,'vkBeginCommandBuffer'),(12,'vkEndCommandBuffer'),"
               "(13,'vkCreateComputePipelines');"
               "INSERT INTO VULKAN_API VALUES (900,5000,5010,53,"
            + thread
            + ",0,0,11,8),"
              "(901,5020,5030,53,"
            + thread + ",0,0,11,9),(902,5400,5450,53," + thread
            + ",0,0,12,8),"
              "(903,200,800,53,"
            + thread
            + ",0,0,13,3);"
              "CREATE TABLE VULKAN_PIPELINE_CREATION_EVENTS (id INTEGER PRIMARY KEY, duration INTEGER, flags INTEGER, "
              "traceEventId INTEGER); INSERT INTO VULKAN_PIPELINE_CREATION_EVENTS VALUES (1,500,14,903);"
              "CREATE TABLE VULKAN_PIPELINE_STAGE_EVENTS (id INTEGER PRIMARY KEY, duration INTEGER, flags INTEGER, "
              "creationEventId INTEGER); INSERT INTO VULKAN_PIPELINE_STAGE_EVENTS VALUES (1,300,1,1);";
        const auto trace = load(sql);
        QVERIFY(trace);
        std::map<std::string, std::vector<TimeRange>> found;
        const LibraryCallTable& calls = trace->libraryCalls();
        for (EventIndex i = 0; i < calls.size(); ++i) {
            const std::string_view family = trace->text(calls.trackOf(i).family);
            if (family == "Vulkan command buffers" || family.starts_with("Vulkan pipeline"))
                found[std::string(trace->text(calls.name[i]))].push_back(calls.range(i));
        }
        QCOMPARE(found.size(), std::size_t{3}); // buffer 9 does not end
        QCOMPARE(found["command buffer 8"], (std::vector<TimeRange>{{5010, 5400}}));
        QCOMPARE(found["pipeline creation"], (std::vector<TimeRange>{{200, 700}}));
        QCOMPARE(found["pipeline stage"], (std::vector<TimeRange>{{200, 500}}));
        std::set<std::string_view> labels;
        const auto rows = buildRows(*trace);
        for (std::uint32_t i = 1; i < rows->size(); ++i)
            labels.insert(rows->row(RowId{i}).label.key());
        for (const std::string_view own : {"family.vulkan_buffers", "family.vulkan_pipelines",
                 "family.vulkan_stages", "family.vulkan_gpu", "family.frames"})
            QVERIFY2(labels.contains(own), std::string(own).c_str()); // translated, and no two alike
        QCOMPARE(tableOf(*trace, "vulkan_api_sum").rowCount(), std::size_t{5});
        const auto without = load(smallReport("vkQueuePresentKHR"));
        QCOMPARE(graphicsStory(*trace, trace->session).sentences.size(),
            graphicsStory(*without, without->session)
                .sentences.size()); // none is about rows other than calls
        QVERIFY(std::ranges::all_of(trace->info.tables, &SourceTable::known));
    }

    void findingsNameFrames()
    {
        const auto trace = load(smallReport("vkQueuePresentKHR", 1000, 20));
        QVERIFY(trace);
        const auto steps = findSteps(*trace, trace->session);
        QVERIFY(steps.size() == 1 && steps.begin()->second.isFrames);
        const std::vector<Finding> findings = runRules(*trace, trace->session);
        const auto slow = std::ranges::find(findings, "nvtx_outlier_steps", &Finding::rule);
        QVERIFY(slow != findings.end());
        for (const Message& text : {slow->title, slow->message})
            QVERIFY2(plain(text).find("step") == std::string::npos, plain(text).c_str());
    }

    void labelsLastFromCallToCall()
    {
        const auto trace = load(smallReport("vkQueueSubmit"));
        QVERIFY(trace);
        const Cells labels = tableOf(*trace, "vulkan_marker_sum");
        QCOMPARE(labels.rowCount(), std::size_t{1}); // the one without an end is a mark
        QCOMPARE(std::get<std::int64_t>(labels.at(0, 1)), std::int64_t{5 * 500});
        const Cells onGpu = tableOf(*trace, "vulkan_gpu_marker_sum");
        QCOMPARE(onGpu.rowCount(), std::size_t{1}); // work without a label is none
        QCOMPARE(std::get<std::int64_t>(onGpu.at(0, 1)), std::int64_t{5 * 300});
        const Cells calls = tableOf(*trace, "vulkan_api_sum");
        QCOMPARE(calls.rowCount(), std::size_t{2}); // calls that set labels are not counted
        const Cells traced = tableOf(*trace, "vulkan_api_trace");
        QCOMPARE(traced.rowCount(), std::size_t{15});
        QCOMPARE(std::get<std::int64_t>(traced.at(0, 3)), std::int64_t{66});
        QCOMPARE(std::get<std::int64_t>(traced.at(1, 4)), std::int64_t{3});
    }

    /// Whatever the order of their rows.
    void commandBuffersPairByTime()
    {
        std::string sql = smallReport("vkQueuePresentKHR")
            + "INSERT INTO StringIds VALUES (11,'vkBeginCommandBuffer'),(12,'vkEndCommandBuffer');";
        const std::string thread = std::to_string((std::int64_t{7} << 24U) | 9);
        for (int i = 4; i >= 0; --i) {
            for (const int name : {12, 11}) {
                const int at = 5000 + i * 1000 + (name == 12 ? 500 : 0);
                sql += "INSERT INTO VULKAN_API VALUES (NULL," + std::to_string(at) + ","
                    + std::to_string(at + 10) + ",53," + thread + ",0,0," + std::to_string(name) + ",8);";
            }
        }
        const auto trace = load(sql);
        QVERIFY(trace);
        std::vector<TimeRange> buffers;
        const LibraryCallTable& calls = trace->libraryCalls();
        for (EventIndex i = 0; i < calls.size(); ++i) {
            if (trace->text(calls.name[i]) == "command buffer 8")
                buffers.push_back(calls.range(i));
        }
        std::ranges::sort(buffers, {}, &TimeRange::start);
        QCOMPARE(buffers,
            (std::vector<TimeRange>{{5010, 5500}, {6010, 6500}, {7010, 7500}, {8010, 8500}, {9010, 9500}}));
    }

    /// A call that presents by calling another one ends one frame.
    void callsInsideOthersEndNoFrame()
    {
        const std::string thread = std::to_string((std::int64_t{7} << 24U) | 9);
        const auto trace = load(smallReport("SwapBuffers")
            + "INSERT INTO StringIds VALUES (11,'wglSwapBuffers'); INSERT INTO VULKAN_API SELECT NULL, start + 10, "
              "end - 10, eventClass, globalTid, correlationId, 0, 11, contextId FROM VULKAN_API WHERE nameId = 2;");
        QVERIFY(trace);
        QCOMPARE(classifySteps(*trace, {}).steps.size(), std::size_t{4});
    }

    void framesAreSteps_data()
    {
        QTest::addColumn<QString>("call");
        QTest::newRow("presented") << "vkQueuePresentKHR";
        QTest::newRow("submitted") << "vkQueueSubmit2";
    }
    void framesAreSteps()
    {
        QFETCH(QString, call);
        const auto trace = load(smallReport(qPrintable(call)));
        QVERIFY(trace);
        const StepBreakdown steps = classifySteps(*trace, {});
        QCOMPARE(steps.steps.size(), std::size_t{4});
        const std::vector<Ns> lengths{10'000, 10'000, 40'000, 10'000};
        for (std::size_t i = 0; i < lengths.size(); ++i)
            QCOMPARE(trace->nvtx().duration[steps.steps[i].range], lengths[i]);
        // Frames are no NVTX: nsys' tables know nothing of them.
        QVERIFY(!findStatsTable("nvtx_sum")->applies(*trace));
        QCOMPARE(tableOf(*trace, "nvtx_sum").rowCount(), std::size_t{0});
        const GraphicsStory story = graphicsStory(*trace, trace->session);
        const auto frames = std::ranges::find(
            story.sentences, "graphics.frames", [](const Message& sentence) { return sentence.key(); });
        QVERIFY(frames != story.sentences.end());
        const auto rate = std::ranges::find(frames->values(), "rate", &Argument::name);
        QVERIFY(rate != frames->values().end());
        QCOMPARE(rate->value.real, 4 * 1e9 / 70'000); // one is late: no 1 / median
    }

    void aFewCallsAreNoFrames()
    {
        const auto trace = load(smallReport("vkMapMemory"));
        QVERIFY(trace);
        QVERIFY(trace->nvtx().empty());
    }

    void framesStandBesideNvtx()
    {
        const auto trace = load(smallReport("vkQueuePresentKHR")
            + "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, globalTid INTEGER, textId "
              "INTEGER, text TEXT, domainId INTEGER);"
              "INSERT INTO NVTX_EVENTS VALUES (2000, 3000, 59, 117440521, NULL, 'load', 0);");
        QVERIFY(trace);
        QCOMPARE(trace->nvtx().size(), std::size_t{5});
        QCOMPARE(tableOf(*trace, "nvtx_sum").rowCount(), std::size_t{1});
        QCOMPARE(tableOf(*trace, "nvtx_pushpop_sum").rowCount(), std::size_t{1});
    }
};

WARPLINE_TEST(GraphicsTest)

} // namespace tst_graphics

#include "tst_graphics.moc"
