// Classes of kernels by rules: the names of libraries, the user's own rules, and how much of real reports is
// classified.

#include "core/kernels/kernel_classes.h"
#include "core/load/load_report.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fstream>
#include <map>
#include <unordered_map>

namespace tst_kernel_classes {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string classOf(const KernelClassRules& rules, std::string_view name)
{
    return rules.classes()[rules.classOf(name)].id;
}

} // namespace

class KernelClassesTest : public QObject {
    Q_OBJECT

private slots:
    void everyBuiltInLineIsRead()
    {
        // A line that cannot be read would end the list, so read it again as a user's file.
        std::ifstream file(WARPLINE_SOURCE_DIR "/resources/kernel_classes.txt");
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        QVERIFY(!text.empty());
        const auto rules = KernelClassRules::withOwn(text, "kernel_classes.txt");
        QVERIFY2(rules.ok(), rules.ok() ? "" : rules.error().message.c_str());
        QCOMPARE(rules.value().classes().size(), KernelClassRules::builtIn().classes().size());
        QCOMPARE(
            classOf(KernelClassRules::builtIn(), "void broadcast_something()"), std::string("elementwise"));
    }

    void knowsLibraries_data()
    {
        QTest::addColumn<QString>("expected");
        const auto add
            = [](const char* name, const char* expected) { QTest::newRow(name) << QString(expected); };
        add("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", "communication");
        add("void vllm::cross_device_reduce_1stage<__half, 2>(vllm::RankData*)", "communication");
        add("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_stage3_ffma_execute_kernel__5x_cublas",
            "gemm");
        add("nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN", "gemm");
        add("void "
            "cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_f16_128x256_64x3_nn_align2>(T1::Params)",
            "gemm");
        add("void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<...>>>",
            "attention");
        add("void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64>>(flash::Flash_fwd_params)",
            "attention");
        add("fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<float>)",
            "attention");
        add("cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26_64x64x64", "attention");
        add("void vllm::reshape_and_cache_flash_kernel<__half>(...)", "kv_cache");
        add("void flashinfer::norm::RMSNormKernel<8, __half>(...)", "normalization");
        add("void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024>(...)", "sampling");
        add("void flashinfer::BatchDecodeWithPagedKVCacheKernel<...>", "attention");
        add("fused_moe_kernel", "gemm");
        add("void vllm::moe::topkGatingSoftmax<8, 64>(...)", "moe");
        add("void deep_gemm::sm90_fp8_gemm_1d2d_impl<128>(float*, int*)", "gemm");
        add("void "
            "cutlass__5x_cudnn::Kernel<cutlass_tensorop_s1688dgrad_optimized_tf32_256x64_16x4_nhwc>(T1::"
            "Params)",
            "convolution");
        add("sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x64x32",
            "convolution");
        add("void at::native::<unnamed>::vectorized_layer_norm_kernel<float, float, (bool)0>(int, T2)",
            "normalization");
        add("void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int>(...)", "normalization");
        add("void <unnamed>::softmax_warp_backward<float, float, float, (int)4>(T2 *)", "softmax");
        add("void at::native::<unnamed>::multi_tensor_apply_kernel<TensorListMetadata<(int)1>>", "optimizer");
        add("void at::native::<unnamed>::embedding_backward_feature_kernel<float>(...)", "embedding");
        add("void at::native::vectorized_elementwise_kernel<(int)4, at::native::CUDAFunctor_add<float>>",
            "elementwise");
        add("void at::native::vectorized_elementwise_kernel<(int)8, "
            "at::native::silu_kernel(at::TensorIteratorBase &)>",
            "activation");
        add("void "
            "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::"
            "TensorIteratorBase &)>",
            "memory");
        add("void at::native::reduce_kernel<(int)512, (int)1, at::native::ReduceOp<float, "
            "at::native::MeanOps<float>>>",
            "reduction");
        add("void at_cuda_detail::cub::detail::radix_sort::DeviceRadixSortOnesweepKernel<...>", "sort_scan");
        add("triton_poi_fused_add_mul_3", "elementwise");
        add("triton_red_fused_mean_7", "reduction");
        add("triton_per_fused_native_layer_norm_2", "normalization");
        add("triton_tem_fused_addmm_5", "gemm");
        add("loop_add_multiply_fusion_12", "elementwise");
        add("input_reduce_fusion_3", "reduction");
        // ROCm's libraries.
        add("__amd_rocclr_fillBufferAligned", "memory");
        add("sage_fwd", "attention");
        add("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128_MI16x16x1_SN_LDSB0_AFC1", "gemm");
        add("Custom_Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x256x64_MI16x16x1", "gemm");
        add("void rocblas_gemm_batched_general_kernel<float>(int)", "gemm");
        add("void rocblas_gemvn_kernel<256, float>(int, int)", "gemv");
        add("igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt64x64x16_wt16x16x4_ws1x1", "convolution");
        add("igemm_wrw_gtcx2_nhwc_bf16_bx0_ex1_bt256x128x16_wt32x32x8", "convolution");
        add("miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1", "convolution");
        add("MIOpenConvUni", "convolution");
        add("naive_conv_ab_nonpacked_fwd_nchw_float_double_float", "convolution");
        add("_ZN2ck16tensor_operation6device12_GLOBAL__N_139kernel_grouped_conv_fwd_xdl_cshuffle_v3INS_34Gridwise",
            "convolution");
        add("_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops_bwd_weightINS_47GridwiseGemm",
            "convolution");
        add("void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<...>>(int)", "gemm");
        add("void ck_tile::kentry<1, ck_tile::Rmsnorm2dFwd<...>>(int)", "normalization");
        add("void ck_tile::kentry<2, ck_tile::FmhaFwdKernel<...>>(int)", "attention");
        add("SubTensorOpWithScalar1d", "memory");
        add("MIOpenBatchNormFwdTrainSpatial", "normalization");
        add("void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, 256, 16>(int)", "normalization");
        add("fmoe_bf16_blockscaleFp8_g1u1_silu", "gemm");
        add("void aiter::dynamic_per_token_scaled_quant_kernel<int>(int)", "quantization");
        add("attn_fwd", "attention");
        add("bwd_kernel_dk_dv", "attention");
        add("void paged_attention_ll4mi_QKV_mfma16_kernel<0>(int)", "attention");
        add("reduce_segments", "attention");
        add("_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu", "gemm");
        add("_combined_routing_memset", "moe");
        add("_finalize_matmul_scatter_bf16", "moe");
        add("void rocprim::ROCPRIM_400200_NS::detail::trampoline_kernel<wrapped_scan_config<long>>",
            "sort_scan");
        add("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", "communication");
        add("void rcclGenericKernel<1>(int)", "communication");
        add("mscclKernel_Sum_half_LL(ncclDevComm*)", "communication");
        add("void quickreduce::allreduce_prototype_twoshot<int>(int)", "communication");
        add("void kernel(curandStateXORWOW *, float *)", "unclassified");
        add("stencil(float *, const float *, int, int)", "unclassified");
    }

    void knowsLibraries()
    {
        QFETCH(QString, expected);
        QCOMPARE(
            QString::fromStdString(classOf(KernelClassRules::builtIn(), QTest::currentDataTag())), expected);
    }

    void ownRulesGoFirst()
    {
        const auto own = KernelClassRules::withOwn("# mine\n"
                                                   "unclassified  not_this_gemm\n"
                                                   "class stencil Stencils\n"
                                                   "stencil  ^sten*float\n"
                                                   "gemm     hidden()\n"
                                                   "class gemm Products\n",
            "mine.txt");
        QVERIFY2(own.ok(), own.ok() ? "" : own.error().message.c_str());
        const KernelClassRules& rules = own.value();
        QCOMPARE(classOf(rules, "stencil(float *)"), std::string("stencil"));
        QCOMPARE(classOf(rules, "my_stencil(float *)"), std::string("unclassified")); // not at its beginning
        QCOMPARE(classOf(rules, "void hidden<int>(int)"), std::string("gemm"));
        QCOMPARE(classOf(rules, "void open<hidden>(int)"),
            std::string("unclassified")); // no function of that name
        QCOMPARE(classOf(rules, "not_this_gemm"), std::string("unclassified"));
        QCOMPARE(classOf(rules, "other_gemm"), std::string("gemm"));
        QCOMPARE(rules.classes()[rules.indexOf("gemm")].title, std::string("Products"));
        QCOMPARE(rules.classes()[rules.unclassified()].id, std::string("unclassified"));
    }

    void badLinesAreToldByNumber()
    {
        const auto unknown = KernelClassRules::withOwn("\n\nnosuch name", "mine.txt");
        QVERIFY(!unknown.ok());
        QVERIFY(unknown.error().message.starts_with("mine.txt, line 3:"));
        QVERIFY(!KernelClassRules::withOwn("gemm", "mine.txt").ok());
        QVERIFY(!KernelClassRules::withOwn("gemm ***", "mine.txt").ok());
        QVERIFY(!KernelClassRules::withOwn("class", "mine.txt").ok());
        std::string many;
        for (std::size_t i = 0; i < maxKernelClasses; ++i)
            many += "class c" + std::to_string(i) + " X\n";
        QVERIFY(!KernelClassRules::withOwn(many, "mine.txt").ok());
        QVERIFY(!KernelClassRules::withFile("/nowhere/kernel-classes.txt").ok());
    }

    void strangeNamesAreUnclassified()
    {
        for (const std::string& name : {std::string(), std::string("void "), std::string("<<<(((("),
                 std::string(100'000, '<'), std::string("\0\xff", 2)})
            QCOMPARE(classOf(KernelClassRules::builtIn(), name), std::string("unclassified"));
    }

    /// Under 3 % of the kernels' time of every report of deep learning is unclassified.
    void classifiesDeepLearning()
    {
        std::size_t reports = 0;
        for (const std::string path :
            {"bert_fp32", "bert_amp", "bert_metrics", "cnn_workers0", "cnn_workers8", "cnn_sampled", "decode",
                "ddp_2gpu", "ddp_overlap_rank0", "ddp_overlap_rank1", "ddp_straggler_rank0",
                "ddp_straggler_rank1", "launch_eager", "h200-more/vit", "h200-more/cnn_gil",
                "h200-more/ddp_json_rank0", "h200-more/llama_bf16", "h200-more/fsdp_rank0",
                "h200-more/fsdp_rank1", "h200-more/pipe_rank0", "h200-more/pipe_rank1",
                "h200-more/graph_nvtx", "public/Athrun0109__CS336_assignment2__result",
                "public/GindaChen__nsys-ai__tests_fixtures_h100_2gpu_1s__3dc0af94",
                "public/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before",
                "public/LeiWang1999__memfusion_artifact__report1",
                "public/MohanadOdema__DLProf__w_Relu_nsys_profile", "public/NVIDIA__Fuser__report1",
                "public/Sh1mwww__llama3-inference__real_inference_simulation",
                "public/jsun-012__assignment2-systems__result",
                "public/IhorAtlanov__assignment2-systems__result",
                "public/zx3xyy__assignment2-systems__result_2_7B",
                "public/zx3xyy__assignment2-systems__result_2_7B_compile_ro",
                "public/Lyrics-WangKL__NVBitFI-by-Time__tools_nvbitfi_test-apps_darknet1img_darknet1img"}) {
            const std::string file = sharedReport(path);
            if (file.empty())
                continue;
            auto loaded = loadReport(file);
            QVERIFY(loaded.ok());
            const Trace& trace = *loaded.value();
            std::unordered_map<StringId, Ns> byName;
            for (EventIndex i = 0; i < trace.kernels().size(); ++i)
                byName[trace.kernels().name[i]] += trace.kernels().duration[i];
            Ns unknown = 0;
            Ns all = 0;
            const KernelClassRules& rules = KernelClassRules::builtIn();
            for (const auto& [name, time] : byName) {
                all += time;
                unknown += rules.classOf(trace.text(name)) == rules.unclassified() ? time : 0;
            }
            const double share
                = all > 0 ? 100.0 * static_cast<double>(unknown) / static_cast<double>(all) : 0;
            qInfo("%5.2f%% unclassified  %s", share, path.c_str());
            QVERIFY2(share < 3, path.c_str());
            ++reports;
        }
        if (reports == 0)
            QSKIP("../shared/reports is not here");
    }
};

WARPLINE_TEST(KernelClassesTest)

} // namespace tst_kernel_classes

#include "tst_kernel_classes.moc"
