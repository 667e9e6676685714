// No text of a report is read as a tag: "<0.1%" and "scan<int>" appear literally in rich text.

#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/export/checklist_text.h"
#include "core/findings/checklist.h"
#include "core/findings/finding_words.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/finding_text.h"
#include "views/panels/range_text.h"
#include "views/panels/report_panel.h"
#include "views/panels/stats_panel.h"
#include "views/style/elided_label.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"
#include "views/timeline/tooltip.h"

#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextOption>

#include <array>
#include <set>

namespace tst_rich_text {

using namespace warpline;
using namespace warpline::test;

namespace {

/// The text from the first '<' in `html` on that opens none of our tags; empty when there is none.
QString foreignTag(const QString& html)
{
    static const QStringList ours{
        "a", "b", "big", "br", "div", "h3", "i", "p", "pre", "span", "table", "td", "tr"};
    for (auto at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
        auto end = at + (html.mid(at + 1, 1) == "/" ? 2 : 1);
        const auto first = end;
        while (end < html.size() && html[end].isLetterOrNumber())
            ++end;
        if (!ours.contains(html.mid(first, end - first)))
            return html.mid(at, 60);
    }
    return {};
}

QString shownText(const QString& html)
{
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

} // namespace

class RichTextTest : public QObject {
    Q_OBJECT

private slots:
    void theTestSeesWhatIsNotEscaped();
    void smallSharesAreReadToTheEnd();
    void textsHaveALimit();
    void aLabelElidesItsText();
    void smallSharesOfTheChecklistAreRead();
    void namesWithBracketsAreKept();
    void instantsAreThoseOfTheAxis();
    void longEvidenceIsListedInPart();
    void aNewTextIsLaidOutOnce();
    void noTextOfAnyReportIsATag();
    void wordsOfChineseHoldTogether();
    void linesEndBetweenEntriesAndOptions();

private:
    static void checkFindings(const Trace& trace);
    static void checkChecklist(const Trace& trace);
    static void checkEvents(const Trace& trace);
};

void RichTextTest::aLabelElidesItsText()
{
    const QString text = "1,234 events <of> the time";
    ElidedLabel label(Qt::ElideRight, nullptr);
    label.setWhole(text);
    const int needed = label.sizeHint().width();
    label.resize(needed, 20);
    label.show();
    QTRY_COMPARE(label.text(), text);
    QVERIFY(label.toolTip().isEmpty());
    label.resize(needed / 2, 20);
    QTRY_VERIFY(label.text().endsWith(QChar(0x2026)));
    QVERIFY(label.fontMetrics().horizontalAdvance(label.text()) <= label.width());
    QTextDocument tip;
    tip.setHtml(label.toolTip());
    QVERIFY2(tip.toPlainText().contains("<of>"), qPrintable(label.toolTip()));
    QCOMPARE(label.sizeHint().width(), needed); // it gets its room back
    QCOMPARE(label.whole(), text);
}

/// Chinese breaks between any letters, English at blanks: both do at blanks.
void RichTextTest::wordsOfChineseHoldTogether()
{
    QCOMPARE(joinedHtml("copies <in> time"), QString("copies &lt;in&gt; time"));
    QCOMPARE(joinedHtml(QString::fromUtf8("GPU 空闲")), QString::fromUtf8("GPU 空\u2060闲"));
    QTextDocument document;
    QTextOption words;
    words.setWrapMode(QTextOption::WordWrap);
    document.setDefaultTextOption(words);
    document.setHtml(joinedHtml(QString::fromUtf8("GPU 空闲时间")));
    document.setTextWidth(1); // as narrow as its longest word
    QVERIFY(document.size().height() > 0); // laid out
    const QTextLayout& layout = *document.firstBlock().layout();
    QCOMPARE(layout.lineCount(), 2);
}

/// No line of a legend begins with a blank, and none ends inside an option.
void RichTextTest::linesEndBetweenEntriesAndOptions()
{
    QTextOption words;
    words.setWrapMode(QTextOption::WordWrap);
    QTextDocument document;
    document.setDefaultTextOption(words);
    document.setHtml(spacedHtml({"one", "two"}));
    for (int width = 1; width < 200; ++width) {
        document.setTextWidth(width);
        QVERIFY(document.size().height() > 0); // laid out
        const QTextLayout& layout = *document.firstBlock().layout();
        for (int i = 1; i < layout.lineCount(); ++i)
            QVERIFY(!document.firstBlock().text()[layout.lineAt(i).textStart()].isSpace());
    }
    QTextLayout layout(unbrokenOptions("record with --pytorch=autograd-nvtx again"));
    layout.setTextOption(words);
    layout.beginLayout();
    int lines = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++lines)
        line.setLineWidth(1);
    layout.endLayout();
    QCOMPARE(lines, 4);
}

void RichTextTest::theTestSeesWhatIsNotEscaped()
{
    QCOMPARE(foreignTag("<p>saves 1 ms (<0.1% of the range)</p>"), QString("<0.1% of the range)</p>"));
    QCOMPARE(foreignTag("<b>scan<int></b>"), QString("<int></b>"));
    QCOMPARE(foreignTag("<p><a href='x'>scan&lt;int&gt;</a></p>"), QString());
    QVERIFY(!shownText("<p>saves 1 ms (<0.1% of the range)</p>").contains("of the range"));
}

/// Qt takes a second to measure a megabyte, and a timeline measures hundreds of names.
void RichTextTest::textsHaveALimit()
{
    const std::string name = "first_" + std::string(1'000'000, 'n') + "_last";
    const QString shown = textOf(name);
    QVERIFY(shown.size() < 5'000);
    QVERIFY(shown.startsWith("first_") && shown.endsWith("_last") && shown.contains(QChar(0x2026)));
    QCOMPARE(wholeTextOf(name).size(), static_cast<qsizetype>(name.size()));
}

void RichTextTest::smallSharesAreReadToTheEnd()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    Finding finding;
    finding.title = "a < b";
    finding.saving = 500;
    const QString text
        = shownText(findingHtml(*loaded.value(), finding, 1'000'000)); // 0.05%, which is rounded up
    QVERIFY(text.contains("500 ns (0.1% of the measured time)"));
    const QString smaller = shownText(findingHtml(*loaded.value(), finding, 2'000'000));
    QVERIFY(smaller.contains("500 ns (<0.1% of the measured time)."));
    QVERIFY(smaller.contains("a < b"));
    RangeStats early;
    early.window = {-40'000, 220'000'000};
    QVERIFY(shownText(rangeSummary(early, false, {})).contains(" 0.0000 s to 0.2200 s"));
    QVERIFY(shownText(rangeSummary(early, false, {})).startsWith("Range shown in the timeline: 220"));
    QVERIFY(shownText(rangeSummary(early, true, {})).startsWith("Selected range: 220"));
    RangeStats stats;
    stats.window = {0, 1'000'000};
    DeviceFigures device;
    device.device = 0;
    device.number = 0;
    device.busy = device.compute = device.copy = 100; // 0.01%
    device.idle = 999'900;
    stats.devices = {device};
    QVERIFY(shownText(rangeSummary(stats, true, {}))
                .contains("GPU 0 busy <0.1% (compute <0.1%), idle 100.0%, copies during compute 0.0%"));
    // Pages that move while a kernel waits for them are no further part.
    device.busy = 250'000;
    device.compute = 10'000;
    device.stalled = 200'000;
    device.copyOnly = 40'000;
    device.copy = 160'000;
    device.idle = 750'000;
    stats.devices = {device};
    QVERIFY(
        shownText(rangeSummary(stats, true, {}))
            .contains(
                "GPU 0 busy 25.0% (compute 1.0%, waiting for pages 20.0%, only copies 4.0%), idle 75.0%"));
}

void RichTextTest::smallSharesOfTheChecklistAreRead()
{
    ChecklistAnswer answer;
    answer.question = "Are <copies> overlapped?";
    answer.answer = Answer::No;
    answer.figure = "<0.1% exposed";
    answer.explanation = "scan<int> runs <0.1% of the time, & no more";
    const QString html = checklistRichText({answer}, {}, Theme::light());
    QCOMPARE(foreignTag(html), QString());
    for (const char* const said :
        {"Are <copies> overlapped?", "<0.1% exposed", "scan<int> runs <0.1% of the time, & no more"})
        QVERIFY2(shownText(html).contains(said), said);
}

void RichTextTest::namesWithBracketsAreKept()
{
    QCOMPARE(shownText(plainTip("scan<int>\nb < c")), QString("scan<int>\nb < c"));
    QVERIFY(Qt::mightBeRichText(plainTip("scan<int>")));
    QCOMPARE(plainTip({}), QString());
    QCOMPARE(shareHtml(0.0001), QString("&lt;0.1%"));
}

void RichTextTest::instantsAreThoseOfTheAxis()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const auto loaded = loadReport(fixture.path());
    QVERIFY(loaded.ok());
    const Trace& trace = *loaded.value();
    QVERIFY(!trace.kernels().empty());
    const EventRef kernel{EventKind::Kernel, 0};
    const TimeRange range = trace.range(kernel);
    const auto textOfTime = [](Ns time) { return QString::fromStdString(formatInstant(time)); };
    QVERIFY(!shownText(eventHtml(trace, kernel)).contains("own clock"));
    ClockOffset clock;
    clock.offset = 450'590'000;
    QVERIFY(shownText(eventHtml(trace, kernel, {}, clock))
                .contains(QString("%1 on the axis (%2 on the report's own clock)")
                              .arg(textOfTime(range.start + clock.offset), textOfTime(range.start))));
    Finding finding;
    finding.evidence.push_back({range, kernel, {}});
    const auto evidenceAt
        = [](Ns time) { return '>' + QString::fromStdString(formatTime(time, 1000)) + '<'; };
    QVERIFY(findingHtml(trace, finding, 1).contains(evidenceAt(range.start)));
    const QString moved = findingHtml(trace, finding, 1, clock);
    QVERIFY(moved.contains(evidenceAt(range.start + clock.offset)));
    QVERIFY(!moved.contains(evidenceAt(range.start)));
}

void RichTextTest::longEvidenceIsListedInPart()
{
    const Trace trace;
    Finding finding;
    finding.title = "Much waits for the launch";
    for (Ns i = 0; i < 100; ++i)
        finding.evidence.push_back({{i * 1'000'000, i * 1'000'000 + 1 + i * i * 100}, {}, "a note"});
    finding.evidenceTotal = 4212;
    const QString html = findingHtml(trace, finding, 1);
    QCOMPARE(html.count("href='evidence:"), 40);
    QVERIFY(shownText(html).contains("Evidence: the 100 longest of 4,212"));
    QVERIFY(shownText(html).contains("60 more: choose Next evidence"));
    // Its columns are aligned, and terms are explained at their first use.
    QTextBrowser browser;
    showExplained(browser, html);
    int lines = 0;
    QList<QTextOption::Tab> tabs;
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next()) {
        if (!block.text().contains('\t'))
            continue;
        ++lines;
        QCOMPARE(block.text().count('\t'), 3);
        tabs = lines == 1 ? block.blockFormat().tabPositions() : tabs;
        QCOMPARE(tabs.size(), 3);
        QCOMPARE(block.blockFormat().tabPositions(), tabs);
    }
    QCOMPARE(lines, 40);
    QVERIFY(browser.document()->find("launch").charFormat().toolTip().contains("gives a kernel to the GPU"));
    // The previous document is replaced.
    showExplained(browser, "<p>short</p>");
    QCOMPARE(browser.toPlainText(), QString("short"));
    QCOMPARE(browser.findChildren<QTextDocument*>(QString(), Qt::FindDirectChildrenOnly).size(), 1);
}

namespace {

/// How often something changes its size.
class Resizes : public QObject {
public:
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Resize ? 1 : 0;
        return false;
    }
};

} // namespace

void RichTextTest::aNewTextIsLaidOutOnce()
{
    QTextBrowser browser;
    browser.resize(300, 200);
    browser.show();
    QVERIFY(QTest::qWaitForWindowExposed(&browser));
    const QScrollBar& bar = *browser.verticalScrollBar();
    const QString longText = "<p>" + QString("a long text ").repeated(300) + "</p>";
    showExplained(browser, longText);
    QVERIFY(bar.isVisible());
    browser.verticalScrollBar()->setValue(bar.maximum());
    Resizes resizes;
    browser.viewport()->installEventFilter(&resizes);
    // The scroll bar stays, and with it the width of all lines; and the new text is shown from its beginning.
    showExplained(browser, longText + longText);
    QCOMPARE(resizes.count, 0);
    QVERIFY(bar.isVisible());
    QCOMPARE(bar.value(), 0);
    showExplained(browser, "<p>short</p>");
    QVERIFY(!bar.isVisible());
    QCOMPARE(resizes.count, 1);
    showExplained(browser, longText);
    QVERIFY(bar.isVisible());
    QCOMPARE(resizes.count, 2);
    QCOMPARE(browser.verticalScrollBarPolicy(), Qt::ScrollBarAsNeeded);
}

void RichTextTest::checkFindings(const Trace& trace)
{
    const Ns measured = TraceAnalysis(trace, trace.session, {}).measured();
    for (const Finding& finding : runRules(trace, trace.session)) {
        const QString html = findingHtml(trace, finding, measured);
        QVERIFY2(foreignTag(html).isEmpty(), qPrintable(foreignTag(html)));
        const QString text = shownText(html);
        QVERIFY2(text.contains(QString::fromStdString(plain(finding.title)).simplified())
                || text.simplified().contains(QString::fromStdString(plain(finding.title)).simplified()),
            plain(finding.title).c_str());
        QVERIFY2(text.simplified().contains(QString::fromStdString(plain(messageOf(finding))).simplified()),
            plain(messageOf(finding)).c_str());
        if (finding.saving > 0)
            QVERIFY2(text.contains("of the measured time)."), plain(finding.title).c_str());
    }
}

void RichTextTest::checkChecklist(const Trace& trace)
{
    std::set<std::string> found;
    for (const Rule* const rule : allRules())
        found.emplace(rule->id); // every link there can be
    const std::vector<ChecklistAnswer> answers = answerChecklist(trace, trace.session, {});
    QCOMPARE(answers.size(), std::size_t{5});
    const QString html = checklistRichText(answers, found, Theme::light());
    QVERIFY2(foreignTag(html).isEmpty(), qPrintable(foreignTag(html)));
    const QString text = shownText(html).simplified();
    if (const Message reason = nothingToJudge(answers); !reason.empty()) // mentioned once for all
        QVERIFY2(text.contains(QString::fromStdString(plain(reason)).simplified()), qPrintable(text));
    for (const ChecklistAnswer& answer : answers) {
        if (!nothingToJudge(answers).empty())
            break;
        for (const std::string& said : {plain(answer.figure), plain(answer.explanation)})
            QVERIFY2(text.contains(QString::fromStdString(said).simplified()), said.c_str());
    }
    // Pages for sharing, too.
    const auto page = QString::fromStdString(checklistHtml(answers));
    for (const ChecklistAnswer& answer : answers)
        QVERIFY2(shownText(page).simplified().contains(
                     QString::fromStdString(plain(answer.explanation)).simplified()),
            plain(answer.explanation).c_str());
}

void RichTextTest::checkEvents(const Trace& trace)
{
    for (const EventKind kind : allEventKinds()) {
        const std::size_t size = trace.table(kind).size();
        if (size == 0)
            continue;
        for (const std::size_t index : std::array<std::size_t, 3>{0, size / 2, size - 1}) {
            const EventRef event{kind, static_cast<EventIndex>(index)};
            for (const QString& html : {eventHtml(trace, event), eventTip(trace, event)})
                QVERIFY2(foreignTag(html).isEmpty(), qPrintable(foreignTag(html)));
        }
    }
}

void RichTextTest::noTextOfAnyReportIsATag()
{
    std::vector<std::string> reports = sharedReports();
    if (reports.empty())
        QSKIP("needs ../shared/reports, which is not there");
    for (const std::string& path : reports) {
        const auto loaded = loadReport(path);
        if (!loaded.ok())
            continue; // refused with a message: other tests see to that
        const Trace& trace = *loaded.value();
        const auto rows = buildRows(trace);
        const RangeStats stats = rangeStats(trace, *rows, {}, {}, trace.session);
        for (const QString& html : {reportHtml(trace), rangeSummary(stats, false, {})})
            QVERIFY2(foreignTag(html).isEmpty(), qPrintable(QString::fromStdString(path) + foreignTag(html)));
        checkFindings(trace);
        checkChecklist(trace);
        checkEvents(trace);
        if (QTest::currentTestFailed())
            QFAIL(path.c_str());
    }
}

WARPLINE_TEST(RichTextTest)

} // namespace tst_rich_text

#include "tst_rich_text.moc"
