// Detects kernels of matrix products, their units and types, by name. Only evidence counts: a name with
// "simt" or "sgemm". A float among template arguments proves nothing, because FP8 products have float scales
// and accumulators.

#include "core/kernels/kernel_math.h"

#include "core/base/ascii_case.h"
#include "core/base/words.h"
#include "core/kernels/kernel_names.h"

#include <array>
#include <string>

namespace warpline {

namespace {

/// Kernels around products and attention whose names contain the same words: caches, norms, sampling,
/// reductions of partial results, layout changes, quantization.
constexpr std::array<std::string_view, 36> helperWords{"reshape_and_cache", "concat_and_cache",
    "kvcachekernel", "copy_blocks", "kv_buffer", "flashinfer::norm", "flashinfer::sampling",
    "flashinfer::activation", "samplingfromprob", "rotary", "rope", "combine", "mla_metadata",
    "prepare_varlen", "mergestate", "fmhareduction", "fmha_reduce", "dot_do_o", "convert_dq", "pointers",
    "offsets", "splitkreduce", "splitk_reduce", "winogradforward", "winogradwgrad", "generatewinograd",
    "nchwtonhwc", "nhwctonchw", "im2col", "scaling_kernel", "swizzle_", "fp8_quant", "group_quant",
    "quantize_mmq", "moe_align", "lean_reduction"};
constexpr std::array<std::string_view, 13> attentionWords{"fmha", "flash", "sdpa", "attn_fwd", "attn_bwd",
    "_bwd_kernel_dk", "attention", "mqa_logits", "xqa_kernel", "kernel_mha", "withkvcache", "kvcache",
    "_mla_kernel"};
/// Attention of single tokens, which reads the cache once and is bound by it.
constexpr std::array<std::string_view, 4> vectorAttention{
    "paged_attention_v", "masked_multihead", "batchdecode", "singledecode"};
constexpr std::array<std::string_view, 18> matrixWords{"gemm", "cijk_", "convolve", "fprop", "wgrad", "dgrad",
    "scudnn", "nvjet", "matmul", "mul_mat_q", "fused_moe", "marlin", "bmm_", "triton_mm", "triton_tem_fused",
    "wgmma", "mma_sync", "_engine<"};
/// Memory-bound kernels: searched in the function's own name only, because templates of products contain the
/// words, too.
constexpr std::array<std::string_view, 6> vectorWords{
    "gemv", "mul_mat_vec", "conv_depthwise", "grouped_direct", "gemmk1", "gemm_half_q_half"};
constexpr std::array<std::string_view, 13> simtWords{"simt", "_ffma_", "sgemm", "cgemm", "scudnn", "dgemm",
    "zgemm", "_engine<float", "gemmsn_nn_kernel<float", "gemmsn_tn_kernel<float", "4bit_inference_naive",
    "gemmsn_nn_kernel<double", "gemmsn_tn_kernel<double"};
constexpr std::array<std::string_view, 42> tensorWords{"tensorop", "_mi16x16x", "_mi32x32x", "_mi4x4x",
    "_mi64x4x", "nvjet", "hmma", "imma", "wgmma", "gmma", "umma", "tcgen05", "wmma", "mma_sync", "s16816",
    "h16816", "s1688", "h1688", "s884", "h884", "d884", "i16832", "i8816", "tf32", "bf16", "f16", "bfloat16",
    "half", "_tensor16x", "_tensor8x", "e4m3", "e5m2", "e2m1", "fp8", "fp4", "mainloopsm90", "mainloopsm100",
    "deep_gemm::sm", "marlin", "gemm_forward_4bit", "fused_moe", "mul_mat_q<"};

struct TypeWord {
    std::string_view part;
    MathType type;
};

/// The first that fits is the type: from few bits to many.
constexpr std::array<TypeWord, 47> typeWords{{{"e2m1", MathType::Fp4}, {"fp4", MathType::Fp4},
    {"nvf4", MathType::Fp4}, {"mxf4", MathType::Fp4}, {"e4m3", MathType::Fp8}, {"e5m2", MathType::Fp8},
    {"fp8", MathType::Fp8}, {"jlk_f8", MathType::Fp8}, {"ljk_f8", MathType::Fp8}, {"nvjet_qq", MathType::Fp8},
    {"_qqt", MathType::Fp8}, {"4bit", MathType::Int4}, {"wna16", MathType::Int4}, {"gptq", MathType::Int4},
    {"awq", MathType::Int4}, {"marlin", MathType::Int4}, {"i16832", MathType::Int8},
    {"i8816", MathType::Int8}, {"imma", MathType::Int8}, {"signed char", MathType::Int8},
    {"int8", MathType::Int8}, {"mul_mat_", MathType::Int8}, {"_i8i", MathType::Int8},
    {"_bbs_", MathType::Bf16}, {"_b_bs_", MathType::Bf16}, {"_bss_", MathType::Bf16},
    {"_hhs_", MathType::Fp16}, {"bf16", MathType::Bf16}, {"bfloat16", MathType::Bf16},
    {"_tst_", MathType::Bf16}, {"_tss_", MathType::Bf16}, {"f16", MathType::Fp16}, {"half", MathType::Fp16},
    {"_hsh_", MathType::Fp16}, {"_hhh_", MathType::Fp16}, {"_hss_", MathType::Fp16},
    {"h16816", MathType::Fp16}, {"h1688", MathType::Fp16}, {"884gemm_fp16", MathType::Fp16},
    {"h884", MathType::Fp16}, {"tf32", MathType::Tf32}, {"tfloat32", MathType::Tf32},
    {"s1688", MathType::Tf32}, {"d884", MathType::Fp64}, {"dgemm", MathType::Fp64}, {"zgemm", MathType::Fp64},
    {"f64", MathType::Fp64}}};
constexpr std::array<std::string_view, 7> singleWords{
    "ffma", "simt", "sgemm", "cgemm", "scudnn", "<float", ", float"};

// Names are lowered once from here on, because a hundred words are searched in each.

bool holds(std::string_view name, std::string_view word)
{
    return name.find(word) != std::string_view::npos;
}

MathType typeOf(std::string_view name)
{
    // vLLM's caches name the type that they may have; 0 is the model's own.
    const bool hasOwnCache = holds(name, "fp8kvcachedatatype)0");
    for (const TypeWord& word : typeWords) {
        if (hasOwnCache && word.type == MathType::Fp8)
            continue;
        if (holds(name, word.part))
            return word.type;
    }
    if (holds(name, "double"))
        return MathType::Fp64;
    return containsAny(name, singleWords) ? MathType::Fp32 : MathType::Unknown;
}

/// The function's name with its namespaces, without the arguments of templates and calls.
std::string_view functionPathOf(std::string_view name)
{
    std::size_t end = 0;
    while (end < name.size() && name[end] != '(') {
        if (name[end] == '<') {
            // An unnamed namespace is a part of the name.
            if (!name.substr(end).starts_with("<unnamed>"))
                break;
        }
        ++end;
    }
    return name.substr(0, end);
}

KernelMath attentionOf(std::string_view name)
{
    KernelMath math{MathWork::Attention, MathUnit::Tensor, typeOf(name)};
    if (math.type == MathType::Fp16 && name.starts_with("cudnn_generated"))
        math.type = MathType::Any16;
    if ((holds(name, "fmha_cutlass") && holds(name, "_f32_")) || holds(name, "attentionkernel<float")
        || (holds(name, "attentionbackwardkernel<") && holds(name, ", float,"))) {
        // From Ampere on a product in FP32 is made of three in TF32.
        const bool three = holds(name, "sm80");
        math.unit = three ? MathUnit::Tensor : MathUnit::Simt;
        math.type = three ? MathType::Tf32 : MathType::Fp32;
    }
    return math;
}

} // namespace

std::string_view labelOf(MathType type)
{
    static constexpr std::array<std::string_view, 11> labels{"other types", "FP4", "FP8", "INT8",
        "INT4 weights", "BF16", "FP16", "TF32", "FP32", "FP64", "16-bit types"};
    return labels[static_cast<std::size_t>(type)];
}

KernelMath mathOf(std::string_view kernelName)
{
    constexpr std::size_t longest = 1U << 16U; // real names have a few thousand letters
    const std::string name = lowered(kernelName.substr(0, longest));
    const std::string_view function = functionPathOf(name);
    if (containsAny(name, helperWords) || isCommunication(kernelName))
        return {};
    if (containsAny(name, vectorAttention))
        return {MathWork::Attention, MathUnit::Simt, typeOf(name)};
    if (containsAny(name, attentionWords))
        return attentionOf(name);
    if (containsAny(function, vectorWords))
        return {MathWork::Vector, MathUnit::Simt, typeOf(name)};
    if (!containsAny(name, matrixWords))
        return {};
    KernelMath math{MathWork::Matrix, MathUnit::Unknown, typeOf(name)};
    if (containsAny(name, simtWords))
        math.unit = MathUnit::Simt;
    else if (containsAny(name, tensorWords))
        math.unit = MathUnit::Tensor;
    return math;
}

} // namespace warpline
