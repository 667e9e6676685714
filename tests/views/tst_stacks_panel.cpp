// The flame graph: boxes as wide as their share, clicks that zoom in and out, search, threads and range.

#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/panels/judged_range.h"
#include "views/panels/stacks_panel.h"
#include "views/session/run_pair.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QSettings>
#include <QTest>
#include <QTimer>

namespace tst_stacks_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

/// All boxes of one line of the graph, from left to right.
std::vector<std::uint32_t> lineOf(const FlameGraph& graph, int y)
{
    std::vector<std::uint32_t> nodes;
    for (int x = 0; x < graph.width(); ++x) {
        const std::uint32_t node = graph.nodeAt({x, y});
        if (node != noIndex && (nodes.empty() || nodes.back() != node))
            nodes.push_back(node);
    }
    return nodes;
}

} // namespace

class StacksPanelTest : public QObject {
    Q_OBJECT

private slots:
    void fewLettersAreNoName()
    {
        const QFontMetrics metrics(QGuiApplication::font());
        const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text); };
        const QString name = "pthread_cond_timedwait";
        QCOMPARE(boxText(name, metrics, widthOf(name) + 1), name);
        QCOMPARE(boxText("main", metrics, widthOf("main") + 1), QString("main"));
        QCOMPARE(boxText(name, metrics, widthOf("p\u2026t") + 1), QString());
        const QString half = boxText(name, metrics, widthOf(name) / 2);
        QVERIFY2(half.size() > 5 && half.contains(QChar(0x2026)), qPrintable(half));
    }

    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_stacks_panel");
        QSettings().clear();
        const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
        QVERIFY(trace.ok());
        m_panel = std::make_unique<StacksPanel>(m_session, Theme::dark());
        m_panel->resize(1200, 500);
        m_panel->show();
        m_session.setTrace(trace.value(), buildRows(*trace.value()));
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->graph().content());
        choose("nvtx");
    }
    void cleanupTestCase() { m_panel.reset(); }

    void everySourceOfTheReportIsOffered()
    {
        for (const TimeTreeSource* const source : allTimeTreeSources())
            QCOMPARE(m_panel->sources().findData(QString::fromStdString(std::string(source->id))) >= 0,
                source->applies(m_session.trace()));
        QVERIFY(m_panel->sources().findData("cpu") < 0); // none were taken
        QCOMPARE(m_panel->commandWords(), (QStringList{"--source", "nvtx"}));
    }

    void narrowBoxesKeepTheirNames()
    {
        m_panel->resize(300, 500);
        const int letter = m_panel->fontMetrics().horizontalAdvance('x');
        QTRY_VERIFY(m_panel->width() < 1000);
        QVERIFY(m_panel->sources().width() >= 14 * letter);
        m_panel->resize(1200, 500);
    }

    void sourcesOfTorchTracesSpeakOfNoNvtx()
    {
        const auto trace = loadReport(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
        QVERIFY(trace.ok());
        Session session;
        StacksPanel panel(session, Theme::dark());
        panel.show();
        session.setTrace(trace.value(), buildRows(*trace.value()));
        QTRY_VERIFY(!panel.isBusy() && panel.graph().content());
        QCOMPARE(panel.sources().itemText(panel.sources().findData("nvtx")), "Annotated ranges on the host");
        for (int i = 0; i < panel.sources().count(); ++i)
            QVERIFY(!panel.sources().itemText(i).contains("NVTX"));
    }

    void whatTheExportLeftOutIsSaid()
    {
        const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/python_samples.sqlite");
        QVERIFY(trace.ok());
        const auto bare = std::make_shared<Trace>(*trace.value());
        bare->pythonChains.reset();
        Session session;
        StacksPanel panel(session, Theme::dark());
        panel.show();
        session.setTrace(bare, buildRows(*bare));
        QTRY_VERIFY(!panel.isBusy() && panel.graph().content());
        QCOMPARE(panel.sources().findData("python"), -1);
        const int line = panel.sources().findText("Python samples", Qt::MatchStartsWith);
        QVERIFY(line >= 0 && panel.sources().itemText(line).contains("--include-json=true"));
        QVERIFY(!(panel.sources().model()->index(line, 0).flags() & Qt::ItemIsEnabled));
        // The reason is in the list, and does not widen the box.
        const int withReason = panel.sources().sizeHint().width();
        QVERIFY(panel.sources().view()->minimumWidth() > withReason);
        session.setTrace(trace.value(), buildRows(*trace.value()));
        QTRY_VERIFY(panel.sources().findData("python") >= 0);
        QVERIFY(withReason <= panel.sources().sizeHint().width());
    }

    void boxesAreAsWideAsTheirShare()
    {
        FlameGraph& graph = m_panel->graph();
        const TimeTree& tree = graph.content()->tree;
        QCOMPARE(graph.nodeAt({graph.width() / 2, 3}), 0U);
        const std::uint32_t first = lineOf(graph, graph.middleOf(1).y()).front();
        int pixels = 0;
        for (int x = 0; x < graph.width(); ++x)
            pixels += graph.nodeAt({x, graph.middleOf(first).y()}) == first ? 1 : 0;
        const double share = double(tree.nodes()[first].total) / double(tree.total());
        QVERIFY(std::abs(pixels - share * graph.width()) <= 2);
        QVERIFY(graph.tipOf(first).contains("of all"));
    }

    void clicksZoomInAndOut()
    {
        FlameGraph& graph = m_panel->graph();
        const std::vector<std::uint32_t> deep = lineOf(graph, graph.middleOf(1).y() * 2);
        QVERIFY(!deep.empty());
        const std::uint32_t node = deep.back();
        QTest::mouseClick(&graph, Qt::LeftButton, {}, graph.middleOf(node));
        QCOMPARE(graph.zoomed(), node);
        QCOMPARE(lineOf(graph, graph.middleOf(node).y()), std::vector<std::uint32_t>{node});
        QTest::keyClick(&graph, Qt::Key_Backspace);
        QCOMPARE(graph.zoomed(), graph.content()->tree.nodes()[node].parent);
        QTest::mouseClick(&graph, Qt::LeftButton, {}, {graph.width() / 2, 3}); // the box of everything
        QCOMPARE(graph.zoomed(), 0U);
        graph.zoomTo(node);
        QTest::keyClick(&graph, Qt::Key_Escape);
        QCOMPARE(graph.zoomed(), 0U);
    }

    void theMouseLightsTheTimeline()
    {
        FlameGraph& graph = m_panel->graph();
        const ReportId report = m_session.report().id;
        const std::vector<EventRef> evidence{{EventKind::Kernel, 1}, {EventKind::Kernel, 5}};
        m_session.selection().setHighlighted(report, evidence);
        const std::vector<std::uint32_t> line = lineOf(graph, graph.middleOf(1).y() * 2);
        QVERIFY(!line.empty());
        QTest::mouseMove(&graph, graph.middleOf(line.front()));
        const StringId name = graph.content()->tree.nodes()[line.front()].frame.name;
        QTRY_VERIFY(m_session.selection().highlighted(report) != evidence);
        QVERIFY(!m_session.selection().highlighted(report).empty());
        for (const EventRef event : m_session.selection().highlighted(report))
            QVERIFY(event.kind == EventKind::Nvtx && m_session.trace().nvtx().name[event.index] == name);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&graph, &leave);
        QVERIFY(m_session.selection().highlighted(report) == evidence); // the previous marks are back
        // Those that a key makes while the mouse rests on a box stay.
        QTest::mouseMove(&graph, graph.middleOf(line.front()) + QPoint(1, 0));
        QTRY_VERIFY(m_session.selection().highlighted(report) != evidence);
        m_session.selection().markRange({1, 2}); // this changes none of them
        QCoreApplication::sendEvent(&graph, &leave);
        QVERIFY(m_session.selection().highlighted(report) == evidence);
        m_session.selection().markRange({});
        QTest::mouseMove(&graph, graph.middleOf(line.front()));
        QTRY_VERIFY(m_session.selection().highlighted(report) != evidence);
        const std::vector<EventRef> next{{EventKind::Kernel, 2}};
        m_session.selection().setHighlighted(report, next);
        QCoreApplication::sendEvent(&graph, &leave);
        QVERIFY(m_session.selection().highlighted(report) == next);
        // Those of a name come back as those of the name.
        const std::string kernel(m_session.trace().name({EventKind::Kernel, 1}));
        m_session.selection().highlightName(EventKind::Kernel, kernel);
        QTRY_VERIFY(m_session.selection().highlightedName().has_value());
        const std::vector<EventRef> named = m_session.selection().highlighted(report);
        QTest::mouseMove(&graph, graph.middleOf(line.front()) + QPoint(1, 0));
        QTRY_VERIFY(m_session.selection().highlighted(report) != named);
        QVERIFY(!m_session.selection().highlightedName());
        QCoreApplication::sendEvent(&graph, &leave);
        QVERIFY(m_session.selection().highlighted(report) == named);
        QVERIFY(m_session.selection().highlightedName() == (NameOfKind{EventKind::Kernel, kernel}));
        m_session.selection().clearHighlights();
    }

    void theRightButtonCopies()
    {
        FlameGraph& graph = m_panel->graph();
        const std::vector<std::uint32_t> line = lineOf(graph, graph.middleOf(1).y() * 2);
        QVERIFY(!line.empty());
        const std::uint32_t node = line.front();
        const auto copied = [&](int entry) {
            QApplication::clipboard()->clear();
            QTimer::singleShot(0, &graph, [entry] {
                auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                if (menu && menu->actions().size() > entry)
                    menu->actions()[entry]->trigger();
                if (menu)
                    menu->close();
            });
            const QPoint at = graph.middleOf(node);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, graph.mapToGlobal(at));
            QCoreApplication::sendEvent(&graph, &event);
            return QApplication::clipboard()->text();
        };
        const FlameContent& content = *graph.content();
        QCOMPARE(copied(0), content.names[node]);
        // The stack from the outermost on, a line each.
        QStringList stack;
        for (std::uint32_t at = node; at != 0; at = content.tree.nodes()[at].parent)
            stack.prepend(content.names[at]);
        QVERIFY(stack.size() > 1);
        QCOMPARE(copied(1).split('\n'), stack);
    }

    void twoRunsAreColoured()
    {
        // Half of the time of everything below the first box is gone in the other run.
        auto content = std::make_shared<FlameContent>(*m_panel->graph().content());
        for (const TimeNode& node : content->tree.nodes())
            content->compared.push_back({node.total, node.total});
        content->otherTotal = content->tree.total();
        FlameGraph graph(Theme::light());
        graph.resize(800, 300);
        graph.setContent(content);
        const std::uint32_t node = lineOf(graph, graph.middleOf(1).y() * 2).front();
        const QRgb same = graph.grab().toImage().pixel(graph.middleOf(node) - QPoint(0, 7));
        QCOMPARE(graph.changeAt(node).value(), 0.0);
        auto grown = std::make_shared<FlameContent>(*content);
        grown->compared[node].b = 0;
        graph.setContent(grown);
        QCOMPARE(graph.changeAt(node).value(), -1.0);
        const QColor gone = graph.grab().toImage().pixelColor(graph.middleOf(node) - QPoint(0, 7));
        QVERIFY(gone.rgb() != same);
        QVERIFY(gone.green() > gone.red());
        QVERIFY(graph.tipOf(node).contains("B 0"));
        graph.setContent(m_panel->graph().content());
        QVERIFY(!graph.changeAt(node));
    }

    void searchSaysWhatMatches()
    {
        QTest::keyClicks(&m_panel->search(), "forward");
        QVERIFY(m_panel->state().contains("match"));
        const TimeTree& tree = m_panel->graph().content()->tree;
        std::int64_t expected = 0;
        for (const TimeNode& node : tree.nodes())
            expected += m_session.trace().text(node.frame.name) == "forward" ? node.total : 0;
        QVERIFY(expected > 0);
        QCOMPARE(m_panel->graph().search("forward"), expected);
        m_panel->search().clear();
        QVERIFY(!m_panel->state().contains("match"));
    }

    void callersAndRange()
    {
        const std::int64_t all = m_panel->graph().content()->tree.total();
        QTest::mouseClick(&m_panel->callers(), Qt::LeftButton, {}, {8, m_panel->callers().height() / 2});
        QTRY_VERIFY(!m_panel->isBusy());
        QCOMPARE(m_panel->graph().content()->tree.total(), all);
        QCOMPARE(m_panel->graph().content()->tree.nodes()[1].frame.thread, GlobalId{0});
        m_panel->callers().setChecked(false);
        const TimeRange session = m_session.session();
        m_session.time().selectRange({session.start, session.start + session.duration() / 2});
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->graph().content()->tree.total() < all);
        m_session.time().selectRange({});
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->graph().content()->tree.total() == all);
    }

    void oneThread()
    {
        const std::int64_t all = m_panel->graph().content()->tree.total();
        std::int64_t sum = 0;
        for (int i = 1; i < m_panel->threads().count(); ++i) {
            m_panel->threads().setCurrentIndex(i);
            emit m_panel->threads().activated(i);
            QTRY_VERIFY(!m_panel->isBusy());
            sum += m_panel->graph().content()->tree.total();
        }
        QCOMPARE(sum, all);
    }

    /// Rows of a GPU have no threads, and a chosen thread goes before those of rows.
    void onlyRowsOfThreadsNarrow()
    {
        const auto noticed = [&] {
            const auto* const notice = m_panel->findChild<RangeNotice*>();
            return notice->isHidden() ? QString() : notice->text();
        };
        m_panel->threads().setCurrentIndex(0);
        emit m_panel->threads().activated(0);
        QTRY_VERIFY(!m_panel->isBusy());
        QCOMPARE(noticed(), QString());
        const std::int64_t all = m_panel->graph().content()->tree.total();
        const RowTree& rows = *m_session.report().rows;
        const Trace& trace = m_session.trace();
        m_session.selection().selectRows({rows.rowOf(trace.trackOf({EventKind::ApiCall, 0}))});
        const QString narrowed = noticed();
        QVERIFY(!narrowed.isEmpty() && m_panel->leftOut().rows);
        m_panel->threads().setCurrentIndex(1);
        QVERIFY(noticed() != narrowed && !m_panel->leftOut().rows);
        m_panel->threads().setCurrentIndex(0);
        QCOMPARE(noticed(), narrowed);
        m_session.selection().selectRows({rows.rowOf(trace.trackOf({EventKind::Kernel, 0}))});
        QVERIFY(!noticed().isEmpty() && noticed() != narrowed && !m_panel->leftOut().rows);
        QTRY_VERIFY(!m_panel->isBusy());
        QCOMPARE(m_panel->graph().content()->tree.total(), all);
        m_session.selection().selectRows({});
        QTRY_VERIFY(!m_panel->isBusy());
    }

    /// Boxes narrower than a pixel are drawn together: a gap would look like time of the box above.
    void narrowBoxesAreToldTogether()
    {
        auto pool = std::make_shared<StringPool>();
        auto trace = std::make_shared<Trace>();
        trace->pool = pool;
        TimeTree tree;
        const std::uint32_t top = tree.child(0, {.name = pool->intern("top")});
        tree.addSelf(tree.child(top, {.name = pool->intern("wide")}), 9000);
        for (int i = 0; i < 1000; ++i)
            tree.addSelf(tree.child(top, {.name = pool->intern("thin" + std::to_string(i))}), 1);
        tree.finish();
        FlameGraph graph(Theme::light());
        graph.resize(500, 200);
        graph.setContent(flameContent(trace, std::move(tree), TimeTreeUnit::Samples, {}));
        graph.show();
        const QPoint wide = graph.middleOf(2);
        const QPoint thin(490, wide.y());
        QCOMPARE(graph.nodeAt(wide), 2U);
        QCOMPARE(graph.nodeAt(thin), noIndex);
        // Sent: the panel's window lies below, and the platform may give the move to that one.
        QMouseEvent move(QEvent::MouseMove, thin, graph.mapToGlobal(thin), Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(&graph, &move);
        QVERIFY2(graph.toolTip().contains("1,000 more"), qPrintable(graph.toolTip()));
        QVERIFY2(graph.toolTip().contains("10.0%"), qPrintable(graph.toolTip()));
        QTest::mouseClick(&graph, Qt::LeftButton, {}, thin);
        QCOMPARE(graph.zoomed(), 0U);
    }

    /// The flame graph of B is of the range that lies below the one selected in A: each run has its own
    /// clock.
    void aRangeOfBothRuns()
    {
        constexpr Ns ms = 1'000'000;
        const auto drawn = [](Ns start, std::initializer_list<Ns> ranges) {
            DrawnProgram program;
            Ns at = start;
            program.kernel("work", at, {at + 10'000, at + 20'000});
            for (const Ns length : ranges) {
                program.range("part", {at, at + length});
                at += 10 * ms;
            }
            program.kernel("work", at, {at + 10'000, at + 20'000});
            return program.finish();
        };
        const auto workspaceOf = [](const char* label, std::shared_ptr<const Trace> trace) {
            OpenReport report;
            report.label = label;
            report.rows = buildRows(*trace);
            report.trace = std::move(trace);
            return Workspace({report});
        };
        Session session;
        StacksPanel panel(session, Theme::light());
        panel.resize(900, 400);
        panel.show();
        session.setWorkspace(workspaceOf("before.sqlite", drawn(0, {1 * ms, 2 * ms, 3 * ms})));
        QTRY_VERIFY(!panel.isBusy() && panel.graph().content());
        panel.sources().setCurrentIndex(panel.sources().findData("nvtx"));
        emit panel.sources().activated(panel.sources().currentIndex());
        QTRY_VERIFY(!panel.isBusy());
        const auto leastWidth = [&] {
            QCoreApplication::sendPostedEvents(); // the layout has its sizes then
            return panel.minimumSizeHint().width();
        };
        const int leastAlone = leastWidth();
        constexpr Ns late = 700 * ms;
        RunPair& pair = session.pair();
        pair.compareWith(workspaceOf("after.sqlite", drawn(late, {4 * ms, 5 * ms, 6 * ms})));
        QTRY_VERIFY(pair.isOn() && !pair.isBusy());
        pair.alignAt(session.session().start, pair.b().session().start);
        const auto totals = [&] {
            const auto& content = panel.graph().content();
            return std::pair(content->tree.total(), content->otherTotal);
        };
        QTRY_COMPARE(totals(), (std::pair<std::int64_t, std::int64_t>(6 * ms, 15 * ms)));
        // The meaning of the colors is cut where it has no room: in large text it would widen the window.
        QVERIFY2(panel.state().contains("red: larger share in B"), qPrintable(panel.state()));
        const int wider = leastWidth() - leastAlone;
        QVERIFY2(wider <= 10 * panel.fontMetrics().averageCharWidth(), qPrintable(QString::number(wider)));
        const Ns start = session.session().start;
        session.time().selectRange({start + 9 * ms, start + 19 * ms}); // the second of each
        QTRY_COMPARE(totals(), (std::pair<std::int64_t, std::int64_t>(2 * ms, 5 * ms)));
        pair.alignAt(start, pair.b().session().start + 10 * ms); // the third of B below the second of A
        QTRY_COMPARE(totals(), (std::pair<std::int64_t, std::int64_t>(2 * ms, 6 * ms)));
        session.time().selectRange({});
        QTRY_COMPARE(totals(), (std::pair<std::int64_t, std::int64_t>(6 * ms, 15 * ms)));
        // Which rows correspond is known when all else has been shown for long.
        QTRY_VERIFY(!panel.isBusy());
        const QSignalSpy updated(&panel, &Panel::updated);
        session.selection().selectRows(session.rowView().visibleChildren(RowTree::root));
        QTRY_VERIFY(!updated.isEmpty() && !panel.isBusy());
        const qsizetype before = updated.count();
        emit pair.matched();
        QTRY_VERIFY(updated.count() > before);
    }

private:
    void choose(const QString& id)
    {
        QComboBox& sources = m_panel->sources();
        sources.setCurrentIndex(sources.findData(id));
        emit sources.activated(sources.currentIndex());
        QTRY_VERIFY(!m_panel->isBusy());
    }

    Session m_session;
    std::unique_ptr<StacksPanel> m_panel;
};

WARPLINE_TEST(StacksPanelTest)

} // namespace tst_stacks_panel

#include "tst_stacks_panel.moc"
