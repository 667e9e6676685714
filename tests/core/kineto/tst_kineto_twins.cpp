// Programs recorded twice: by PyTorch's profiler and by nsys. Data that both see must agree. What is
// compared:
//   - kernels, copies and memsets per step, and kernel time per step: equal, because the work is;
//   - findings about GPU work (its kernels, copies, collectives, and that it waits for launches): equal;
//   - answers of the checklist: equal, except where the two recordings are on two sides of a threshold, which
//   the
//     rows mention;
//   - not compared: idle time of the GPU (each profiler slows launches in its own way), findings that need
//   data which
//     PyTorch's profiler does not record (loading of code, the start of the program, the operating system) or
//     which
//     are scarce in the recorded programs, and findings about the recording itself.

#include "core/compare/compare_runs.h"
#include "core/findings/checklist.h"
#include "core/findings/finding_words.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/overview/overview.h"
#include "core/render/render.h"
#include "core/rows/row_help.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/core/findings/flattened.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace tst_kineto_twins {

using namespace warpline;
using namespace warpline::test;

class KinetoTwinsTest : public QObject {
    Q_OBJECT

private slots:
    void sameWorkInEachStep();
    void sameFindings_data();
    void sameFindings();
    /// The two recordings of a program as two runs to be compared: every kernel finds its partner, and takes
    /// as long.
    void twinsCompare_data();
    void twinsCompare();
    void adviceIsTorchProfilers_data();
    void adviceIsTorchProfilers();
    void theProfilersTimeIsCharged();
};

namespace {

struct Twins {
    std::shared_ptr<const Trace> kineto;
    std::shared_ptr<const Trace> nsys;
};

Twins twinsOf(const QString& name)
{
    const QString folder = WARPLINE_SHARED_REPORTS;
    Twins twins;
    auto kineto = loadReport((folder + "/kineto/" + name + ".json.gz").toStdString());
    auto nsys = loadReport((folder + "/h200/" + name + "/" + name + ".sqlite").toStdString());
    if (kineto.ok() && nsys.ok())
        twins = {kineto.take(), nsys.take()};
    return twins;
}

std::set<std::string> rulesOf(const Trace& trace)
{
    std::set<std::string> rules;
    for (const Finding& finding : flattened(runRules(trace, trace.session)))
        rules.insert(std::string(finding.rule));
    return rules;
}

std::map<std::string, Answer> answersOf(const Trace& trace)
{
    std::map<std::string, Answer> answers;
    for (const ChecklistAnswer& answer : answerChecklist(trace, trace.session))
        answers.emplace(std::string(answer.id), answer.answer);
    return answers;
}

} // namespace

void KinetoTwinsTest::sameWorkInEachStep()
{
    const Twins twins = twinsOf("bert_amp");
    if (!twins.kineto)
        QSKIP("the shared reports are not here");
    const auto steps = [](const Trace& trace) {
        std::set<std::string_view> names;
        for (EventIndex i = 0; i < trace.nvtx().size(); ++i) {
            const std::string_view name = trace.name({EventKind::Nvtx, i});
            if (name.starts_with("step_"))
                names.insert(name);
        }
        return names.size();
    };
    const std::size_t ofKineto = steps(*twins.kineto);
    const std::size_t ofNsys = steps(*twins.nsys);
    QCOMPARE(ofKineto, std::size_t{3});
    QCOMPARE(ofNsys, std::size_t{5});
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
        const std::size_t count = twins.kineto->table(kind).size();
        QCOMPARE(count % ofKineto, std::size_t{0});
        QCOMPARE(count / ofKineto * ofNsys, twins.nsys->table(kind).size());
    }
    const auto time = [](const Trace& trace) {
        double sum = 0;
        for (EventIndex i = 0; i < trace.kernels().size(); ++i)
            sum += static_cast<double>(trace.kernels().duration[i]);
        return sum;
    };
    const double a = time(*twins.kineto) / static_cast<double>(ofKineto);
    const double b = time(*twins.nsys) / static_cast<double>(ofNsys);
    QVERIFY2(std::abs(a - b) < 0.01 * b, qPrintable(QString("%1 and %2 ns a step").arg(a).arg(b)));
}

void KinetoTwinsTest::sameFindings_data()
{
    using Rules = std::set<std::string>;
    QTest::addColumn<Rules>("inOneAlone");
    // 3 steps were recorded instead of 5: too few kernels to be a storm.
    QTest::newRow("bert_amp") << Rules{"kernel_storm", "short_kernels"};
    // nsys recorded the whole program, PyTorch's profiler from its own start: another start of CUDA, and
    // pauses.
    QTest::newRow("cnn_workers0") << Rules{"gpu_gaps", "host_outside", "start_up"};
    // PyTorch's profiler does not record the calls that load code (of the driver it has launches alone).
    QTest::newRow("decode") << Rules{"code_loaded_in_loop", "start_up"};
    // Only the trace has the shapes of its operators.
    QTest::newRow("ddp_straggler_rank0") << Rules{"below_roofline"};
}

void KinetoTwinsTest::sameFindings()
{
    const Twins twins = twinsOf(QTest::currentDataTag());
    if (!twins.kineto)
        QSKIP("the shared reports are not here");
    using Rules = std::set<std::string>;
    QFETCH(Rules, inOneAlone);
    const Rules kineto = rulesOf(*twins.kineto);
    const Rules nsys = rulesOf(*twins.nsys);
    Rules different;
    std::ranges::set_symmetric_difference(kineto, nsys, std::inserter(different, different.end()));
    for (const std::string& rule : different)
        QVERIFY2(inOneAlone.contains(rule), rule.c_str());
    QVERIFY(kineto.size() >= 4);
    const auto answers = answersOf(*twins.kineto);
    QCOMPARE(answers.size(), std::size_t{5});
    for (const auto& [question, answer] : answersOf(*twins.nsys))
        QVERIFY2(answers.at(question) == answer, question.c_str());
}

void KinetoTwinsTest::twinsCompare_data()
{
    QTest::addColumn<QString>("kernels");
    QTest::newRow("bert_amp") << "1,114";
    QTest::newRow("cnn_workers0") << "89.0";
}

void KinetoTwinsTest::twinsCompare()
{
    const Twins twins = twinsOf(QTest::currentDataTag());
    if (!twins.kineto)
        QSKIP("the shared reports are not here");
    QFETCH(QString, kernels);
    CompareRequest request;
    request.a.reports.push_back({twins.nsys, "nsys"});
    request.b.reports.push_back({twins.kineto, "kineto"});
    const Comparison comparison = compareRuns(request);
    QVERIFY2(comparison.comparable, plain(comparison.sentence).c_str());
    QVERIFY(comparison.matched.all.a > 0.995 && comparison.matched.all.b > 0.995);
    const auto fact = [&](std::string_view name) {
        const auto found = std::ranges::find(comparison.facts, name, &CompareFact::id);
        return found != comparison.facts.end() ? *found : CompareFact{};
    };
    QCOMPARE(QString::fromStdString(plain(fact("kernels").a)), kernels);
    QCOMPARE(QString::fromStdString(plain(fact("kernels").b)), kernels);
    const double pace = QString::fromStdString(plain(fact("pace").b)).chopped(1).toDouble();
    QVERIFY2(pace > 0.99 && pace < 1.01, qPrintable(QString::number(pace)));
}

void KinetoTwinsTest::adviceIsTorchProfilers_data()
{
    QTest::addColumn<bool>("mustSkip");
    QTest::newRow("bert_amp") << false;
    QTest::newRow("cnn_workers0") << false;
    QTest::newRow("decode") << false;
    QTest::newRow("ddp_overlap_rank0") << true; // names the kernel to look into
    QTest::newRow("ddp_straggler_rank1") << false;
}

void KinetoTwinsTest::adviceIsTorchProfilers()
{
    auto loaded = loadReport(
        QString(WARPLINE_SHARED_REPORTS "/kineto/%1.json.gz").arg(QTest::currentDataTag()).toStdString());
    if (!loaded.ok())
        QSKIP("the shared reports are not here");
    const Trace& trace = *loaded.value();
    bool skips = false;
    for (const Finding& finding : flattened(runRules(trace, trace.session))) {
        const Rule* const rule = findRule(finding.rule);
        const std::string remedy = plain(finding.remedy.empty() ? Message(rule->remedy) : finding.remedy);
        QVERIFY2(plain(finding.message).find("NVTX") == std::string::npos, plain(finding.message).c_str());
        // Data that PyTorch's profiler cannot record is attributed to nsys; no other advice is about nsys.
        const bool ofRecording = finding.rule == "capture_quality";
        QVERIFY2(ofRecording || remedy.find("nsys") == std::string::npos, remedy.c_str());
        QVERIFY2(plain(caveatOf(finding)).find("nsys") == std::string::npos, finding.rule.data());
        if (remedy.find("--launch-skip") != std::string::npos) {
            skips = true;
            QVERIFY2(remedy.find("counts from the start of the trace") != std::string::npos, remedy.c_str());
        }
    }
    QFETCH(bool, mustSkip);
    QVERIFY(skips || !mustSkip);
    // It has no NVTX ranges.
    const auto rows = buildRows(trace);
    for (const RowId id : rows->subtree(RowTree::root)) {
        QVERIFY2(
            plain(rows->row(id).label).find("NVTX") == std::string::npos, plain(rows->row(id).label).c_str());
        QVERIFY(plain(rowHelp(trace, rows->row(id))).find("NVTX") == std::string::npos);
    }
    for (const OverviewSentence& sentence : overviewOf(trace, trace.session).sentences)
        QVERIFY2(plain(sentence.text).find("NVTX") == std::string::npos, plain(sentence.text).c_str());
}

void KinetoTwinsTest::theProfilersTimeIsCharged()
{
    const Twins twins = twinsOf("bert_amp");
    if (!twins.kineto)
        QSKIP("the shared reports are not here");
    // Two buffers, of 2172.426 us before the first call and 1724.349 us before autograd's first, without GPU
    // work during them.
    const RunOverview overview = overviewOf(*twins.kineto, twins.kineto->session);
    QCOMPARE(overview.timeOf(OverviewKind::Profiler), Ns{3'896'775});
}

WARPLINE_TEST(KinetoTwinsTest)

} // namespace tst_kineto_twins

#include "tst_kineto_twins.moc"
