// The overview panel: a bar whose parts link to their places, the leading findings, kernels with facts;
// explained terms; details of a kernel with the same facts.

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/glossary/glossary.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_analysis.h"
#include "views/loading/job_failures.h"
#include "views/panels/budget_view.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/judged_range.h"
#include "views/panels/overview_bar.h"
#include "views/panels/overview_headline.h"
#include "views/panels/overview_panel.h"
#include "views/panels/steps_panel.h"
#include "views/session/checklist_judge.h"
#include "views/session/findings_judge.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTreeWidget>
#include <QUrl>

#include <numeric>

namespace tst_overview_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

/// A start-up, a copy, ten kernels of one block that the host waits for, and some time after.
std::shared_ptr<const Trace> smallProgram()
{
    DrawnProgram drawn;
    drawn.call("cudaMalloc_v3020", {0, 100 * ms});
    drawn.copy({101 * ms, 103 * ms}, {102 * ms, 103 * ms});
    for (int i = 0; i < 10; ++i) {
        const Ns at = (110 + 10 * i) * ms;
        drawn.kernel("lonely_kernel", at, {at + ms, at + 6 * ms}, {.blocks = 1});
        drawn.call("cudaDeviceSynchronize_v3020", {at + 10 * us, at + 6 * ms + 10 * us});
    }
    drawn.event(EventKind::OsRuntime, "write", {230 * ms, 240 * ms});
    return drawn.finish();
}

void openIn(Session& session, std::shared_ptr<const Trace> trace)
{
    auto rows = buildRows(*trace);
    session.setTrace(std::move(trace), std::move(rows));
}

} // namespace

class OverviewPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_overview_panel");
    }

    void partsAreWideEnoughToHit()
    {
        std::vector<OverviewPart> parts{{OverviewKind::CudaStart, 900 * ms, 1, {}},
            {OverviewKind::Kernels, 1, 1, {}}, {OverviewKind::Idle, 0, 1, {}},
            {OverviewKind::Exit, 100 * ms, 1, {}}};
        const std::vector<int> widths = overviewWidths(parts, 1000);
        QCOMPARE(std::accumulate(widths.begin(), widths.end(), 0), 1000);
        for (const int width : widths)
            QVERIFY(width >= 5);
        QVERIFY(overviewWidths({}, 1000).empty());
        QVERIFY(overviewWidths(parts, 0).empty());
        for (const int width : overviewWidths(parts, 3))
            QVERIFY(width >= 0);
        OverviewBar bar(Theme::light());
        bar.setParts(parts);
        QCOMPARE(bar.paintedItems().size(), parts.size());
        bar.resize(0, 20);
        QVERIFY(bar.paintedItems().empty());
    }

    /// Where a phase of the bar is too narrow for its name there stands a shorter one, or none: never "the".
    void narrowPhasesKeepTheirMeaning()
    {
        OverviewBar bar(Theme::light());
        const OverviewPhase phase{
            "the host waits in a synchronizing call", 60 * ms, 0, {}, "synchronization"};
        const QFontMetrics metrics = bar.fontMetrics();
        const int whole = metrics.horizontalAdvance("the host waits in a synchronizing call");
        const int label = metrics.horizontalAdvance("synchronization");
        QCOMPARE(bar.phaseLabel(phase, whole + 1), QString("the host waits in a synchronizing call"));
        QCOMPARE(bar.phaseLabel(phase, whole - 1), QString("synchronization"));
        QCOMPARE(bar.phaseLabel(phase, label), QString("synchronization"));
        const QString cut = bar.phaseLabel(phase, label - 1);
        QVERIFY2(cut.startsWith("sync") && cut.endsWith("n"), qPrintable(cut)); // the middle is omitted
        QVERIFY(bar.phaseLabel(phase, label / 3).isEmpty());
        // Phases are darker than their part in every theme, and never glare.
        for (const bool dark : {false, true}) {
            OverviewBar themed(Theme::of(dark, false));
            themed.setParts({{OverviewKind::HostOnly, 100 * ms, 1, {}, {}, {phase, phase}, {}}});
            themed.resize(600, themed.sizeHint().height());
            const QImage image = themed.grab().toImage();
            for (const int x : {300, 500})
                QVERIFY(
                    image.pixelColor(x, image.height() - 1).lightness() < image.pixelColor(2, 2).lightness());
        }
        // The tooltip shows the phase under the mouse, and below its title the part.
        bar.setParts({{OverviewKind::Idle, 100 * ms, 1, {}, {},
            {phase, {"the host loads data", 40 * ms, 0, {}, "data loading"}}, "2 GPUs"}});
        bar.resize(1000, bar.sizeHint().height());
        const int low = bar.height() - 2;
        QVERIFY(
            bar.tipAt({100, low}).startsWith("the host waits in a synchronizing call (mean of 2 GPUs): "));
        QVERIFY(bar.tipAt({900, low}).startsWith("the host loads data"));
        QVERIFY(bar.tipAt({900, 1}).startsWith("GPU idle"));
        QVERIFY(bar.tipAt({900, 1}).contains("Mean of 2 GPUs"));
    }

    /// What the listed activities leave of the idle time is listed, too.
    void otherIdleTimeIsListed()
    {
        const OverviewPhase phase{"the host runs its own code", 60 * ms, 0, {}, "own code"};
        const OverviewPart part{OverviewKind::Idle, 100 * ms, 1, {}, {}, {phase}};
        QCOMPARE(otherTime(part), 40 * ms);
        const QString legend = overviewLegend({part}, Theme::light());
        QVERIFY2(legend.contains("other&nbsp;40"), qPrintable(legend));
        OverviewPart whole = part;
        whole.time = 60 * ms;
        QVERIFY(!overviewLegend({whole}, Theme::light()).contains("other"));
        OverviewBar bar(Theme::light());
        bar.setParts({part});
        QVERIFY(bar.tipOf(0).contains("40"));
    }

    /// Copies of both directions are one thing to the reader, however the bar divides them.
    void theHeadlineAddsCopiesUp()
    {
        const std::vector<OverviewPart> parts{{OverviewKind::CopiesIn, 30 * ms, 1, {}},
            {OverviewKind::CopiesOut, 25 * ms, 1, {}}, {OverviewKind::Kernels, 40 * ms, 1, {}},
            {OverviewKind::Idle, 5 * ms, 1, {}}};
        QVERIFY2(overviewHeadline(parts).contains("55"), qPrintable(overviewHeadline(parts)));
        QVERIFY(overviewHeadline({parts[2], parts[3]}).contains("88.9"));
        // With several GPUs the parts are about all together.
        QVERIFY(overviewHeadline({parts[2]}, true) != overviewHeadline({parts[2]}));
    }

    void everyPartLeadsToItsPlace()
    {
        Session session;
        OverviewPanel panel(session, Theme::light());
        panel.resize(1000, 260);
        panel.show();
        QSignalSpy updated(&panel, &OverviewPanel::updated);
        openIn(session, smallProgram());
        QTRY_VERIFY(updated.count() > 0);
        // The headline is the largest part of the measured time.
        QVERIFY2(panel.headline().text().contains("GPU"), qPrintable(panel.headline().text()));
        const char* const sentence = "The longest call, cudaMalloc, takes 100 ms";
        QVERIFY(!panel.text().toPlainText().contains(sentence)); // folded at first
        panel.follow(QUrl("section:ran"));
        QVERIFY2(panel.text().toPlainText().contains(sentence), qPrintable(panel.text().toPlainText()));
        panel.follow(QUrl("section:ran"));
        QVERIFY(!panel.text().toPlainText().contains(sentence));
        // The bar does not include start-up and end until the user asks for them.
        const QString folded = panel.legend().text();
        QVERIFY2(folded.contains("without start-up and end"), qPrintable(folded));
        QVERIFY(!folded.contains("CUDA start-up"));
        panel.follow(QUrl("bar:all"));
        QVERIFY(panel.legend().text().contains("CUDA start-up"));
        const RunOverview overview = overviewOf(session.trace(), session.trace().session);
        for (std::size_t i = 0; i < overview.parts.size(); ++i) {
            session.time().showAll();
            panel.follow(QUrl(QString("part:%1").arg(i)));
            const TimeRange where = overview.parts[i].where;
            QVERIFY(session.time().shown().start <= where.start && session.time().shown().end >= where.end);
            QVERIFY(session.time().shown().duration() < session.trace().session.duration() * 11 / 10);
            QVERIFY(session.time().selectedRange().empty()); // going somewhere selects nothing
            QCOMPARE(
                session.selection().markedRange(), where); // and marks it, because rows may be empty there
            const double share = shareOf(overview.parts[i].time, overview.window.duration());
            QVERIFY(share < 0.01 || panel.legend().text().contains(QString("part:%1'").arg(i)));
        }
        // A click on the bar does the same.
        QSignalSpy chosen(&panel.bar(), &OverviewBar::partChosen);
        QTest::mouseClick(&panel.bar(), Qt::LeftButton, {}, {10, panel.bar().height() / 2});
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toInt(), 0);
        QVERIFY(panel.bar().tipOf(0).startsWith("CUDA start-up"));
    }

    /// Findings and checklist follow the scope; a heading shows when that is not the whole report.
    void saysWhatFindingsAreAbout()
    {
        Session session;
        OverviewPanel panel(session, Theme::light());
        panel.show();
        openIn(session, smallProgram());
        QTRY_VERIFY(panel.text().toPlainText().contains("Top findings"));
        QTRY_VERIFY(panel.text().toPlainText().contains("Checklist"));
        QVERIFY(!panel.text().toPlainText().contains("Top findings from"));
        const TimeRange all = session.session();
        session.time().selectRange({all.start, all.start + all.duration() / 2});
        QTRY_VERIFY2(
            panel.text().toPlainText().contains("Top findings from"), qPrintable(panel.text().toPlainText()));
        session.selection().clear();
        QTRY_VERIFY(!panel.text().toPlainText().contains("Top findings from"));
    }

    /// Two pages of text in one turn would hold the window.
    void theTextComesInATurnOfItsOwn()
    {
        Session session;
        FindingsPanel findings(session, Theme::light());
        OverviewPanel panel(session, Theme::light());
        panel.show();
        openIn(session, smallProgram());
        QTRY_VERIFY(panel.text().toPlainText().contains("Top findings"));
        QTRY_VERIFY(!panel.isBusy());
        QSignalSpy updated(&panel, &OverviewPanel::updated);
        const QString before = panel.text().toHtml();
        panel.setTheme(Theme::dark());
        QVERIFY(panel.isBusy());
        QCOMPARE(panel.text().toHtml(), before);
        QTRY_VERIFY(!panel.isBusy());
        QCOMPARE(updated.count(), 1);
        QVERIFY(panel.text().toHtml() != before);
    }

    void saysWhatToLookAtFirst()
    {
        Session session;
        FindingsPanel findings(session, Theme::light());
        OverviewPanel panel(session, Theme::light());
        panel.show();
        openIn(session, smallProgram());
        QTRY_VERIFY(!session.judgement().findings().leading().empty());
        QTRY_VERIFY(panel.text().toPlainText().contains("Top findings"));
        const LeadingFinding first = session.judgement().findings().leading().front();
        const QString shown = panel.text().toPlainText();
        QVERIFY2(shown.contains(QString::fromStdString(first.title)), qPrintable(shown));
        // A mark shows the severity, by which they are ordered before their savings.
        const QString marks("\u25cb\u25cf\u25b2\u25a0"); // from info to high
        for (const LeadingFinding& each : session.judgement().findings().leading()) {
            const QString line
                = QString("%1  %2").arg(marks[int(each.severity)]).arg(QString::fromStdString(each.title));
            QVERIFY2(each.id.empty() || shown.contains(line), qPrintable(shown));
        }
        // The same saving as in the list of findings, in fewer digits.
        const QString saving = roundedText(first.saving);
        QVERIFY(first.saving > 0);
        QVERIFY2(shown.contains((first.isExpected ? "about " : "up to ") + saving), qPrintable(shown));
        QTRY_VERIFY(findings.list().topLevelItemCount() > 0);
        QVERIFY(findings.list().topLevelItem(0)->text(1).endsWith(
            QString::fromStdString(formatDuration(first.saving))));
        QSignalSpy wanted(&session.judgement(), &Judgement::findingRequested);
        panel.follow(QUrl("finding:tiny_grid"));
        QCOMPARE(wanted.count(), 1);
    }

    void longNamesAreCut()
    {
        const std::string name = "triton_" + std::string(300, 'x') + "_0";
        DrawnProgram drawn;
        for (int i = 0; i < 10; ++i) {
            const Ns at = 10 * i * ms;
            drawn.kernel(name, at, {at + ms, at + 6 * ms}, {.blocks = 1});
        }
        Session session;
        OverviewPanel panel(session, Theme::light());
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY(panel.text().toPlainText().contains("up to"));
        QVERIFY(panel.text().toPlainText().contains("triton_xxx"));
        QVERIFY(!panel.text().toPlainText().contains(QString(200, 'x')));
    }

    /// Where hardly anything but start-up was recorded, that is the headline, and the rest is a click away.
    void startUpIsTheHeadlineWhereThereIsLittleElse()
    {
        DrawnProgram drawn;
        drawn.call("cudaMalloc_v3020", {0, 1'000 * ms});
        drawn.kernel("lonely_kernel", 1'001 * ms, {1'002 * ms, 1'008 * ms}, {.blocks = 1});
        Session session;
        OverviewPanel panel(session, Theme::light());
        panel.show();
        openIn(session, drawn.finish());
        QTRY_VERIFY2(panel.headline().text().contains("Start-up"), qPrintable(panel.headline().text()));
        QVERIFY(panel.headline().text().contains("99."));
        QVERIFY(panel.legend().text().contains("CUDA start-up"));
        panel.follow(QUrl("bar:all"));
        QVERIFY(panel.headline().text().contains("GPU"));
        QVERIFY(!panel.legend().text().contains("CUDA start-up"));
    }

    void kernelsAreJudged()
    {
        Session session;
        OverviewPanel panel(session, Theme::light());
        panel.show();
        openIn(session, smallProgram());
        panel.follow(QUrl("section:kernels")); // before there is anything: nothing happens
        QTRY_VERIFY(panel.text().toPlainText().contains("Top kernels"));
        panel.follow(QUrl("section:kernels"));
        QTRY_VERIFY2(panel.text().toPlainText().contains("1 block for 132 multiprocessors"),
            qPrintable(panel.text().toPlainText()));
        QVERIFY(panel.text().toPlainText().contains("ncu --set full --kernel-name lonely_kernel"));
        panel.follow(QUrl("kernel:0"));
        QCOMPARE(session.selection().ownCurrentEvent().kind, EventKind::Kernel);
    }

    /// Full occupancy of one block is not good, and the details of a kernel mention it.
    void detailsWarnOfOneBlock()
    {
        Session session;
        DetailsPanel panel(session, Theme::light());
        panel.show();
        openIn(session, smallProgram());
        session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 3}));
        QTRY_VERIFY(panel.text().toPlainText().contains("Kernel efficiency"));
        const QString text = panel.text().toPlainText();
        QVERIFY(text.contains("100% of its warps"));
        QVERIFY2(text.contains("1 of 132 multiprocessors has a block"), qPrintable(text));
        QVERIFY(text.contains("--launch-skip 3 --launch-count 1")); // this launch, not the longest
        QVERIFY(text.indexOf("Kernel efficiency") < text.indexOf("Grid"));
        QVERIFY(!text.contains("Mangled name")); // long names do not hide the launch
        session.selection().setCurrentEvent(session.idOf({EventKind::ApiCall, 0}));
        QVERIFY(!panel.text().toPlainText().contains("Kernel efficiency"));
    }

    void termsAreExplainedWhereTheyComeFirst()
    {
        QTextDocument document;
        document.setHtml("<p>\u00fc A <a href='x'>warp</a> of threads: each warp and each warp again.</p>");
        explainTerms(document);
        int tips = 0;
        for (auto part = document.begin().begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            if (fragment.charFormat().toolTip().isEmpty())
                continue;
            ++tips;
            QCOMPARE(fragment.text(), QString("warp"));
            QVERIFY(!fragment.charFormat().isAnchor());
            QCOMPARE(fragment.charFormat().underlineStyle(), QTextCharFormat::DotLine);
        }
        QCOMPARE(tips, 1); // the link is left alone, and nothing is explained twice
        QVERIFY(explanationIn("nothing of the kind").isEmpty());
        QVERIFY(explanationIn("Theoretical occupancy").contains("that fit on a multiprocessor"));
        for (const GlossaryEntry& entry : glossary())
            QVERIFY(glossaryHtml().contains(htmlOf(entry.text)));
        const QString found = glossaryHtml(" Page-Locked ");
        QVERIFY(found.contains("pinned") && !found.contains("GIL"));
        QVERIFY(!glossaryHtml("no such word").contains("<tr>"));
    }

    /// Parts restricted by a selection have a link back to the whole.
    void narrowedPanelsHaveAWayBack()
    {
        Session session;
        WayBack back(session);
        openIn(session, smallProgram());
        QVERIFY(back.isHidden());
        session.time().selectRange({10 * ms, 20 * ms});
        QVERIFY(!back.isHidden());
        emit back.linkActivated("all");
        QVERIFY(session.time().selectedRange().empty() && back.isHidden());
    }

    /// Also after a change of theme while they are shown.
    void linksHaveTheColorOfTheTheme()
    {
        const QPalette before = QApplication::palette();
        Session session;
        WayBack back(session);
        QFont large = back.font();
        large.setPixelSize(60); // strokes that smoothing leaves their colour
        back.setFont(large);
        openIn(session, smallProgram());
        session.time().selectRange({10 * ms, 20 * ms});
        for (const Theme* const theme : {&Theme::light(), &Theme::dark(), &Theme::light()}) {
            QApplication::setPalette(theme->palette());
            QCoreApplication::processEvents(); // tells widgets
            const QImage drawn = back.grab().toImage();
            const QColor link = theme->palette().color(QPalette::Link);
            bool isSeen = false;
            for (int y = 0; y < drawn.height(); ++y) {
                for (int x = 0; x < drawn.width(); ++x)
                    isSeen = isSeen || drawn.pixelColor(x, y) == link;
            }
            QVERIFY2(isSeen, qPrintable(link.name()));
        }
        QApplication::setPalette(before);
    }

    /// Evidence that is a time range is marked; it selects nothing, and Esc clears it.
    void marksAreNoSelection()
    {
        Session session;
        openIn(session, smallProgram());
        QSignalSpy changed(&session.selection(), &Selection::highlightedChanged);
        session.selection().markRange({10 * ms, 20 * ms});
        session.selection().markRange({10 * ms, 20 * ms});
        QCOMPARE(changed.count(), 1);
        QVERIFY(session.time().selectedRange().empty());
        QCOMPARE(session.time().judged(), session.session());
        session.selection().clear();
        QVERIFY(session.selection().markedRange().empty());
    }

    /// Tooltips of rows explain them.
    void rowsExplainThemselves()
    {
        DrawnProgram drawn;
        drawn.kernel("touch", 0, {10 * us, 2 * ms});
        drawn.migration(CopyKind::UnifiedHtoD, {20 * us, 60 * us}, 65536, 0x7000);
        drawn.range("phase", {0, 3 * ms});
        const auto trace = drawn.finish();
        const auto rows = buildRows(*trace);
        bool pages = false;
        for (const RowId id : rows->subtree(RowTree::root)) {
            const Row& row = rows->row(id);
            QVERIFY2(!row.hint.empty() || row.drawing == Drawing::Header, plain(row.label).c_str());
            if (plain(row.label).find("migrations of unified memory") != std::string::npos) {
                pages = true;
                QVERIFY(plain(row.hint).find("not a stream of the program") != std::string::npos);
            }
        }
        QVERIFY(pages);
    }

    /// What the window's message says stands where the result would be, not that it is on its way.
    void failuresStandInThePlaceOfResults()
    {
        const auto enoughAgain = qScopeGuard([] { qunsetenv("WARPLINE_MEMORY"); });
        qputenv("WARPLINE_MEMORY", "1"); // one byte: nothing is analyzed
        QSignalSpy told(&JobFailures::shared(), &JobFailures::happened);
        Session session;
        OverviewPanel summary(session, Theme::light());
        ChecklistPanel checklist(session, Theme::light());
        FindingsPanel findings(session, Theme::light());
        for (QWidget* const panel : std::initializer_list<QWidget*>{&summary, &checklist, &findings})
            panel->show();
        openIn(session, smallProgram());
        QTRY_VERIFY(!told.isEmpty());
        const QString reason = told.at(0).at(0).toString();
        QTRY_COMPARE(summary.headline().text(), reason);
        QTRY_COMPARE(checklist.text().toPlainText(), reason);
        QTRY_COMPARE(findings.text().toPlainText(), reason);
        QVERIFY(session.judgement().findings().isOutdated()); // an export works them out again
        // It goes when others are worked out, not when they are there.
        const ChecklistJudge& judge = session.judgement().checklist();
        QSignalSpy changed(&judge, &ChecklistJudge::changed);
        openIn(session, smallProgram());
        QVERIFY(!changed.isEmpty());
        QVERIFY(judge.failure().isEmpty());
        QTRY_VERIFY(!judge.failure().isEmpty());
        qunsetenv("WARPLINE_MEMORY");
        bool isComing = false;
        connect(&judge, &ChecklistJudge::changed, &changed,
            [&] { isComing = isComing || (judge.isBusy() && judge.answers().empty()); });
        session.time().selectRange({110 * ms, 170 * ms});
        QTRY_VERIFY(summary.headline().text() != reason);
        QTRY_VERIFY(checklist.text().toPlainText() != reason);
        QVERIFY(isComing);
    }

    void longNamesLoseTheirMiddle()
    {
        const QString name = "void kernel<" + QString("int, ").repeated(60) + "float>(Last*)";
        const QString cut = elidedInMiddle(name, 60);
        QCOMPARE(cut.size(), 60);
        QVERIFY(cut.startsWith("void kernel<") && cut.endsWith("(Last*)") && cut.contains(QChar(0x2026)));
        QCOMPARE(elidedInMiddle("short", 60), QString("short"));
    }
};

WARPLINE_TEST(OverviewPanelTest)

} // namespace tst_overview_panel

#include "tst_overview_panel.moc"
