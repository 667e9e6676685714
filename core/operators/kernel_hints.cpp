#include "core/operators/kernel_hints.h"

#include "core/base/words.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace warpline {

namespace {

/// Kernels whose names contain one type of two, or only that of indices: the data may have another one.
bool hidesItsTypes(std::string_view name)
{
    static constexpr std::array<std::string_view, 5> words{"WithCast", "bfloat16_copy_kernel",
        "float16_copy_kernel", "float8_copy_kernel", "vectorized_gather_kernel"};
    return containsAny(name, words);
}

/// The type of elements in the arguments of a kernel's template: of several the one with fewer bits, as sums
/// and statistics are often FP32.
ElementType elementIn(std::string_view name)
{
    if (hidesItsTypes(name))
        return ElementType::Unknown;
    static constexpr std::array<std::pair<std::string_view, ElementType>, 9> words{
        {{"Float8_e", ElementType::Fp8}, {"__nv_fp8", ElementType::Fp8}, {"BFloat16", ElementType::Bf16},
            {"bfloat16", ElementType::Bf16}, {"c10::Half", ElementType::Fp16}, {"__half", ElementType::Fp16},
            {"c10::complex<float", ElementType::Complex64}, {"float", ElementType::Fp32},
            {"double", ElementType::Fp64}}};
    for (const auto& [word, type] : words) {
        if (name.find(word) != std::string_view::npos)
            return type;
    }
    // Copies move bytes, whatever they are.
    constexpr std::string_view opaque = "OpaqueType<";
    if (const std::size_t at = name.find(opaque);
        at != std::string_view::npos && at + opaque.size() < name.size()) {
        switch (name[at + opaque.size()]) {
        case '1':
            return ElementType::Int8;
        case '2':
            return ElementType::Int16;
        case '4':
            return ElementType::Int32;
        case '8':
            return ElementType::Int64;
        default:
            return ElementType::Unknown;
        }
    }
    if (name.find("<long") != std::string_view::npos || name.find("long>") != std::string_view::npos)
        return ElementType::Int64;
    return name.find("<int>") != std::string_view::npos ? ElementType::Int32 : ElementType::Unknown;
}

bool holdsOneOf(std::string_view name, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return containsWord(name, word); });
}

} // namespace

KernelHints hintsOfKernel(std::string_view name)
{
    KernelHints hints{.math = mathOf(name), .longest = name};
    hints.products = hints.math.work == MathWork::Other ? 0 : 1;
    hints.element = elementTypeOf(hints.math.type);
    if (hints.element == ElementType::Unknown)
        hints.element = elementIn(name);
    hints.inputGradient = holdsOneOf(name, {"dgrad", "bwd_data", "backward_data", "depthwise2d_backward"});
    hints.weightGradient
        = holdsOneOf(name, {"wgrad", "bwd_filter", "bwd_weight", "backward_filter", "grad_weight"});
    return hints;
}

void KernelHints::add(const KernelHints& kernel, bool isLongest)
{
    const bool product = kernel.products > 0 && products == 0;
    if (product)
        math = kernel.math;
    if (kernel.element != ElementType::Unknown
        && (product || element == ElementType::Unknown || (isLongest && products == 0)))
        element = kernel.element;
    if (isLongest)
        longest = kernel.longest;
    products += kernel.products;
    inputGradient = inputGradient || kernel.inputGradient;
    weightGradient = weightGradient || kernel.weightGradient;
}

std::optional<std::array<bool, 2>> KernelHints::gradients() const
{
    // A second product may be the other gradient under another name.
    if (products != 1 || inputGradient == weightGradient)
        return {};
    return std::array{inputGradient, weightGradient};
}

std::uint64_t KernelHints::key() const
{
    const auto part = [](auto value, int shift) { return static_cast<std::uint64_t>(value) << shift; };
    // A class follows from the name of the longest kernel where there is no model.
    return (std::hash<std::string_view>{}(longest) << 16U) | part(math.unit, 12) | part(math.type, 8)
        | part(element, 4) | part(std::min(products, 2), 2) | part(inputGradient, 1)
        | part(weightGradient, 0);
}

} // namespace warpline
