// The roofline plot: positions of points and roofs, clicks and keys.

#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/models/events_model.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/name_panel.h"
#include "views/panels/roofline_panel.h"
#include "views/panels/roofline_plot.h"
#include "views/session/report_scope.h"
#include "views/session/session.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>

#include <cmath>

namespace tst_roofline_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

constexpr double tera = 1e12;

RooflineContent drawn()
{
    RooflineContent content;
    content.bytesPerSecond = 4.8 * tera;
    content.memoryName = "memory 4.8 TB/s";
    content.roofs
        = {{"BF16 tensor cores 989 TFLOP/s", 989.4 * tera, false}, {"FP32 66.9 TFLOP/s", 66.9 * tera, false}};
    content.points = {{400, 600 * tera, 1.5 * tera, 1'000'000, Qt::blue, "aten::mm", "aten::mm"},
        {0.2, 0.5 * tera, 2.5 * tera, 250'000, Qt::green, "aten::add", "aten::add"},
        {0, 0, 2.0 * tera, 10'000, Qt::red, "aten::copy_", "aten::copy_"}};
    return content;
}

/// Two products, one of which takes twice as long, and a kernel of no operator.
std::shared_ptr<const Trace> twoProducts()
{
    DrawnProgram program;
    for (int i = 0; i < 2; ++i) {
        const Ns at = i * 1'000 * us;
        program.range("aten::mm, seq = 0, op_id = " + std::to_string(i) + ", sizes = [["
                + std::to_string(4096 - i) + ", 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
            {at, at + 20 * us});
        program.kernel("nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN", at + 5 * us,
            {at + 30 * us, at + (230 + 200 * i) * us});
    }
    program.kernel("other", 3'000 * us, {3'010 * us, 3'020 * us});
    return program.finish();
}

/// Kernels of no operator, on more streams than the others use.
std::shared_ptr<const Trace> manyStreams()
{
    DrawnProgram program;
    for (int i = 0; i < 40; ++i) {
        const Ns at = i * 100 * us;
        program.kernel("plain", at, {at + 10 * us, at + (20 + i) * us}, {.stream = 7 + i});
    }
    return program.finish();
}

Workspace openBoth(const std::shared_ptr<const Trace>& first, const std::shared_ptr<const Trace>& second)
{
    std::vector<OpenReport> reports;
    for (const auto& trace : {first, second}) {
        OpenReport& report = reports.emplace_back();
        report.trace = trace;
        report.rows = buildRows(*trace);
    }
    return Workspace(std::move(reports));
}

} // namespace

class TestRooflinePanel : public QObject {
    Q_OBJECT

private slots:
    void drawsPointsUnderTheirRoof();
    void textsOfTheAxisDoNotOverlap();
    void labelsDoNotTouch();
    void withoutRoomForLabelsItIsPainted();
    void choosesByClickAndKeys();
    void drawsNothingWithoutData();
    void aClickLeadsToTheKernels();
    void anotherReportTakesTheAnswerAway();
    void eventsHaveColumnsOfWork();
    void ordersOfOneReportAreNotOfAll();
    void groupsOfANameHaveColumnsOfWork();
    void boundsAreNamedWithoutShapes();
    void operatorsHaveTheirModules();
};

void TestRooflinePanel::drawsPointsUnderTheirRoof()
{
    RooflinePlot plot(Theme::light());
    plot.resize(640, 400);
    plot.setContent(drawn());
    // A decade is as wide everywhere, and more is further up.
    QVERIFY(std::abs((plot.xOf(10) - plot.xOf(1)) - (plot.xOf(100) - plot.xOf(10))) < 1e-6);
    QVERIFY(plot.yOf(989.4 * tera) < plot.placeOf(0).y());
    // Points without arithmetic are at the left edge, as far below the slope as their bandwidth is below it.
    QCOMPARE(plot.placeOf(2).x(), plot.xOf(0) + plot.radiusOf(2));
    const double below = plot.placeOf(2).y() - plot.yOf(4.8 * tera * std::pow(10.0, -1));
    QVERIFY(std::abs(below - (plot.yOf(2.0 * tera) - plot.yOf(4.8 * tera))) < 1e-6);
    // The area is proportional to time.
    QVERIFY(std::abs(plot.radiusOf(0) / plot.radiusOf(1) - 2) < 0.01);
    QImage picture = plot.grab().toImage();
    const QPointF place = plot.placeOf(0) * picture.devicePixelRatio();
    QVERIFY(QColor(picture.pixel(place.toPoint())).blue() > 150);
}

void TestRooflinePanel::textsOfTheAxisDoNotOverlap()
{
    RooflinePlot plot(Theme::light());
    plot.setContent(drawn()); // one point has no arithmetic
    for (const int width : {240, 300, 420, 640}) {
        plot.resize(width, 160);
        const auto texts = plot.axisTexts();
        QCOMPARE(texts.size(), 2U);
        QVERIFY2(texts[0].first.right() < texts[1].first.left(), std::to_string(width).c_str());
        for (const auto& [place, text] : texts) {
            QVERIFY2(QRectF(plot.rect()).contains(place), std::to_string(width).c_str());
            QVERIFY2(plot.fontMetrics().horizontalAdvance(text) <= place.width(), qPrintable(text));
        }
    }
    QCOMPARE(plot.axisTexts()[1].first.center().x(), (plot.xOf(1e-9) + plot.xOf(1e9)) / 2); // room for all
}

void TestRooflinePanel::withoutRoomForLabelsItIsPainted()
{
    RooflinePlot plot(Theme::light());
    plot.setContent(drawn());
    for (const int width : {1, 40, 120}) {
        plot.resize(width, 300);
        QVERIFY(!plot.grab().isNull());
    }
}

/// Whatever the size: names of roofs and slope, and the numbers of both axes where they meet.
void TestRooflinePanel::labelsDoNotTouch()
{
    RooflinePlot plot(Theme::light());
    RooflineContent content = drawn();
    content.roofs.push_back({"FP16 134 TFLOP/s", 134 * tera, false});
    plot.setContent(content);
    const auto outlineOf = [](const PaintedLabel& label) {
        return label.turned.map(QPolygonF(label.place.adjusted(0.5, 0.5, -0.5, -0.5)));
    };
    bool sawSlope = false;
    for (const QSize size :
        {QSize(240, 140), QSize(420, 270), QSize(500, 330), QSize(640, 400), QSize(900, 300)}) {
        plot.resize(size);
        for (const std::vector<PaintedLabel>& labels : {plot.axisLabels(), plot.lineLabels()}) {
            QVERIFY(!labels.empty());
            for (std::size_t i = 0; i < labels.size(); ++i) {
                for (std::size_t other = 0; other < i; ++other)
                    QVERIFY2(!outlineOf(labels[i]).intersects(outlineOf(labels[other])),
                        qPrintable(labels[i].text + " and " + labels[other].text));
                sawSlope = sawSlope || labels[i].text == content.memoryName;
            }
        }
    }
    QVERIFY(sawSlope);
}

void TestRooflinePanel::choosesByClickAndKeys()
{
    RooflinePlot plot(Theme::dark());
    plot.resize(640, 400);
    plot.setContent(drawn());
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QSignalSpy chosen(&plot, &RooflinePlot::pointChosen);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.placeOf(1).toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.last().at(0).toULongLong(), 1ULL);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(630, 390)); // outside of all points
    QCOMPARE(chosen.count(), 1);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.current(), std::optional<std::size_t>(2));
    QVERIFY(plot.paintedItems()[2].isCurrent && plot.paintedItems()[2].name == "aten::copy_");
    QTest::keyClick(&plot, Qt::Key_Right); // round again
    QCOMPARE(plot.current(), std::optional<std::size_t>(0));
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen.last().at(0).toULongLong(), 0ULL);
}

void TestRooflinePanel::drawsNothingWithoutData()
{
    RooflinePlot plot(Theme::light());
    plot.resize(300, 200);
    plot.setContent({});
    QVERIFY(!plot.grab().isNull());
    QVERIFY(!plot.pointAt({150, 100}));
    RooflineContent odd = drawn();
    odd.roofs.clear();
    odd.bytesPerSecond = 0;
    odd.points.push_back({std::numeric_limits<double>::infinity(), -1, -1, -5, Qt::red, "odd", "odd"});
    plot.setContent(odd);
    QVERIFY(!plot.grab().isNull());
    QVERIFY(std::isfinite(plot.placeOf(3).x()) && std::isfinite(plot.radiusOf(3)));
}

void TestRooflinePanel::aClickLeadsToTheKernels()
{
    const auto trace = twoProducts();
    Session session;
    RooflinePanel panel(session, Theme::light());
    panel.resize(1200, 500);
    panel.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    session.setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(panel.answer() != nullptr && panel.answer()->uses.size() == 3);
    QCOMPARE(panel.plot().content().points.size(), std::size_t{2});
    QTest::mouseClick(&panel.plot(), Qt::LeftButton, {}, panel.plot().placeOf(0).toPoint());
    const EventRef longest = panel.answer()->uses[0].longest;
    QVERIFY(session.selection().isHighlighted(session.idOf(longest)));
    QCOMPARE(session.selection().highlighted(session.report().id).size(), std::size_t{1});
}

/// A click would look for its tracks in the other report.
void TestRooflinePanel::anotherReportTakesTheAnswerAway()
{
    Session session;
    RooflinePanel panel(session, Theme::light());
    panel.setVisible(true);
    session.setWorkspace(openBoth(twoProducts(), manyStreams()));
    QTRY_VERIFY(panel.answer() != nullptr && panel.answer()->uses.size() == 3);
    session.chooseReport(ReportId{1});
    QVERIFY(!panel.answer());
    QCOMPARE(panel.table().model()->rowCount(), 0);
    QTRY_VERIFY(panel.answer() != nullptr && panel.answer()->uses.empty());
}

void TestRooflinePanel::ordersOfOneReportAreNotOfAll()
{
    Session session;
    EventsPanel panel(session);
    panel.show();
    EventsModel& model = panel.model();
    const auto sortBy
        = [&](int column) { panel.table().sortByColumn(column, Qt::DescendingOrder); }; // as a click does
    const auto marked = [&] { return panel.table().horizontalHeader()->sortIndicatorSection(); };
    session.setWorkspace(openBoth(twoProducts(), manyStreams()));
    const auto rateColumn = [&] {
        for (int i = 0; i < model.columnCount(); ++i) {
            if (model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString() == "TFLOP/s")
                return i;
        }
        return -1;
    };
    const auto length = [&](int row) { return session.workspace().range(model.idAt(row)).duration(); };
    const auto isByDuration = [&] {
        for (int row = 1; row < model.rowCount(); ++row) {
            if (length(row - 1) < length(row))
                return false;
        }
        return true;
    };
    QTRY_VERIFY(!model.isBusy() && rateColumn() >= 0);
    sortBy(rateColumn());
    QTRY_VERIFY(!model.isBusy() && !isByDuration());
    QCOMPARE(marked(), rateColumn());
    session.scope().showAll();
    QTRY_VERIFY(!model.isBusy() && model.isOfSeveral());
    QVERIFY(isByDuration());
    QCOMPARE(marked(), static_cast<int>(EventColumn::Duration));
    // The rows that are selected may be of one of them.
    session.selection().selectRows({session.workspace().rowOf({ReportId{0}, {EventKind::Kernel, 0}})});
    QTRY_VERIFY(!model.isBusy() && !model.isOfSeveral() && rateColumn() >= 0);
    sortBy(rateColumn());
    QTRY_VERIFY(!model.isBusy() && !isByDuration());
    QCOMPARE(marked(), rateColumn());
    session.selection().selectRows({});
    QTRY_VERIFY(!model.isBusy() && model.isOfSeveral());
    QVERIFY(isByDuration());
    QCOMPARE(marked(), static_cast<int>(EventColumn::Duration));
}

void TestRooflinePanel::eventsHaveColumnsOfWork()
{
    const auto trace = twoProducts();
    Session session;
    EventsModel model(session);
    session.setTrace(trace, buildRows(*trace));
    const auto columnOf = [&](const QString& title) {
        for (int i = 0; i < model.columnCount(); ++i) {
            if (model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString() == title)
                return i;
        }
        return -1;
    };
    QTRY_VERIFY(!model.isBusy() && columnOf("TFLOP/s") >= 0);
    for (const char* const title : {"FLOPs", "TB/s", "Roofline", "Bound"})
        QVERIFY2(columnOf(title) >= 0, title);
    const int rate = columnOf("TFLOP/s");
    model.sort(rate, Qt::DescendingOrder);
    QTRY_VERIFY(!model.isBusy() && model.eventAt(0).kind == EventKind::Kernel);
    const auto cell = [&](int row, int column) {
        return model.data(model.index(row, column), Qt::DisplayRole).toString();
    };
    QCOMPARE(cell(0, rate), "687.2"); // 2 * 4096^3 in 200 us
    QCOMPARE(cell(1, rate), "343.5");
    QCOMPARE(cell(0, columnOf("Bound")), "compute");
    QVERIFY(cell(2, rate).isEmpty());
    // Without operators there are none.
    DrawnProgram plain;
    plain.kernel("other", 0, {10 * us, 20 * us});
    const auto other = plain.finish();
    session.setTrace(other, buildRows(*other));
    QTRY_VERIFY(!model.isBusy() && model.rowCount() > 0);
    QTest::qWait(50);
    QCOMPARE(columnOf("TFLOP/s"), -1);
}

void TestRooflinePanel::groupsOfANameHaveColumnsOfWork()
{
    const auto trace = twoProducts();
    Session session;
    NamePanel panel(session, Theme::light());
    panel.resize(1300, 420);
    panel.show();
    session.setTrace(trace, buildRows(*trace));
    EventIndex product = 0;
    while (trace->name({EventKind::Kernel, product}) == "other")
        ++product;
    session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, product}));
    QTRY_VERIFY(!panel.isBusy() && panel.groups().size() == 1);
    const auto* const model = panel.table().model();
    int rate = -1;
    for (int i = 0; i < model->columnCount(); ++i) {
        if (model->headerData(i, Qt::Horizontal).toString() == "TFLOP/s")
            rate = i;
    }
    QVERIFY(rate >= 0);
    QVERIFY(!panel.table().isColumnHidden(rate));
    const double flops = 2.0 * 4096 * 4096 * (4096 + 4095);
    QCOMPARE(model->index(0, rate).data().toString(), QString::number(flops / 600e-6 / 1e12, 'f', 1));
    // Hidden for kernels without an operator.
    EventIndex other = 0;
    while (trace->name({EventKind::Kernel, other}) != "other")
        ++other;
    session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, other}));
    QTRY_VERIFY(panel.table().isColumnHidden(rate));
}

void TestRooflinePanel::boundsAreNamedWithoutShapes()
{
    DrawnProgram program;
    program.kernel("ampere_sgemm_128x64_tn", 0, {10 * us, 20 * us});
    const auto trace = program.finish();
    Session session;
    RooflinePanel panel(session, Theme::light());
    panel.setVisible(true);
    session.setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(panel.answer() != nullptr && panel.answer()->products == 1);
    QCOMPARE(panel.answer()->bounded, std::size_t{1});
    QVERIFY(plain(panel.answer()->advice).find("record_shapes=True") != std::string::npos);
}

/// As `warpline-cli operators --by module`, with a column of the table; without modules there is none.
void TestRooflinePanel::operatorsHaveTheirModules()
{
    DrawnProgram program;
    for (int i = 0; i < 3; ++i) {
        const Ns at = i * 1'000 * us;
        program.range(i == 1 ? "decode" : "encode", {at, at + 30 * us});
        program.range("aten::mm, seq = 0, op_id = " + std::to_string(i)
                + ", sizes = [[4096, 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
            {at + 1 * us, at + 20 * us});
        program.kernel(
            "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN", at + 5 * us, {at + 30 * us, at + 230 * us});
    }
    program.kernel(std::string(100, 'k'), 3'000 * us, {3'010 * us, 3'020 * us});
    const auto trace = program.finish();
    Session session;
    RooflinePanel panel(session, Theme::light());
    panel.setVisible(true);
    session.setTrace(trace, buildRows(*trace));
    QTRY_VERIFY(panel.answer() != nullptr && panel.answer()->uses.size() == 2);
    const auto modules = panel.answer()->modules;
    QCOMPARE(modules->size(), std::size_t{1});
    QCOMPARE(modules->at(panel.answer()->uses[0].shape), (QStringList{"encode", "decode"}));
    const int last = panel.table().model()->columnCount() - 1;
    QVERIFY(!panel.table().isColumnHidden(last));
    QCOMPARE(panel.table().model()->index(0, last).data().toString(), QString("encode (+1)"));
    // Values come first, and names keep their room.
    QCOMPARE(panel.table().columnWidth(0), 260);
    QVERIFY(panel.table().model()->index(0, 3).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    DetailsPanel details(session, Theme::light());
    session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 0}));
    QTRY_VERIFY(details.text().toPlainText().simplified().contains("Module encode"));
    // The choice of rows does not change them, that of a range does.
    const auto shown = panel.answer();
    session.selection().selectRows({session.report().rows->rowOf(trace->trackOf({EventKind::Kernel, 0}))});
    QTRY_VERIFY(panel.answer() != shown);
    QCOMPARE(panel.answer()->modules, modules);
    session.time().selectRange({trace->session.start, trace->session.start + 900 * us});
    QTRY_VERIFY(panel.answer()->modules != modules);
    QCOMPARE(panel.answer()->modules->at(panel.answer()->uses[0].shape), QStringList{"encode"});
    session.selection().selectRows({});
    session.time().selectRange({});
    const auto other = twoProducts();
    session.setTrace(other, buildRows(*other));
    QTRY_VERIFY(panel.answer() != nullptr && panel.answer()->uses.size() == 3);
    const auto none = panel.answer()->modules;
    QVERIFY(none->empty() && panel.table().isColumnHidden(last));
    session.time().selectRange({other->session.start, other->session.start + 900 * us});
    QTRY_VERIFY(panel.answer()->uses.size() < 3);
    QCOMPARE(panel.answer()->modules, none); // a part has none either
}

WARPLINE_TEST(TestRooflinePanel)

} // namespace tst_roofline_panel

#include "tst_roofline_panel.moc"
