#include "tests/core/findings/rule_cases.h"

#include <algorithm>
#include <string>

namespace warpline::test {

namespace {

void kernels(DrawnProgram& program, int count, Ns every, Ns length, const KernelLook& look = {},
    std::string_view name = "work")
{
    for (int i = 0; i < count; ++i) {
        const Ns at = i * every;
        program.kernel(name, at - 5 * us, {at, at + length}, look);
    }
}

/// All-reduces of `length`, one of `longest`; with `hidden` a kernel overlaps them.
void collectives(DrawnProgram& program, Ns length, Ns longest, bool hidden,
    std::string_view name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL")
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 40 * ms;
        const Ns takes = i == 5 ? longest : length;
        program.kernel("work", at, {at + 10 * us, at + 10 * ms});
        const Ns from = hidden ? at + ms : at + 10 * ms;
        program.kernel(name, at + 5 * us, {from, from + takes}, {.stream = 20});
    }
}

/// The stages of a pipeline: eight receives, each of which waits for `wait` before 100 us of kernel.
void stages(DrawnProgram& program, Ns wait)
{
    for (int i = 0; i < 16; ++i) {
        const Ns at = i * 2 * ms;
        const Ns takes = i == 0 ? 15 * us : 15 * us + wait;
        program.kernel("ncclDevKernel_SendRecv(P)", at, {at + 10 * us, at + 10 * us + takes}, {.stream = 20});
        program.kernel("work", at, {at + 30 * us + takes, at + 130 * us + takes});
    }
}

void metricOver(DrawnProgram& program, std::string_view name, float value)
{
    kernels(program, 20, ms, 900 * us);
    program.metric(name, {0, 20 * ms}, 50 * us, value);
}

constexpr std::string_view customReduce
    = "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData *, int)";
constexpr std::string_view simt = "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x256_8x4_nt_align1>(P)";
constexpr std::string_view tensor = "void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_f16_128x128>(P)";

constexpr std::string_view multiply
    = "void at::native::vectorized_elementwise_kernel<4, at::native::MulFunctor<float>>(int, T2, T3)";
constexpr std::string_view nchwToNhwc
    = "void cudnn::engines_precompiled::nchwToNhwcKernel<__half, __half, float, false, true>(P)";
constexpr std::string_view fill
    = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int, T2, T3)";

/// Ten rounds of a product of 1 ms and `count` kernels named `name` of 100 us.
void afterProducts(DrawnProgram& program, std::string_view name, int count, std::int32_t fillStream = 7)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 4 * ms;
        program.kernel("my_gemm", at, {at + 10 * us, at + 1010 * us});
        for (int k = 0; k < count; ++k) {
            const Ns start = fillStream == 7 ? at + 1010 * us + k * 100 * us : at + 10 * us + k * 100 * us;
            program.kernel(name, at + 5 * us, {start, start + 100 * us}, {.stream = fillStream});
        }
    }
}

/// Attention in separate kernels of 100 us each; or a classifier, behind whose softmax no product follows.
void attention(DrawnProgram& program, int count, bool hasValues, Ns between = 100 * us)
{
    for (int i = 0; i < count; ++i) {
        const Ns at = i * ms;
        Ns start = at + 10 * us;
        const auto add = [&](std::string_view name, Ns time = 100 * us) {
            program.kernel(name, at + 5 * us, {start, start + time});
            start += time;
        };
        add("my_gemm");
        add(multiply, between);
        add("softmax_warp_forward<float, float, float, 11, false, false>", between);
        add(hasValues ? "my_gemm" : "nll_loss_forward_reduce_cuda_kernel_2d<float>");
    }
}

/// 40 products of 4096 x 4096 matrices in BF16 or FP32, by name, each in one kernel of `length`: 139 us and
/// 2.05 ms are their roofline.
void shapedProducts(DrawnProgram& drawn, std::string_view kernel, Ns length, bool shapes = true)
{
    for (int i = 0; i < 40; ++i) {
        const Ns at = 4 * ms * i;
        if (shapes)
            drawn.range("aten::mm, seq = 0, op_id = " + std::to_string(i)
                    + ", sizes = [[4096, 4096], [4096, 4096]], input_op_ids = [(-1,-1), (-1,-1)]",
                {at, at + 20 * us});
        drawn.kernel(kernel, at + 5 * us, {at + 30 * us, at + 30 * us + length}, {.blocks = 4096});
    }
}
constexpr std::string_view inBf16 = "nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN";

} // namespace

void besideCollectives(DrawnProgram& drawn, Ns slowed, std::vector<std::string_view> kernels)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = 20 * ms * i;
        const bool beside = i % 2 == 1;
        if (beside)
            drawn.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", at,
                {at + 1 * ms, at + 11 * ms}, {.stream = 9, .blocks = 24});
        Ns start = at + 2 * ms;
        for (const std::string_view kernel : kernels) {
            drawn.kernel(kernel, at + 10 * us, {start, start + (beside ? slowed : 1 * ms)}, {.blocks = 128});
            start += 3 * ms;
        }
        std::ranges::reverse(kernels);
    }
}

std::vector<RuleCase> kernelCases()
{
    return {
        {"below_roofline", "products at a seventh of the peak", true,
            [](auto& p) { shapedProducts(p, inBf16, ms); }},
        {"below_roofline", "products near the peak", false,
            [](auto& p) { shapedProducts(p, inBf16, 190 * us); }},
        {"below_roofline", "products of unknown shapes", false,
            [](auto& p) { shapedProducts(p, inBf16, ms, false); }},
        {"below_roofline", "products in FP32, which another rule knows", false,
            [](auto& p) {
                shapedProducts(p, "cutlass_80_simt_sgemm_128x128_8x4_nn_align1", 4 * ms - 40 * us);
            }},
        {"short_kernels", "300 of 3 us", true, [](auto& p) { kernels(p, 300, 10 * us, 3 * us); }},
        {"short_kernels", "300 of 30 us", false, [](auto& p) { kernels(p, 300, 40 * us, 30 * us); }},
        {"kernel_storm", "600 of 3 us", true, [](auto& p) { kernels(p, 600, 10 * us, 3 * us); }},
        {"kernel_storm", "600 of 3 us in a graph", false,
            [](auto& p) { kernels(p, 600, 10 * us, 3 * us, {.graphNode = 5}); }},
        {"kernel_storm", "600 of 30 us", false, [](auto& p) { kernels(p, 600, 40 * us, 30 * us); }},
        {"tiny_grid", "a single thread", true,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 1, .threads = 1}); }},
        {"tiny_grid", "a block for each multiprocessor", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 132}); }},
        {"tiny_grid", "a collective, small on purpose", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 16}, "ncclDevKernel_AllReduce"); }},
        {"small_blocks", "1,500,000 blocks of a warp in 1 ms", true,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 1'500'000, .threads = 32}); }},
        {"small_blocks", "blocks of a warp that run long", true,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 132 * 32, .threads = 32}); }},
        {"small_blocks", "as many blocks of eight warps that run long", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 132 * 32}); }},
        {"small_blocks", "a framework's choice", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 1'500'000, .threads = 128}, multiply); }},
        {"elementwise_chains", "six behind each product", true,
            [](auto& p) { afterProducts(p, multiply, 6); }},
        {"elementwise_chains", "one behind each product", false,
            [](auto& p) { afterProducts(p, multiply, 1); }},
        {"elementwise_chains", "fills, which compute nothing", false,
            [](auto& p) { afterProducts(p, fill, 6); }},
        {"separate_attention", "a softmax between products", true, [](auto& p) { attention(p, 10, true); }},
        {"separate_attention", "a softmax behind the last product", false,
            [](auto& p) { attention(p, 10, false); }},
        {"separate_attention", "a short softmax between long products", false,
            [](auto& p) { attention(p, 10, true, 10 * us); }},
        {"layout_conversions", "around each product", true, [](auto& p) { afterProducts(p, nchwToNhwc, 2); }},
        {"layout_conversions", "none", false, [](auto& p) { afterProducts(p, multiply, 2); }},
        {"memory_fills", "two behind each product", true, [](auto& p) { afterProducts(p, fill, 2); }},
        {"memory_fills", "beside products", false, [](auto& p) { afterProducts(p, fill, 2, 8); }},
        {"memory_fills", "kernels that compute", false, [](auto& p) { afterProducts(p, multiply, 2); }},
        {"tail_waves", "1.04 waves", true, [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 1100}); }},
        {"tail_waves", "two whole waves", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 2 * 8 * 132}); }},
        {"low_occupancy", "120 kB of shared memory a block", true,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.sharedMemory = 120'000}); }},
        {"low_occupancy", "no shared memory", false, [](auto& p) { kernels(p, 5, 2 * ms, ms); }},
        {"no_tensor_cores", "products in FP32", true, [](auto& p) { kernels(p, 5, 2 * ms, ms, {}, simt); }},
        {"no_tensor_cores", "attention in FP32", true,
            [](auto& p) {
                kernels(p, 5, 2 * ms, ms, {},
                    "fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<float, "
                    "cutlass::arch::Sm80>::Params)");
            }},
        {"no_tensor_cores", "attention in BF16", false,
            [](auto& p) {
                kernels(p, 5, 2 * ms, ms, {},
                    "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<"
                    "cutlass::bfloat16_t, cutlass::arch::Sm80>::Params)");
            }},
        {"no_tensor_cores", "products on tensor cores", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {}, tensor); }},
        {"no_tensor_cores", "no products", false, [](auto& p) { kernels(p, 5, 2 * ms, ms); }},
        {"no_tensor_cores", "a metric that refutes the names", false,
            [](auto& p) {
                kernels(p, 5, 2 * ms, ms, {}, simt);
                p.metric("Tensor Active [Throughput %]", {0, 10 * ms}, 100 * us, 60);
            }},
        {"nccl_exposed", "after the kernels", true, [](auto& p) { collectives(p, 4 * ms, 4 * ms, false); }},
        {"nccl_exposed", "hardly any", false, [](auto& p) { collectives(p, 50 * us, 50 * us, true); }},
        {"collective_wait", "one takes 30 ms, the others 2", true,
            [](auto& p) { collectives(p, 2 * ms, 29 * ms, false); }},
        {"collective_wait", "all take 4 ms", false, [](auto& p) { collectives(p, 4 * ms, 4 * ms, false); }},
        {"collective_wait", "hidden behind kernels", false,
            [](auto& p) { collectives(p, 2 * ms, 8 * ms, true); }},
        {"nccl_exposed", "a custom all-reduce after the kernels", true,
            [](auto& p) { collectives(p, 4 * ms, 4 * ms, false, customReduce); }},
        {"collective_wait", "a custom all-reduce takes 30 ms, the others 2", true,
            [](auto& p) { collectives(p, 2 * ms, 29 * ms, false, customReduce); }},
        {"tiny_grid", "a custom all-reduce, small on purpose", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {.blocks = 16}, customReduce); }},
        {"low_occupancy", "a kernel of DeepEP with much shared memory", false,
            [](auto& p) {
                kernels(p, 5, 2 * ms, ms, {.sharedMemory = 120'000}, "deep_ep::intranode::dispatch<8>(int)");
            }},
        {"short_kernels", "300 small messages", false,
            [](auto& p) { kernels(p, 300, 10 * us, 3 * us, {}, customReduce); }},
        {"kernel_storm", "600 small messages", false,
            [](auto& p) { kernels(p, 600, 10 * us, 3 * us, {}, customReduce); }},
        {"collective_slows_compute", "twice the time beside a collective", true,
            [](auto& p) { besideCollectives(p, 2 * ms); }},
        {"collective_slows_compute", "as long beside a collective as alone", false,
            [](auto& p) { besideCollectives(p, 1 * ms); }},
        {"pipeline_bubble", "a stage that waits 1.5 ms for each piece", true,
            [](auto& p) { stages(p, 1500 * us); }},
        {"pipeline_bubble", "collectives", false, [](auto& p) { collectives(p, 4 * ms, 4 * ms, false); }},
        {"collective_wait", "sends and receives are none", false, [](auto& p) { stages(p, 1500 * us); }},
        {"nccl_exposed", "sends and receives are none", false, [](auto& p) { stages(p, 1500 * us); }},
        {"no_tensor_cores", "FP8 with scales of float", false,
            [](auto& p) {
                kernels(p, 5, 2 * ms, ms, {}, "void deep_gemm::sm90_fp8_gemm_1d2d_impl<0>(float *, int *)");
            }},
        {"no_tensor_cores", "a matrix and a vector, bound by memory", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {}, "void gemv2T_kernel_val<int, float, 128>(P)"); }},
        {"no_tensor_cores", "FP64", false,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {}, "volta_dgemm_128x64_nn"); }},
        {"tensor_core_share", "products on tensor cores", true,
            [](auto& p) { kernels(p, 5, 2 * ms, ms, {}, tensor); }},
        {"tensor_core_share", "no products", false, [](auto& p) { kernels(p, 5, 2 * ms, ms); }},
        {"gpu_metrics_limits", "few multiprocessors active", true,
            [](auto& p) { metricOver(p, "SMs Active [Throughput %]", 20); }},
        {"gpu_metrics_limits", "all multiprocessors active", false,
            [](auto& p) { metricOver(p, "SMs Active [Throughput %]", 95); }},
        {"gpu_metrics_limits", "memory at its peak", true,
            [](auto& p) { metricOver(p, "DRAM Read Bandwidth [Throughput %]", 92); }},
        {"gpu_metrics_limits", "memory at a third", false,
            [](auto& p) { metricOver(p, "DRAM Read Bandwidth [Throughput %]", 33); }},
    };
}

} // namespace warpline::test
