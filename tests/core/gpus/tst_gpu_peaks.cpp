// Peak rates of GPUs: found by name, by attributes, by rates, and the table compared with SMs x clock x rate.

#include "core/gpus/gpu_peaks.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <cmath>

namespace tst_gpu_peaks {

using namespace warpline;

namespace {

Device device(const char* name, std::int32_t major = 0, std::int32_t minor = 0, std::int32_t sms = 0,
    std::int64_t bytes = 0)
{
    Device made;
    made.name = name;
    made.computeMajor = major;
    made.computeMinor = minor;
    made.multiprocessors = sms;
    made.memoryBytes = bytes;
    return made;
}

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// "989.4"; "-": the GPU has no such unit.
QString rateText(double rate)
{
    return rate > 0 ? QString::number(rate, 'g', 6) : QStringLiteral("-");
}

/// The page that users read, made from the table.
QString pageOfPeaks()
{
    QString page = QStringLiteral(
        "# Limits of GPUs\n\n"
        "After reading this page you know which limits Warpline measures operators and kernels against, and "
        "where each is from.\n\n"
        "Rates are in TFLOP/s (INT8: TOP/s), a multiply and an add are two: dense matrices on tensor cores "
        "(AMD: matrix cores)\nwith sums in FP32, at boost clock. Where two of four weights are zero the "
        "rates of TF32 and smaller types are `sparse` times\nas high; FP4 has a column of its own. "
        "A die of MI250 and MI250X is a GPU of its own, as ROCm shows it. `-`: the GPU has no such unit, or "
        "its\nmaker publishes no number. `tests/core/gpus` makes this page from the table in "
        "`core/gpus/gpu_sheets.cpp`.\n\n"
        "A GPU is found by its name, then by compute capability, multiprocessors and memory. For other "
        "NVIDIA GPUs the limits are\nmultiprocessors times clock times the rate of their compute "
        "capability, where the report holds these; else Warpline says\nthat it does not know the GPU. An "
        "instance of a divided GPU (MIG) has its share.\n\n"
        "Tests check each line against a second source. For NVIDIA these are the rates of a multiprocessor in a "
        "cycle, by compute\ncapability. For AMD they are those of a compute unit, by the white papers of CDNA to "
        "CDNA 4. `rocm.docs.amd.com` has\ncompute units and L2.\n\n"
        "| GPU | SMs or CUs | Boost MHz | Memory GiB | GB/s | L2 MiB | FP64 | FP32 | FP16 | tensor FP64 | "
        "FP32 | TF32 | FP16 | BF16 | FP8 | FP4 | INT8 | sparse | sparse FP4 | Source |\n|---");
    page += QStringLiteral("|---:").repeated(18) + "|---|\n";
    for (const GpuSheet& sheet : gpuSheets()) {
        QStringList cells{text(sheet.name), rateText(sheet.multiprocessors), rateText(sheet.clockMhz),
            rateText(sheet.memoryGiB), rateText(sheet.gigabytesPerSecond), rateText(sheet.l2MiB)};
        const TypeRates& tensor = sheet.tensor;
        for (const double rate : {sheet.vector.fp64, sheet.vector.fp32, sheet.vector.fp16, tensor.fp64,
                 tensor.fp32, tensor.tf32, tensor.fp16, tensor.bf16, tensor.fp8, tensor.fp4, tensor.int8,
                 sheet.sparsity, sheet.sparseFp4})
            cells << rateText(rate);
        cells << text(plain(sourceText(sheet)));
        page += "| " + cells.join(" | ") + " |\n";
    }
    return page;
}

bool isWithin(double value, double expected, double part)
{
    return std::abs(value - expected) <= part * expected;
}

} // namespace

class TestGpuPeaks : public QObject {
    Q_OBJECT

private slots:
    void findsByName_data();
    void findsByName();
    void findsByAttributes();
    void worksOutWhatIsNotInTheTable();
    void dividesInstances();
    void fallsBackToWhatTheGpuHas();
    void agreesWithClockAndMultiprocessors();
    void agreesWithComputeUnits();
    void isOnThePageForUsers();
};

void TestGpuPeaks::findsByName_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("name");
    const auto add = [](const char* given, qint64 bytes, const char* name) {
        QTest::addRow("%s %lld", given, bytes) << given << bytes << name;
    };
    add("Tesla V100-SXM2-32GB", 34'079'899'648, "V100 SXM2 32 GB");
    add("Tesla V100-SXM2-16GB", 16'945'512'448, "V100 SXM2");
    add("Tesla V100-PCIE-16GB", 16'945'512'448, "V100 PCIe");
    add("Tesla T4", 15'843'721'216, "T4");
    add("A100-SXM4-40GB", 42'506'321'920, "A100 SXM4 40 GB");
    add("NVIDIA A100-SXM4-80GB", 85'095'874'560, "A100 SXM4 80 GB");
    add("NVIDIA A100 80GB PCIe", 85'039'775'744, "A100 PCIe 80 GB");
    add("NVIDIA A100-PCIE-40GB", 42'298'834'944, "A100 PCIe 40 GB");
    add("NVIDIA A10G", 23'836'033'024, "A10G");
    add("NVIDIA A10", 23'836'033'024, "A10");
    add("NVIDIA H100 80GB HBM3", 85'029'158'912, "H100 SXM");
    add("NVIDIA H100 PCIe", 85'029'158'912, "H100 PCIe");
    add("NVIDIA H100 NVL", 100'485'038'080, "H100 NVL");
    add("NVIDIA H200", 150'109'880'320, "H200 SXM");
    add("NVIDIA H200 NVL", 150'109'880'320, "H200 NVL");
    add("NVIDIA GH200 480GB", 102'005'473'280, "GH200 96 GB");
    add("NVIDIA B200", 191'503'138'816, "B200");
    add("NVIDIA GB200", 198'000'000'000, "GB200, one of its GPUs");
    add("NVIDIA L40S", 47'810'936'832, "L40S");
    add("NVIDIA L4", 23'836'033'024, "L4");
    add("NVIDIA RTX 6000 Ada Generation", 51'527'024'640, "RTX 6000 Ada");
    add("Quadro RTX 6000", 25'396'838'400, "Quadro RTX 6000");
    add("NVIDIA RTX A6000", 51'041'271'808, "RTX A6000");
    add("NVIDIA GeForce RTX 4070 Ti SUPER", 0, "GeForce RTX 4070 Ti SUPER");
    add("NVIDIA GeForce RTX 4090", 0, "GeForce RTX 4090");
    add("NVIDIA GeForce RTX 3080", 12'622'168'064, "GeForce RTX 3080 12 GB");
    add("GeForce RTX 2080 Ti", 0, "GeForce RTX 2080 Ti");
    add("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 0, "RTX PRO 6000 Blackwell");
    add("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 0, "RTX PRO 6000 Blackwell Max-Q");
    add("NVIDIA RTX PRO 6000 Blackwell Server Edition", 0, "RTX PRO 6000 Blackwell Server");
    add("AMD Instinct MI300X", 206'141'652'992, "Instinct MI300X");
    add("AMD Instinct MI300X VF", 206'141'652'992, "Instinct MI300X");
    add("AMD Instinct MI210", 68'702'699'520, "Instinct MI210");
    add("AMD Instinct MI355X", 0, "Instinct MI355X");
    // A card for portable computers is another GPU than its namesake.
    add("NVIDIA GeForce RTX 3060 Laptop GPU", 0, "");
    add("NVIDIA GeForce RTX 2060 with Max-Q Design", 0, "");
    add("NVIDIA GeForce RTX 4090 Ti", 0, "");
    add("Intel(R) Iris(R) Xe Graphics", 0, "");
    add("", 0, "");
}

void TestGpuPeaks::findsByName()
{
    QFETCH(QString, device);
    QFETCH(qint64, bytes);
    QFETCH(QString, name);
    Device given;
    given.name = device.toStdString();
    given.memoryBytes = bytes;
    const std::optional<GpuPeaks> peaks = peaksOf(given);
    QCOMPARE(peaks.has_value(), !name.isEmpty());
    if (peaks) {
        QCOMPARE(QString::fromStdString(plain(peaks->name)), name);
        QCOMPARE(peaks->origin, PeakOrigin::Name);
        QVERIFY(!peaks->source.empty());
    }
}

void TestGpuPeaks::findsByAttributes()
{
    // Traces of vLLM on AMD name no GPU; early A100 have the board's name.
    const auto mi300 = peaksOf([] {
        Device unnamed = device("", 9, 4, 304, 206'141'652'992);
        unnamed.threadsPerWarp = 64;
        return unnamed;
    }());
    QVERIFY(mi300);
    QCOMPARE(QString::fromStdString(plain(mi300->name)), "Instinct MI300X");
    QCOMPARE(mi300->origin, PeakOrigin::Attributes);
    const auto board = peaksOf(device("NVIDIA PG509-200", 8, 0, 108, 42'297'524'224));
    QVERIFY(board);
    QCOMPARE(board->roof(MathType::Bf16, MathUnit::Tensor).flops, 312e12);
    // RTX 6000 Ada and L40 and L40S have the same attributes and are not equally fast.
    QVERIFY(!peaksOf(device("Engineering sample", 8, 9, 142, 48'318'382'080)));
}

void TestGpuPeaks::worksOutWhatIsNotInTheTable()
{
    Device laptop = device("NVIDIA GeForce RTX 3060 Laptop GPU", 8, 6, 30, 6'441'926'656);
    laptop.clockRate = 1'425'000'000;
    laptop.memoryBandwidth = 336'048'000'000;
    const auto peaks = peaksOf(laptop);
    QVERIFY(peaks);
    QCOMPARE(peaks->origin, PeakOrigin::Rates);
    QVERIFY(isWithin(peaks->vector.fp32, 10.94e12, 0.01));
    QVERIFY(isWithin(peaks->tensor.fp16, 21.9e12, 0.01)); // with FP32 sums half of the A-series cards' rate
    QCOMPARE(peaks->bytesPerSecond, 336'048'000'000.0);
    Device without = device("NVIDIA GeForce GTX 1650", 7, 5, 16);
    without.clockRate = 1'560'000'000;
    const auto turing = peaksOf(without);
    QVERIFY(turing);
    QCOMPARE(turing->tensor.fp16, 0.0);
    QVERIFY(turing->vector.fp32 > 3e12);
    // Nothing is made up where the clock or the architecture is not known.
    without.clockRate = 0;
    QVERIFY(!peaksOf(without));
    Device radeon = device("AMD Radeon RX 7900", 11, 0, 96);
    radeon.threadsPerWarp = 64;
    radeon.clockRate = 2'400'000'000;
    QVERIFY(!peaksOf(radeon));
}

void TestGpuPeaks::dividesInstances()
{
    Device instance = device("NVIDIA A30 MIG 2g.12gb", 8, 0, 28, 12'549'357'568);
    instance.memoryBandwidth = 466'560'000'000;
    const auto peaks = peaksOf(instance);
    QVERIFY(peaks);
    QCOMPARE(peaks->roof(MathType::Fp16, MathUnit::Tensor).flops, 165e12 / 2);
    QCOMPARE(peaks->bytesPerSecond, 466'560'000'000.0);
}

void TestGpuPeaks::fallsBackToWhatTheGpuHas()
{
    const auto a100 = *peaksOf(device("NVIDIA A100-SXM4-80GB"));
    const ComputeRoof fp8 = a100.roof(MathType::Fp8, MathUnit::Tensor);
    QCOMPARE(fp8.type, MathType::Fp16);
    QCOMPARE(fp8.flops, 312e12);
    QCOMPARE(a100.roof(MathType::Fp32, MathUnit::Unknown).flops, 19.5e12);
    QCOMPARE(a100.roof(MathType::Fp64, MathUnit::Tensor).flops, 19.5e12);
    QCOMPARE(a100.roof(MathType::Fp64, MathUnit::Simt).flops, 9.7e12);
    QCOMPARE(a100.sparse.of(MathType::Bf16), 624e12);
    QCOMPARE(a100.sparse.of(MathType::Fp64), 0.0);
    const auto v100 = *peaksOf(device("Tesla V100-SXM2-16GB"));
    // Volta's tensor cores know no BF16 and no TF32.
    QCOMPARE(v100.roof(MathType::Bf16, MathUnit::Tensor).flops, 15.7e12);
    QCOMPARE(v100.roof(MathType::Tf32, MathUnit::Tensor).flops, 15.7e12);
    const auto mi300 = *peaksOf(device("AMD Instinct MI300X"));
    QCOMPARE(mi300.roof(MathType::Fp32, MathUnit::Tensor).flops, 163.4e12);
    QVERIFY(isWithin(mi300.ridge(mi300.roof(MathType::Bf16, MathUnit::Tensor)), 246.7, 0.001));
}

void TestGpuPeaks::agreesWithClockAndMultiprocessors()
{
    for (const GpuSheet& sheet : gpuSheets()) {
        const QByteArray name(sheet.name.data(), static_cast<qsizetype>(sheet.name.size()));
        QVERIFY2(sheet.vector.fp32 > 0 && sheet.tensor.fp16 > 0 && sheet.gigabytesPerSecond > 0, name);
        QVERIFY2(!sheet.source.empty() && sheet.l2MiB > 0 && sheet.memoryGiB > 0, name);
        const auto itself = peaksOf([&] {
            Device named = device("", sheet.computeMajor, sheet.computeMinor, sheet.multiprocessors,
                static_cast<std::int64_t>(sheet.memoryGiB * 1024 * 1024 * 1024));
            named.name = sheet.words;
            return named;
        }());
        QVERIFY2(itself && plain(itself->name) == sheet.name, name);
        if (sheet.source.starts_with("AMD") || sheet.multiprocessors == 0 || sheet.clockMhz == 0)
            continue;
        const CycleRates* const rates = cycleRatesOf(sheet.computeMajor, sheet.computeMinor);
        QVERIFY2(rates, name);
        const double cycles = sheet.clockMhz * 1e6 * sheet.multiprocessors / 1e12;
        // H20 and RTX 5090 D are slowed down by design, the tensor cores of NVL cards run at a lower clock.
        const bool slowed
            = sheet.words == "h20" || sheet.words == "rtx 5090 d" || sheet.words.ends_with("nvl");
        QVERIFY2(isWithin(sheet.vector.fp32, rates->vector.fp32 * cycles, 0.08) || slowed, name);
        const bool halved = sheet.name.starts_with("GeForce") || sheet.words == "a10g" || sheet.words == "l40"
            || sheet.words == "l20";
        QVERIFY2(isWithin(sheet.tensor.fp16, rates->tensor.fp16 * cycles / (halved ? 2 : 1), 0.1) || slowed,
            name + ' ' + QByteArray::number(rates->tensor.fp16 * cycles));
        // Half the bits, twice the rate.
        const TypeRates& tensor = sheet.tensor;
        if (tensor.tf32 > 0)
            QVERIFY2(isWithin(tensor.fp16, 2 * tensor.tf32, 0.04), name);
        if (tensor.fp8 > 0)
            QVERIFY2(isWithin(tensor.fp8, 2 * tensor.fp16, 0.04), name);
    }
}

/// Operations of a compute unit in a cycle, by the white papers of CDNA, CDNA 2, CDNA 3 and CDNA 4.
void TestGpuPeaks::agreesWithComputeUnits()
{
    struct Unit {
        std::string_view word;
        TypeRates vector;
        TypeRates matrix;
    };
    const TypeRates vector2{.fp64 = 128, .fp32 = 128};
    const TypeRates matrix2{.fp64 = 256, .fp32 = 256, .fp16 = 1024, .bf16 = 1024, .int8 = 1024};
    const TypeRates vector3{.fp64 = 128, .fp32 = 256};
    const TypeRates matrix3{
        .fp64 = 256, .fp32 = 256, .tf32 = 1024, .fp16 = 2048, .bf16 = 2048, .fp8 = 4096, .int8 = 4096};
    const TypeRates matrix4{
        .fp64 = 128, .fp32 = 256, .fp16 = 4096, .bf16 = 4096, .fp8 = 8192, .fp4 = 16384, .int8 = 8192};
    const std::array units{
        Unit{"MI100", {.fp64 = 64, .fp32 = 128}, {.fp32 = 256, .fp16 = 1024, .bf16 = 512, .int8 = 1024}},
        Unit{"MI2", vector2, matrix2}, Unit{"MI30", vector3, matrix3}, Unit{"MI325", vector3, matrix3},
        Unit{"MI35", vector3, matrix4}};
    int checked = 0;
    for (const GpuSheet& sheet : gpuSheets()) {
        if (!sheet.source.starts_with("AMD"))
            continue;
        const auto unit = std::ranges::find_if(
            units, [&](const Unit& each) { return sheet.name.find(each.word) != std::string_view::npos; });
        const QByteArray name(sheet.name.data(), static_cast<qsizetype>(sheet.name.size()));
        QVERIFY2(unit != units.end(), name);
        const double cycles = sheet.clockMhz * 1e6 * sheet.multiprocessors / 1e12;
        for (const auto rate : {&TypeRates::fp64, &TypeRates::fp32, &TypeRates::tf32, &TypeRates::fp16,
                 &TypeRates::bf16, &TypeRates::fp8, &TypeRates::fp4, &TypeRates::int8})
            QVERIFY2(isWithin(sheet.tensor.*rate, unit->matrix.*rate * cycles, 0.005)
                    || (sheet.tensor.*rate == 0 && unit->matrix.*rate == 0),
                name + ' ' + QByteArray::number(unit->matrix.*rate * cycles));
        QVERIFY2(isWithin(sheet.vector.fp64, unit->vector.fp64 * cycles, 0.005), name);
        QVERIFY2(isWithin(sheet.vector.fp32, unit->vector.fp32 * cycles, 0.005), name);
        ++checked;
    }
    QCOMPARE(checked, 9);
}

void TestGpuPeaks::isOnThePageForUsers()
{
    QFile file(WARPLINE_SOURCE_DIR "/docs/gpu-peaks.md");
    const QString made = pageOfPeaks();
    const QString now = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    if (now != made) {
        QFile fresh(QDir::temp().filePath("gpu-peaks.md"));
        QVERIFY(fresh.open(QIODevice::WriteOnly));
        fresh.write(made.toUtf8());
        QFAIL(qPrintable("The table has changed: copy " + fresh.fileName() + " to docs/gpu-peaks.md"));
    }
}

WARPLINE_TEST(TestGpuPeaks)

} // namespace tst_gpu_peaks

#include "tst_gpu_peaks.moc"
