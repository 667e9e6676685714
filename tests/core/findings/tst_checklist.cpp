// The five questions, on programs drawn to answer yes, no or nothing, and on real reports whose programs are
// known.

#include "core/export/findings_html.h"
#include "core/export/findings_text.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/report_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <string>

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr std::size_t busy = 0;
constexpr std::size_t transfers = 1;
constexpr std::size_t collectives = 2;
constexpr std::size_t waits = 3;
constexpr std::size_t fragments = 4;

std::vector<ChecklistAnswer> ask(const Trace& trace)
{
    return answerChecklist(trace, trace.session);
}

/// Ten kernels of 1 ms, one every `every`, launched well ahead.
void kernels(DrawnProgram& program, Ns every)
{
    for (int i = 0; i < 10; ++i)
        program.kernel("work", i * every - 100 * us, {i * every, i * every + ms});
}

std::string answersIn(const std::string& path)
{
    const auto trace = loadReport(path);
    if (!trace.ok())
        return {};
    std::string words;
    for (const ChecklistAnswer& answer : ask(*trace.value()))
        words += (words.empty() ? "" : ", ") + std::string(wordOf(answer.answer));
    return words;
}

} // namespace

class ChecklistTest : public QObject {
    Q_OBJECT

private slots:
    void asksFiveQuestions();
    void busyIsOverFourFifths();
    void busyLeavesTheStartOut();
    void busyFollowsTheRange();
    void transfersHideBehindKernels();
    void collectivesHideBehindKernels();
    void waitsInALoopAreNeedless();
    void shortKernelsAreFragments();
    void answersReports_data();
    void answersReports();
    void isExported();
};

void ChecklistTest::asksFiveQuestions()
{
    // Also where there is nothing at all.
    for (const auto& answers : {ask(Trace()), ask(*DrawnProgram().finish())}) {
        QCOMPARE(answers.size(), std::size_t{5});
        for (const ChecklistAnswer& answer : answers) {
            QCOMPARE(answer.answer, Answer::NotRecorded);
            QVERIFY(!answer.id.empty() && !answer.question.empty() && !answer.explanation.empty());
            QVERIFY(answer.figure.empty() && !answer.rules.empty());
            for (const std::string_view rule : answer.rules)
                QVERIFY2(findRule(rule), rule.data());
        }
    }
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(answerChecklist(Trace(), {0, 1}, stop.get_token()).empty());
}

void ChecklistTest::busyIsOverFourFifths()
{
    DrawnProgram dense;
    kernels(dense, 1100 * us);
    const ChecklistAnswer yes = ask(*dense.finish())[busy];
    QCOMPARE(yes.answer, Answer::Yes);
    QCOMPARE(yes.figure, std::string("91.7% busy")); // 10 of 9 * 1.1 + 1 ms
    DrawnProgram sparse;
    kernels(sparse, 2 * ms);
    const ChecklistAnswer no = ask(*sparse.finish())[busy];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(no.figure, std::string("52.6% busy")); // 10 of 19 ms

    // Of two GPUs the idle one decides.
    DrawnProgram two;
    kernels(two, 1100 * us);
    two.kernel("work", 0, {0, 3 * ms}, {.device = 1});
    const ChecklistAnswer least = ask(*two.finish())[busy];
    QCOMPARE(least.answer, Answer::No);
    QVERIFY(least.explanation.find("GPU 1") != std::string::npos);
}

void ChecklistTest::busyLeavesTheStartOut()
{
    // Half a second of silence after the first kernel, then steps without a gap.
    DrawnProgram program;
    program.kernel("warm", -500 * ms, {-500 * ms + 5 * us, -499 * ms});
    for (int i = 0; i < 10; ++i) {
        program.range("step_" + std::to_string(i), {i * ms, (i + 1) * ms});
        program.kernel("work", i * ms, {i * ms + 5 * us, (i + 1) * ms});
    }
    const auto trace = program.finish();
    const ChecklistAnswer answer = ask(*trace)[busy];
    QCOMPARE(answer.answer, Answer::Yes);
    QCOMPARE(answer.over, (TimeRange{0, 10 * ms}));
    QVERIFY(answer.explanation.find("10 steady steps (step_#)") != std::string::npos);
}

void ChecklistTest::busyFollowsTheRange()
{
    DrawnProgram program;
    kernels(program, 10 * ms);
    const auto trace = program.finish();
    QCOMPARE(answerChecklist(*trace, {0, ms})[busy].figure, std::string("100.0% busy"));
    QCOMPARE(answerChecklist(*trace, {0, 4 * ms})[busy].figure, std::string("25.0% busy"));
    // Between two kernels the GPU idles; before the first nothing was asked of it.
    QCOMPARE(answerChecklist(*trace, {-60 * ms, -50 * ms})[busy].answer, Answer::NotRecorded);
}

void ChecklistTest::transfersHideBehindKernels()
{
    DrawnProgram beside;
    DrawnProgram after;
    DrawnProgram alone;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 2 * ms;
        beside.kernel("work", at - 10 * us, {at, at + ms});
        beside.copy({at, at + 5 * us}, {at + 200 * us, at + 700 * us}, {.stream = 9});
        after.kernel("work", at - 10 * us, {at, at + ms});
        after.copy({at, at + 5 * us}, {at + ms, at + 1500 * us});
        alone.copy({at, at + 5 * us}, {at + ms, at + 1500 * us});
    }
    QCOMPARE(ask(*beside.finish())[transfers].answer, Answer::Yes);
    const ChecklistAnswer no = ask(*after.finish())[transfers];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(no.figure, std::string("33.3% exposed")); // 0.5 of each 1.5 ms of work
    const ChecklistAnswer none = ask(*alone.finish())[transfers];
    QCOMPARE(none.answer, Answer::NotRecorded);
    QVERIFY(none.explanation.starts_with("Does not apply"));
}

void ChecklistTest::collectivesHideBehindKernels()
{
    DrawnProgram beside;
    DrawnProgram after;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 2 * ms;
        for (DrawnProgram* const program : {&beside, &after}) {
            const Ns from = program == &beside ? at + 100 * us : at + ms;
            program->kernel("work", at - 10 * us, {at, at + ms});
            program->kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at - 5 * us, {from, from + 500 * us},
                {.stream = 20});
        }
    }
    QCOMPARE(ask(*beside.finish())[collectives].answer, Answer::Yes);
    const ChecklistAnswer no = ask(*after.finish())[collectives];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(no.figure, std::string("25.6% exposed")); // 5 of 19.5 ms
    DrawnProgram none;
    kernels(none, ms);
    QCOMPARE(ask(*none.finish())[collectives].answer, Answer::NotRecorded);
}

void ChecklistTest::waitsInALoopAreNeedless()
{
    DrawnProgram ahead;
    kernels(ahead, ms);
    QCOMPARE(ask(*ahead.finish())[waits].answer, Answer::Yes);

    DrawnProgram reads;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * ms;
        reads.range("step_" + std::to_string(i), {at, at + ms});
        reads.kernel("work", at, {at + 10 * us, at + 700 * us});
        reads.copy({at + 20 * us, at + 25 * us}, {at + 700 * us, at + 701 * us},
            {.kind = CopyKind::DtoH, .bytes = 4});
        reads.call("cudaStreamSynchronize_v3020", {at + 30 * us, at + 705 * us});
    }
    const ChecklistAnswer no = ask(*reads.finish())[waits];
    QCOMPARE(no.answer, Answer::No);
    QVERIFY2(no.explanation.find("once a step") != std::string::npos, no.explanation.c_str());
}

void ChecklistTest::shortKernelsAreFragments()
{
    DrawnProgram storm;
    DrawnProgram graph;
    DrawnProgram dense;
    Ns end = 0;
    for (int i = 0; i < 1000; ++i) {
        const Ns at = i * 10 * us;
        storm.kernel("tiny", at - 5 * us, {at, at + 3 * us});
        graph.kernel("tiny", at - 5 * us, {at, at + 3 * us}, {.graphNode = 5});
        // Many are short, but the GPU is never without work and long ones take the time.
        const Ns length = i % 10 < 7 ? 3 * us : 100 * us;
        dense.kernel("mixed", end - 50 * us, {end, end + length});
        end += length;
    }
    const ChecklistAnswer no = ask(*storm.finish())[fragments];
    QCOMPARE(no.answer, Answer::No);
    QCOMPARE(no.figure, std::string("100.0% short"));
    QCOMPARE(ask(*graph.finish())[fragments].answer, Answer::Yes);
    const ChecklistAnswer yes = ask(*dense.finish())[fragments];
    QVERIFY2(yes.answer == Answer::Yes, yes.explanation.c_str());
}

void ChecklistTest::answersReports_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("answers");
    const auto own = [](const char* name, const char* answers) {
        QTest::newRow((std::string("own ") + name).c_str())
            << QString(WARPLINE_TEST_DATA "/reports/") + name + ".sqlite" << QString(answers);
    };
    const auto shared = [](const char* name, const char* answers) {
        QTest::newRow(name) << QString::fromStdString(sharedReport(name)) << QString(answers);
    };
    // In the order: busy, transfers, collectives, waits, fragments.
    own("bert_fp32", "yes, yes, not recorded, yes, yes");
    own("ddp_overlap_rank0", "no, yes, yes, yes, yes");
    own("streams", "yes, no, not recorded, no, yes");
    shared("bert_amp", "no, yes, not recorded, yes, no");
    shared("cnn_workers0", "no, yes, not recorded, yes, no");
    shared("decode", "no, yes, not recorded, no, no"); // .item() after each token
    shared("launch_eager", "no, not recorded, not recorded, yes, no");
    shared("launch_graph", "yes, not recorded, not recorded, yes, not recorded");
    shared("reduce_v2", "no, no, not recorded, yes, yes");
    shared("ddp_straggler_rank0", "yes, yes, no, yes, yes"); // it waits inside the all-reduce
    shared("storm_80k", "no, not recorded, not recorded, yes, no");
}

void ChecklistTest::answersReports()
{
    QFETCH(QString, path);
    QFETCH(QString, answers);
    if (path.isEmpty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    QCOMPARE(QString::fromStdString(answersIn(path.toStdString())), answers);
}

void ChecklistTest::isExported()
{
    DrawnProgram program;
    kernels(program, 2 * ms);
    const auto trace = program.finish();
    const auto answers = ask(*trace);
    const QJsonObject json
        = QJsonDocument::fromJson(QByteArray::fromStdString(findingsJson(*trace, {}, answers))).object();
    QCOMPARE(json.keys(), (QStringList{"checklist", "findings"}));
    const QJsonArray list = json["checklist"].toArray();
    QCOMPARE(list.size(), 5);
    QCOMPARE(list[0]["answer"].toString(), QString("no"));
    QCOMPARE(list[1]["answer"].toString(), QString("not_recorded"));
    QCOMPARE(list[0]["figure"].toString(), QString("52.6% busy"));
    for (const QJsonValue& value : list)
        QCOMPARE(value.toObject().keys(),
            (QStringList{"answer", "explanation", "figure", "id", "question", "range_ns", "rules"}));
    for (const std::string& text : {findingsTable(*trace, {}, answers), findingsMarkdown(*trace, {}, answers),
             findingsHtml(*trace, {}, answers)}) {
        for (const ChecklistAnswer& answer : answers)
            QVERIFY(text.find(answer.question) != std::string::npos
                && text.find(answer.figure) != std::string::npos);
    }
}

QTEST_APPLESS_MAIN(ChecklistTest)
#include "tst_checklist.moc"
