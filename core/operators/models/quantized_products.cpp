// Matrix products in FP8, FP4 and INT8, and those with quantized weights.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

/// Numbers per element: FP4 has two in a byte.
std::int64_t numbersInByte(const Tensor& tensor)
{
    return tensor.type == ElementType::Fp4x2 ? 2 : 1;
}

/// The type that PyTorch numbers so (c10::ScalarType), as arguments named dtype hold it.
ElementType scalarType(const Dims& number, ElementType otherwise)
{
    static constexpr std::array<std::pair<std::int64_t, ElementType>, 9> types{{{1, ElementType::Int8},
        {3, ElementType::Int32}, {5, ElementType::Fp16}, {6, ElementType::Fp32}, {15, ElementType::Bf16},
        {23, ElementType::Fp8}, {24, ElementType::Fp8}, {25, ElementType::Fp8}, {26, ElementType::Fp8}}};
    for (const auto& [known, type] : types) {
        if (number.size() == 1 && number.front() == known)
            return type;
    }
    return otherwise;
}

/// Operands, and where the type of the result is from.
struct QuantizedPlaces {
    std::size_t a = 0; ///< the other operand follows
    bool transposed = false; ///< the other operand is [n, k], else [k, n]
    std::int64_t inByte = 1; ///< numbers in a byte of A at least
    ElementType type = ElementType::Bf16; ///< of the result, where the next two do not have it
    int typeNumber = -1; ///< the argument with its number; -1: none
    int typeOf = -1; ///< the tensor that has the same; -1: none
};

/// [m, k] times [k, n], or the transpose of [n, k].
template <QuantizedPlaces at> std::optional<Work> quantizedWork(const OperatorCall& call)
{
    const Tensor* const a = call.tensor(at.a);
    const Tensor* const b = call.tensor(at.a + 1);
    if (a == nullptr || b == nullptr || a->dims.size() < 2 || b->dims.size() < 2
        || a->dim(-1) != b->dim(at.transposed ? -1 : -2))
        return {};
    ElementType type = at.type;
    if (at.typeNumber >= 0)
        type = scalarType(call.numbers(static_cast<std::size_t>(at.typeNumber)), at.type);
    if (at.typeOf >= 0) {
        const Tensor* const same = call.tensor(static_cast<std::size_t>(at.typeOf));
        type = same == nullptr ? ElementType::Unknown : same->type;
    }
    const std::int64_t rows = a->dim(-1) > 0 ? a->elements() / a->dim(-1) : 0;
    const std::int64_t n = b->dim(at.transposed ? -2 : -1);
    return Work{.flops = productOf(2, rows, n, productOf(a->dim(-1), std::max(at.inByte, numbersInByte(*a)))),
        .bytes = plusBytes(plusBytes(resultBytes({rows, n}, type), a), b)};
}

std::optional<Work> scaledGrouped(const OperatorCall& call)
{
    const Tensor* const a = call.tensor(0);
    const Tensor* const b = call.tensor(1);
    if (a == nullptr || b == nullptr || a->dims.size() < 2 || b->dims.size() < 2 || a->dim(-1) != b->dim(-2))
        return {};
    const bool each = a->dims.size() == 3 && b->dims.size() == 3;
    const std::int64_t groups = each ? a->dim(0) : 1;
    return Work{.flops
        = productOf(productOf(2, groups), a->dim(-2), b->dim(-1), productOf(a->dim(-1), numbersInByte(*a))),
        .bytes
        = plusBytes(plusBytes(resultBytes({groups, a->dim(-2), b->dim(-1)}, ElementType::Bf16), a), b)};
}

/// Packed weights have dimensions of their own: m, n and k are values, three in a row, of which A has two.
std::optional<Work> packedWeights(const OperatorCall& call)
{
    const Tensor* const a = call.tensor(0);
    if (a == nullptr || a->dims.size() != 2)
        return {};
    for (std::size_t i = 1; i + 2 < call.arguments.size(); ++i) {
        const Dims m = call.numbers(i);
        const Dims n = call.numbers(i + 1);
        const Dims k = call.numbers(i + 2);
        if (m.size() != 1 || n.size() != 1 || k.size() != 1 || m.front() != a->dim(0)
            || k.front() != a->dim(1) || n.front() <= 0)
            continue;
        Work work;
        work.flops = productOf(2, m.front(), n.front(), k.front());
        work.bytes = plusAllBytes(resultBytes({m.front(), n.front()}, a->type), call.tensors());
        return work;
    }
    return {};
}

/// Weights of four bits in the order of tensor cores: [n / 8, k / (16 t), 32, t / 2].
std::optional<Work> int4Work(const OperatorCall& call)
{
    const Tensor* const a = call.tensor(0);
    const Tensor* const b = call.tensor(1);
    if (a == nullptr || b == nullptr || a->dims.size() != 2 || b->dims.size() < 2)
        return {};
    const std::int64_t n = b->dims.size() == 4 ? b->dim(0) * 8 : b->dim(0);
    return Work{.flops = productOf(2, a->dim(0), n, a->dim(1)),
        .bytes = sumOf(plusBytes(resultBytes({a->dim(0), n}, a->type), a), productOf(n, a->dim(1)) / 2)};
}

constexpr WorkModel quantizedModel(std::string_view operators, std::string_view flops, std::string_view bytes,
    std::optional<Work> (*work)(const OperatorCall&))
{
    return multiplyingModel("gemm", operators, flops, bytes, work,
        "2 m n k as torch.utils.flop_counter counts mm; scales are not counted");
}

constexpr std::array quantizedList{
    quantizedModel("aten::_scaled_mm", "2 m n k, k in numbers and not bytes", "A + B + result",
        quantizedWork<QuantizedPlaces{.typeNumber = 6}>),
    quantizedModel("aten::_scaled_mm_v2", "2 m n k, k in numbers and not bytes", "A + B + result",
        quantizedWork<QuantizedPlaces{.typeNumber = 9}>),
    quantizedModel("sgl_kernel::fp8_scaled_mm sgl_kernel::int8_scaled_mm sgl_kernel::fp8_blockwise_scaled_mm",
        "2 m n k", "A + B + result in BF16", quantizedWork<QuantizedPlaces{}>),
    quantizedModel("_C::gptq_marlin_gemm _C::marlin_gemm _C::fp8_marlin_gemm _C::gptq_marlin_24_gemm "
                   "_C::machete_mm sgl_kernel::gptq_marlin_gemm",
        "2 m n k, by the sizes among its values", "A + weights and scales + result", packedWeights),
    quantizedModel("aten::_scaled_grouped_mm", "2 m n k, times groups where both operands have them",
        "A + B + result in BF16", scaledGrouped),
    quantizedModel("aten::_int_mm", "2 m n k", "A + B + result in INT32",
        quantizedWork<QuantizedPlaces{.type = ElementType::Int32}>),
    quantizedModel("aten::_weight_int8pack_mm", "2 m n k", "A + weights + result",
        quantizedWork<QuantizedPlaces{.transposed = true, .typeOf = 0}>),
    quantizedModel("aten::_weight_int4pack_mm", "2 m n k", "A + n k / 2 + result", int4Work),
    quantizedModel("_C::cutlass_scaled_mm _C::cutlass_scaled_mm_azp", "2 m n k", "A + B + result",
        quantizedWork<QuantizedPlaces{.a = 1, .typeOf = 0}>),
    quantizedModel("_C::cutlass_scaled_fp4_mm", "2 m n k, two numbers in a byte", "A + B + result",
        quantizedWork<QuantizedPlaces{.a = 1, .transposed = true, .inByte = 2, .typeOf = 0}>),
    quantizedModel("fbgemm::f8f8bf16* aiter::gemm_a8w8* vllm::w8a8_block_fp8_matmul* "
                   "vllm::rocm_aiter_gemm_w8a8_blockscale*",
        "2 m n k", "A + weights + result in BF16", quantizedWork<QuantizedPlaces{.transposed = true}>),
};

} // namespace

extern constinit const WorkModelFamily quantizedProductModels{
    .title = "Quantized matrix products", .models = quantizedList};

} // namespace warpline
