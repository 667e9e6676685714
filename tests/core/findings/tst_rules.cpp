// Every rule on synthetic programs: one with its pattern, and a similar one without. Also merging of findings
// with one cause.

#include "core/across/across_rule.h"
#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/export/findings_text.h"
#include "core/findings/evidence.h"
#include "core/findings/merge_findings.h"
#include "core/findings/rule.h"
#include "core/findings/savings.h"
#include "core/findings/waits.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/table_builder.h"
#include "tests/core/findings/rule_cases.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QMap>
#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace tst_rules {

using namespace warpline;
using namespace warpline::test;

namespace {

std::vector<RuleCase> allCases()
{
    std::vector<RuleCase> all;
    for (const auto& cases :
        {copyCases(), idleCases(), kernelCases(), programCases(), memoryCases(), hostCases(), shapeCases()})
        all.insert(all.end(), cases.begin(), cases.end());
    return all;
}

std::vector<Finding> run(const Trace& trace, const std::vector<const Rule*>& rules)
{
    return runRules(trace, trace.session, rules);
}

Finding findingOf(std::string_view rule, Ns saving, const std::vector<TimeRange>& times)
{
    Finding finding;
    finding.rule = rule;
    finding.group = rule;
    finding.saving = saving;
    finding.device = 0;
    finding.process = DrawnProgram::process;
    for (const TimeRange& time : times)
        finding.evidence.push_back({time, {}, ""});
    return finding;
}

/// "500.0 ms", "5%", "64": a threshold as the README shows it.
std::string shown(const Threshold& threshold)
{
    if (threshold.unit == "ns")
        return formatDuration(static_cast<Ns>(threshold.value));
    if (threshold.unit == "B")
        return formatBytes(static_cast<std::uint64_t>(threshold.value));
    const bool whole = threshold.value == static_cast<double>(static_cast<long long>(threshold.value));
    return formatReal(threshold.value, whole ? 0 : 1) + std::string(threshold.unit);
}

/// "Shortest gap 500.0 ms; ...".
QString shown(const Rule& rule)
{
    std::string text;
    for (const Threshold& threshold : rule.thresholds)
        text += (text.empty() ? "" : "; ") + std::string(plain(threshold.title)) + " " + shown(threshold);
    return QString::fromStdString(text);
}

/// The entries "- Saving: ..." of each rule on the rules' page, by the text before the colon.
QMap<QString, QMap<QString, QString>> rulesInTheirReadme()
{
    QFile file(QStringLiteral(WARPLINE_SOURCE_DIR "/core/findings/rules/README.md"));
    QMap<QString, QMap<QString, QString>> rules;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return rules;
    QString id;
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        if (line.startsWith("### "))
            id = line.section('`', 1, 1);
        else if (line.startsWith("## "))
            id.clear();
        else if (line.startsWith("- ") && !id.isEmpty())
            rules[id].insert(line.section(':', 0, 0).mid(2), line.section(':', 1).trimmed());
        else if (!line.isEmpty() && !id.isEmpty())
            rules[id].insert("Finds", line);
    }
    return rules;
}

/// Ten rounds of 20 ms: the launch returns at once and its kernel begins 5 ms later (`late`), or the thread
/// does not run for 10 ms before it launches.
std::shared_ptr<const Trace> roundsWithAPause(bool late)
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 20 * ms;
        const Ns launched = late ? at : at + 10 * ms;
        program.kernel("work", launched, {launched + (late ? 5 * ms : 10 * us), at + 18 * ms});
        if (!late) {
            program.event(EventKind::ThreadState, "Waiting", {at - 2 * ms, at + 10 * ms - us});
            program.event(EventKind::ThreadState, "Running", {at + 10 * ms - us, at + 18 * ms});
        }
    }
    return program.finish();
}

} // namespace

class RulesTest : public QObject {
    Q_OBJECT

private slots:
    void findsItsPattern_data();
    void findsItsPattern();
    void thresholdsFitWholeNumbers();
    void anyThresholdIsSafe_data();
    void anyThresholdIsSafe();
    void everyRuleHasBothCases();
    void readmeListsEveryRule();
    void everyRuleFitsItsColumn();
    void savesWhatThePatternCosts();
    void thresholdsCanBeChanged();
    void absorptionHasNoCircles();
    void mergesAGapThatACopyExplains();
    void keepsAGapWithACauseOfItsOwn();
    void mergesGroupsWithoutTime();
    void takersAreFoundAmongMany();
    void timeOfOthersEqualsALookAtAll();
    void keepsOtherGpusApart();
    void aBlockingCopyIsToldOnce();
    void namesTheCallOfMpi();
    void pagesThatTheHostFetchesAreNoCodeOfItsOwn();
    void namesTheProgramsOwnRange();
    void aWaitBetweenLaunchesIsTheCause();
    void savesNoMoreThanThereIs();
    void claimedTimeCountsOnce();
    void tidyingUpIsNoLoop();
    void pinningHidesNoMoreThanThereAreKernels();
    void migrationsAreNoWork();
    void saysWhyASeverityIsLower();
    void evidenceOfIdleTimeAddsUp();
    void askedByNameEachAnswersForItself();
    void collectivesAreOfTheMeasuredTime();
    void theTimeJudgedIsOne();
    void launchesAreCountedAsNcuCounts();
    void kernelsThatMatterNot();
    void someStepsWaitForInput();
    void loopsOfARegionAreComparedOneByOne();
    void chainsAreNamed();
    void whatALaunchWaitsForIsNotTheLaunch();
    void sleepIsNoCode();
    void aSlowStepSaysWhichAndWhy();
    void exposedTimeCountsNotCopies();
    void buffersThatAreCopiedOnceRankLower();
    void processesThatAreAlikeAreOne();
};

void RulesTest::findsItsPattern_data()
{
    QTest::addColumn<int>("row");
    const auto cases = allCases();
    for (std::size_t i = 0; i < cases.size(); ++i)
        QTest::newRow(
            (std::string(cases[i].rule) + (cases[i].found ? ": " : " not: ") + cases[i].name).c_str())
            << static_cast<int>(i);
}

void RulesTest::findsItsPattern()
{
    QFETCH(int, row);
    const RuleCase each = allCases()[static_cast<std::size_t>(row)];
    const Rule* const rule = findRule(each.rule);
    QVERIFY(rule);
    DrawnProgram program;
    each.draw(program);
    const auto trace = program.finish();
    const std::vector<Finding> findings = run(*trace, {rule});
    QVERIFY2(findings.empty() != each.found,
        findings.empty() ? "found nothing" : plain(findings[0].title).c_str());
    for (const Finding& finding : findings) {
        QVERIFY(!finding.title.empty() && !finding.message.empty() && !finding.remedy.empty());
        QVERIFY(finding.saving <= trace->session.duration());
    }
}

/// They become ns and bytes, and a person or a shared view may set any number.
void RulesTest::thresholdsFitWholeNumbers()
{
    const Trace nothing;
    TraceAnalysis facts(nothing, {}, {});
    for (const double value : {1e300, -1e300, 1e15, 12.5}) {
        const std::array overrides{Threshold{"rule.key", {}, {}, value}};
        const RuleContext context{nothing, {}, overrides, {}, facts};
        const double taken = context.threshold("rule", Threshold{"key", {}, {}, 7});
        QVERIFY(std::abs(taken) <= 1e15 && (std::abs(value) > 1e15 || taken == value));
        QCOMPARE(taken < 0, value < 0);
    }
}

void RulesTest::anyThresholdIsSafe_data()
{
    QTest::addColumn<double>("value");
    for (const double value : {0.0, -1e300, 1e-9, 1e300})
        QTest::addRow("%g", value) << value;
}

/// A view beside a report, which may be a stranger's, sets thresholds.
void RulesTest::anyThresholdIsSafe()
{
    QFETCH(double, value);
    std::vector<std::string> keys;
    std::vector<Threshold> overrides;
    for (const Rule* const rule : allRules()) {
        for (const Threshold& each : rule->thresholds)
            keys.push_back(std::string(rule->id) + "." + std::string(each.key));
    }
    for (const std::string& key : keys)
        overrides.push_back({key, {}, {}, value});
    std::size_t found = 0;
    for (const RuleCase& each : allCases()) {
        DrawnProgram program;
        each.draw(program);
        const auto trace = program.finish();
        TraceAnalysis facts(*trace, trace->session, {});
        for (const Finding& finding : runRules(facts, {}, overrides)) {
            ++found;
            QVERIFY2(finding.saving >= 0 && finding.saving <= trace->session.duration(), each.rule.data());
        }
    }
    QVERIFY(found > 0);
}

void RulesTest::everyRuleHasBothCases()
{
    std::set<std::pair<std::string_view, bool>> cases;
    for (const RuleCase& each : allCases())
        cases.emplace(each.rule, each.found);
    for (const Rule* const rule : allRules()) {
        QVERIFY2(cases.contains({rule->id, true}), rule->id.data());
        QVERIFY2(cases.contains({rule->id, false}), rule->id.data());
    }
}

void RulesTest::everyRuleFitsItsColumn()
{
    DrawnProgram program;
    program.kernel("work", 0, {us, 2 * us});
    const auto trace = program.finish();
    for (const Rule* const rule : allRules()) {
        Finding finding;
        finding.rule = rule->id;
        finding.title = "What was found";
        const std::string text = findingsTable(*trace, std::span(&finding, 1), {}, false);
        QVERIFY2(text.find(std::string(rule->id) + "  ") != text.npos, text.c_str());
    }
}

void RulesTest::readmeListsEveryRule()
{
    const auto page = rulesInTheirReadme();
    const std::vector<const Rule*> rules = namedRules(); // also those across ranks
    for (const Rule* const rule : rules) {
        const QString id = QString::fromUtf8(rule->id.data(), static_cast<qsizetype>(rule->id.size()));
        const QMap<QString, QString> said = page.value(id);
        QVERIFY2(!said.isEmpty(), qPrintable("not in core/findings/rules/README.md: " + id));
        const QString thresholds = rule->thresholds.empty() ? QString("none") : shown(*rule);
        QVERIFY2(said["Thresholds"] == thresholds,
            qPrintable(id + ": core/findings/rules/README.md should say: " + thresholds));
        for (const char* const part : {"Finds", "Saving", "Wrong when", "Example"})
            QVERIFY2(!said[part].isEmpty(), qPrintable(id + ": core/findings/rules/README.md lacks " + part));
    }
    QCOMPARE(static_cast<std::size_t>(page.size()), rules.size());
}

void RulesTest::savesWhatThePatternCosts()
{
    // Nine gaps of 5 ms between ten kernels of 5 ms.
    DrawnProgram late;
    for (int i = 0; i < 10; ++i)
        late.kernel("work", i * 10 * ms - 5 * us, {i * 10 * ms, i * 10 * ms + 5 * ms});
    const auto idle = run(*late.finish(), {findRule("gpu_idle_cause")});
    QCOMPARE(idle.size(), std::size_t{1});
    QVERIFY(idle[0].saving > 44 * ms && idle[0].saving <= 45 * ms);
    QCOMPARE(idle[0].evidenceTotal, std::uint64_t{9});
    QCOMPARE(idle[0].severity, Severity::High);

    // The wait ends at 500 us; the next kernel starts at 800 us, so launching ahead could fill 300 us.
    DrawnProgram waits;
    waits.kernel("first", 0, {10 * us, 500 * us});
    waits.call("cudaDeviceSynchronize_v3020", {20 * us, 500 * us});
    waits.kernel("second", 790 * us, {800 * us, 900 * us});
    const auto sync = run(*waits.finish(), {findRule("cuda_api_sync")});
    QCOMPARE(sync.size(), std::size_t{1});
    QCOMPARE(sync[0].saving, 300 * us);

    // Before the first work a call makes the context: no copy costs that.
    DrawnProgram first;
    first.copy(
        {-500 * ms, 100 * us}, {0, 100 * us}, {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable});
    first.kernel("work", 100 * us, {110 * us, ms});
    const auto copy = run(*first.finish(), {findRule("cuda_memcpy_sync")});
    QCOMPARE(copy.size(), std::size_t{1});
    QCOMPARE(copy[0].saving, 100 * us);

    // Nothing follows: the wait costs nothing, and the title mentions it.
    DrawnProgram done;
    done.kernel("only", 0, {10 * us, 500 * us});
    done.call("cudaDeviceSynchronize_v3020", {20 * us, 500 * us});
    const auto free = run(*done.finish(), {findRule("cuda_api_sync")});
    QCOMPARE(free.size(), std::size_t{1});
    QCOMPARE(free[0].saving, Ns{0});
    QVERIFY(plain(free[0].title).find("no cost") != std::string::npos);
}

void RulesTest::thresholdsCanBeChanged()
{
    DrawnProgram program;
    for (int i = 0; i < 3; ++i)
        program.kernel("work", i * 100 * ms, {i * 100 * ms + 5 * us, i * 100 * ms + ms});
    const auto trace = program.finish();
    const Rule* const gaps = findRule("gpu_gaps");
    QVERIFY(runRules(*trace, trace->session, std::span(&gaps, 1)).empty());
    const Threshold shorter{"gpu_gaps.min_gap_ns", "", "", 50e6};
    QCOMPARE(
        runRules(*trace, trace->session, std::span(&gaps, 1), std::span(&shorter, 1)).size(), std::size_t{1});
}

void RulesTest::absorptionHasNoCircles()
{
    // Following the ids a rule absorbs must never come back to it.
    for (const Rule* const rule : allRules()) {
        std::set<std::string_view> below(rule->absorbs.begin(), rule->absorbs.end());
        for (std::size_t before = 0; before != below.size();) {
            before = below.size();
            for (const std::string_view id : std::set(below)) {
                QVERIFY2(findRule(id), id.data());
                below.insert(findRule(id)->absorbs.begin(), findRule(id)->absorbs.end());
            }
        }
        QVERIFY2(!below.contains(rule->id), rule->id.data());
    }
}

void RulesTest::mergesAGapThatACopyExplains()
{
    auto merged = mergeByCause({findingOf("pageable_copies", 90, {{100, 190}, {300, 390}}),
        findingOf("gpu_idle_cause", 100, {{100, 200}}), findingOf("tiny_grid", 5, {{0, 50}})});
    QCOMPARE(merged.size(), std::size_t{2});
    QCOMPARE(merged[0].rule, std::string_view("pageable_copies"));
    QCOMPARE(merged[0].merged.size(), std::size_t{1});
    QCOMPARE(merged[0].merged[0].rule, std::string_view("gpu_idle_cause"));
    QVERIFY(merged[1].merged.empty());
}

void RulesTest::keepsAGapWithACauseOfItsOwn()
{
    // Less than half of the gap is the copy.
    QCOMPARE(mergeByCause({findingOf("pageable_copies", 40, {{100, 140}}),
                              findingOf("gpu_idle_cause", 100, {{100, 200}})})
                 .size(),
        std::size_t{2});
    // And a rule takes only those that it names.
    QCOMPARE(mergeByCause(
                 {findingOf("tiny_grid", 40, {{100, 200}}), findingOf("gpu_idle_cause", 100, {{100, 200}})})
                 .size(),
        std::size_t{2});
}

void RulesTest::mergesGroupsWithoutTime()
{
    Finding storm = findingOf("kernel_storm", 40, {{0, 10}});
    Finding brief = findingOf("short_kernels", 40, {{500, 510}});
    storm.group = brief.group = "short_kernels";
    const auto merged = mergeByCause({storm, brief});
    QCOMPARE(merged.size(), std::size_t{1});
    QCOMPARE(merged[0].rule, std::string_view("kernel_storm"));
}

/// What takes a finding, by a look at each pair.
void RulesTest::takersAreFoundAmongMany()
{
    std::mt19937 random(3);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    constexpr std::array<std::string_view, 5> rules{
        "pageable_copies", "gpu_idle_cause", "gpu_gaps", "sync_per_iteration", "launch_bound"};
    std::size_t taken = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<Finding> findings;
        for (int i = 0; i < 12; ++i) {
            const Ns start = below(50);
            Finding finding = findingOf(rules[static_cast<std::size_t>(below(5))], 10 + i,
                {{start, start + 1 + below(60)}, {200, 200 + 5 * below(30)}});
            finding.device = below(3) - 1;
            finding.process = static_cast<GlobalId>(below(3)) << 24U;
            finding.claims = unionOf({finding.evidence[0].range, finding.evidence[1].range}, {0, 1000});
            finding.where = {i, i + 1}; // tells it apart
            findings.push_back(finding);
        }
        const auto takes = [&](const Finding& special, const Finding& general) {
            const auto absorbs = findRule(special.rule)->absorbs;
            return std::ranges::find(absorbs, general.rule) != absorbs.end()
                && (special.device < 0 || general.device < 0 || special.device == general.device)
                && (special.process == 0 || general.process == 0 || special.process == general.process);
        };
        std::map<Ns, Ns> takers; // by start of `where`
        for (const Finding& general : findings) {
            Ns most = 0;
            Intervals together;
            const Finding* taker = nullptr;
            std::size_t some = 0;
            for (const Finding& special : findings) {
                const Ns shared = takes(special, general) ? commonTime(general.claims, special.claims) : 0;
                if (shared == 0)
                    continue;
                ++some;
                std::vector<TimeRange> all(together.begin(), together.end());
                all.insert(all.end(), special.claims.begin(), special.claims.end());
                together = unionOf(std::move(all), {0, 1000});
                taker = shared > most ? &special : taker;
                most = std::max(most, shared);
            }
            const Ns by = some > 1 ? commonTime(general.claims, together) : most;
            if (taker && by * 2 >= totalTime(general.claims))
                takers[general.where.start] = taker->where.start;
        }
        std::map<Ns, Ns> heads;
        for (const auto& [general, special] : takers) {
            Ns head = special;
            while (takers.contains(head))
                head = takers[head];
            heads[general] = head;
        }
        std::map<Ns, Ns> found;
        for (const Finding& head : mergeByCause(findings)) {
            QVERIFY(std::ranges::is_sorted(
                head.merged, {}, [](const Finding& merged) { return merged.where.start; }));
            for (const Finding& merged : head.merged)
                found[merged.where.start] = head.where.start;
        }
        QCOMPARE(found, heads);
        taken += found.size();
    }
    QVERIFY(taken > 300);
}

/// GPUs that several processes use, in random turns.
void RulesTest::timeOfOthersEqualsALookAtAll()
{
    std::mt19937 random(4);
    const auto below = [&](Ns limit) { return static_cast<Ns>(random() % static_cast<unsigned>(limit)); };
    for (int round = 0; round < 50; ++round) {
        auto trace = std::make_shared<Trace>();
        TableBuilder kernels(EventKind::Kernel);
        for (std::uint32_t i = 0; i < 60; ++i) {
            TrackKey key;
            key.owner = static_cast<GlobalId>(1 + below(4)) << 24U;
            key.device = static_cast<std::int32_t>(below(3));
            key.context = 1;
            key.stream = static_cast<std::int32_t>(below(2));
            const Ns start = below(900);
            kernels.add(kernels.track(key), start, start + below(40), {}, i + 1);
            kernels.addCorrelation(0);
            kernels.addAttribute(0);
        }
        auto table = std::make_shared<KernelTable>();
        kernels.finishInto(*table);
        table->launches.resize(1);
        trace->pool = std::make_shared<StringPool>();
        trace->tables[indexOf(EventKind::Kernel)] = table;
        trace->ordinals = {{.pid = 2, .cuda = 0, .device = 1}, {.pid = 2, .cuda = 1, .device = 0}};
        trace->session = {0, 1000};
        TraceAnalysis facts(*trace, trace->session, {});
        const TimeRange window{below(300), 400 + below(600)};
        for (const GpuFacts& gpu : facts.gpus()) {
            std::vector<TimeRange> others;
            for (const GpuFacts& other : facts.gpus()) {
                if (other.process != gpu.process
                    && gpuNumber(*trace, other.process, other.device)
                        == gpuNumber(*trace, gpu.process, gpu.device))
                    others.insert(others.end(), other.busy.begin(), other.busy.end());
            }
            QCOMPARE(timeOfOthers(*trace, facts, gpu, window),
                PackedIntervals(clipped(unionOf(std::move(others), trace->session), window)));
        }
    }
}

void RulesTest::keepsOtherGpusApart()
{
    Finding other = findingOf("gpu_idle_cause", 100, {{100, 200}});
    other.device = 1;
    QCOMPARE(mergeByCause({findingOf("pageable_copies", 100, {{100, 200}}), other}).size(), std::size_t{2});
}

void RulesTest::aBlockingCopyIsToldOnce()
{
    // Ten rounds: a blocking copy of pageable memory that the GPU waits for, then a kernel.
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.copy({at, at + 6 * ms}, {at + 2 * ms, at + 6 * ms},
            {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 30'000'000});
        program.kernel("work", at + 6 * ms, {at + 6010 * us, at + 10 * ms});
    }
    const auto trace = program.finish();
    const std::vector<Finding> findings = runRules(*trace, trace->session);
    QVERIFY(!findings.empty());
    QCOMPARE(findings[0].rule, std::string_view("pageable_copies"));
    std::set<std::string_view> merged;
    for (const Finding& finding : findings[0].merged)
        merged.insert(finding.rule);
    QVERIFY(merged.contains("cuda_memcpy_sync"));
    QVERIFY(merged.contains("copies_not_overlapped"));
    QVERIFY(merged.contains("gpu_idle_cause"));
    for (const Finding& finding : findings)
        QVERIFY2(!merged.contains(finding.rule), plain(finding.title).c_str());
}

void RulesTest::namesTheCallOfMpi()
{
    // Ten gaps of 8 ms, of which 7 are in MPI_Allreduce: by the library's table, or in old exports by the
    // ranges of an NVTX domain.
    for (const bool table : {true, false}) {
        DrawnProgram program;
        for (int i = 0; i < 11; ++i) {
            const Ns at = i * 10 * ms;
            program.kernel("stencil", at, {at + 5 * us, at + 2 * ms});
            if (table)
                program.libraryCall("MPI", "MPI_Allreduce", {at + 2 * ms, at + 9 * ms});
            else
                program.range("MPI_Allreduce", {at + 2 * ms, at + 9 * ms}, "MPI");
        }
        const auto found = run(*program.finish(), {findRule("gpu_idle_cause")});
        QVERIFY(!found.empty());
        QCOMPARE(plain(found[0].title),
            std::string("GPU 0 idle for 70 ms while the host waits in MPI: Allreduce 70 ms"));
        QCOMPARE(found[0].saving, 70 * ms);
        QVERIFY(plain(found[0].remedy).find("rank") != std::string::npos);
    }
}

void RulesTest::pagesThatTheHostFetchesAreNoCodeOfItsOwn()
{
    // Between two kernels the host reads the first one's output: a fault each 70 or 130 us, with migrations
    // of 60 us. With recorded faults the wait begins at the fault. Otherwise it begins at the migration, 20
    // us later, and lasts for the shortest time to the next: 70 us.
    for (const bool recorded : {true, false}) {
        DrawnProgram program;
        for (int i = 0; i < 3; ++i) {
            const Ns at = i * 20 * ms;
            program.range("read results", {at + 5 * ms, at + 15 * ms});
            program.kernel("work", at + 10 * us, {at + 20 * us, at + 5 * ms});
            for (int page = 0; page < 100; ++page) {
                const Ns missed = at + 5 * ms + page * 100 * us - (page % 2) * 30 * us;
                if (recorded)
                    program.hostFault(missed);
                program.migration(
                    CopyKind::UnifiedDtoH, {missed + 20 * us, missed + 60 * us}, 65536, 1U << 21U);
            }
        }
        const auto found = run(*program.finish(), {findRule("gpu_idle_cause")});
        const auto fetching = std::ranges::find_if(found, [](const Finding& finding) {
            return plain(finding.title).find("pages of unified memory") != std::string::npos;
        });
        QVERIFY(fetching != found.end());
        // Two gaps: reads after the last kernel do not delay the GPU.
        QCOMPARE(fetching->saving, (recorded ? 12 : 14) * ms);
        QVERIFY2(plain(fetching->title).ends_with(recorded ? ": read results 12 ms" : ": read results 14 ms"),
            plain(fetching->title).c_str());
        QCOMPARE(fetching->severity, Severity::High);
        QVERIFY(plain(fetching->remedy).find("cudaCpuDeviceId") != std::string::npos);
        for (const Finding& finding : found)
            QVERIFY2(plain(finding.message).find("one-time cost") == std::string::npos,
                plain(finding.message).c_str());
    }
}

void RulesTest::chainsAreNamed()
{
    // A norm of four kernels 300 times, between other short ones that differ.
    DrawnProgram program;
    Ns at = 0;
    const auto run1 = [&](const std::string& name) {
        program.kernel(name, at, {at + 3 * us, at + 5 * us});
        at += 10 * us;
    };
    for (int i = 0; i < 300; ++i) {
        for (const char* const name : {"pow", "mean", "rsqrt", "mul"})
            run1(name);
        for (int k = 0; k < 1 + i % 3; ++k)
            run1("other_" + std::to_string((i * 7 + k * 3) % 11));
    }
    const auto found = run(*program.finish(), {findRule("kernel_storm")});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(
        plain(found[0].message).find("[pow, mean, rsqrt, mul] (4 kernels, 300 times)") != std::string::npos,
        plain(found[0].message).c_str());

    // A loop appears as one iteration, and two alternating kernels as the pair.
    DrawnProgram loop;
    at = 0;
    for (int i = 0; i < 1200; ++i, at += 10 * us)
        loop.kernel(
            std::array{"a", "b", "c"}[static_cast<std::size_t>(i % 3)], at, {at + 3 * us, at + 5 * us});
    const auto turns = run(*loop.finish(), {findRule("kernel_storm")});
    QCOMPARE(turns.size(), std::size_t{1});
    QVERIFY2(plain(turns[0].message).find(" (3 kernels, 400 times).") != std::string::npos
            || plain(turns[0].message).find(" (3 kernels, 399 times).") != std::string::npos,
        plain(turns[0].message).c_str());
}

void RulesTest::whatALaunchWaitsForIsNotTheLaunch()
{
    const auto found = run(*roundsWithAPause(true), {findRule("gpu_idle_cause")});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(plain(found[0].title).find("has already launched the next work") != std::string::npos,
        plain(found[0].title).c_str());
    QVERIFY(found[0].saving > 44 * ms && found[0].saving <= 45 * ms);
    QVERIFY(plain(found[0].message).find("pace of launching") == std::string::npos);

    // Short waits of the kind are mentioned, though they do not count: the overview counts them.
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 20 * ms;
        program.kernel("work", at, {at + 5 * ms, at + 18 * ms});
        program.kernel("rest", at + 18 * ms, {at + 18'500 * us, at + 20 * ms - 5 * us});
    }
    const auto mixed = run(*program.finish(), {findRule("gpu_idle_cause")});
    QCOMPARE(mixed.size(), std::size_t{1});
    QVERIFY2(
        plain(mixed[0].message).find(" ms, in gaps shorter than 1 ms, is launch pace") != std::string::npos,
        plain(mixed[0].message).c_str());
}

void RulesTest::sleepIsNoCode()
{
    const auto found = run(*roundsWithAPause(false), {findRule("gpu_idle_cause")});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(plain(found[0].title).find("sleeps or waits, on no CPU") != std::string::npos,
        plain(found[0].title).c_str());
    QVERIFY(found[0].saving > 107 * ms && found[0].saving <= 108 * ms);
}

void RulesTest::aSlowStepSaysWhichAndWhy()
{
    for (const bool waits : {false, true}) {
        DrawnProgram program;
        Ns at = 0;
        for (int i = 0; i < 20; ++i) {
            const Ns length = i == 13 ? 22 * ms : 2 * ms;
            program.range("step_" + std::to_string(i), {at, at + length});
            program.range("compute", {at, at + ms});
            if (waits)
                program.libraryCall("MPI", "MPI_Allreduce", {at + ms, at + length});
            else
                program.range("assemble", {at + ms, at + length});
            program.kernel("work", at + 5 * us, {at + 10 * us, at + ms});
            at += length;
        }
        const auto found = run(*program.finish(), {findRule("nvtx_outlier_steps")});
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(plain(found[0].title).starts_with("step_13 takes 22 ms "), plain(found[0].title).c_str());
        QVERIFY2(
            plain(found[0].title).ends_with(waits ? "MPI_Allreduce 20 ms longer" : "assemble 20 ms longer"),
            plain(found[0].title).c_str());
        QCOMPARE(found[0].heldUp, waits);
        QCOMPARE(found[0].saving, 20 * ms);
    }
}

void RulesTest::exposedTimeCountsNotCopies()
{
    // Eight copies of 10 ms, each with its last millisecond under a kernel of 5 ms.
    DrawnProgram program;
    for (int i = 0; i < 8; ++i) {
        const Ns at = i * 20 * ms;
        program.copy({at, at + 2 * us}, {at + 10 * us, at + 10 * ms}, {.bytes = 200'000'000, .stream = 8});
        program.kernel("work", at + 100 * us, {at + 9 * ms, at + 14 * ms});
    }
    const auto found = run(*program.finish(), {findRule("copies_not_overlapped")});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].evidenceTotal, std::uint64_t{8});
    QVERIFY2(plain(found[0].title).find(roundedDuration(8 * (9 * ms - 10 * us))) != std::string::npos,
        plain(found[0].title).c_str());
    QCOMPARE(found[0].saving, 32 * ms); // kernels take 40 ms and hide 8 ms already
}

void RulesTest::buffersThatAreCopiedOnceRankLower()
{
    for (const bool again : {false, true}) {
        DrawnProgram program;
        for (int i = 0; i < 4; ++i) {
            const Ns at = i * 20 * ms;
            program.copy({at, at + 10 * ms}, {at + 10 * us, at + 10 * ms},
                {.call = "cudaMemcpy_v3020",
                    .host = MemoryKind::Pageable,
                    .bytes = 20'000'000 + (again ? 0U : static_cast<std::uint64_t>(i))});
            program.kernel("work", at + 11 * ms, {at + 12 * ms, at + 18 * ms});
        }
        const auto found = run(*program.finish(), {findRule("pageable_copies")});
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].severity, again ? Severity::High : Severity::Medium);
        QCOMPARE(found[0].lowered.empty(), again);
    }
}

void RulesTest::processesThatAreAlikeAreOne()
{
    const auto trace = DrawnProgram().finish();
    TraceAnalysis facts(*trace, {0, 100 * ms}, {});
    const RuleContext context{*trace, {0, 100 * ms}, {}, {}, facts};
    const auto finding = [](GlobalId pid, Ns saving, const std::string& title, bool heldUp) {
        Finding each;
        each.rule = "nvtx_outlier_steps";
        each.subject = {Subject::Kind::Steps, "step_10"};
        each.title = title;
        each.process = pid << 24U;
        each.saving = saving;
        each.severity = Severity::High;
        each.heldUp = heldUp;
        each.evidence = {{{0, saving}, {}, "slow"}};
        each.evidenceTotal = 1;
        return each;
    };
    std::vector<Finding> findings{finding(1, 20 * ms, "step_10 takes 22 ms: MPI_Waitall 20 ms longer", true),
        finding(2, 19 * ms, "step_10 takes 22 ms: assemble 20 ms longer", false),
        finding(3, 18 * ms, "step_10 takes 22 ms: MPI_Waitall 20 ms longer", true)};
    findings.push_back(finding(3, 5 * ms, "another", false));
    findings.back().subject = {Subject::Kind::Steps, "another"};
    const auto merged = mergeByProcess(context, findings);
    QCOMPARE(merged.size(), std::size_t{2});
    QCOMPARE(merged[0].merged.size(), std::size_t{3});
    QCOMPARE(merged[0].saving, 20 * ms);
    QCOMPARE(merged[0].process, GlobalId{0});
    QVERIFY2(plain(merged[0].title).starts_with("3 processes, ")
            && plain(merged[0].title).ends_with(" first: step_10 takes 22 ms: assemble 20 ms longer"),
        plain(merged[0].title).c_str());
    QVERIFY(plain(merged[0].message).find("The others wait for it.") != std::string::npos);
    QCOMPARE(merged[1].title, Message("another"));
    // Two of one process are about its GPUs: they stay.
    std::vector<Finding> ofOne{findings[0], findings[0], findings[1]};
    QCOMPARE(mergeByProcess(context, ofOne).size(), std::size_t{3});
}

void RulesTest::namesTheProgramsOwnRange()
{
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 20 * ms;
        program.range("step_" + std::to_string(i), {at, at + 20 * ms});
        program.range("checkpoint_io", {at + 6 * ms, at + 18 * ms});
        program.range("Holding GIL", {at + 6 * ms, at + 18 * ms}, "GIL Trace");
        program.kernel("work", at + 10 * us, {at + 20 * us, at + 5 * ms});
    }
    const auto found = run(*program.finish(), {findRule("gpu_idle_cause")});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(plain(found[0].title).ends_with(" waits 12 ms per step in checkpoint_io"),
        plain(found[0].title).c_str());
}

void RulesTest::aWaitBetweenLaunchesIsTheCause()
{
    // A thousand kernels of 5 us, each waited for.
    DrawnProgram program;
    for (int i = 0; i < 1000; ++i) {
        const Ns at = i * 20 * us;
        program.kernel("par_ranged2d_kernel", at, {at + 5 * us, at + 10 * us});
        program.call("cudaDeviceSynchronize_v3020", {at + 3 * us, at + 18 * us});
    }
    const auto trace = program.finish();
    const std::vector<Finding> findings = runRules(*trace, trace->session);
    QVERIFY(!findings.empty());
    QCOMPARE(findings[0].rule, std::string_view("sync_per_iteration"));
    std::set<std::string_view> merged;
    for (const Finding& finding : findings[0].merged)
        merged.insert(finding.rule);
    QVERIFY(merged.contains("launch_bound"));
    QVERIFY(merged.contains("kernel_storm"));
}

void RulesTest::savesNoMoreThanThereIs()
{
    // 50 ms of copies before the first step, ten steps of 10 ms with a copy of 1 ms each.
    DrawnProgram program;
    const CopyLook pageable{.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 5'000'000};
    for (int i = 0; i < 10; ++i)
        program.copy({i * 5 * ms, (i + 1) * 5 * ms}, {i * 5 * ms, (i + 1) * 5 * ms}, pageable);
    for (int i = 0; i < 10; ++i) {
        const Ns at = (i + 10) * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.copy({at, at + ms}, {at, at + ms}, pageable);
        program.kernel("work", at + ms, {at + 1010 * us, at + 10 * ms});
    }
    const auto found = run(*program.finish(), {findRule("cuda_memcpy_sync")});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].measured, 100 * ms);
    QCOMPARE(found[0].saving, 10 * ms);
    QCOMPARE(found[0].once, 50 * ms);
    QVERIFY(plain(found[0].message).find("one-time cost") != std::string::npos);
}

void RulesTest::claimedTimeCountsOnce()
{
    std::vector<Finding> findings{findingOf("gpu_idle_cause", 80, {}), findingOf("pageable_copies", 60, {}),
        findingOf("tiny_grid", 50, {}), findingOf("credentials_in_report", 0, {})};
    findings[0].claims = Intervals{{0, 80}};
    findings[1].claims = Intervals{{40, 100}}; // 20 beyond the first
    findings[2].claims = Intervals{{50, 150}}; // half of each moment; half of [100, 150) has no other claim
    for (Finding& finding : findings)
        finding.measured = 200;
    shareSavings(findings);
    QCOMPARE(findings[0].added, Ns{80});
    QCOMPARE(findings[1].added, Ns{20});
    QCOMPARE(findings[2].added, Ns{25});
    QCOMPARE(savingTogether(findings), Ns{125});
    QCOMPARE(measuredOf(findings), Ns{200});
    findings[0].measured = 0; // across ranks
    QCOMPARE(measuredOf(findings), Ns{200});
    findings[0].measured = 200;
    findings[0].lowered = "the report does not prove the cause"; // it takes nothing from the others
    shareSavings(findings);
    QCOMPARE(findings[1].added, Ns{60});
    QCOMPARE(savingInDoubt(findings), findings[0].added);
    QCOMPARE(savingTogether(findings), findings[1].added + findings[2].added);
    findings[0].lowered = {};
    for (Finding& finding : findings)
        finding.measured = 90;
    shareSavings(findings);
    QCOMPARE(savingTogether(findings), Ns{90});
}

void RulesTest::tidyingUpIsNoLoop()
{
    // A release of 100 us in each of 20 rounds, and one of 50 ms after the last kernel.
    DrawnProgram program;
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * ms;
        program.kernel("work", at, {at + 5 * us, at + 500 * us});
        program.call("cudaFree_v3020", {at + 600 * us, at + 700 * us});
    }
    program.kernel("work", 20 * ms, {20 * ms + 5 * us, 21 * ms});
    program.call("cudaFree_v3020", {30 * ms, 80 * ms});
    const auto found = run(*program.finish(), {findRule("allocation_in_loop")});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].saving, 2 * ms);
    QCOMPARE(found[0].once, 50 * ms);
    QCOMPARE(found[0].evidenceTotal, std::uint64_t{20});
}

void RulesTest::pinningHidesNoMoreThanThereAreKernels()
{
    // 1.04 GB at 10.4 GB/s. At the GPU's typical 52 GB/s they take 20 ms pinned, of which 4 ms of kernels
    // hide at most 4. The GPU idles for 200 us right before nine of the copies because of them.
    const CopyLook pageable{.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 104'000'000};
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 11 * ms;
        program.copy({at, at + 10 * ms}, {at, at + 10 * ms}, pageable);
        program.kernel("work", at + 10 * ms, {at + 10 * ms, at + 10 * ms + 400 * us});
    }
    const auto found = run(*program.finish(), {findRule("pageable_copies")});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].saving, (100 - (20 - 4)) * ms + 9 * 200 * us);

    // With one kernel there is nothing to hide behind.
    DrawnProgram once;
    once.copy({0, 10 * ms}, {0, 10 * ms}, pageable);
    once.kernel("work", 10 * ms, {10 * ms, 90 * ms});
    const auto single = run(*once.finish(), {findRule("pageable_copies")});
    QCOMPARE(single.size(), std::size_t{1});
    QCOMPARE(single[0].saving, 8 * ms);
    QVERIFY(plain(single[0].message).find("No second kernel") != std::string::npos);
}

void RulesTest::migrationsAreNoWork()
{
    // One kernel; the pages that it missed moved in pieces, 90 ms before it and under it.
    DrawnProgram program;
    program.migration(CopyKind::UnifiedHtoD, {0, ms}, 1'000'000, 0x10000000);
    program.kernel("add", 90 * ms, {91 * ms, 100 * ms});
    program.migration(CopyKind::UnifiedHtoD, {92 * ms, 99 * ms}, 1'000'000, 0x10000000);
    const auto trace = program.finish();
    TraceAnalysis facts(*trace, trace->session, {});
    QCOMPARE(facts.gpus().size(), std::size_t{1});
    QCOMPARE(facts.gpus()[0].busy, (Intervals{{91 * ms, 100 * ms}}));
    QVERIFY(facts.gpus()[0].gaps().empty());
}

void RulesTest::saysWhyASeverityIsLower()
{
    // Two gaps of 40 ms: much, but no loop.
    DrawnProgram program;
    for (int i = 0; i < 3; ++i)
        program.kernel("work", i * 50 * ms, {i * 50 * ms + 5 * us, i * 50 * ms + 10 * ms});
    const auto found = run(*program.finish(), {findRule("gpu_idle_cause")});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].severity, Severity::Low);
    QVERIFY(!found[0].lowered.empty());
    QVERIFY2(plain(found[0].message).find("Ranked low instead of high") != std::string::npos,
        plain(found[0].message).c_str());
}

void RulesTest::evidenceOfIdleTimeAddsUp()
{
    // Gaps of 15 ms: own code, and in every third a wait in a part of it.
    DrawnProgram program;
    for (int i = 0; i < 12; ++i) {
        const Ns at = i * 20 * ms;
        program.kernel("work", at, {at + 10 * us, at + 5 * ms});
        if (i % 3 == 0)
            program.call("cudaDeviceSynchronize_v3020", {at + 8 * ms, at + 12 * ms});
        if (i == 6) // here the wait is most
            program.call("cudaEventSynchronize_v3020", {at + 13 * ms, at + 19 * ms});
    }
    const auto found = run(*program.finish(), {findRule("gpu_idle_cause")});
    QVERIFY(found.size() >= 2);
    for (const Finding& finding : found) {
        // As many pieces as gaps in the text, and the text's longest part.
        const std::string gaps
            = "In " + std::to_string(finding.evidenceTotal) + (finding.evidenceTotal == 1 ? " gap" : " gaps");
        QVERIFY2(plain(finding.message).starts_with(gaps), plain(finding.message).c_str());
        QCOMPARE(finding.evidence.size(), static_cast<std::size_t>(finding.evidenceTotal));
        const std::string first = plain(finding.evidence.front().note);
        const std::size_t split = first.find(" of a gap of ");
        if (split != std::string::npos)
            QVERIFY2(
                plain(finding.message).find(first.substr(0, split) + " in the longest") != std::string::npos,
                (first + " | " + plain(finding.message)).c_str());
    }
    QVERIFY(std::ranges::any_of(found, [](const Finding& finding) {
        return std::ranges::any_of(finding.evidence, [](const Evidence& proof) {
            return plain(proof.note).find(" of a gap of ") != std::string::npos;
        });
    }));
}

void RulesTest::askedByNameEachAnswersForItself()
{
    DrawnProgram program;
    for (int i = 0; i < 4; ++i)
        program.copy({i * ms, i * ms + 500 * us}, {i * ms + 10 * us, i * ms + 500 * us},
            {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable, .bytes = 3'000'000});
    const auto trace = program.finish();
    const auto findings = run(*trace, {findRule("pageable_copies"), findRule("cuda_memcpy_sync")});
    QCOMPARE(findings.size(), std::size_t{2});
    QVERIFY(std::ranges::all_of(findings, [](const Finding& finding) { return finding.merged.empty(); }));
}

void RulesTest::collectivesAreOfTheMeasuredTime()
{
    // In each of ten steps 2 ms are exposed; long after the last step one of another size takes 80 ms.
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.kernel("work", at + 5 * us, {at + 100 * us, at + 4 * ms});
        program.kernel("ncclDevKernel_AllReduce", at + 50 * us, {at + 4 * ms, at + 6 * ms}, {.stream = 20});
    }
    program.kernel("ncclDevKernel_AllReduce", 200 * ms, {210 * ms, 290 * ms}, {.stream = 20, .blocks = 7});
    const auto trace = program.finish();
    TraceAnalysis facts(*trace, trace->session, {});
    const Ns inside = static_cast<Ns>(facts.steps(DrawnProgram::process).steady()) * 2 * ms;
    QVERIFY(inside >= 16 * ms);
    QVERIFY(facts.measuredRange().end < 200 * ms);
    const auto found = run(*trace, {findRule("nccl_exposed")});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].saving, inside);
    QCOMPARE(found[0].once, 100 * ms - inside);
    const std::string title = "communication exposed for " + roundedDuration(inside) + " ("
        + formatShare(static_cast<double>(inside) / static_cast<double>(facts.measured()))
        + " of the measured time)";
    QVERIFY2(plain(found[0].title).find(title) != std::string::npos, plain(found[0].title).c_str());
    QVERIFY2(
        plain(found[0].message).find("Another " + roundedDuration(100 * ms - inside) + " is a one-time cost")
            != std::string::npos,
        plain(found[0].message).c_str());
}

void RulesTest::theTimeJudgedIsOne()
{
    // Steps, and work that is launched after them; pages that move before the only kernel; nothing at all.
    DrawnProgram steps;
    for (int i = 0; i < 10; ++i) {
        steps.range("step_" + std::to_string(i), {i * 10 * ms, (i + 1) * 10 * ms});
        steps.kernel("work", i * 10 * ms, {i * 10 * ms + 100 * us, i * 10 * ms + 4 * ms});
    }
    steps.kernel("work", 200 * ms, {210 * ms, 290 * ms});
    DrawnProgram pages;
    pages.migration(CopyKind::UnifiedHtoD, {0, ms}, 1'000'000, 0x10000000);
    pages.kernel("add", 90 * ms, {91 * ms, 100 * ms});
    for (DrawnProgram* const program : {&steps, &pages}) {
        const auto trace = program->finish();
        TraceAnalysis facts(*trace, trace->session, {});
        const TimeRange judged = scopeOf(*trace, trace->session, facts).range;
        QVERIFY(!judged.empty());
        QVERIFY(facts.measuredRange() == judged);
    }
    DrawnProgram idle;
    idle.call("cudaMalloc_v3020", {0, ms});
    const auto trace = idle.finish();
    TraceAnalysis facts(*trace, trace->session, {});
    QVERIFY(facts.measuredRange() == trace->session);
}

void RulesTest::launchesAreCountedAsNcuCounts()
{
    // The longest launch is the sixth of its process, on its second GPU.
    DrawnProgram program;
    for (int i = 0; i < 8; ++i)
        program.kernel("work", i * 10 * ms, {i * 10 * ms + 100 * us, i * 10 * ms + (i == 5 ? 9 : 8) * ms},
            {.device = i % 2});
    const auto trace = program.finish();
    const Rule* const rule = findRule("top_kernels");
    const TimeRange late{15 * ms, trace->session.end}; // ncu's view begins with the program
    for (const TimeRange& window : {trace->session, late}) {
        const auto found = runRules(*trace, window, std::vector{rule});
        const auto second = std::ranges::find(found, 1, &Finding::device);
        QVERIFY(second != found.end());
        QVERIFY2(plain(second->remedy).find("--kernel-name work --launch-skip 5 ") != std::string::npos,
            plain(second->remedy).c_str());
    }
}

void RulesTest::kernelsThatMatterNot()
{
    // A kernel takes 100 us, or 1 ms, of each step of 10 ms; the rest is communication.
    for (const Ns length : {100 * us, ms}) {
        DrawnProgram program;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 10 * ms;
            program.range("step_" + std::to_string(i), {at, at + 10 * ms});
            program.kernel("work", at + 5 * us, {at + 10 * us, at + 10 * us + length});
            program.kernel(
                "ncclDevKernel_SendRecv(P)", at + 8 * us, {at + 2 * ms, at + 10 * ms}, {.stream = 20});
        }
        QCOMPARE(run(*program.finish(), {findRule("top_kernels")}).size(), length == ms ? 1U : 0U);
    }
}

void RulesTest::someStepsWaitForInput()
{
    DrawnProgram program;
    for (int i = 0; i < 30; ++i) {
        const Ns at = i * 10 * ms;
        const Ns loaded = at + (i % 3 == 2 ? 6 * ms : 10 * us);
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.range("data_load", {at, loaded});
        program.kernel("work", loaded + 5 * us, {loaded + 50 * us, at + 10 * ms});
    }
    const auto found = run(*program.finish(), {findRule("data_starvation")});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(plain(found[0].title).find("waits for input in data_load in 10 of") != std::string::npos,
        plain(found[0].title).c_str());
    QVERIFY2(plain(found[0].message).find("About one step in 3 waits") != std::string::npos,
        plain(found[0].message).c_str());
    QVERIFY2(plain(found[0].message).find("(median 10 ms on the host)") != std::string::npos,
        plain(found[0].message).c_str());
    QVERIFY2(plain(found[0].why).find("each step") == std::string::npos, plain(found[0].why).c_str());
}

void RulesTest::loopsOfARegionAreComparedOneByOne()
{
    // A short loop and a long one in each region, evenly shared by four threads that wait at barriers.
    DrawnProgram program;
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 20 * ms;
        program.libraryCall("OpenMP", "Parallel Region", {at, at + 15 * ms});
        for (std::uint32_t thread = 1; thread <= 4; ++thread) {
            program.libraryCall("OpenMP", "Loop Region", {at + us, at + ms}, thread);
            program.libraryCall("OpenMP", "Implicit Barrier", {at + ms + us, at + 2 * ms}, thread);
            program.libraryCall("OpenMP", "Loop Region", {at + 3 * ms, at + 13 * ms}, thread);
        }
    }
    const auto found = run(*program.finish(), {findRule("openmp_imbalance")});
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(plain(found[0].title).starts_with("OpenMP: threads wait"), plain(found[0].title).c_str());
}

WARPLINE_TEST(RulesTest)

} // namespace tst_rules

#include "tst_rules.moc"
