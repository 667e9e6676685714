// Which rows are shown and how deep, with a real mouse and real keys: the filter field, sets, chips, rows
// without visible events, thin lanes, the depth handle, and the row that stays under the mouse.

#include "core/base/message_names.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/workspace/drawn_exchanges.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/style/color_choice.h"
#include "views/style/event_colors.h"
#include "views/timeline/overview.h"
#include "views/timeline/painters/paint_context.h"
#include "views/timeline/row_bar.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/row_label_texts.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <map>
#include <new>
#include <tuple>

namespace tst_rows {

using namespace warpline;
using namespace warpline::test;

class RowsTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void termsAreUnderstood_data();
    void termsAreUnderstood();
    void typingFiltersRows();
    void chipsUndo();
    void setsChooseKinds();
    void myRowsAreKept();
    void rowsWithoutEventsInViewStepAside();
    void patternPins();
    void jumpsShowTheirRow();
    void menusOfAnotherReportClose();
    void replacedRowsAreFilteredAnew();
    void pathsOfRowsAreShort();
    void idleGpusStandAside();
    void nothingIsTooDeep();
    void rowsFollowTheTextSize();
    void whatSharesALineIsAllSeen();
    void everyPixelIsPainted_data();
    void everyPixelIsPainted();
    void pinnedRowsAreToldApart();
    void aRowThatIsOnlyPinnedIsNotMoved();
    void aDraggedRowMayGo();
    void dragsOfLabelsEndWithTheirRows();
    void aLongFigureLeavesTheLabel();
    void deepProjectionsLeaveKernelsInSight();
    void depthHandleIsDragged();
    void extraHeightGoesToThinLanes();
    void rowUnderTheMouseStays();
    void chipsOfAnotherReportComeBeforeItsRows();
    void foldedRowsShowWhatRunsBeside();
    void picturesWithoutMemoryAreThrown();

private:
    RowId row(const std::string& label) const;
    bool isShown(const std::string& label) const;
    QStringList shown() const;
    QWidget* rows() const { return m_pane->view().viewport(); }
    void trigger(const QString& text) const;
    EventRef deepest() const;
};

void RowsTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_rows");
    DrawnProgram program;
    program.kernel("gemm", 0, {10 * us, 30 * us});
    program.kernel("ncclDevKernel_AllReduce", 35 * us, {40 * us, 90 * us}, {.stream = 13});
    program.copy({100 * us, 101 * us}, {105 * us, 120 * us});
    program.libraryCall("MPI", "MPI_Barrier", {150 * us, 160 * us});
    program.event(EventKind::OsRuntime, "poll", {10 * us, 20 * us});
    // Ranges inside ranges, twenty deep.
    for (Ns i = 0; i < 20; ++i)
        program.range("depth " + std::to_string(i), {i * us, (400 - i) * us});
    program.metric("SMs Active [Throughput %]", {0, 400 * us}, 10 * us, 50);
    // A GPU that a process opened and gave nothing.
    program.kernel("gemm", 200 * us, {210 * us, 230 * us}, {.device = 1});
    m_trace = program.finish();
    m_rows = buildRows(*m_trace);
}

void RowsTest::init()
{
    QSettings().clear();
    ColorChoice::shared().reload();
    ColorChoice::shared().setBy(ColorBy::Kind);
    showPane({1200, 700});
}

RowId RowsTest::row(const std::string& label) const
{
    for (std::uint32_t i = 1; i < m_rows->size(); ++i) {
        if (plain(m_rows->row(RowId{i}).label).starts_with(label))
            return RowId{i};
    }
    return RowTree::root;
}

QStringList RowsTest::shown() const
{
    QStringList labels;
    RowLayout layout;
    layout.setFilter(&m_pane->rowFilter());
    layout.rebuild(*m_session);
    for (const PlacedRow& placed : layout.rows())
        labels << QString::fromStdString(plain(m_rows->row(placed.row).label));
    return labels;
}

bool RowsTest::isShown(const std::string& label) const
{
    return std::ranges::any_of(
        shown(), [&](const QString& each) { return each.startsWith(QString::fromStdString(label)); });
}

void RowsTest::trigger(const QString& text) const
{
    auto* const button = m_pane->findChild<QToolButton*>("row-sets");
    emit button->menu()->aboutToShow();
    for (QAction* const action : button->menu()->actions()) {
        if (action->text() == text) {
            QVERIFY(action->isEnabled());
            action->trigger();
            return;
        }
    }
    QFAIL(qPrintable(text));
}

EventRef RowsTest::deepest() const
{
    for (EventIndex i = 0; i < m_trace->nvtx().size(); ++i) {
        if (m_trace->name({EventKind::Nvtx, i}) == "depth 19")
            return {EventKind::Nvtx, i};
    }
    return {};
}

void RowsTest::termsAreUnderstood_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("nothing") << ""
                             << "GPU 0 Kernels" << true;
    QTest::newRow("word") << "kern"
                          << "GPU 0 Kernels" << true;
    QTest::newRow("other word") << "memory"
                                << "GPU 0 Kernels" << false;
    QTest::newRow("all words") << "gpu kern"
                               << "GPU 0 Kernels" << true;
    QTest::newRow("one word lacks") << "gpu 1 kern"
                                    << "GPU 0 Kernels" << false;
    QTest::newRow("either") << "memory, kern"
                            << "GPU 0 Kernels" << true;
    QTest::newRow("without") << "-kern"
                             << "GPU 0 Kernels" << false;
    QTest::newRow("without another") << "-memory"
                                     << "GPU 0 Kernels" << true;
    QTest::newRow("with and without") << "gpu -memory"
                                      << "GPU 0 Memory" << false;
    QTest::newRow("expression") << "/stream (7|13)/"
                                << "GPU 0 Stream 13" << true;
    QTest::newRow("expression lacks") << "/stream (7|13)$/"
                                      << "GPU 0 Stream 17" << false;
    QTest::newRow("half an expression") << "/stream (7/"
                                        << "GPU 0 Stream 17" << true;
    QTest::newRow("expression with many ways to fail")
        << "/^((.)|(..)|(...)|(....))*[!?]$/" << QString(400, 'a') << false;
    QTest::newRow("only marks") << " - , ,, "
                                << "GPU 0" << true;
}

void RowsTest::termsAreUnderstood()
{
    QFETCH(QString, text);
    QFETCH(QString, path);
    QFETCH(bool, accepted);
    QCOMPARE(RowTerms(text).accepts(path), accepted);
    QCOMPARE(RowTerms(text).isSound(), text != "/stream (7/");
    QVERIFY(!RowTerms(text + QString(", z").repeated(200)).isSound()); // a view may bring any number
    QVERIFY(!RowTerms(text + QString("/z/ ").repeated(200)).isSound());
}

void RowsTest::typingFiltersRows()
{
    auto* const box = m_pane->findChild<QLineEdit*>("row-filter");
    QVERIFY(box);
    const qsizetype before = shown().size();
    QTest::keyClicks(box, "stream 13");
    QVERIFY(isShown("Stream 13"));
    QVERIFY(isShown("GPU 0")); // its parent stays
    QVERIFY(!isShown("Stream 7") && !isShown("CUDA API"));
    QVERIFY(shown().size() < before);
    box->clear();
    QTest::keyClicks(box, "-cuda -gpu");
    QVERIFY(!isShown("GPU 0") && !isShown("CUDA API"));
    box->clear();
    QCOMPARE(shown().size(), before);
    // Folded rows open where something is found inside, and fold again.
    for (const RowId each : m_rows->subtree(RowTree::root))
        m_session->rowView().setExpanded(each, false);
    QVERIFY(!isShown("Stream 13"));
    QTest::keyClicks(box, "stream 13");
    QVERIFY(isShown("Stream 13"));
    box->clear();
    QVERIFY(!isShown("Stream 13"));
    // What cannot be read has the theme's colour for mistakes.
    QTest::keyClicks(box, "/stream (7/");
    for (const Theme& theme : {Theme::dark(), Theme::light()}) {
        m_pane->setPalette(theme.palette());
        QCOMPARE(box->palette().color(QPalette::Text), theme.bad);
        QCOMPARE(box->palette().color(QPalette::Base), theme.palette().color(QPalette::Base));
    }
    box->clear();
    QCOMPARE(box->palette().color(QPalette::Text), Theme::light().text);
}

void RowsTest::chipsUndo()
{
    RowChips& chips = m_pane->chips();
    QVERIFY(!chips.isVisible());
    m_pane->rowFilter().setText("stream");
    m_session->rowView().setHidden(row("CUDA API"), true);
    QCOMPARE(chips.texts(), (QStringList{"rows: stream", "1 row hidden"}));
    QVERIFY(chips.isVisible() && chips.height() > 10);
    const auto click = [&](int index) {
        const auto buttons = chips.findChildren<QToolButton*>("chip");
        QTest::mouseClick(buttons.at(index), Qt::LeftButton);
    };
    click(0);
    QCOMPARE(chips.texts(), QStringList("1 row hidden"));
    QVERIFY(m_pane->findChild<QLineEdit*>("row-filter")->text().isEmpty());
    click(0);
    QVERIFY(chips.texts().isEmpty() && !chips.isVisible());
    QVERIFY(isShown("CUDA API"));
}

void RowsTest::setsChooseKinds()
{
    trigger("&Compute");
    QVERIFY(isShown("Stream 7") && !isShown("CUDA API") && !isShown("SMs Active"));
    QCOMPARE(m_pane->chips().texts(), QStringList("only compute"));
    trigger("C&ommunication");
    QVERIFY(isShown("Stream 13") && isShown("MPI") && !isShown("Stream 7") && !isShown("OS runtime"));
    trigger("&Host");
    QVERIFY(isShown("CUDA API") && !isShown("Stream 7"));
    trigger("&Metrics");
    QVERIFY(isShown("SMs Active") && !isShown("CUDA API"));
    trigger("&All rows");
    QVERIFY(m_pane->chips().texts().isEmpty());
}

void RowsTest::myRowsAreKept()
{
    const RowId api = row("CUDA API");
    QMenu menu;
    m_pane->fillMenu(menu, {api, {}});
    const auto find = [&](const QString& text) {
        const auto actions = menu.actions();
        const auto found = std::ranges::find(actions, text, &QAction::text);
        return found == actions.end() ? nullptr : *found;
    };
    QVERIFY(find("&Add to my rows"));
    find("&Add to my rows")->trigger();
    trigger("M&y rows");
    QVERIFY(isShown("CUDA API") && !isShown("Stream 7"));
    menu.clear();
    m_pane->fillMenu(menu, {api, {}});
    QVERIFY(find("Re&move from my rows"));
    find("Re&move from my rows")->trigger();
    QVERIFY(RowFilter::mine().isEmpty());
}

void RowsTest::rowsWithoutEventsInViewStepAside()
{
    m_session->time().show({5 * us, 35 * us}); // the first kernel, no copy, no MPI
    trigger("Only rows with &events in view");
    QTRY_VERIFY(!isShown("MPI"));
    QVERIFY(isShown("Stream 7") && !isShown("Stream 13"));
    m_session->time().show({145 * us, 165 * us});
    QTRY_VERIFY(isShown("MPI"));
    QTRY_VERIFY(!isShown("Stream 7"));
    QCOMPARE(m_pane->chips().texts(), QStringList("only rows with events in view"));
    // In a row that stays, lanes without visible events take no room: two of twenty begin before 1.2 us.
    const RowId ranges = m_rows->rowOf(m_trace->trackOf(deepest()));
    const auto heightOfRanges = [&] {
        const PlacedRow* const placed = m_pane->view().visibleRowOf({ReportId{}, deepest()});
        return placed && placed->row == ranges ? placed->height : 0;
    };
    QCOMPARE(heightOfRanges(), 16 * 18 + 4 * 3 + 3);
    m_session->time().show({1'200, 1'800});
    QTRY_COMPARE(heightOfRanges(), 2 * 18 + 3);
    QTest::mouseClick(m_pane->chips().findChild<QToolButton*>("chip"), Qt::LeftButton);
    QVERIFY(isShown("Stream 7"));
    QCOMPARE(heightOfRanges(), 16 * 18 + 4 * 3 + 3);
}

void RowsTest::patternPins()
{
    auto* const box = m_pane->findChild<QLineEdit*>("row-filter");
    QTest::keyClicks(box, "/stream (7|13)/");
    QTest::keyClick(box, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(
        m_session->rowView().isPinned(row("Stream 13")) && m_session->rowView().isPinned(row("Stream 7")));
    QVERIFY(!m_session->rowView().isPinned(row("CUDA API")));
}

void RowsTest::jumpsShowTheirRow()
{
    m_pane->rowFilter().setText("stream");
    const EventRef call{EventKind::ApiCall, 0};
    QVERIFY(!isShown("CUDA API"));
    m_session->selection().goTo({ReportId{}, call});
    QVERIFY(isShown("CUDA API"));
    QVERIFY(m_pane->view().visibleRowOf({ReportId{}, call}));
    m_pane->rowFilter().setText("streams"); // another text: exceptions to the first are over
    QVERIFY(!isShown("CUDA API"));
}

/// A menu's row has another number as soon as there is more of the report, or another one.
void RowsTest::menusOfAnotherReportClose()
{
    QMenu menu;
    m_pane->fillMenu(menu, {m_session->rows().row(RowTree::root).children.front(), {}});
    menu.popup(QPoint());
    QVERIFY(menu.isVisible());
    m_session->setTrace(m_session->sharedTrace(), m_session->workspace().report(ReportId{}).rows);
    QVERIFY(!menu.isVisible());
    m_session->setExchanges(drawnExchanges({0, 1}));
    menu.popup(QPoint());
    QVERIFY(menu.isVisible());
    m_session->setExchanges(drawnExchanges({1})); // rows of a rank that was chosen by hand
    QVERIFY(!menu.isVisible());
}

/// A row of exchanges to which a jump led is left out again when another has its number; one of a report
/// stays.
void RowsTest::replacedRowsAreFilteredAnew()
{
    m_pane->rowFilter().setText("stream");
    const RowId kept = row("CUDA API");
    m_session->rowView().reveal(kept);
    m_session->setExchanges(drawnExchanges({0, 1}));
    const RowId last{static_cast<std::uint32_t>(m_session->rows().size() - 1)};
    QVERIFY(!m_pane->rowFilter().passes(last));
    m_session->rowView().reveal(last);
    QVERIFY(m_pane->rowFilter().passes(last));
    m_session->setExchanges(drawnExchanges({0, 2})); // as many rows
    QVERIFY(!m_pane->rowFilter().passes(last) && m_pane->rowFilter().passes(kept));
    m_session->rowView().reveal(last);
    m_session->setExchanges(nullptr); // fewer
    QVERIFY(m_pane->rowFilter().passes(kept) && !m_pane->rowFilter().passes(row("MPI")));
}

/// A process may be named by a text of a megabyte, and have thousands of threads.
void RowsTest::pathsOfRowsAreShort()
{
    RowTree rows;
    Row process;
    process.label = nameMessage(std::string(1'000'000, 'p'));
    const RowId above = rows.add(RowTree::root, process);
    Row thread;
    thread.label = nameMessage("main");
    const RowId below = rows.add(above, thread);
    const std::vector<QString> paths = rowPaths(rows, "/");
    QVERIFY(paths[raw(above)].size() <= 500);
    QCOMPARE(paths[raw(below)], paths[raw(above)] + "/main");
}

void RowsTest::idleGpusStandAside()
{
    // The kernels of GPU 1 become its synchronizations: rows, but no work.
    auto trace = std::make_shared<Trace>(*m_trace);
    auto kernels = std::make_shared<KernelTable>(m_trace->kernels());
    auto waits = std::make_shared<EventTable>();
    waits->kind = EventKind::Synchronization;
    EventTable& copy = *waits;
    static_cast<EventTable&>(copy) = static_cast<const EventTable&>(m_trace->kernels());
    copy.kind = EventKind::Synchronization;
    for (Track& track : copy.tracks) {
        track.device = 1;
        track.context = 2; // of a GPU without work
    }
    for (Track& track : kernels->tracks)
        track.device = 0;
    trace->tables[indexOf(EventKind::Kernel)] = kernels;
    trace->tables[indexOf(EventKind::Synchronization)] = waits;
    m_session->setTrace(trace, buildRows(*trace));
    const auto gpus = [&] {
        RowLayout layout;
        layout.setFilter(&m_pane->rowFilter());
        layout.rebuild(*m_session);
        return std::ranges::count_if(layout.rows(), [&](const PlacedRow& placed) {
            return placed.depth == 0 && m_session->rows().row(placed.row).key.starts_with("cuda-hw:");
        });
    };
    QCOMPARE(gpus(), 1);
    QCOMPARE(m_pane->chips().texts(), QStringList("1 GPU without work"));
    QTest::mouseClick(m_pane->chips().findChild<QToolButton*>("chip"), Qt::LeftButton);
    QCOMPARE(gpus(), 2);
}

void RowsTest::nothingIsTooDeep()
{
    const EventRef event = deepest();
    QVERIFY(event.valid());
    QCOMPARE(m_trace->nvtx().depthOf(event.index), 19U);
    m_session->time().show({0, 400 * us});
    m_session->selection().selectRows({m_rows->rowOf(m_trace->trackOf(event))});
    m_pane->view().ensureVisible(m_rows->rowOf(m_trace->trackOf(event)));
    const PlacedRow* const placed = m_pane->view().visibleRowOf({ReportId{}, event});
    const Row& row = m_rows->row(placed->row);
    const RowLanes lanes = RowLanes::of(*m_session, row);
    QCOMPARE(lanes.full, 16);
    QCOMPARE(lanes.thin, 4);
    QCOMPARE(placed->height, 16 * 18 + 4 * 3 + 3);
    const QRect area(0, placed->y - m_pane->view().offset(), rows()->width(), placed->height);
    const QRect lane = lanes.area(area, 19);
    QCOMPARE(lane.height(), 3);
    const QPoint at(static_cast<int>(m_pane->view().axis().xAt(200 * us)), lane.center().y());
    QVERIFY(rows()->rect().contains(at));
    EventColors colors(m_trace, Theme::light(), ColorBy::Kind);
    QCOMPARE(rows()->grab().toImage().pixelColor(at).rgb(), colors(event));
    QTest::mouseClick(rows(), Qt::LeftButton, {}, at);
    QCOMPARE(m_session->selection().ownCurrentEvent(), event);
    // Deeper lanes share the last line.
    RowLanes few{1, 2};
    QCOMPARE(few.area(area, 7), few.area(area, 2));
}

/// Up to 10 points all is as it was; above, rows and the heads of runs have room for their text.
void RowsTest::rowsFollowTheTextSize()
{
    const QFont before = QApplication::font();
    const auto asBefore = qScopeGuard([&before] { QApplication::setFont(before); });
    for (const auto& [points, lane, head, curve] :
        {std::tuple(9, 18, 21, 34), std::tuple(10, 18, 21, 34), std::tuple(14, 25, 29, 48)}) {
        QFont font = before;
        font.setPointSize(points);
        QApplication::setFont(font);
        showPane({1200, 800});
        QCOMPARE(m_pane->overview().height(), curve); // two lines beside it name a run of a comparison
        RowLayout layout;
        layout.rebuild(*m_session);
        QVERIFY(!layout.rows().empty());
        bool hasLanes = false;
        for (const PlacedRow& placed : layout.rows()) {
            const Row& row = m_rows->row(placed.row);
            if (row.drawing == Drawing::Slices) {
                const RowLanes lanes = RowLanes::of(*m_session, row);
                QCOMPARE(placed.height, lanes.full * lane + lanes.thin * 3 + 3);
                QCOMPARE(lanes.area({0, 0, 100, placed.height}, 0).height(), lane - 1);
                hasLanes = true;
            } else {
                const bool isCurve = row.drawing == Drawing::Curve || row.drawing == Drawing::Steps;
                QCOMPARE(placed.height, isCurve ? curve : head);
            }
        }
        QVERIFY(hasLanes);
    }
}

void RowsTest::whatSharesALineIsAllSeen()
{
    // More ranges inside ranges than there are lines: the last line has all that are left.
    DrawnProgram program;
    const int deepestLine = RowView::usualDepth(Row()) - 1 + RowLanes::maxThinLines;
    for (Ns i = 0; i < deepestLine + 20; ++i)
        program.range("depth " + std::to_string(i), {i * us, (1000 - i) * us});
    const std::shared_ptr<const Trace> trace = program.finish();
    const std::shared_ptr<const RowTree> tree = buildRows(*trace);
    m_session->setTrace(trace, tree);
    for (const RowId row : tree->subtree(RowTree::root))
        m_session->rowView().setExpanded(row, true);
    m_pane->resize(1200, 1600); // nothing scrolls
    m_session->time().show({0, 1000 * us});
    const EventRef event{EventKind::Nvtx, 0};
    const PlacedRow* const placed = m_pane->view().visibleRowOf({ReportId{}, event});
    const QRect area(0, placed->y - m_pane->view().offset(), rows()->width(), placed->height);
    const RowLanes lanes = RowLanes::of(*m_session, tree->row(placed->row));
    QCOMPARE(lanes.count(), deepestLine + 1);
    const int y = lanes.area(area, deepestLine).center().y();
    QVERIFY(rows()->rect().contains(0, y));
    const QImage image = rows()->grab().toImage();
    // Where the deepest range is not, but the first that has this line.
    const Ns onlyFirst = (deepestLine + 6) * us;
    const QColor there = image.pixelColor(static_cast<int>(m_pane->view().axis().xAt(onlyFirst)), y);
    const QColor outside
        = image.pixelColor(static_cast<int>(m_pane->view().axis().xAt(deepestLine * us / 2)), y);
    QVERIFY(there != outside);
}

void RowsTest::everyPixelIsPainted_data()
{
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 1.25, 1.5, 2.0})
        QTest::addRow("%g", ratio) << ratio;
}

void RowsTest::everyPixelIsPainted()
{
    // Rows paint the background only where no content covers it: the previous content must not shine through,
    // with rows collapsed, pinned, empty or partly out of view.
    QFETCH(const double, ratio);
    const QColor before(255, 0, 255);
    const auto isAllNew = [&] {
        // Logical pixels that the picture holds in full.
        QImage image((QSizeF(rows()->size()) * ratio).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        image.fill(before);
        rows()->render(&image);
        for (int y = 0; y < image.height(); ++y) {
            const auto* const line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            if (std::find(line, line + image.width(), before.rgb()) != line + image.width())
                return false;
        }
        return true;
    };
    QVERIFY(isAllNew());
    m_session->time().show({10 * us, 120 * us});
    QVERIFY(isAllNew());
    m_session->time().show({390 * us, 400 * us}); // hardly anything
    QVERIFY(isAllNew());
    m_session->time().showAll();
    m_session->rowView().setPinned(m_rows->rowOf(m_trace->trackOf({EventKind::ApiCall, 0})), true);
    m_pane->resize(1200, 400);
    m_pane->view().verticalScrollBar()->setValue(37);
    QVERIFY(isAllNew());
    for (const RowId row : m_rows->subtree(RowTree::root))
        m_session->rowView().setExpanded(row, false);
    QVERIFY(isAllNew());
}

void RowsTest::pinnedRowsAreToldApart()
{
    RowLabelTexts texts(*m_session, *m_pane);
    std::map<QString, std::string> seen;
    for (const RowId id : m_rows->subtree(RowTree::root)) {
        const Row& row = m_rows->row(id);
        if (row.drawing == Drawing::Header)
            continue;
        constexpr int roomForAll = 1000;
        const PlacedRow placed{id, 0, 0, 18, true, false, false};
        const QString label = texts.of(placed, roomForAll).label.text();
        const auto [before, isNew] = seen.try_emplace(label, row.key);
        QVERIFY2(
            isNew, qPrintable(QString("%1: %2 and %3").arg(label, before->second.c_str(), row.key.c_str())));
    }
    QVERIFY(seen.contains("GPU 0 Process [100] \u00b7 Kernels"));
    QVERIFY(seen.contains("GPU 1 Process [100] \u00b7 Kernels"));
}

/// Its label can be dragged, but while its parent is closed there is no place to move it to.
void RowsTest::aRowThatIsOnlyPinnedIsNotMoved()
{
    const RowId pinned = row("CUDA API");
    const RowId parent = m_rows->row(pinned).parent;
    const std::vector<RowId> siblings = m_session->rowView().visibleChildren(parent);
    QVERIFY(siblings.size() > 1 && siblings.back() != pinned);
    m_session->rowView().setPinned(pinned, true);
    m_session->rowView().setExpanded(parent, false);
    QWidget& labels = m_pane->labels();
    const QPoint press(labels.width() - 40, 10);
    const QPoint above(press.x(), -5); // there is no row
    QTest::mousePress(&labels, Qt::LeftButton, {}, press);
    QTest::mouseMove(&labels, above + QPoint(0, -20));
    QTest::mouseMove(&labels, above);
    labels.grab(); // paints where it would land
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, above);
    QCOMPARE(m_session->rowView().visibleChildren(parent), siblings);
}

/// As by a filter that knows the rows with events in view only now, or by a key.
void RowsTest::aDraggedRowMayGo()
{
    const RowId first = m_session->rowView().visibleChildren(RowTree::root).front();
    QWidget& labels = m_pane->labels();
    const QPoint press(labels.width() - 40, 10);
    const QPoint below(press.x(), labels.height() - 2);
    QVERIFY(m_session->rowView().visibleChildren(RowTree::root).size() > 1);
    m_session->rowView().setExpandedBelow(RowTree::root, false); // below the rows there is room
    QTest::mousePress(&labels, Qt::LeftButton, {}, press);
    QTest::mouseMove(&labels, press + QPoint(0, 40));
    QTest::mouseMove(&labels, below);
    m_session->rowView().setHidden(first, true);
    labels.grab();
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, below);
    m_session->rowView().setHidden(first, false);
    QCOMPARE(m_session->rowView().visibleChildren(RowTree::root).front(), first);
}

/// In another report, and among other exchanges, its number is that of another row, or of none.
void RowsTest::dragsOfLabelsEndWithTheirRows()
{
    QWidget& labels = m_pane->labels();
    const QPoint label(labels.width() - 40, 10);
    const auto openAnother = [&] { m_session->setTrace(std::make_shared<Trace>(*m_trace), m_rows); };
    QTest::mousePress(&labels, Qt::LeftButton, {}, label);
    openAnother();
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, label);
    QVERIFY(m_session->selection().selectedRows().empty());
    m_session->setExchanges(drawnExchanges({0, 1}));
    QTest::mousePress(&labels, Qt::LeftButton, {}, label);
    m_session->setExchanges(drawnExchanges({1}));
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, label);
    QVERIFY(m_session->selection().selectedRows().empty());
    m_session->setExchanges(nullptr);
    // Rows of a report keep their numbers then.
    m_session->setExchanges(drawnExchanges({1}));
    RowLayout layout;
    layout.rebuild(*m_session);
    const auto own = std::ranges::find_if(
        layout.rows(), [&](const PlacedRow& placed) { return !m_session->workspace().isOfAll(placed.row); });
    QVERIFY(own != layout.rows().end());
    const std::vector<RowId> kept{own->row};
    const QPoint below(label.x(), layout.screenY(*own, m_pane->view().offset()) + 10);
    QTest::mousePress(&labels, Qt::LeftButton, {}, below);
    m_session->setExchanges(drawnExchanges({2})); // as many rows
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, below);
    QCOMPARE(m_session->selection().selectedRows(), kept);
    // A range that is dragged along a row leaves them selected.
    const QPoint from(100, below.y());
    QTest::mousePress(rows(), Qt::LeftButton, {}, from);
    m_session->setExchanges(drawnExchanges({1}));
    QTest::mouseMove(rows(), from + QPoint(60, 0));
    QTest::mouseMove(rows(), from + QPoint(120, 0));
    QTest::mouseRelease(rows(), Qt::LeftButton, {}, from + QPoint(120, 0));
    QVERIFY(!m_session->time().selectedRange().empty());
    QCOMPARE(m_session->selection().selectedRows(), kept);
    m_session->selection().selectRows({});
    m_session->setExchanges(nullptr);
    layout.rebuild(*m_session);
    const PlacedRow first = layout.rows().front();
    const QPoint edge(60, first.height);
    QTest::mousePress(&labels, Qt::LeftButton, {}, edge);
    openAnother();
    QTest::mouseMove(&labels, edge + QPoint(0, 40));
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, edge + QPoint(0, 40));
    QCOMPARE(m_session->rowView().rowScale(first.row), 1.0);
}

void RowsTest::aLongFigureLeavesTheLabel()
{
    RowLabelTexts texts(*m_session, *m_pane);
    const auto hasFigure = [&](const Row& row) { return !texts.figureOf(row).isEmpty(); };
    const std::vector<RowId> all = m_rows->subtree(RowTree::root);
    const auto id = std::ranges::find_if(all, [&](RowId each) { return hasFigure(m_rows->row(each)); });
    QVERIFY(id != all.end());
    const PlacedRow placed{*id, 0, 0, 18, false, false, false};
    const QString label = QString::fromStdString(plain(m_rows->row(*id).label));
    const RowLabelTexts::Text wide = texts.of(placed, 1000);
    QVERIFY(wide.figureWidth > 0);
    QCOMPARE(wide.label.text(), label);
    const RowLabelTexts::Text narrow = texts.of(placed, wide.figureWidth + 2);
    QCOMPARE(narrow.figureWidth, 0);
    QVERIFY(narrow.label.text().startsWith(label.first(2)));
}

void RowsTest::deepProjectionsLeaveKernelsInSight()
{
    const auto depthOf = [](EventKind kind, std::uint32_t lanes) {
        Row row;
        row.tracks = {{kind, 0}};
        row.lanes = lanes;
        return RowView::usualDepth(row);
    };
    QCOMPARE(depthOf(EventKind::NvtxProjected, 5), depthOf(EventKind::Nvtx, 5)); // as NVTX usually is
    QVERIFY(3 * depthOf(EventKind::NvtxProjected, 20) < depthOf(EventKind::Nvtx, 20));
}

void RowsTest::depthHandleIsDragged()
{
    m_pane->resize(1200, 1600); // nothing scrolls
    QTest::qWait(20);
    const RowId id = m_rows->rowOf(m_trace->trackOf(deepest()));
    m_pane->view().ensureVisible(id);
    const PlacedRow* placed = m_pane->view().visibleRowOf({ReportId{}, deepest()});
    const int top = placed->y - m_pane->view().offset();
    QWidget& labels = m_pane->labels();
    const QPoint handle(labels.width() - 12, top + 2 + 16 * 18);
    QVERIFY(labels.rect().contains(handle));
    QTest::mouseMove(&labels, handle);
    QTest::mousePress(&labels, Qt::LeftButton, {}, handle);
    QTest::mouseMove(&labels, QPoint(handle.x(), top + 10 * 18));
    QTest::mouseMove(&labels, QPoint(handle.x(), top + 5 * 18));
    QTest::mouseRelease(&labels, Qt::LeftButton, {}, QPoint(handle.x(), top + 5 * 18));
    QCOMPARE(m_session->rowView().depth(id), 5);
    placed = m_pane->view().visibleRowOf({ReportId{}, deepest()});
    QCOMPARE(placed->height, 5 * 18 + 15 * 3 + 3);
    QVERIFY(m_session->selection().selectedRows().empty()); // it was no click
}

void RowsTest::extraHeightGoesToThinLanes()
{
    m_pane->resize(1200, 1600); // nothing scrolls
    QTest::qWait(20);
    const RowId id = m_rows->rowOf(m_trace->trackOf(deepest()));
    const PlacedRow* placed = m_pane->view().visibleRowOf({ReportId{}, deepest()});
    QWidget& labels = m_pane->labels();
    const auto drag = [&](int by) {
        placed = m_pane->view().visibleRowOf({ReportId{}, deepest()});
        const QPoint edge(60, placed->y - m_pane->view().offset() + placed->height);
        QTest::mousePress(&labels, Qt::LeftButton, {}, edge);
        QTest::mouseMove(&labels, edge + QPoint(0, by / 2));
        QTest::mouseMove(&labels, edge + QPoint(0, by));
        QTest::mouseRelease(&labels, Qt::LeftButton, {}, edge + QPoint(0, by));
        placed = m_pane->view().visibleRowOf({ReportId{}, deepest()});
    };
    const auto heightOf = [&](int lane) {
        const RowLanes lanes = RowLanes::of(*m_session, m_rows->row(id));
        return lanes.area(QRect(0, 0, 100, placed->height), lane).height();
    };
    const int before = placed->height;
    drag(32);
    QCOMPARE(placed->height, before + 32);
    QCOMPARE(heightOf(0), 17); // as it was
    QVERIFY(heightOf(19) >= 10); // 3 + 32 / 4
    drag(28); // all alike now
    QCOMPARE(heightOf(0), 17);
    QVERIFY(heightOf(19) >= 16);
    drag(200); // and from now on all grow
    QVERIFY(heightOf(0) > 24);
    QVERIFY(std::abs(heightOf(0) - heightOf(19)) <= 1);
    // A click hits what is painted there.
    const QRect area(0, placed->y - m_pane->view().offset(), rows()->width(), placed->height);
    const RowLanes lanes = RowLanes::of(*m_session, m_rows->row(id));
    for (const int lane : {0, 15, 16, 19})
        QCOMPARE(lanes.depthAt(area, lanes.area(area, lane).center().y()), lane);
}

void RowsTest::rowUnderTheMouseStays()
{
    m_pane->resize(1200, 260);
    QTest::qWait(20);
    const EventRef call{EventKind::ApiCall, 0};
    const RowId api = m_rows->rowOf(m_trace->trackOf(call));
    m_pane->view().ensureVisible(api);
    m_pane->view().verticalScrollBar()->setValue(m_pane->view().verticalScrollBar()->value() + 30);
    const auto place = [&] {
        return m_pane->view().visibleRowOf({ReportId{}, call})->y - m_pane->view().offset();
    };
    const int before = place();
    QVERIFY(before >= 0 && before < rows()->height());
    QTest::mouseMove(rows(), QPoint(300, before + 5));
    QTRY_COMPARE(m_pane->view().hitAt({300, before + 5}).row, api);
    // Rows above it collapse: the row under the mouse stays in place.
    m_session->rowView().setExpanded(row("GPU 0"), false);
    QCOMPARE(place(), before);
    m_session->rowView().setExpanded(row("GPU 0"), true);
    QCOMPARE(place(), before);
    m_session->rowView().setRowScale(row("Kernels"), 4);
    QCOMPARE(place(), before);
}

/// They make the view lower while it still has the rows of the report before, one of which was revealed.
void RowsTest::chipsOfAnotherReportComeBeforeItsRows()
{
    DrawnProgram program;
    program.range("step", {0, 10 * us});
    const auto other = program.finish();
    const auto few = buildRows(*other);
    m_session->setTrace(other, few);
    m_session->rowView().setHidden(few->children(RowTree::root).front(), true);
    m_session->saveState();
    m_session->setTrace(m_trace, m_rows);
    QVERIFY(!m_pane->chips().isVisible());
    RowId heading{};
    for (std::uint32_t i = 1; i < m_rows->size(); ++i) {
        if (!m_rows->children(RowId{i}).empty())
            heading = RowId{i};
    }
    QVERIFY(raw(heading) >= few->size());
    m_session->rowView().reveal(heading);
    m_session->setTrace(other, few);
    QVERIFY(m_pane->chips().isVisible());
    QCOMPARE(m_pane->view().offset(), 0);
}

void RowsTest::foldedRowsShowWhatRunsBeside()
{
    // Two kernels of one stream overlap: the second continues after the end of the first.
    DrawnProgram program;
    program.kernel("first", 0, {10 * us, 50 * us});
    program.kernel("second", 5 * us, {40 * us, 200 * us});
    for (int stream = 13; stream < 22; ++stream) // so many have a heading
        program.kernel("other", 6 * us, {300 * us, 310 * us}, {.stream = stream});
    const auto trace = program.finish();
    const auto rows = buildRows(*trace);
    m_session->setTrace(trace, rows);
    RowId streams{};
    for (std::uint32_t i = 1; i < rows->size(); ++i) {
        if (rows->row(RowId{i}).key.ends_with("/streams"))
            streams = RowId{i};
    }
    QVERIFY(streams != RowTree::root);
    for (RowId at = streams; at != RowTree::root; at = rows->row(at).parent)
        m_session->rowView().setExpanded(at, at != streams);
    const QImage image = this->rows()->grab().toImage();
    for (int y = 0; y < image.height(); ++y) {
        if (m_pane->view().hitAt({500, y}).row != streams)
            continue;
        const int x = static_cast<int>(m_pane->view().axis().xAt(127 * us));
        QVERIFY(image.pixelColor(x, y + 10) != Theme::light().background);
        return;
    }
    QFAIL("the row of streams is not shown");
}

void RowsTest::picturesWithoutMemoryAreThrown()
{
    constexpr int side = 1 << 20;
    QVERIFY_EXCEPTION_THROWN(newImage(side, side, QImage::Format_RGB32), std::bad_alloc);
    QVERIFY(newImage(0, side, QImage::Format_RGB32).isNull()); // nothing to draw
    QCOMPARE(newImage(2, 3, QImage::Format_RGB32).size(), QSize(2, 3));
}

WARPLINE_TEST(RowsTest)

} // namespace tst_rows

#include "tst_rows.moc"
