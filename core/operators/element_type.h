#pragma once

#include "core/kernels/kernel_math.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// Element types of tensors.
enum class ElementType : std::uint8_t {
    Unknown,
    Fp64,
    Fp32,
    Bf16,
    Fp16,
    Fp8,
    Fp4x2, ///< two numbers of four bits in a byte: a dimension counts bytes
    Int64,
    Int32,
    Int16,
    Int8,
    Bool,
    Complex128,
    Complex64,
    Complex32,
};

/// The type that a profiler names: "c10::BFloat16", "float", "long int", "Float8_e4m3fn", "torch.bfloat16".
/// Unknown for lists, scalars and anything else.
ElementType elementTypeOf(std::string_view name);
/// Bytes of an element; 0: not known.
std::int64_t bytesOf(ElementType type);
/// The arithmetic of products of such elements; Unknown for types without products.
MathType mathTypeOf(ElementType type);
/// The element type for products of `type`; an ambiguous 16-bit type counts as BF16.
ElementType elementTypeOf(MathType type);

} // namespace warpline
