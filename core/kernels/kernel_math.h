#pragma once

#include <cstdint>
#include <string_view>

namespace warpline {

/// What a kernel multiplies.
enum class MathWork : std::uint8_t {
    Other, ///< no product, or the name does not say
    Matrix, ///< matrices: a product or a convolution
    Vector, ///< a matrix and a vector, or a convolution channel by channel: bound by memory, whatever unit
    Attention,
};

/// What it multiplies on. Nothing is guessed: only a name that says so counts.
enum class MathUnit : std::uint8_t {
    Unknown,
    Simt, ///< the ordinary cores
    Tensor, ///< tensor cores
};

/// What the operands are; of several the one with the fewest bits, since accumulators and scales are often
/// float. Any16 is FP16 or BF16: cuDNN's attention says f16 for both.
enum class MathType : std::uint8_t { Unknown, Fp4, Fp8, Int8, Int4, Bf16, Fp16, Tf32, Fp32, Fp64, Any16 };
std::string_view labelOf(MathType type); ///< "FP8", "BF16"; Unknown: "other types"

/// What a kernel's name says of the products it computes.
struct KernelMath {
    MathWork work = MathWork::Other;
    MathUnit unit = MathUnit::Unknown;
    MathType type = MathType::Unknown;
};

/// Judges by the conventions of cuBLAS, cuDNN, CUTLASS, Triton, FlashAttention, FlashInfer, DeepGEMM, Marlin,
/// TensorRT-LLM, vLLM and llama.cpp. `kernelName` is the demangled name. O(length).
KernelMath mathOf(std::string_view kernelName);

} // namespace warpline
