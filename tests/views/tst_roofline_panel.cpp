// The roofline plot: where points and roofs are drawn, what a click and the keys do.

#include "views/panels/roofline_plot.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace warpline;

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

} // namespace

class TestRooflinePanel : public QObject {
    Q_OBJECT

private slots:
    void drawsPointsUnderTheirRoof();
    void choosesByClickAndKeys();
    void drawsNothingWithoutData();
};

void TestRooflinePanel::drawsPointsUnderTheirRoof()
{
    RooflinePlot plot(Theme::light());
    plot.resize(640, 400);
    plot.setContent(drawn());
    // A decade is as wide everywhere, and more is further up.
    QVERIFY(std::abs((plot.xOf(10) - plot.xOf(1)) - (plot.xOf(100) - plot.xOf(10))) < 1e-6);
    QVERIFY(plot.yOf(989.4 * tera) < plot.placeOf(0).y());
    // What computes nothing stands at the left edge, as far below the slope as its bandwidth is below it.
    QCOMPARE(plot.placeOf(2).x(), plot.xOf(0) + plot.radiusOf(2));
    const double below = plot.placeOf(2).y() - plot.yOf(4.8 * tera * std::pow(10.0, -1));
    QVERIFY(std::abs(below - (plot.yOf(2.0 * tera) - plot.yOf(4.8 * tera))) < 1e-6);
    // Area goes with time.
    QVERIFY(std::abs(plot.radiusOf(0) / plot.radiusOf(1) - 2) < 0.01);
    QImage picture = plot.grab().toImage();
    const QPointF place = plot.placeOf(0) * picture.devicePixelRatio();
    QVERIFY(QColor(picture.pixel(place.toPoint())).blue() > 150);
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
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(630, 390)); // beside all points
    QCOMPARE(chosen.count(), 1);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.current(), std::optional<std::size_t>(2));
    QCOMPARE(plot.accessibleDescription(), "aten::copy_");
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

QTEST_MAIN(TestRooflinePanel)
#include "tst_roofline_panel.moc"
