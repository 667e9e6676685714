// The six rules of nsys analyze compared with its output for the same reports: the same events in the same
// order, and no findings where it has none.

#include "core/analysis/trace_analysis.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <filesystem>
#include <set>

namespace tst_nsys_rules {

using namespace warpline;
using namespace warpline::test;
namespace fs = std::filesystem;

namespace {

/// Rows of a CSV file by column title; empty when there is no file: nsys found nothing.
std::vector<QMap<QString, QString>> csv(const fs::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    std::vector<QMap<QString, QString>> rows;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return rows;
    const QStringList titles = QString::fromUtf8(file.readLine()).trimmed().split(',');
    while (!file.atEnd()) {
        const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(',');
        QMap<QString, QString> row;
        for (qsizetype i = 0; i < std::min(titles.size(), cells.size()); ++i)
            row[titles[i]] = cells[i];
        if (!row.isEmpty() && cells.size() > 1)
            rows.push_back(row);
    }
    return rows;
}

/// (duration, start) of nsys' rows, each once, because its join repeats some.
std::vector<std::pair<Ns, Ns>> expected(const std::string& report, const char* rule)
{
    std::vector<std::pair<Ns, Ns>> list;
    for (const auto& row :
        csv(fs::path(WARPLINE_SHARED_REPORTS) / "h200" / report / "analyze" / (std::string(rule) + ".csv"))) {
        const std::pair<Ns, Ns> item{row["Duration (ns)"].toLongLong(), row["Start (ns)"].toLongLong()};
        if (std::ranges::find(list, item) == list.end())
            list.push_back(item);
    }
    return list;
}

/// (duration, start) of the evidence of all findings of `rule`.
std::vector<std::pair<Ns, Ns>> found(const Trace& trace, const char* rule)
{
    const Rule* const asked = findRule(rule);
    std::vector<std::pair<Ns, Ns>> list;
    for (const Finding& finding :
        runRules(trace, {trace.session.start, trace.session.end + 1}, std::span(&asked, 1))) {
        for (const Evidence& proof : finding.evidence)
            list.emplace_back(proof.range.duration(), proof.range.start);
    }
    return list;
}

} // namespace

class NsysRulesTest : public QObject {
    Q_OBJECT

private slots:
    void listsWhatNsysLists_data();
    void listsWhatNsysLists();
    void rulesAreWellFormed();
};

void NsysRulesTest::listsWhatNsysLists_data()
{
    QTest::addColumn<QString>("report");
    std::error_code error;
    for (const auto& folder : fs::directory_iterator(fs::path(WARPLINE_SHARED_REPORTS) / "h200", error)) {
        const std::string name = folder.path().filename().string();
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    if (error)
        QTest::newRow("none") << QString();
}

void NsysRulesTest::listsWhatNsysLists()
{
    QFETCH(QString, report);
    if (report.isEmpty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    const auto loaded = loadReport(sharedReport(report.toStdString()));
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    for (const char* const rule :
        {"cuda_memcpy_async", "cuda_memcpy_sync", "cuda_memset_sync", "cuda_api_sync"}) {
        const auto theirs = expected(report.toStdString(), rule);
        auto ours = found(trace, rule);
        // nsys stops after 50 rows (counting its repetitions); where it has none, neither may we.
        QVERIFY2(theirs.empty() == ours.empty(), rule);
        QVERIFY2(ours.size() >= theirs.size(), rule);
        ours.resize(theirs.size());
        QVERIFY2(ours == theirs, rule);
    }
    for (const char* const rule : {"gpu_gaps", "gpu_time_util"}) {
        auto theirs = expected(report.toStdString(), rule);
        auto ours = found(trace, rule);
        std::ranges::sort(theirs);
        std::ranges::sort(ours);
        QVERIFY2(ours == theirs, rule);
    }
}

void NsysRulesTest::rulesAreWellFormed()
{
    std::set<std::string_view> ids;
    const Trace nothing;
    for (const Rule* const rule : allRules()) {
        QVERIFY(ids.insert(rule->id).second);
        QVERIFY(!rule->title.empty() && !rule->why.empty() && !rule->remedy.empty());
        QVERIFY(rule->applies && !rule->check != !rule->checkGpu); // exactly one of the two
        QCOMPARE(findRule(rule->id), rule);
        TraceAnalysis facts(nothing, {}, {});
        QVERIFY(!rule->applies(nothing, {}) || rule->find({nothing, {}, {}, {}, facts}).empty());
    }
    QVERIFY(ids.size() >= 8);
}

WARPLINE_TEST(NsysRulesTest)

} // namespace tst_nsys_rules

#include "tst_nsys_rules.moc"
