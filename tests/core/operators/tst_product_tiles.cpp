// Bounds of the results of products by names and grids of kernels: at least the sizes that were recorded.

#include "core/operators/operator_rows.h"
#include "core/operators/product_tiles.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_product_tiles {

using namespace warpline;
using namespace warpline::test;

class ProductTilesTest : public QObject {
    Q_OBJECT

private slots:
    void boundsHoldRecordedSizes_data();
    void boundsHoldRecordedSizes();
    void noBoundWhereTheGridSaysNothing_data();
    void noBoundWhereTheGridSaysNothing();
    void rowsHaveBounds();
};

namespace {

KernelLaunch launchOf(Dim3 grid, std::int32_t threads)
{
    KernelLaunch launch;
    launch.grid = grid;
    launch.block = {threads, 1, 1};
    return launch;
}

} // namespace

/// Names, grids and sizes are those of recordings with shapes.
void ProductTilesTest::boundsHoldRecordedSizes_data()
{
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::addColumn<int>("threads");
    QTest::addColumn<qint64>("rows");
    QTest::addColumn<qint64>("columns");
    QTest::addColumn<qint64>("tile");
    QTest::newRow(
        "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_nn_align1>(T1::Params)")
        << 96 << 1 << 256 << 1536LL << 2048LL << 256LL * 128;
    QTest::newRow(
        "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>(T1)")
        << 16 << 15 << 256 << 141LL << 30522LL << 256LL * 128;
    QTest::newRow(
        "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>")
        << 40 << 2 << 128 << 141LL << 512LL << 32LL * 32;
    QTest::newRow("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4")
        << 8 << 16 << 128 << 1024LL << 1024LL << 128LL * 64;
    QTest::newRow("sm90_xmma_gemm_f64f64_f64f64_f64_nn_n_tilesize32x64x32_stage3_warpsize2x2x1_tensor16x8x16")
        << 16 << 8 << 128 << 512LL << 512LL << 32LL * 64;
    QTest::newRow("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT64x160x128_MI16x16x1_SN_LDSB1_SK0_SKXCCM0")
        << 61440 << 1 << 256 << 788LL << 3072LL << 64LL * 160;
    QTest::newRow("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT64x32x128_MI16x16x1_SN_LDSB1_SK0_SKXCCM0")
        << 76800 << 1 << 256 << 788LL << 768LL << 64LL * 32;
}

void ProductTilesTest::boundsHoldRecordedSizes()
{
    QFETCH(int, x);
    QFETCH(int, y);
    QFETCH(int, threads);
    QFETCH(qint64, rows);
    QFETCH(qint64, columns);
    QFETCH(qint64, tile);
    const auto most = mostResultElements(QTest::currentDataTag(), launchOf({x, y, 1}, threads));
    QVERIFY(most);
    QVERIFY(*most >= rows * columns);
    QCOMPARE(qint64{*most % tile}, 0LL);
    // At most one tile at each edge may be nearly empty.
    QVERIFY(*most < (rows + 256) * (columns + 256));
}

void ProductTilesTest::noBoundWhereTheGridSaysNothing_data()
{
    QTest::addColumn<int>("blocks");
    QTest::addColumn<int>("threads");
    const char* const known = "ampere_sgemm_128x64_tn";
    QCOMPARE(mostResultElements(known, launchOf({3, 1, 1}, 128)), std::optional<std::int64_t>(3 * 128 * 64));
    QTest::newRow("ampere_sgemm_128x64_tn") << 0 << 128;
    QTest::newRow("ampere_sgemm_64x32_sliced1x4_nn") << 4 << 1; // a block was not recorded
    for (const char* const name : {"nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_TNT", "ampere_sgemm_tn", "",
             "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_segment_k",
             "sm80_xmma_fprop_implicit_gemm_indexed_bf16_nhwckrsc_nhwc_tilesize128x32x32_stage4",
             "Cijk_Alik_Bljk_BBS_BH_MT64x32x128_MI16x16x1_SK3_SKXCCM0", "Cijk_Alik_Bljk_BBS_BH_MI16x16x1",
             "cutlass3x_sm90_tensorop_s64x128x16gemm_f16_128x128x64_2x1x1_0_tnn_align8_warpspecialized",
             "void cutlass::Kernel<GemmGrouped<cutlass_80_tensorop_s16816gemm_64x64_64x3_tn_align8>>",
             "ampere_sgemm_x_99999999999x64_0x0_-1x4_128x"})
        QTest::newRow(name) << 132 << 256;
}

void ProductTilesTest::noBoundWhereTheGridSaysNothing()
{
    QFETCH(int, blocks);
    QFETCH(int, threads);
    QVERIFY(!mostResultElements(QTest::currentDataTag(), launchOf({blocks, 1, 1}, threads)));
}

/// Calls without shapes have bounds, which add up; one product without a bound leaves the sum without one.
void ProductTilesTest::rowsHaveBounds()
{
    const auto loaded = loadText(R"json({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":50,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"ampere_sgemm_128x64_tn","pid":0,"tid":7,"ts":30,"dur":10,"args":{"device":0,"stream":7,"correlation":1,"grid":[8,16,1],"block":[128,1,1]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":100,"dur":50,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":120,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"ampere_sgemm_128x64_tn","pid":0,"tid":7,"ts":130,"dur":10,"args":{"device":0,"stream":7,"correlation":2,"grid":[2,3,2],"block":[128,1,1]}},
{"ph":"X","cat":"cpu_op","name":"aten::bmm","pid":1,"tid":1,"ts":200,"dur":50,"args":{}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":220,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_TNT","pid":0,"tid":7,"ts":230,"dur":10,"args":{"device":0,"stream":7,"correlation":3,"grid":[2,66,1],"block":[384,1,1]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":300,"dur":50,"args":{"Input Dims":[[4,4],[4,4]],"Input type":["float","float"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":320,"dur":5,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"ampere_sgemm_128x64_tn","pid":0,"tid":7,"ts":330,"dur":10,"args":{"device":0,"stream":7,"correlation":4,"grid":[1,1,1],"block":[128,1,1]}}
]
})json");
    QVERIFY(loaded.ok());
    const OperatorWorks works = findOperatorWorks(*loaded.value());
    OperatorQuery query;
    query.by = OperatorGrouping::Operator;
    std::map<std::string, std::optional<std::int64_t>> bounds;
    for (const OperatorRow& row : operatorRows(*loaded.value(), works, query))
        bounds[row.operatorName] = row.mostElements;
    QCOMPARE(bounds.size(), std::size_t{2});
    // The call with shapes has FLOPs, and needs no bound.
    QCOMPARE(bounds["aten::mm"], std::optional<std::int64_t>((128 + 12) * 128 * 64));
    QVERIFY(!bounds["aten::bmm"]);
    query.by = OperatorGrouping::Class;
    const auto rows = operatorRows(*loaded.value(), works, query);
    QCOMPARE(rows.size(), std::size_t{1});
    QVERIFY(!rows.front().mostElements);
}

WARPLINE_TEST(ProductTilesTest)

} // namespace tst_product_tiles

#include "tst_product_tiles.moc"
