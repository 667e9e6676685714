#pragma once

#include <cstdint>
#include <string_view>

namespace warpline {

/// What a kernel's name says of the units it computes on.
enum class MathUnit : std::uint8_t {
    Other, ///< no matrix product or convolution, or the name does not say
    Simt, ///< a matrix product or convolution in single precision without tensor cores
    Tensor, ///< a matrix product, convolution or attention on tensor cores
};

/// Judges by the conventions of cuBLAS, cuDNN, CUTLASS and their users: "simt", "ffma" and "sgemm" against
/// "tensorop", "hmma", "s16816", "tf32", "f16", "nvjet" ... O(length).
MathUnit mathUnitOf(std::string_view kernelName);

} // namespace warpline
