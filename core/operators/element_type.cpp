#include "core/operators/element_type.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace warpline {

ElementType elementTypeOf(std::string_view name)
{
    for (const std::string_view prefix : {"const ", "c10::", "at::", "torch.", "torch::"}) {
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    }
    const std::string lower = lowered(name);
    using enum ElementType;
    static constexpr std::array<std::pair<std::string_view, ElementType>, 44> names{
        {{"float", Fp32}, {"bfloat16", Bf16}, {"half", Fp16}, {"double", Fp64}, {"long int", Int64},
            {"long", Int64}, {"int", Int32}, {"bool", Bool}, {"unsigned char", Int8}, {"signed char", Int8},
            {"char", Int8}, {"byte", Int8}, {"short int", Int16}, {"short", Int16}, {"float16", Fp16},
            {"float32", Fp32}, {"float64", Fp64}, {"int8", Int8}, {"uint8", Int8}, {"int16", Int16},
            {"uint16", Int16}, {"int32", Int32}, {"uint32", Int32}, {"int64", Int64}, {"uint64", Int64},
            {"int8_t", Int8}, {"uint8_t", Int8}, {"int16_t", Int16}, {"int32_t", Int32}, {"int64_t", Int64},
            {"long long", Int64}, {"unsigned short", Int16}, {"unsigned int", Int32},
            {"unsigned long", Int64}, {"complexfloat", Complex64}, {"complexdouble", Complex128},
            {"complexhalf", Complex32}, {"complex<float>", Complex64}, {"complex<double>", Complex128},
            {"complex<c10::half>", Complex32}, {"complex<half>", Complex32}, {"complex64", Complex64},
            {"complex128", Complex128}, {"complex32", Complex32}}};
    const auto* const found
        = std::ranges::find(names, std::string_view(lower), [](const auto& each) { return each.first; });
    if (found != names.end())
        return found->second;
    if (lower.starts_with("float8") || lower.starts_with("fp8"))
        return Fp8;
    if (lower.starts_with("float4") || lower.starts_with("fp4"))
        return Fp4x2;
    // Quantized tensors: "c10::qint8", "c10::quint8", "c10::qint32".
    if (lower == "qint8" || lower == "quint8")
        return Int8;
    return lower == "qint32" ? Int32 : Unknown;
}

std::int64_t bytesOf(ElementType type)
{
    static constexpr std::array<std::int8_t, 15> bytes{0, 8, 4, 2, 2, 1, 1, 8, 4, 2, 1, 1, 16, 8, 4};
    return bytes[static_cast<std::size_t>(type)];
}

MathType mathTypeOf(ElementType type)
{
    switch (type) {
    case ElementType::Fp64:
    case ElementType::Complex128:
        return MathType::Fp64;
    case ElementType::Fp32:
    case ElementType::Complex64:
        return MathType::Fp32;
    case ElementType::Bf16:
        return MathType::Bf16;
    case ElementType::Fp16:
    case ElementType::Complex32:
        return MathType::Fp16;
    case ElementType::Fp8:
        return MathType::Fp8;
    case ElementType::Fp4x2:
        return MathType::Fp4;
    case ElementType::Int8:
        return MathType::Int8;
    default:
        return MathType::Unknown;
    }
}

ElementType elementTypeOf(MathType type)
{
    switch (type) {
    case MathType::Fp64:
        return ElementType::Fp64;
    case MathType::Fp32:
    case MathType::Tf32:
        return ElementType::Fp32;
    case MathType::Bf16:
    case MathType::Any16:
        return ElementType::Bf16;
    case MathType::Fp16:
        return ElementType::Fp16;
    case MathType::Fp8:
        return ElementType::Fp8;
    case MathType::Int8:
        return ElementType::Int8;
    case MathType::Fp4:
        return ElementType::Fp4x2;
    default:
        return ElementType::Unknown;
    }
}

} // namespace warpline
