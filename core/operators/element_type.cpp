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

namespace {

struct TypeFacts {
    std::int8_t bytes; ///< of an element
    MathType math; ///< of products
};

/// By ElementType.
constexpr std::array<TypeFacts, 15> typeFacts{{{0, MathType::Unknown}, {8, MathType::Fp64},
    {4, MathType::Fp32}, {2, MathType::Bf16}, {2, MathType::Fp16}, {1, MathType::Fp8}, {1, MathType::Fp4},
    {8, MathType::Unknown}, {4, MathType::Unknown}, {2, MathType::Unknown}, {1, MathType::Int8},
    {1, MathType::Unknown}, {16, MathType::Fp64}, {8, MathType::Fp32}, {4, MathType::Fp16}}};

} // namespace

std::int64_t bytesOf(ElementType type)
{
    return typeFacts[static_cast<std::size_t>(type)].bytes;
}

MathType mathTypeOf(ElementType type)
{
    return typeFacts[static_cast<std::size_t>(type)].math;
}

ElementType elementTypeOf(MathType type)
{
    if (type == MathType::Tf32)
        return ElementType::Fp32;
    if (type == MathType::Any16)
        return ElementType::Bf16;
    // Real numbers stand before complex ones.
    const auto* const found = std::ranges::find(typeFacts, type, &TypeFacts::math);
    return found == typeFacts.end() ? ElementType::Unknown
                                    : static_cast<ElementType>(found - typeFacts.begin());
}

} // namespace warpline
