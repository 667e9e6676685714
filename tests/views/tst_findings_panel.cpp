// The findings pane and the checklist as a user works with them: filters, evidence by key, exports, links,
// and thresholds that were changed.

#include "core/base/format.h"
#include "core/findings/finding_words.h"
#include "core/findings/savings.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "views/models/stats_model.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/judged_range.h"
#include "views/panels/tables_panel.h"
#include "views/session/chosen_cure.h"
#include "views/session/findings_judge.h"
#include "views/session/report_scope.h"
#include "views/session/row_scope.h"
#include "views/session/rule_settings.h"
#include "views/style/rich_text.h"

#include <QCheckBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>

#include <algorithm>
#include <map>
#include <set>

namespace tst_findings_panel {

using namespace warpline;

class FindingsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void evidenceIsSteppedThroughAndAround();
    void clearedMarksAreNoEvidence();
    void evidenceIsCountedOnce();
    void whatIsInDoubtStandsBelowTheSum();
    void onlyTheSelectedRange();
    void filtersByDeviceAndNvtx();
    void filtersByWhatEventsAre();
    void exportsWhatIsShown_data();
    void exportsWhatIsShown();
    void anExportWaitsForTheFindings();
    void anExportIsOfTheReportItWasWantedOf();
    void noPartOfAReportIsExported();
    void anExportThatIsGivenUpWritesNothing();
    void thresholdsOfTheUserDecide();
    void chooseRuleFindsMergedOnes();
    void anIdOpensItsOwnFinding();
    void staleFindingsAreGone();
    void checklistAnswersAndLinks();
    void checklistFollowsTheSelection();
    void hiddenPanelsDoNothing();
    void nothingToJudgeIsSaidOnce();
    void allPanelsJudgeTheSameRange();
    void textIsOfTheLineThatKeysMoveTo();
    void marksFollowTheLineThatIsRead();
    void rangesOfEvidenceAreGoneWithTheNext();
    void linesWithoutDataCanBeRead();
    void evidenceLeavesTheScopeAlone();
    void aCureIsTriedOnItsReport();
    void evidenceIsReachedWhenAReportBeforeGoes();

private:
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const RowTree> m_rows;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<FindingsPanel> m_panel;
};

void FindingsPanelTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_findings_panel");
    auto trace = loadReport(WARPLINE_SOURCE_DIR "/resources/sample.sqlite");
    QVERIFY(trace.ok());
    m_trace = trace.take();
    m_rows = buildRows(*m_trace);
}

void FindingsPanelTest::init()
{
    QSettings().clear();
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<FindingsPanel>(*m_session, Theme::light());
    m_panel->resize(1100, 400);
    m_panel->show();
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    m_session->setTrace(m_trace, m_rows);
    QTRY_VERIFY(updated.count() > 0 && !m_panel->isBusy());
    QVERIFY(m_panel->findings().size() >= 2);
}

void FindingsPanelTest::evidenceIsSteppedThroughAndAround()
{
    const auto many = std::ranges::find_if(
        m_panel->findings(), [](const Finding& finding) { return finding.evidence.size() >= 2; });
    QVERIFY(many != m_panel->findings().end());
    QVERIFY(m_panel->chooseFinding(QString::fromStdString(std::string(many->rule))));
    const auto at = [&](std::size_t i) {
        const Evidence& proof = many->evidence[i];
        return proof.event.valid() ? m_session->selection().ownCurrentEvent() == proof.event
                                   : m_session->selection().markedRange() == proof.range;
    };
    QVERIFY(at(0));
    m_panel->stepEvidence(true);
    QVERIFY(at(1));
    m_panel->stepEvidence(false);
    QVERIFY(at(0));
    m_panel->stepEvidence(false);
    QVERIFY(at(many->evidence.size() - 1));
    for (const Evidence& proof : many->evidence)
        QVERIFY(!proof.event.valid() || m_session->selection().isHighlighted(m_session->idOf(proof.event)));
}

void FindingsPanelTest::clearedMarksAreNoEvidence()
{
    const QLabel& place = *m_panel->findChild<QLabel*>("evidence-place");
    bool hasEvents = false;
    bool hasRanges = false;
    for (const std::string& rule : m_session->judgement().findings().rules()) {
        QVERIFY(m_panel->chooseFinding(QString::fromStdString(rule)));
        const bool isOfRange = !m_session->selection().markedRange().empty();
        if (!isOfRange && !m_session->selection().highlightsAny())
            continue; // nothing to step through
        (isOfRange ? hasRanges : hasEvents) = true;
        QVERIFY(!place.text().isEmpty());
        m_session->selection().clear(); // Esc
        QVERIFY2(place.text().isEmpty(), qPrintable(place.text()));
        for (const Theme* const theme : {&Theme::dark(), &Theme::light()}) { // fills the list again
            m_panel->setTheme(*theme);
            QVERIFY2(place.text().isEmpty(), qPrintable(place.text()));
        }
        m_panel->stepEvidence(true);
        QVERIFY(!place.text().isEmpty());
        QVERIFY(m_session->selection().highlightsAny() || !m_session->selection().markedRange().empty());
    }
    QVERIFY(hasEvents && hasRanges);
}

/// Of many intervals the longest are kept: the label next to the buttons and the heading of the list agree.
void FindingsPanelTest::evidenceIsCountedOnce()
{
    auto trace = loadReport(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
    QVERIFY(trace.ok());
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    m_session->setTrace(trace.value(), buildRows(*trace.value()));
    QTRY_VERIFY(updated.count() > 0 && !m_panel->isBusy());
    const auto many = std::ranges::find_if(m_panel->findings(),
        [](const Finding& finding) { return finding.evidence.size() < finding.evidenceTotal; });
    QVERIFY(many != m_panel->findings().end());
    auto* const list = m_panel->findChild<QTreeWidget*>();
    const QList<QTreeWidgetItem*> lines
        = list->findItems(textOf(plain(many->title)), Qt::MatchExactly | Qt::MatchRecursive);
    QCOMPARE(lines.size(), 1);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(lines.front()).center());
    const QString kept = textOf(formatCount(many->evidence.size()));
    const QString all = textOf(formatCount(many->evidenceTotal));
    QCOMPARE(m_panel->findChild<QLabel*>("evidence-place")->text(),
        QString("Evidence 1 of the %1 longest").arg(kept));
    const QString text = m_panel->findChild<QTextBrowser*>()->toPlainText();
    QVERIFY2(text.contains(QString("the %1 longest of %2").arg(kept, all)), qPrintable(text));
}

/// Findings with a lowered rank are not part of the sum: the list shows their amount.
void FindingsPanelTest::whatIsInDoubtStandsBelowTheSum()
{
    const std::string path = test::sharedReport("reduce_v1");
    if (path.empty())
        QSKIP("needs ../shared/reports/h200, which is not there");
    auto loaded = loadReport(path);
    QVERIFY(loaded.ok());
    const auto trace = loaded.take();
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    m_session->setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(updated.count() > 0 && !m_panel->isBusy());
    const Ns doubt = savingInDoubt(m_panel->shownFindings());
    QVERIFY(doubt > 1'000'000'000);
    QStringList last;
    Ns uncertain = 0; // the line names what it adds up: one-time costs are not part of it
    for (const Finding& finding : m_panel->shownFindings())
        uncertain += finding.lowered.empty() ? 0 : finding.added;
    QCOMPARE(doubt, uncertain);
    for (int i = 0; i < m_panel->list().topLevelItemCount(); ++i) {
        const QTreeWidgetItem* const item = m_panel->list().topLevelItem(i);
        if (item->text(0).startsWith("Combined") || item->text(0) == "Not included: uncertain findings")
            last << item->text(1);
        // A saving is short, so that the finding has the room; both numbers are in the tip.
        QVERIFY2(item->text(1).size() <= 16, qPrintable(item->text(1)));
    }
    const QString bound = QString(QChar(0x2264)) + " %1"; // next to expected savings
    QCOMPARE(last,
        QStringList({bound.arg(textOf(formatDuration(savingTogether(m_panel->shownFindings())))),
            bound.arg(textOf(formatDuration(doubt)))}));
}

void FindingsPanelTest::onlyTheSelectedRange()
{
    const TimeRange session = m_trace->session;
    const TimeRange half{session.start + session.duration() / 2, session.end};
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    m_session->time().selectRange(half);
    QTRY_VERIFY(updated.count() > 0);
    for (const Finding& finding : m_panel->findings()) {
        for (const Evidence& proof : finding.evidence)
            QVERIFY2(
                proof.range.end >= half.start && proof.range.start <= half.end, plain(finding.title).c_str());
    }
}

void FindingsPanelTest::filtersByDeviceAndNvtx()
{
    const std::size_t all = m_panel->shownFindings().size();
    QCOMPARE(all, m_panel->findings().size());
    m_panel->nvtxFilter().setText("no range is called so");
    QTRY_VERIFY(m_panel->shownFindings().empty());
    QCOMPARE(m_panel->findings().size(), all); // hidden, not forgotten
    m_panel->nvtxFilter().clear();
    QTRY_COMPARE(m_panel->shownFindings().size(), all);
    // Selected rows restrict to findings about their GPUs and processes, and the whole report.
    const Session& session = *m_session;
    for (RowId row{1}; raw(row) < session.rows().size(); row = RowId{raw(row) + 1}) {
        m_session->selection().selectRows({row});
        const RowScope scope = rowScopeOf(*m_session);
        std::size_t covered = 0;
        for (const Finding& finding : m_panel->findings())
            covered += scope.covers(finding.process, finding.device);
        QCOMPARE(m_panel->shownFindings().size(), covered);
    }
    m_session->selection().selectRows({});
    QCOMPARE(m_panel->shownFindings().size(), all);
    const RowScope gpu{{GlobalId{7}}, {1}};
    QVERIFY(gpu.covers(GlobalId{0}, -1) && gpu.covers(GlobalId{7}, 1) && gpu.covers(GlobalId{7}, -1));
    QVERIFY(!gpu.covers(GlobalId{7}, 0) && !gpu.covers(GlobalId{8}, -1));
    QCOMPARE(gpu.filter(), std::string("device=1"));
    const RowScope process{{GlobalId{7}}, {}};
    QVERIFY(process.covers(GlobalId{7}, 0) && !process.covers(GlobalId{8}, 0));
}

/// The filter language of Find and Events; an incomplete filter leaves the list as it is.
void FindingsPanelTest::filtersByWhatEventsAre()
{
    const std::size_t all = m_panel->shownFindings().size();
    QVERIFY(all > 1);
    FilterEdit& field = m_panel->nvtxFilter();
    const auto* const list = m_panel->findChild<QTreeWidget*>();
    field.setText("name~/no event is called so/");
    QTRY_VERIFY(m_panel->shownFindings().empty());
    field.setText("kind=memcpy dur>1ns");
    QTRY_VERIFY(!m_panel->shownFindings().empty());
    const std::size_t ofCopies = m_panel->shownFindings().size();
    for (const QString half : {"kind=memcpy dur>1ns or", "kind=memcpy or kind=", "kind=memcpy (", "dur>"}) {
        const QTreeWidgetItem* const first = list->topLevelItem(0);
        field.setText(half);
        QVERIFY2(field.mistake(), qPrintable(half));
        QTest::qWait(120);
        QCOMPARE(m_panel->shownFindings().size(), ofCopies);
        QCOMPARE(list->topLevelItem(0), first); // made once, not emptied and filled again
    }
    field.setText("kind=memcpy dur>1ns or kind=kernel or kind=cuda_api or kind=nvtx or kind=osrt");
    QVERIFY(!field.mistake());
    QTRY_VERIFY(m_panel->shownFindings().size() >= ofCopies);
    field.clear();
    QTRY_COMPARE(m_panel->shownFindings().size(), all);
}

void FindingsPanelTest::exportsWhatIsShown_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("web page") << "findings.html";
    QTest::newRow("Markdown") << "findings.md";
    QTest::newRow("JSON") << "findings.json";
}

void FindingsPanelTest::exportsWhatIsShown()
{
    QFETCH(const QString, name);
    const QTemporaryDir folder;
    QSignalSpy messages(m_panel.get(), &FindingsPanel::messages);
    m_panel->exportTo(folder.filePath(name));
    QTRY_COMPARE(messages.count(), 1);
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    if (name.endsWith("json")) {
        const QJsonObject document = QJsonDocument::fromJson(content)["reports"].toArray().at(0).toObject();
        QCOMPARE(document["checklist"].toArray().size(), 5);
        const QJsonArray findings = document["findings"].toArray();
        QCOMPARE(static_cast<std::size_t>(findings.size()), m_panel->findings().size());
        QCOMPARE(findings.first()["title"].toString(),
            QString::fromStdString(plain(m_panel->findings().front().title)));
        return;
    }
    const QString text = QString::fromUtf8(content);
    for (const Finding& finding : m_panel->findings()) {
        const QString title = QString::fromStdString(plain(finding.title));
        QVERIFY2(text.contains(title) || text.contains(title.toHtmlEscaped()), qPrintable(title));
    }
    m_panel->exportTo("/nowhere/" + name);
    QTRY_COMPARE(messages.count(), 2);
    QVERIFY(messages.last().first().toString().contains("/nowhere/"));
}

/// Of a report that was opened just now, and of a range that a hidden panel does not follow.
void FindingsPanelTest::anExportWaitsForTheFindings()
{
    const QTemporaryDir folder;
    const auto writtenFindings = [](const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly)
            ? QJsonDocument::fromJson(file.readAll())["reports"].toArray().at(0)["findings"].toArray().size()
            : qsizetype{-1};
    };
    Session session;
    FindingsPanel panel(session, Theme::light());
    panel.show();
    session.setTrace(m_trace, m_rows);
    QVERIFY(panel.isBusy() && panel.findings().empty());
    const QString first = folder.filePath("first.json");
    panel.exportTo(first);
    QTRY_COMPARE(writtenFindings(first), static_cast<qsizetype>(m_panel->findings().size()));

    panel.hide();
    const TimeRange half{m_trace->session.start, m_trace->session.start + m_trace->session.duration() / 2};
    session.time().selectRange(half);
    const QString second = folder.filePath("second.json");
    panel.exportTo(second);
    QTRY_VERIFY(QFile::exists(second));
    QVERIFY(session.judgement().findings().shownPart().window == half);
}

/// Another one is shown by the time that the findings are there: each export says that it wrote nothing.
void FindingsPanelTest::anExportIsOfTheReportItWasWantedOf()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("findings.json");
    const TimeRange half{m_trace->session.start, m_trace->session.start + m_trace->session.duration() / 2};
    std::vector<OpenReport> reports(2);
    for (OpenReport& report : reports) {
        report.trace = &report == &reports.front() ? m_trace : std::make_shared<const Trace>(*m_trace);
        report.rows = m_rows;
    }
    m_session->setWorkspace(Workspace(std::move(reports)));
    m_session->chooseReport(ReportId{0});
    m_session->scope().showAll();
    QTRY_VERIFY(!m_panel->isBusy() && m_panel->list().columnCount() == 3);
    QSignalSpy messages(m_panel.get(), &FindingsPanel::messages);
    m_session->time().selectRange(half);
    m_panel->exportTo(path);
    QCOMPARE(messages.count(), 1); // it waits
    m_session->chooseReport(ReportId{1});
    QTRY_VERIFY(!m_panel->isBusy());
    QCOMPARE(messages.count(), 2);

    m_session->time().selectRange({});
    m_panel->exportTo(path);
    QCOMPARE(messages.count(), 3);
    m_session->setWorkspace({});
    QCOMPARE(messages.count(), 4);
    QTRY_VERIFY(!m_panel->isBusy());
    QCOMPARE(messages.count(), 4);
    QVERIFY(!QFile::exists(path));
}

/// A load that is cancelled leaves a part, and the rest never comes.
void FindingsPanelTest::noPartOfAReportIsExported()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("part.json");
    const auto part = std::make_shared<Trace>(*m_trace);
    part->complete = false;
    m_session->setTrace(part, m_rows);
    QSignalSpy messages(m_panel.get(), &FindingsPanel::messages);
    m_panel->exportTo(path);
    QCOMPARE(messages.count(), 1);
    QVERIFY(messages.takeFirst().first().toString().contains("not read completely"));
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    m_session->setTrace(m_trace, m_rows); // it is opened again
    QTRY_VERIFY(updated.count() > 0 && !m_panel->isBusy());
    m_panel->exportTo(folder.filePath("whole.json"));
    QTRY_VERIFY(QFile::exists(folder.filePath("whole.json")));
    QTRY_COMPARE(messages.count(), 1); // of this file alone
    QVERIFY(!QFile::exists(path));
}

/// A cancelled export keeps the old file, and never writes an incomplete page.
void FindingsPanelTest::anExportThatIsGivenUpWritesNothing()
{
    const QTemporaryDir folder;
    const QString first = folder.filePath("first.json");
    const QString second = folder.filePath("second.json");
    for (int i = 0; i < 20; ++i) {
        QFile::remove(first);
        QFile::remove(second);
        m_panel->exportTo(first);
        QTest::qWait(i % 4); // it has begun, or not
        m_panel->exportTo(second);
        QTRY_VERIFY(QFile::exists(second));
        QFile file(first);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QJsonObject report
            = QJsonDocument::fromJson(file.readAll())["reports"].toArray().at(0).toObject();
        for (const QJsonValue& answer : report["checklist"].toArray())
            QVERIFY(!answer.toObject()["answer"].toString().isEmpty());
        QCOMPARE(report["checklist"].toArray().size(), 5);
    }
}

void FindingsPanelTest::thresholdsOfTheUserDecide()
{
    // An unreachable threshold silences the rule; the default brings it back.
    const Rule* const rule = findRule("kernel_storm");
    QVERIFY(rule && !rule->thresholds.empty());
    for (const Threshold& threshold : rule->thresholds) {
        RuleSettings::setValue(*rule, threshold, 1e12);
        QCOMPARE(RuleSettings::value(*rule, threshold), 1e12);
    }
    const auto overrides = RuleSettings::stored();
    QCOMPARE(overrides.overrides().size(), rule->thresholds.size());
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    m_session->judgement().findings().evaluate();
    QTRY_COMPARE(updated.count(), 1);
    QVERIFY(!m_session->judgement().findings().rules().contains("kernel_storm"));
    for (const Threshold& threshold : rule->thresholds)
        RuleSettings::setValue(*rule, threshold, threshold.value);
    QVERIFY(RuleSettings::stored().overrides().empty());
}

void FindingsPanelTest::chooseRuleFindsMergedOnes()
{
    for (const std::string& rule : m_session->judgement().findings().rules())
        QVERIFY2(m_panel->chooseFinding(QString::fromStdString(rule)), rule.c_str());
    QVERIFY(!m_panel->chooseFinding("no_such_rule"));
}

void FindingsPanelTest::anIdOpensItsOwnFinding()
{
    // A report in which a rule finds two things: the rule alone would open the first of them twice.
    auto trace = loadReport(WARPLINE_TEST_DATA "/reports/ddp_overlap_rank0.sqlite");
    QVERIFY(trace.ok());
    QSignalSpy updated(m_panel.get(), &FindingsPanel::updated);
    const std::shared_ptr<const Trace> opened = trace.take();
    m_session->setTrace(opened, buildRows(*opened));
    QTRY_VERIFY(updated.count() > 0 && !m_panel->isBusy());
    std::map<std::string_view, std::size_t> ofRule;
    for (const Finding& finding : m_panel->findings()) {
        ++ofRule[finding.rule];
        emit m_session->judgement().findingRequested(QString::fromStdString(stableId(*opened, finding)));
        QVERIFY2(m_panel->text().toPlainText().startsWith(QString::fromStdString(plain(finding.title))),
            plain(finding.title).c_str());
    }
    QVERIFY(std::ranges::any_of(ofRule, [](const auto& each) { return each.second > 1; }));
}

void FindingsPanelTest::staleFindingsAreGone()
{
    // Reloaded with an incomplete filter: no line refers to a previous finding.
    m_panel->nvtxFilter().setText("dur>");
    QVERIFY(!m_panel->findings().empty());
    m_session->setTrace(m_session->sharedTrace(), m_session->report().rows);
    QVERIFY(m_panel->findings().empty());
    for (QTreeWidgetItemIterator at(&m_panel->list()); *at; ++at)
        QVERIFY(!(*at)->data(0, Qt::UserRole).isValid());
    m_panel->nvtxFilter().setText("x");
    m_session->setTrace(std::make_shared<const Trace>(), std::make_shared<const RowTree>());
    QVERIFY(m_panel->findings().empty());
    m_panel->stepEvidence(true); // nothing to step to, nothing to fall over
    QVERIFY(!m_session->selection().ownCurrentEvent().valid());
}

void FindingsPanelTest::checklistAnswersAndLinks()
{
    ChecklistPanel panel(*m_session, Theme::light());
    panel.resize(800, 400);
    panel.show();
    m_session->setTrace(m_trace, m_rows);
    QTRY_COMPARE(panel.answers().size(), 5U);
    QTRY_VERIFY(!m_panel->isBusy());
    const std::set<std::string>& found = m_session->judgement().findings().rules();
    std::size_t links = 0; // only findings that exist are links
    for (const Rule* const rule : allRules()) {
        const bool isLink = panel.text().toHtml().contains("\"finding:"
            + QString::fromUtf8(rule->id.data(), static_cast<qsizetype>(rule->id.size())) + "\"");
        QVERIFY2(!isLink || found.contains(std::string(rule->id)), rule->id.data());
        links += isLink ? 1 : 0;
    }
    QVERIFY(links > 0);
    for (const ChecklistAnswer& answer : panel.answers()) {
        QVERIFY(!answer.explanation.empty());
        QVERIFY(panel.text().toPlainText().contains(QString::fromStdString(plain(answer.question))));
    }
    QSignalSpy wanted(&m_session->judgement(), &Judgement::findingRequested);
    emit panel.text().anchorClicked(QUrl("finding:kernel_storm"));
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.first().first().toString(), QString("kernel_storm"));
    const TimeRange over = panel.answers().front().over;
    QVERIFY(!over.empty());
    emit panel.text().anchorClicked(QUrl(QString("range:%1:%2").arg(over.start).arg(over.end)));
    QCOMPARE(m_session->time().shown(), over);
}

void FindingsPanelTest::nothingToJudgeIsSaidOnce()
{
    ChecklistAnswer answer;
    answer.question = "Does the GPU compute?";
    answer.answer = Answer::NotApplicable;
    answer.explanation = "Does not apply: no call of CUDA was seen.";
    const QString html = checklistRichText({answer, answer, answer}, {}, Theme::light());
    QCOMPARE(html.count("no call of CUDA was seen"), 1);
    QVERIFY(html.contains("The checklist is about GPU work"));
    ChecklistAnswer judged = answer;
    judged.answer = Answer::Yes;
    QVERIFY(!checklistRichText({answer, judged}, {}, Theme::light()).contains("asks about GPU work"));
    QVERIFY(nothingToJudge({}).empty());
}

void FindingsPanelTest::allPanelsJudgeTheSameRange()
{
    ChecklistPanel checklist(*m_session, Theme::light());
    TablesPanel tables(*m_session, Theme::light());
    const std::vector<QWidget*> panels{m_panel.get(), &checklist, &tables};
    for (QWidget* const panel : panels)
        panel->show();
    m_session->setTrace(m_trace, m_rows);
    const TimeRange session = m_trace->session;
    const TimeRange part{session.start + session.duration() / 2, session.end};
    for (const QWidget* const panel : panels)
        QVERIFY(!panel->findChild<RangeNotice*>()->isVisible());
    QCOMPARE(m_session->time().judged(), session);
    m_session->time().selectRange(part);
    QCOMPARE(m_session->time().judged(), part);
    const QString said = QString("Showing <b>%1</b> of %2.")
                             .arg(roundedText(part.duration()), roundedText(session.duration()));
    for (const QWidget* const panel : panels) {
        QVERIFY(panel->findChild<RangeNotice*>()->isVisible());
        QVERIFY(panel->findChild<RangeNotice*>()->text().startsWith(said));
    }
    emit tables.findChild<RangeNotice*>()->linkActivated("all"); // the link back to the whole report, for all
                                                                 // of them
    for (const QWidget* const panel : panels)
        QVERIFY(!panel->findChild<RangeNotice*>()->isVisible());
    QCOMPARE(m_session->time().judged(), session);
    QVERIFY(m_session->time().selectedRange().empty()); // one scope, here and in the timeline
}

void FindingsPanelTest::checklistFollowsTheSelection()
{
    ChecklistPanel panel(*m_session, Theme::light());
    panel.show();
    m_session->setTrace(m_trace, m_rows);
    QTRY_COMPARE(panel.answers().size(), 5U);
    const TimeRange session = m_trace->session;
    const TimeRange part{session.start + session.duration() / 2, session.end};
    QSignalSpy updated(&panel, &ChecklistPanel::updated);
    m_session->time().selectRange(part);
    QTRY_VERIFY(updated.count() > 0);
    for (const ChecklistAnswer& answer : panel.answers())
        QVERIFY(answer.over.empty() || (answer.over.start >= part.start && answer.over.end <= part.end));
}

void FindingsPanelTest::hiddenPanelsDoNothing()
{
    ChecklistPanel checklist(*m_session, Theme::light());
    m_panel->hide();
    QSignalSpy answered(&checklist, &ChecklistPanel::updated);
    m_session->setTrace(m_trace, m_rows);
    QTRY_VERIFY(!m_panel->isBusy()); // a report's findings are computed once for all views
    QSignalSpy found(m_panel.get(), &FindingsPanel::updated);
    const TimeRange session = m_trace->session;
    for (int i = 1; i <= 20; ++i)
        m_session->time().selectRange({session.start, session.start + session.duration() * i / 20});
    QTest::qWait(400);
    QCOMPARE(answered.count(), 0);
    QCOMPARE(found.count(), 0);
    checklist.show();
    QTRY_COMPARE(answered.count(), 1);
    // A link goes to the finding of the current range, even before the findings were requested.
    connect(m_session.get(), &Session::panelRequested, m_panel.get(), [this] { m_panel->show(); });
    const std::string rule(m_panel->findings().back().rule);
    emit m_session->judgement().findingRequested(QString::fromStdString(rule));
    QCOMPARE(found.count(), 0);
    QTRY_COMPARE(found.count(), 1);
    const QTreeWidgetItem* const item = m_panel->list().currentItem();
    QVERIFY(item != nullptr);
    const auto chosen = std::ranges::find_if(m_panel->findings(), [&](const Finding& finding) {
        return m_panel->text().toPlainText().startsWith(QString::fromStdString(plain(finding.title)));
    });
    QVERIFY(chosen != m_panel->findings().end());
    QCOMPARE(chosen->rule, rule);
}

void FindingsPanelTest::textIsOfTheLineThatKeysMoveTo()
{
    QTreeWidget& list = m_panel->list();
    QTest::mouseClick(
        list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.topLevelItem(0)).center());
    const TimeRange shown = m_session->time().shown();
    const auto isShown = [&](const Finding& finding) {
        return m_panel->text().toPlainText().startsWith(QString::fromStdString(plain(finding.title)));
    };
    QVERIFY(isShown(m_panel->findings()[0]));
    list.topLevelItem(0)->setExpanded(false);
    QTest::keyClick(&list, Qt::Key_Down);
    QCOMPARE(list.currentItem(), list.topLevelItem(1));
    QVERIFY(isShown(m_panel->findings()[1]));
    QCOMPARE(m_session->time().shown(), shown); // reading moves nothing
    m_panel->stepEvidence(true); // the first piece of the shown finding, not the second
    const Evidence& first = m_panel->findings()[1].evidence.front();
    QVERIFY(first.event.valid() ? m_session->selection().ownCurrentEvent() == first.event
                                : m_session->selection().markedRange() == first.range);
    QTest::keyClick(&list, Qt::Key_Up);
    QVERIFY(isShown(m_panel->findings()[0]));
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(m_session->time().shown(), shown);
}

/// By keys and by the right button, too; the view stays where it is.
void FindingsPanelTest::marksFollowTheLineThatIsRead()
{
    QTreeWidget& list = m_panel->list();
    const Selection& selection = m_session->selection();
    const auto isMarked = [&](const Finding& finding) {
        std::vector<EventRef> events;
        for (const Evidence& proof : finding.evidence) {
            if (proof.event.valid())
                events.push_back(proof.event);
        }
        std::ranges::sort(events);
        const bool isOfRange = !finding.evidence.empty() && !finding.evidence.front().event.valid();
        return selection.highlighted(m_session->report().id) == events
            && selection.markedRange() == (isOfRange ? finding.evidence.front().range : TimeRange{});
    };
    const auto press = [&](QTreeWidgetItem* line, Qt::MouseButton button) {
        list.scrollToItem(line);
        QTest::mouseClick(list.viewport(), button, {}, list.visualItemRect(line).center());
    };
    list.expandAll();
    std::vector<std::pair<QTreeWidgetItem*, const Finding*>> lines;
    for (QTreeWidgetItemIterator at(&list); *at; ++at) {
        if (const QVariant finding = (*at)->data(0, Qt::UserRole); finding.isValid())
            lines.emplace_back(*at, reinterpret_cast<const Finding*>(finding.value<quintptr>()));
    }
    int ranges = 0;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        press(lines[i].first, Qt::LeftButton);
        QVERIFY(isMarked(*lines[i].second));
        const TimeRange shown = m_session->time().shown();
        QTest::keyClick(&list, Qt::Key_Down);
        QVERIFY2(isMarked(*lines[i + 1].second), plain(lines[i + 1].second->title).c_str());
        QVERIFY(!selection.ownCurrentEvent().valid()); // that of the finding before
        press(lines[i].first, Qt::RightButton);
        QVERIFY2(isMarked(*lines[i].second), plain(lines[i].second->title).c_str());
        ranges += selection.markedRange().empty() ? 0 : 1;
        QCOMPARE(m_session->time().shown(), shown);
    }
    QVERIFY(ranges > 0);
    // What the user chose meanwhile stays.
    press(lines[0].first, Qt::LeftButton);
    const EventId own{m_session->report().id, {EventKind::Kernel, 0}};
    m_session->selection().setCurrentEvent(own);
    QTest::keyClick(&list, Qt::Key_Down);
    QCOMPARE(selection.currentEvent(), own);
}

void FindingsPanelTest::rangesOfEvidenceAreGoneWithTheNext()
{
    // One finding with time ranges as evidence, one with events.
    QString ofRanges;
    QString ofEvents;
    for (const std::string& rule : m_session->judgement().findings().rules()) {
        m_session->selection().clear();
        QVERIFY(m_panel->chooseFinding(QString::fromStdString(rule)));
        QVERIFY(m_session->time().selectedRange().empty()); // evidence selects nothing
        if (!m_session->selection().markedRange().empty())
            ofRanges = QString::fromStdString(rule);
        else if (m_session->selection().ownCurrentEvent().valid())
            ofEvents = QString::fromStdString(rule);
    }
    QVERIFY(!ofRanges.isEmpty() && !ofEvents.isEmpty());
    QVERIFY(m_panel->chooseFinding(ofRanges));
    QVERIFY(!m_session->selection().markedRange().empty());
    QVERIFY(m_panel->chooseFinding(ofEvents));
    QVERIFY(m_session->selection().markedRange().empty());
    // The user's selection stays.
    const TimeRange own{m_trace->session.start + 10, m_trace->session.start + 1'000'000};
    m_session->time().selectRange(own);
    QVERIFY(m_panel->chooseFinding(ofEvents));
    QCOMPARE(m_session->time().selectedRange(), own);
    QVERIFY(m_panel->chooseFinding(ofRanges));
    QCOMPARE(m_session->time().selectedRange(), own);
}

void FindingsPanelTest::linesWithoutDataCanBeRead()
{
    int lines = 0;
    for (QTreeWidgetItemIterator at(&m_panel->list()); *at; ++at) {
        if (!(*at)->text(0).endsWith("not recorded"))
            continue;
        QCOMPARE((*at)->foreground(0).color(), Theme::light().dimText);
        ++lines;
    }
    QVERIFY(lines > 0);
}

/// Evidence is marked and selects nothing: findings do not change while one steps through it.
void FindingsPanelTest::evidenceLeavesTheScopeAlone()
{
    QTRY_VERIFY(!m_panel->findings().empty() && !m_panel->isBusy());
    QSignalSpy judged(&m_session->time(), &TimeView::judgedChanged);
    for (int i = 0; i < 5; ++i)
        m_panel->stepEvidence(true);
    QVERIFY(m_session->time().selectedRange().empty());
    QCOMPARE(judged.count(), 0);
}

/// Whichever report panels were about: the events of the cure are those of its own.
void FindingsPanelTest::aCureIsTriedOnItsReport()
{
    const ChosenCure& cure = m_session->judgement().cure();
    QVERIFY(m_panel->chosenId().isEmpty());
    emit m_panel->text().anchorClicked(QUrl("whatif:")); // of the finding that is described at first
    QVERIFY(!cure.title().isEmpty());
    std::vector<OpenReport> reports(2);
    for (OpenReport& report : reports) {
        report.trace = &report == &reports.front() ? m_trace : std::make_shared<const Trace>(*m_trace);
        report.rows = m_rows;
    }
    reports[0].label = "first";
    reports[1].label = "second";
    m_session->setWorkspace(Workspace(std::move(reports)));
    m_session->chooseReport(ReportId{0});
    m_session->scope().showAll();
    QTRY_VERIFY(!m_panel->isBusy() && m_panel->list().columnCount() == 3);
    QTreeWidgetItem* ofSecond = nullptr;
    for (QTreeWidgetItemIterator at(&m_panel->list()); *at && !ofSecond; ++at)
        ofSecond = (*at)->text(2) == "second" ? *at : nullptr;
    QVERIFY(ofSecond);
    m_panel->list().setCurrentItem(ofSecond); // as by key: this leads nowhere
    QCOMPARE(m_session->report().id, ReportId{0});
    emit m_panel->text().anchorClicked(QUrl("whatif:"));
    QCOMPARE(m_session->report().id, ReportId{1});
    QVERIFY(!cure.title().isEmpty());
}

/// Panels are about the second of three reports, which becomes the first.
void FindingsPanelTest::evidenceIsReachedWhenAReportBeforeGoes()
{
    TablesPanel tables(*m_session, Theme::light());
    tables.show();
    QTRY_VERIFY(!tables.isBusy());
    tables.choose("cuda_gpu_kern_sum");
    std::vector<OpenReport> reports(3);
    for (OpenReport& report : reports) {
        report.trace = &report == &reports[1] ? m_trace : std::make_shared<const Trace>(*m_trace);
        report.rows = m_rows;
    }
    m_session->setWorkspace(Workspace(reports));
    m_session->chooseReport(ReportId{1});
    QTRY_VERIFY(!m_panel->isBusy() && !tables.isBusy() && tables.model().rowCount() > 0);
    const FoundInReports& found = m_session->judgement().findings().found();
    QCOMPARE(found.parts.front().report, ReportId{1});
    reports.erase(reports.begin());
    m_session->setWorkspace(Workspace(reports));
    QCOMPARE(m_session->report().id, ReportId{0});
    QCOMPARE(found.parts.front().report, ReportId{0});
    QTRY_VERIFY(!m_panel->isBusy() && !tables.isBusy());
    const auto proven = std::ranges::find_if(
        m_panel->findings(), [](const Finding& finding) { return !finding.evidence.empty(); });
    QVERIFY(proven != m_panel->findings().end());
    QVERIFY(m_panel->chooseFinding(QString::fromStdString(std::string(proven->rule))));
    QVERIFY(m_session->selection().highlightsAny() || !m_session->selection().markedRange().empty());
    m_session->selection().clear();
    emit tables.table().clicked(tables.table().model()->index(0, 0));
    QTRY_VERIFY(m_session->selection().highlightsAny());
}

WARPLINE_TEST(FindingsPanelTest)

} // namespace tst_findings_panel

#include "tst_findings_panel.moc"
