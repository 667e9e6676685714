// Summaries as bytes: a round trip is exact, and truncated or changed bytes are refused.

#include "core/across/judge_ranks.h"
#include "core/across/summary_bytes.h"
#include "core/export/envelope.h"
#include "core/export/ranks_text.h"
#include "tests/core/across/drawn_run.h"
#include "tests/support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <random>

namespace tst_summary_bytes {

using namespace warpline;
using namespace warpline::test;

class SummaryBytesTest : public QObject {
    Q_OBJECT

private slots:
    void theSameComesBack()
    {
        DrawnRun run;
        run.extra = [](std::size_t rank, std::size_t) -> Ns { return rank == 2 ? 3'000'000 : 0; };
        std::vector<ReportSummary> reports = run.reports();
        reports[1].participants.front().computing = {{-5, 10}, {20, 1'800'000'000'000'000'000}};
        reports[1].participants.front().peers = {{-1, true}, {3, false}};
        reports[1].participants.front().clockMHz = 1980.5;
        reports[2].participants.front().kernels = {{"gemm <<<1 x 1 x 1, 2 x 1 x 1>>>", 7, 99}};
        reports[3].error = "cannot be read";
        std::vector<ReportSummary> back;
        for (const ReportSummary& report : reports) {
            const std::string bytes = bytesOf(report);
            auto summary = summaryFrom(bytes);
            QVERIFY(summary.ok());
            QCOMPARE(bytesOf(summary.value()), bytes);
            back.push_back(summary.take());
        }
        QCOMPARE(back[1].participants.front().computing, reports[1].participants.front().computing);
        QCOMPARE(back[1].participants.front().clockMHz, 1980.5);
        QCOMPARE(ranksJson(judgeSummaries(back)).dump(), ranksJson(judgeSummaries(reports)).dump());
    }

    void aJudgementComesBackFromJson()
    {
        DrawnRun run;
        run.extra = [](std::size_t rank, std::size_t step) -> Ns {
            return rank == 2 ? 3'000'000 : rank == 0 && step == 5 ? 20'000'000 : 0;
        };
        auto reports = run.reports();
        reports.push_back(reports[0]);
        const AcrossReport across = judgeSummaries(reports);
        auto back = ranksFromJson(documentOf("ranks", ranksJson(across)));
        QVERIFY(back.ok());
        for (AcrossFinding& finding : back.value().findings)
            QVERIFY(!finding.event.valid() && !finding.rule.empty());
        QCOMPARE(back.value().verdict.exceptions.size(), 1U);
        QCOMPARE(back.value().cell(2, 4).blame, across.cell(2, 4).blame);
        QCOMPARE(back.value().cell(2, 4).time, across.cell(2, 4).time);
        QCOMPARE(ranksMarkdown(back.value()), ranksMarkdown(across));
        for (const char* text : {"", "{}", "[]", "null", R"({"reports":[{"verdict":1}]})"})
            QVERIFY(!ranksFromJson(text).ok());
        // Ranks and steps without times of either would need memory for each with each.
        std::string sparse = R"({"reports":[{"verdict":1,"files":{},"ranks":[{})";
        for (int i = 0; i < 2000; ++i)
            sparse += ",{}";
        sparse += R"(],"steps":[{})";
        for (int i = 0; i < 2000; ++i)
            sparse += ",{}";
        QVERIFY(!ranksFromJson(sparse + "]}]}").ok());
        // Values of other shapes are just not known.
        const auto other
            = ranksFromJson(R"({"reports":[{"verdict":1,"ranks":[3,{"rank":"x","file":"?"}],"files":{}}]})");
        QVERIFY(other.ok());
        QCOMPARE(
            other.value().ranks.size(), std::size_t{1}); // whose report is there, though no file is listed
        QCOMPARE(other.value().reports[raw(other.value().ranks.front().report)].file, std::string("?"));
        // More files than numbers: none takes the name of another.
        std::string many = R"({"reports":[{"verdict":1,"files":[)";
        for (int i = 0; i < 65'600; ++i)
            many += (i == 0 ? "{\"file\":\"r" : ",{\"file\":\"r") + std::to_string(i) + "\"}";
        const auto wrapped
            = ranksFromJson(many + R"(],"ranks":[{"rank":0,"file":"r0"},{"rank":1,"file":"r65599"}]}]})");
        QVERIFY(wrapped.ok());
        QVERIFY(wrapped.value().ranks[0].report != wrapped.value().ranks[1].report);
    }

    void aStartBeyondAllTimesIsRefused()
    {
        ReportSummary summary = DrawnRun().reports().front();
        for (const std::int64_t utc : {std::int64_t{-1}, latestUtcNs + 1}) {
            summary.utcOfZero = utc;
            QVERIFY(!summaryFrom(bytesOf(summary)).ok());
        }
        summary.utcOfZero = latestUtcNs;
        QVERIFY(summaryFrom(bytesOf(summary)).ok());
    }

    void whatIsCutOrChangedIsRefusedOrHarmless()
    {
        const std::string bytes = bytesOf(DrawnRun().reports().front());
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!summaryFrom(std::string_view(bytes).substr(0, size)).ok());
        QVERIFY(!summaryFrom(bytes + "x").ok());
        QVERIFY(!summaryFrom('\2' + bytes.substr(1)).ok()); // of a layout without ReportSummary::lacksWork
        std::mt19937 random(7);
        for (int i = 0; i < 2'000; ++i) {
            std::string changed = bytes;
            changed[random() % changed.size()] = static_cast<char>(random());
            auto summary = summaryFrom(changed);
            if (summary.ok())
                (void)judgeSummaries(std::vector{summary.take(), DrawnRun().reports().back()});
        }
    }
};

WARPLINE_TEST(SummaryBytesTest)

} // namespace tst_summary_bytes

#include "tst_summary_bytes.moc"
