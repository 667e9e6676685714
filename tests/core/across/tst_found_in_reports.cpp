// Findings in the reports of a run's ranks: the same for a report alone or with the others, so that the
// window and the command line agree.

#include "core/across/found_in_reports.h"
#include "core/across/judge_ranks.h"
#include "core/across/late_findings.h"
#include "core/findings/finding_order.h"
#include "core/findings/finding_words.h"
#include "core/load/load_report.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

namespace tst_found_in_reports {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr Ns ms = 1'000'000;

using Savings = QStringList; ///< "ID: NS"

/// The findings of the report of `part` by id, with their savings; those across ranks are of all.
Savings savingsOf(const FoundInReports& found, ReportId report)
{
    Savings savings;
    const auto add = [&](const Finding& finding, std::size_t part) {
        const bool isAcross = finding.measured == 0; // not relative to a report's own time
        if (found.parts[part].report == report && !isAcross)
            savings << QString::fromStdString(stableId(*found.parts[part].trace, finding)) + ": "
                    + QString::number(finding.saving);
    };
    for (std::size_t i = 0; i < found.findings.size(); ++i) {
        add(found.findings[i], found.partOf[i]);
        for (std::size_t m = 0; m < found.partsOfMerged[i].size(); ++m)
            add(found.findings[i].merged[m], found.partsOfMerged[i][m]);
    }
    savings.sort();
    return savings;
}

/// Whether the expected saving of `finding`, and of all merged ones, is at most its bound.
bool isWithinBound(const Finding& finding)
{
    return (!finding.expected || finding.expected->high <= finding.saving)
        && finding.perStep <= finding.saving && std::ranges::all_of(finding.merged, isWithinBound);
}

} // namespace

class FoundInReportsTest : public QObject {
    Q_OBJECT

private slots:
    void aReportHasTheSameFindingsAloneAndAmongOthers_data();
    void aReportHasTheSameFindingsAloneAndAmongOthers();
    void anotherBoundCutsWhatIsExpected();
};

void FoundInReportsTest::aReportHasTheSameFindingsAloneAndAmongOthers_data()
{
    QTest::addColumn<QStringList>("files");
    // Every set there is: files that differ in the number of a rank alone.
    std::map<QString, QStringList> sets;
    for (const std::string& path : reportsBelow({WARPLINE_SHARED_REPORTS "/.."})) {
        const QString file = QDir::cleanPath(QString::fromStdString(path));
        static const QRegularExpression rank("rank_?[0-9]+");
        if (file.contains(rank))
            sets[QString(file).replace(rank, "rank")] << file;
    }
    for (const auto& [name, files] : sets) {
        if (files.size() > 1)
            QTest::newRow(qPrintable(name)) << files;
    }
    if (sets.empty())
        QTest::newRow("none") << QStringList();
}

void FoundInReportsTest::aReportHasTheSameFindingsAloneAndAmongOthers()
{
    QFETCH(QStringList, files);
    if (files.isEmpty())
        QSKIP("the shared reports are not there: ../shared");
    std::vector<JudgedReport> parts;
    std::vector<ReportSummary> summaries;
    for (const QString& file : files) {
        const auto trace = loadReport(file.toStdString());
        QVERIFY2(trace.ok(), qPrintable(file));
        const auto report = ReportId{static_cast<std::uint16_t>(parts.size())};
        parts.push_back({report, file.toStdString(), trace.value(), trace.value()->session, 0, {}});
        summaries.push_back(summarize(*trace.value(), file.toStdString()));
    }
    const auto across = std::make_shared<const AcrossReport>(judgeSummaries(summaries));
    std::optional<JudgedReport> late;
    if (hasLateRank(*across))
        late = parts[raw(across->ranks[across->verdict.rank].report)];
    const FoundInReports together = findIn(parts, across, {}, {}, late);
    QVERIFY(std::ranges::all_of(together.findings, isWithinBound));
    for (const JudgedReport& part : parts) {
        const Savings alone = savingsOf(findIn({part}, across, {}, {}, late), part.report);
        QVERIFY(!alone.isEmpty());
        QCOMPARE(savingsOf(together, part.report).join("\n"), alone.join("\n"));
    }
}

/// The replay knows one report, the bound all: the shown value never exceeds the bound.
void FoundInReportsTest::anotherBoundCutsWhatIsExpected()
{
    Finding finding;
    finding.saving = 120 * ms;
    finding.added = 60 * ms;
    finding.perStep = 20 * ms;
    finding.expected = ExpectedTime{80 * ms, 100 * ms, 110 * ms};
    finding.plainShare = ExpectedShare{0.1, 0.2, 0.22};
    Finding same = finding;
    setSaving(same, 115 * ms); // above all that is expected
    QCOMPARE(same.expected->high, 110 * ms);
    QCOMPARE(same.plainShare->expected, 0.2);
    Finding less = finding;
    setSaving(less, 12 * ms);
    QCOMPARE(less.added, 6 * ms);
    QCOMPARE(less.perStep, 2 * ms);
    QCOMPARE(less.expected->high, 12 * ms);
    QCOMPARE(less.expected->expected, 12 * ms);
    QVERIFY(less.expected->low < less.expected->expected);
    QVERIFY(std::abs(less.plainShare->expected - 0.2 * 12 / 100) < 1e-9);
    QVERIFY(less.plainShare->low <= less.plainShare->expected
        && less.plainShare->expected <= less.plainShare->high);
    Finding nothing = finding;
    setSaving(nothing, 0);
    QVERIFY(!nothing.expected && !nothing.plainShare);
    // The list is sorted by the shown value.
    Finding larger;
    larger.saving = 15 * ms;
    QVERIFY(ranksHigher(larger, less) && !ranksHigher(less, larger));
    QVERIFY(ranksHigher(finding, larger));
}

WARPLINE_TEST(FoundInReportsTest)

} // namespace tst_found_in_reports

#include "tst_found_in_reports.moc"
