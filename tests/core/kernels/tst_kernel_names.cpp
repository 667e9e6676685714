// Kernels' names: communication, products with unit and type, and labels of templates.

#include "core/kernels/demangle.h"
#include "core/kernels/kernel_label.h"
#include "core/kernels/kernel_math.h"
#include "core/kernels/kernel_names.h"
#include "core/kernels/short_name.h"
#include "core/load/load_report.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <set>
#include <string>

namespace tst_kernel_names {

using namespace warpline;
using namespace warpline::test;

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

void addName(const char* name, const char* expected)
{
    QTest::newRow(name) << QString(name) << QString(expected);
}

QString unitText(const KernelMath& math)
{
    static constexpr std::array<const char*, 4> works{"other", "matrix", "vector", "attention"};
    static constexpr std::array<const char*, 3> units{"unknown", "simt", "tensor"};
    if (math.work == MathWork::Other)
        return "other";
    return QString("%1 %2 %3")
        .arg(works[static_cast<std::size_t>(math.work)], units[static_cast<std::size_t>(math.unit)],
            text(labelOf(math.type)));
}

} // namespace

class KernelNamesTest : public QObject {
    Q_OBJECT

private slots:
    void demangles_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("readable");
        addName("_Z3addPfi", "add(float*, int)");
        addName("_ZN2ns4fillILi4EfEEvPT0_", "void ns::fill<4, float>(float*)");
        // Types newer than the C++ library that PyTorch asks: it leaves them mangled.
        addName("_ZN5aiter4normIDF16bLb1EEEvPT_S2_d",
            "void aiter::norm<std::bfloat16_t, true>(std::bfloat16_t*, std::bfloat16_t*, double)");
        addName("_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_"
                "S5_EEEEvPS3_PS4_i",
            "void sgl_hip::activation::act_and_mul_kernel<__hip_bfloat16, &(__hip_bfloat16 "
            "silu<__hip_bfloat16>(__hip_bfloat16 const&))>(__hip_bfloat16*, __hip_bfloat16 const*, int)");
        // The parameter of a template that is referred to is that of the function around the reference.
        addName("_ZN2at3runILi4EZNS_3powIffEEvRNS_6TensorET0_EUlfE_St5arrayIPcLm2EEEEviS4_T1_",
            "void at::run<4, at::pow<float, float>(at::Tensor&, float)::{lambda(float)#1}, std::array<char*, "
            "2ul> >(int, at::pow<float, float>(at::Tensor&, float)::{lambda(float)#1}, std::array<char*, "
            "2ul>)");
        for (const char* const none : {"", "_Z", "fill", "_ZN2at", "_ZN2at4fillEvX", "_Z1fIXplLi1ELi2EEEvv",
                 "_ZN99999999999999999999ns1fEv", "_Z1fS5_", "_Z1fT_"})
            QTest::newRow((std::string("none: ") + none).c_str()) << QString(none) << QString();
    }
    void demangles()
    {
        QFETCH(QString, name);
        QFETCH(QString, readable);
        QCOMPARE(QString::fromStdString(demangled(name.toStdString())), readable);
    }
    /// A name may refer to itself repeatedly: output and depth are bounded.
    void demanglingIsBounded()
    {
        std::string doubling = "_Z1f1aIS_S_E";
        for (const char place : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            doubling += std::string("S_IS") + place + "_S" + place + "_E";
        QVERIFY(demangled(doubling).empty());
        QVERIFY(demangled("_Z1f" + std::string(60'000, 'P') + "i").empty());
        QVERIFY(demangled("_Z1f" + std::string(10'000'000, 'P') + "i").empty());
    }
    /// Agrees with the C++ library's demangler where that succeeds: names of kernels in the shared reports,
    /// which hold both.
    void demanglesAsTheCompilerDoes()
    {
        std::set<std::string> names;
        for (const char* const report : {"bert_fp32", "cnn_workers0", "decode", "h200-more/llama_bf16"}) {
            const auto loaded = loadReport(sharedReport(report));
            if (!loaded.ok())
                QSKIP("needs ../shared/reports, which is not there");
            const Trace& trace = *loaded.value();
            for (EventIndex i = 0; i < trace.kernels().size(); ++i)
                names.insert(std::string(trace.text(trace.kernels().launch(i).mangledName)));
        }
        std::size_t compared = 0;
        for (const std::string& name : names) {
            int status = 0;
            const std::unique_ptr<char, void (*)(void*)> known(
                abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
            if (!name.starts_with("_Z"))
                continue;
            const std::string readable = demangled(name);
            QVERIFY2(!readable.empty(), name.c_str());
            if (status == 0) // not of more than a thousand letters
                QCOMPARE(readable, std::string(known.get()));
            ++compared;
        }
        QVERIFY2(compared > 60, std::to_string(compared).c_str());
    }
    void elements_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("element");
        addName("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", "f32");
        addName("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(T1)", "bf16");
        addName("ncclKernel_AllReduce_RING_LL_Sum_f16(ncclDevComm*)", "f16");
        addName("ncclDevKernel_AllGather_RING_LL(T1)", "bytes");
        addName("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096>)", "bytes");
        addName("ncclDevKernel_Broadcast_RING_LL(T1)", "bytes");
        addName("ncclDevKernel_Generic(T1)", "");
        addName("void vllm::cross_device_reduce_1stage<float, 2>(T1)", "");
    }
    void elements()
    {
        QFETCH(QString, name);
        QFETCH(QString, element);
        const std::string kernel = name.toStdString();
        QCOMPARE(text(elementOfCollective(kernel)), element);
    }
    void communication_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("operation");
        addName("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", "all-reduce");
        addName("ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclDevComm *, unsigned long, ncclWork *)",
            "all-gather");
        addName("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(T1)", "reduce-scatter");
        addName("ncclDevKernel_Broadcast_RING_LL(T1)", "broadcast");
        addName("ncclKernel_Reduce_Sum(T1)", "reduce");
        addName("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096>)", "send and receive");
        addName(
            "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData *, int)", "all-reduce");
        addName("void sglang::cross_device_reduce_2stage<half, 8>(int)", "all-reduce");
        addName("void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(int)3, "
                "__half, 8, true>(Params)",
            "all-reduce");
        addName("tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_twoshot_sync<RMSNorm>(P)",
            "all-reduce");
        addName("void tensorrt_llm::kernels::oneShotAllReduceKernel<float, 8>(P)", "all-reduce");
        addName(
            "void c10d::symmetric_memory::multimem_one_shot_all_reduce_kernel<float>(float *)", "all-reduce");
        addName("void two_shot_all_reduce_kernel<c10::BFloat16, 16>(T1 **)", "all-reduce");
        addName("void deep_ep::internode_ll::dispatch<true, 4, 7168>(void *)", "all-to-all");
        addName("void deep_ep::intranode::combine<__nv_bfloat16, 8>(T1 *)", "all-to-all");
        addName("void deep_ep::intranode::notify_dispatch<8>(int)", "all-to-all");
        addName("nvshmemi_barrier_threadgroup_kernel(int)", "NVSHMEM");
        addName("userbuffers_fp16_sum_inplace_gpu_rr<8>(int)", "userbuffers");
        // A norm, a softmax, a reduction of one GPU.
        addName("void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(T1 *)", "");
        addName("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(T3)", "");
        addName("blockReduceSum(float *)", "");
    }
    void communication()
    {
        QFETCH(QString, name);
        QFETCH(QString, operation);
        const KernelCommunication found = communicationOf(name.toStdString());
        QCOMPARE(text(found.operation), operation);
        QCOMPARE(found.kind != Communication::None, !operation.isEmpty());
        QCOMPARE(found.kind == Communication::PointToPoint, operation == "send and receive");
    }

    void math_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        // Proven to run on the ordinary cores.
        addName("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x256_8x4_nt_align1>(T1::Params)",
            "matrix simt FP32");
        addName("ampere_sgemm_128x64_tn", "matrix simt FP32");
        addName("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4",
            "matrix simt FP32");
        addName("void gemmSN_NN_kernel<float, 256, 4, 2, 8, 3, 4>(P)", "matrix simt FP32");
        addName("volta_scudnn_128x64_relu_interior_nn_v1", "matrix simt FP32");
        addName("fmha_cutlassF_f32_aligned_64x64_rf_sm75", "attention simt FP32");
        // A float among the arguments proves nothing: scales, accumulators.
        addName("void deep_gemm::sm90_fp8_gemm_1d2d_impl<0, 4096, 7168, 1>(float *, int *, unsigned int)",
            "matrix tensor FP8");
        addName("void gemm_kernel<__nv_bfloat16, float>(T1 const *, T2 *)", "matrix tensor BF16");
        addName("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::float_e2m1_t, "
                "cutlass::float_ue8m0_t, float>>(T1::Params)",
            "matrix tensor FP4");
        addName("void fpA_intB_gemm_wrapper<signed char, float>(T1 *, T2 *)", "matrix unknown INT8");
        addName("void transformer_engine::gemm_swizzle_row_scaling_kernel<int, float>(T1 *)", "other");
        addName("void marlin::Marlin<__nv_bfloat16, 8>(int4 const *)", "matrix tensor INT4 weights");
        addName("void my_gemm<float>(float const *, float *)", "matrix unknown FP32");
        addName("fmha_cutlassB_f32_aligned_64x64_k64_dropout_sm80", "attention tensor TF32");
        addName("void cutlass::Kernel2<cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1>(T1::Params)",
            "matrix tensor FP64");
        addName("volta_dgemm_128x64_nn", "matrix simt FP64");
        addName("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_TNT", "matrix tensor BF16");
        addName("nvjet_sm90_hsh_96x64_64x8_2x4_h_bz_NTN", "matrix tensor FP16");
        addName("nvjet_qqtst_128x192_128x4_1x2_h_bz_coopB_TNT", "matrix tensor FP8");
        addName(
            "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize64x32x64_tensor16x8x8",
            "matrix tensor TF32");
        addName("void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, cutlass::bfloat16_t>>(P)",
            "attention tensor BF16");
        addName(
            "void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<cutlass::half_t>>>(P)",
            "attention tensor FP16");
        // AMD: the matrix instruction (MI) is in the name, and the types behind the layouts.
        addName(
            "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN", "matrix tensor BF16");
        addName(
            "Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128_MI16x16x1_SN", "matrix tensor BF16");
        addName(
            "Cijk_Alik_Bljk_F8HS_BH_BiasSH_AS_SAB_SAV_UserArgs_MT256x224x128_MI16x16x1", "matrix tensor FP8");
        addName("Cijk_Ailk_Bjlk_HHS_BH_MT128x128x32_MI32x32x8", "matrix tensor FP16");
        addName("Cijk_Ailk_Bljk_SB_MT64x64x16_SN_K1", "matrix unknown other types");
        // Bound by memory, whatever they run on.
        addName("void gemv2T_kernel_val<int, int, float, float, float, 128, 16>(P)", "vector simt FP32");
        addName("void vllm::paged_attention_v2_kernel<__half, __half, 128>(T1 *)", "attention simt FP16");
        addName("void conv_depthwise2d_forward_kernel<float, int>(T1)", "vector simt FP32");
        // Neither products nor attention, though their names contain the words.
        addName("void flashinfer::norm::RMSNormKernel<8, __nv_bfloat16>(T1 *)", "other");
        addName("void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024>(float *)", "other");
        addName("void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>(T1 *)", "other");
        addName("void cublasLt::splitKreduce_kernel<32, 16, int, float, float>(P)", "other");
        addName("winogradForwardData4x4<float>(P)", "other");
        addName("void cudnn::fusion::compute_dot_do_o_specialized<float>(P)", "other");
        addName("vectorAdd(float const *, float *)", "other");
    }
    void math()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(unitText(mathOf(name.toStdString())), expected);
    }

    void labels_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shortName");
        QTest::addColumn<QString>("label");
        const auto add = [](const char* name, const char* shortName, const char* label) {
            QTest::newRow(label) << QString(name) << QString(shortName) << QString(label);
        };
        add("void at::native::vectorized_elementwise_kernel<(int)4, at::native::CUDAFunctor_add<float>, "
            "std::array<char *, (unsigned long)3>>(int, T2, T3)",
            "vectorized_elementwise_kernel", "CUDAFunctor_add");
        add("void at::native::elementwise_kernel<(int)128, (int)2, void "
            "at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase "
            "&)::[lambda() (instance 3)]::operator ()() const::[lambda(float) (instance "
            "1)]>(at::TensorIteratorBase &, const T1 &)::[lambda(int) (instance 1)]>(int, T3)",
            "elementwise_kernel", "direct_copy_kernel_cuda");
        add("void at::native::elementwise_kernel<(int)128, (int)2, void "
            "at::native::gpu_kernel_impl_nocast<at::native::BUnaryFunctor<float, float, float, "
            "at::native::binary_internal::MulFunctor<float>>>(at::TensorIteratorBase &, const T1 "
            "&)::[lambda(int) (instance 1)]>(int, T3)",
            "elementwise_kernel", "MulFunctor");
        add("void "
            "at::native::<unnamed>::multi_tensor_apply_kernel<at::native::<unnamed>::TensorListMetadata<("
            "int)2>, at::native::<unnamed>::TernaryOpScalarFunctor<float, (int)2, (int)2, (int)0>, "
            "at::native::LerpFunctor<float>, float>(T1, T2, T3...)",
            "multi_tensor_apply_kernel", "LerpFunctor");
        add("void at::native::reduce_kernel<(int)512, (int)1, at::native::ReduceOp<float, "
            "at::native::MeanOps<float, float, float, float>, unsigned int, float, (int)4, (int)4>>(T3)",
            "reduce_kernel", "MeanOps");
        add("void cutlass::Kernel2<cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1>(T1::Params)", "Kernel2",
            "cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1");
        add("void clover::par_ranged2d_kernel<PdV_kernel(bool, int, clover::Buffer2D<double> "
            "&)::[lambda(int, int) (instance 1)]>(clover::Range2d, T1)",
            "par_ranged2d_kernel", "PdV_kernel");
        add("void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::ParallelForAgent<"
            "thrust::cuda_cub::for_each_f<thrust::detail::normal_iterator<thrust::device_ptr<Data> >, "
            "thrust::detail::wrapped_function<main::{lambda(Data&)#1}, void> >, long>, "
            "long>(thrust::detail::wrapped_function<main::{lambda(Data&)#1}, void>, long)",
            "_kernel_agent", "main");
        add("void "
            "Kokkos::Impl::cuda_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<Solver::operator()("
            "int) const::{lambda(int)#1}, Kokkos::RangePolicy<Kokkos::Cuda>, Kokkos::Cuda>>(T1)",
            "cuda_parallel_launch_local_memory", "Solver");
        add("void RAJA::policy::cuda::impl::forallp_cuda_kernel<RAJA::policy::cuda::cuda_exec_explicit<int>, "
            "(unsigned long)1, RAJA::Iterators::numeric_iterator<long>, daxpy(int)::[lambda(int) (instance "
            "1)]>(T4)",
            "forallp_cuda_kernel", "daxpy");
        // Templates with a name of their own, and kernels that are not templates, stay.
        add("void transpose<float, (int)32>(T1 const *, T1 *)", "transpose", "transpose");
        add("vecAdd(float *, float *)", "vecAdd", "vecAdd");
        add("void broken<lambda(", "broken", "broken");
    }
    void labels()
    {
        QFETCH(QString, name);
        QFETCH(QString, shortName);
        QFETCH(QString, label);
        const std::string demangled = name.toStdString();
        const std::string brief = shortName.toStdString();
        QCOMPARE(text(kernelLabel(demangled, brief)), label);
    }

    /// Numba's names end in a signature of a hundred letters.
    void signaturesAreNoNames()
    {
        const std::string name = "__main__::divide_by[abi:v3,cw51cXTLSUwv1sDUaK_3d](Array<float, (int)1, C>)";
        QCOMPARE(text(kernelLabel(name, "divide_by[abi:v3,cw51cXTLSUwv1sDUaK_3d]")), QString("divide_by"));
        QCOMPARE(text(shortNameOf(name)), QString("divide_by"));
    }

    void anyTextHasALabel()
    {
        for (const char* const odd : {"", "<", "a<", "a<(", "a<[lambda(", "a<>>>", "<unnamed>::f<unnamed>",
                 "f<{lambda(", "f<int, [lambda(]", "::<::>::"}) {
            const std::string name(odd);
            kernelLabel(name, "");
            kernelLabel(name, "Kernel2");
            mathOf(name);
            communicationOf(name);
        }
    }
};

WARPLINE_TEST(KernelNamesTest)

} // namespace tst_kernel_names

#include "tst_kernel_names.moc"
