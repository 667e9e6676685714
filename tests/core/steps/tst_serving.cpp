// Names of model servers' steps, and the resulting times and rates: computed by hand for synthetic steps.

#include "core/base/rounded.h"
#include "core/findings/rule.h"
#include "core/overview/serving_sentence.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "core/steps/serving.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tst_serving {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Four decode steps of 16 requests every 10 ms and one prefill of 2 prompts; GPU work ends 2 ms after each
/// range.
std::shared_ptr<const Trace> server(bool withWork)
{
    DrawnProgram program;
    const auto step = [&](const std::string& name, Ns start, Ns length) {
        program.range(name, {start, start + length});
        if (withWork)
            program.kernel("work", start + ms, {start + length, start + length + 2 * ms});
    };
    for (int i = 0; i < 4; ++i)
        step("step[DECODE bs=16]", i * 10 * ms, 6 * ms);
    step("step[EXTEND bs=2 toks=4096]", 40 * ms, 20 * ms);
    step("step[DECODE bs=18]", 70 * ms, 6 * ms);
    return program.finish();
}

} // namespace

class ServingTest : public QObject {
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void timesAreOfTheTokens();
    void aLoneStepTakesTheTimeOfItsWork();
    void theFindingHasTheSameTimes();
    void promptsBetweenStepsCount();
    void withoutWorkRangesCount();
    void namesWithoutNumbersGiveNoRate();
    void numbersOfAnySizeAddUp();
    void otherStepsAreNoServers();
};

void ServingTest::names_data()
{
    QTest::addColumn<QString>("phase");
    QTest::addColumn<QList<qlonglong>>("numbers"); // requests, prompts, prompt tokens, output tokens
    const auto add = [](const char* name, const char* phase, const QList<qlonglong>& numbers) {
        QTest::newRow(name) << QString(phase) << numbers;
    };
    add("execute_context_0(0)_generation_8(8)", "decode", {8, 0, 0, 8});
    add("execute_context_2(2048)_generation_0(0)", "prefill", {2, 2, 2048, 2});
    add("execute_context_1(888_788544)_generation_0(0)", "prefill", {1, 1, 888, 1});
    add("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)", "decode",
        {32, 0, 0, 32});
    add("execute_8192_context_9(sq8155sk8430sqsq7475785sqsk7671310)_generation_37(sq37sk34489sqsq37sqsk34489)",
        "mixed", {46, 9, 8155, 46});
    add("[Executor] _forward_step 12: 0 ctx reqs, 7 gen reqs", "decode", {7, 0, 0, 7});
    add("[Executor] _forward_step 12: 1 ctx reqs, 512 ctx tokens, 7 gen reqs", "mixed", {8, 1, 512, 8});
    add("execute_new_0_cached_8", "decode", {8, 0, 0, 8});
    add("execute_new_2_cached_7", "mixed", {9, 2, -1, 9});
    add("[Executor] _forward_step 12: 0 ctx reqs, 0 ctx tokens, 32 gen reqs", "decode", {32, 0, 0, 32});
    add("step[EXTEND bs=15 toks=15360]", "prefill", {15, 15, 15360, 15});
    add("step[DECODE bs=16]", "decode", {16, 0, -1, 16});
    add("step[MIXED bs=9 toks=700]", "mixed", {9, -1, 700, 9});
    add("decode (batch_size=4)", "decode", {4, 0, -1, 4});
    add("prefill num_reqs=3 num_tokens=99", "prefill", {3, 3, 99, 3});
    add("decode_12", "decode", {-1, -1, -1, -1});
    add("decode jobs=4", "decode", {-1, -1, -1, -1}); // "bs=" is the end of another word
    add("step_3 bs=8", "", {-1, -1, -1, -1}); // a training step
    add("execute_context_x_generation_", "", {-1, -1, -1, -1});
    constexpr qlonglong most = std::numeric_limits<qlonglong>::max();
    add("execute_context_9223372036854775807(9)_generation_9223372036854775807(9)", "mixed",
        {most, most, 9, most});
    add("step[DECODE bs=99999999999999999999]", "decode", {-1, -1, -1, -1});
}

void ServingTest::names()
{
    QFETCH(QString, phase);
    QFETCH(QList<qlonglong>, numbers);
    const ServedWork work = servedWorkOf(QTest::currentDataTag());
    const std::string_view label = labelOf(work.kind);
    QCOMPARE(QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size())), phase);
    QCOMPARE((QList<qlonglong>{work.requests, work.prompts, work.promptTokens, work.outputTokens}), numbers);
}

void ServingTest::timesAreOfTheTokens()
{
    const auto trace = server(true);
    const std::vector<Serving> all = servingOf(*trace, trace->session);
    QCOMPARE(all.size(), std::size_t{1});
    const Serving& serving = all.front();
    QCOMPARE(serving.steps.size(), std::size_t{6});
    QVERIFY(std::ranges::all_of(serving.steps, &ServingStep::counts));
    QCOMPARE(serving.steps[1].done, 18 * ms);
    // For the first step the time of its work, then from one step's tokens to the next one's.
    const std::vector<Ns> times{2 * ms, 10 * ms, 10 * ms, 10 * ms, 22 * ms, 16 * ms};
    for (std::size_t i = 0; i < times.size(); ++i)
        QCOMPARE(serving.steps[i].tokenTime, times[i]);
    QCOMPARE(serving.firstToken, 22 * ms);
    QCOMPARE(serving.perToken, 10 * ms);
    QCOMPARE(serving.outputTokens, std::int64_t{4 * 16 + 2 + 18});
    QCOMPARE(serving.span, (TimeRange{0, 78 * ms}));
    QVERIFY(std::abs(serving.tokensPerSecond() - 84 / 0.078) < 1e-6);

    QCOMPARE(serving.groups.size(), std::size_t{3});
    const ServingGroup& prefill = serving.groups[0];
    QCOMPARE(prefill.promptTokens, std::int64_t{4096});
    QCOMPARE(prefill.firstToken, 22 * ms);
    QCOMPARE(prefill.perToken, Ns{-1});
    const ServingGroup& decode = serving.groups[1];
    QCOMPARE(decode.requests, std::int64_t{16});
    QCOMPARE(decode.total, 32 * ms);
    QCOMPARE(decode.median, 6 * ms);
    QVERIFY(std::abs(decode.tokensPerSecond() - 64 / 0.032) < 1e-6);
    QVERIFY(!servingSentence(serving).empty());

    const Cells cells = findStatsTable("serving_steps")->fill(*trace, {});
    QCOMPARE(cells.rowCount(), std::size_t{3});
    QCOMPARE(std::get<std::int64_t>(cells.at(1, 8)), 10 * ms);
    QVERIFY(std::holds_alternative<std::monostate>(cells.at(1, 7)));
}

/// Its work waits for work that was launched before the recording.
void ServingTest::aLoneStepTakesTheTimeOfItsWork()
{
    DrawnProgram program;
    program.range("execute_context_0(0)_generation_32(32)", {0, 2 * ms});
    program.kernel("work", ms, {9 * ms, 19 * ms});
    const auto trace = program.finish();
    const std::vector<Serving> all = servingOf(*trace, trace->session);
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all.front().perToken, 10 * ms);
    QVERIFY(std::abs(all.front().tokensPerSecond() - 32 / 0.010) < 1e-6);
}

void ServingTest::theFindingHasTheSameTimes()
{
    const auto trace = server(true);
    const Serving serving = servingOf(*trace, trace->session).at(0);
    const std::vector<Finding> findings = runRules(*trace, trace->session);
    const auto found = std::ranges::find(findings, std::string_view("token_times"), &Finding::rule);
    QVERIFY(found != findings.end());
    for (const Ns time : {serving.perToken, serving.firstToken})
        QVERIFY2(plain(found->title).find(roundedDuration(time)) != std::string::npos,
            plain(found->title).c_str());
}

/// A prompt between the steps gives the first token, and the next token's time counts from there.
void ServingTest::promptsBetweenStepsCount()
{
    DrawnProgram program;
    program.range("prefill", {0, 20 * ms});
    program.range("prefill attention", {1 * ms, 5 * ms}); // a part of the prompt
    for (int i = 0; i < 6; ++i)
        program.range("decode_" + std::to_string(i), {22 * ms + i * 10 * ms, 28 * ms + i * 10 * ms});
    const auto trace = program.finish();
    const Serving serving = servingOf(*trace, trace->session).at(0);
    QCOMPARE(serving.steps.size(), std::size_t{7});
    QCOMPARE(serving.firstToken, 20 * ms);
    QCOMPARE(serving.steps[1].tokenTime, 8 * ms);
    QCOMPARE(serving.perToken, 10 * ms);
    QCOMPARE(serving.groups.size(), std::size_t{2});
}

void ServingTest::withoutWorkRangesCount()
{
    const auto trace = server(false);
    const Serving serving = servingOf(*trace, trace->session).at(0);
    QCOMPARE(serving.steps[0].tokenTime, 6 * ms);
    QCOMPARE(serving.steps[1].tokenTime, 10 * ms);
    QCOMPARE(serving.firstToken, 20 * ms);
}

void ServingTest::namesWithoutNumbersGiveNoRate()
{
    DrawnProgram program;
    for (int i = 0; i < 5; ++i)
        program.range("decode_" + std::to_string(i), {i * 10 * ms, i * 10 * ms + 6 * ms});
    const auto trace = program.finish();
    const Serving serving = servingOf(*trace, trace->session).at(0);
    QCOMPARE(serving.perToken, 10 * ms);
    QVERIFY(serving.tokensPerSecond() < 0);
    QVERIFY(servingSentence(serving).empty());
}

void ServingTest::numbersOfAnySizeAddUp()
{
    DrawnProgram program;
    for (int i = 0; i < 4; ++i) {
        program.range("step[DECODE bs=9223372036854775807]", {i * 10 * ms, i * 10 * ms + 6 * ms});
        program.kernel("work", i * 10 * ms + ms, {i * 10 * ms + 6 * ms, i * 10 * ms + 8 * ms});
    }
    const auto trace = program.finish();
    const std::vector<Serving> all = servingOf(*trace, trace->session);
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all.front().outputTokens, std::numeric_limits<std::int64_t>::max());
    QVERIFY(!servingSentence(all.front()).empty());
}

void ServingTest::otherStepsAreNoServers()
{
    DrawnProgram program;
    for (int i = 0; i < 5; ++i)
        program.range("train_step_" + std::to_string(i), {i * 10 * ms, i * 10 * ms + 6 * ms});
    const auto trace = program.finish();
    QVERIFY(servingOf(*trace, trace->session).empty());
    QCOMPARE(findStatsTable("serving_steps")->fill(*trace, {}).rowCount(), std::size_t{0});
}

WARPLINE_TEST(ServingTest)

} // namespace tst_serving

#include "tst_serving.moc"
