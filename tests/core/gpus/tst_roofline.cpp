// Time at the roofline, and the limit of work.

#include "core/gpus/roofline.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <random>

namespace tst_roofline {

using namespace warpline;

namespace {

GpuPeaks peaksNamed(const char* name)
{
    Device device;
    device.name = name;
    return *peaksOf(device);
}

} // namespace

class TestRoofline : public QObject {
    Q_OBJECT

private slots:
    void takesTheSlowerOfBoth();
    void isLaunchBoundWhereKernelsAreShort();
    void saysNothingOfWhatIsNotKnown();
    void isTheRidgeWhereBothAreEqual();
};

void TestRoofline::takesTheSlowerOfBoth()
{
    // A tall matrix product on an MI300X: 16 MiB at 5.3 TB/s, as another tool has it.
    const GpuPeaks mi300 = peaksNamed("AMD Instinct MI300X");
    const Roofline tall
        = rooflineOf({268'435'456, 16.001953125 * 1024 * 1024, MathType::Fp16, MathUnit::Tensor}, mi300);
    QVERIFY(std::abs(tall.ns() - 3165.899) < 0.01);
    QCOMPARE(boundOf(tall, 13'500, 1, 1'000), RooflineBound::Memory);
    QVERIFY(std::abs(tall.shareOf(13'500) - 0.23451) < 1e-4);
    const Roofline cube
        = rooflineOf({2.0 * 4096 * 4096 * 4096, 3.0 * 2 * 4096 * 4096, MathType::Bf16, MathUnit::Tensor},
            peaksNamed("NVIDIA H200"));
    QCOMPARE(boundOf(cube, 200'000, 1, 1'000), RooflineBound::Compute);
    QVERIFY(std::abs(cube.ns() - 138'911.6) < 1);
    QCOMPARE(cube.roof.type, MathType::Bf16);
}

void TestRoofline::isLaunchBoundWhereKernelsAreShort()
{
    const GpuPeaks h200 = peaksNamed("NVIDIA H200");
    const Roofline little = rooflineOf({1024, 12'288, MathType::Fp32, MathUnit::Simt}, h200);
    QCOMPARE(boundOf(little, 1'500, 1, 1'000), RooflineBound::Launch);
    QCOMPARE(boundOf(little, 30'000, 20, 1'000), RooflineBound::Launch); // 1.5 us each
    QCOMPARE(boundOf(little, 30'000, 1, 1'000), RooflineBound::Memory); // slow for another reason
    // Short, but as fast as the memory is.
    const Roofline fast = rooflineOf({0, 4'800'000, MathType::Fp32, MathUnit::Simt}, h200);
    QCOMPARE(boundOf(fast, 1'500, 1, 1'000), RooflineBound::Memory);
}

void TestRoofline::saysNothingOfWhatIsNotKnown()
{
    const GpuPeaks none;
    QCOMPARE(boundOf(rooflineOf({1e9, 1e6, MathType::Fp32, MathUnit::Simt}, none), 1000, 1, 1000),
        RooflineBound::Unknown);
    QVERIFY(!rooflineOf({-1, -1, MathType::Fp32, MathUnit::Simt}, peaksNamed("NVIDIA H200")).isKnown());
}

void TestRoofline::isTheRidgeWhereBothAreEqual()
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> size(1e3, 1e12);
    for (const GpuSheet& sheet : gpuSheets()) {
        Device device;
        device.name = sheet.words;
        device.memoryBytes = static_cast<std::int64_t>(sheet.memoryGiB * 1024 * 1024 * 1024);
        const GpuPeaks peaks = *peaksOf(device);
        const ComputeRoof roof = peaks.roof(MathType::Fp16, MathUnit::Tensor);
        const double bytes = size(random);
        const Roofline at
            = rooflineOf({bytes * peaks.ridge(roof), bytes, MathType::Fp16, MathUnit::Tensor}, peaks);
        QVERIFY(std::abs(at.computeNs / at.memoryNs - 1) < 1e-9);
    }
}

WARPLINE_TEST(TestRoofline)

} // namespace tst_roofline

#include "tst_roofline.moc"
