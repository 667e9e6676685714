#pragma once

#include <cstdint>
#include <string_view>

namespace warpline {

/// The kind of products of a kernel.
enum class MathWork : std::uint8_t {
    Other, ///< no product, or the name does not show it
    Matrix, ///< matrices: a product or a convolution
    Vector, ///< a matrix and a vector, or a convolution channel by channel: bound by memory, whatever unit
    Attention,
};

/// The unit of the products. No guesses: only evidence in the name counts.
enum class MathUnit : std::uint8_t {
    Unknown,
    Simt, ///< the ordinary cores
    Tensor, ///< tensor cores
};

/// The type of the operands; of several the one with the fewest bits, because accumulators and scales are
/// often float. Any16 is FP16 or BF16: cuDNN's attention names both f16.
enum class MathType : std::uint8_t { Unknown, Fp4, Fp8, Int8, Int4, Bf16, Fp16, Tf32, Fp32, Fp64, Any16 };
std::string_view labelOf(MathType type); ///< "FP8", "BF16"; Unknown: "other types"

/// The products of a kernel by its name.
struct KernelMath {
    MathWork work = MathWork::Other;
    MathUnit unit = MathUnit::Unknown;
    MathType type = MathType::Unknown;
};

/// Uses the naming conventions of cuBLAS, cuDNN, CUTLASS, Triton, FlashAttention, FlashInfer, DeepGEMM,
/// Marlin, TensorRT-LLM, vLLM and llama.cpp. `kernelName` is the demangled name. O(length).
KernelMath mathOf(std::string_view kernelName);

} // namespace warpline
