// Matrix products in FP8, FP4 and INT8, and those with quantized weights.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view quantizedCounter
    = "2 m n k as torch.utils.flop_counter counts mm; scales are not counted";

/// Numbers per element: FP4 has two in a byte.
std::int64_t numbersInByte(const Tensor& tensor)
{
    return tensor.type == ElementType::Fp4x2 ? 2 : 1;
}

/// The type that PyTorch numbers so (c10::ScalarType), as arguments named dtype hold it.
ElementType scalarType(const Dims& number, ElementType otherwise)
{
    if (number.size() != 1)
        return otherwise;
    switch (number.front()) {
    case 1:
        return ElementType::Int8;
    case 3:
        return ElementType::Int32;
    case 5:
        return ElementType::Fp16;
    case 6:
        return ElementType::Fp32;
    case 15:
        return ElementType::Bf16;
    case 23:
    case 24:
    case 25:
    case 26:
        return ElementType::Fp8;
    default:
        return otherwise;
    }
}

/// [m, k] times [k, n], or the transpose of [n, k]; `results` are of type `type`.
std::optional<Work> quantizedWork(
    const Tensor* a, const Tensor* b, bool transposed, std::int64_t inByte, ElementType type)
{
    if (a == nullptr || b == nullptr || a->dims.size() < 2 || b->dims.size() < 2
        || a->dim(-1) != b->dim(transposed ? -1 : -2))
        return {};
    const std::int64_t rows = a->dim(-1) > 0 ? a->elements() / a->dim(-1) : 0;
    const std::int64_t n = b->dim(transposed ? -2 : -1);
    return Work{.flops = productOf(2, rows, n, productOf(a->dim(-1), std::max(inByte, numbersInByte(*a)))),
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
        work.bytes = resultBytes({m.front(), n.front()}, a->type);
        for (const Tensor* const each : call.tensors())
            work.bytes = plusBytes(work.bytes, each);
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

constexpr std::array<WorkModel, 11> quantizedList{{
    {.operators = "aten::_scaled_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k, k in numbers and not bytes",
        .bytes = "A + B + result",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                const Tensor* const a = call.tensor(0);
                const ElementType type = scalarType(call.numbers(6), ElementType::Bf16);
                return quantizedWork(a, call.tensor(1), false, 1, type);
            },
        .multiplies = true},
    {.operators = "aten::_scaled_mm_v2",
        .kernelClass = "gemm",
        .flops = "2 m n k, k in numbers and not bytes",
        .bytes = "A + B + result",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                const ElementType type = scalarType(call.numbers(9), ElementType::Bf16);
                return quantizedWork(call.tensor(0), call.tensor(1), false, 1, type);
            },
        .multiplies = true},
    {.operators = "sgl_kernel::fp8_scaled_mm sgl_kernel::int8_scaled_mm sgl_kernel::fp8_blockwise_scaled_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k",
        .bytes = "A + B + result in BF16",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                return quantizedWork(call.tensor(0), call.tensor(1), false, 1, ElementType::Bf16);
            },
        .multiplies = true},
    {.operators = "_C::gptq_marlin_gemm _C::marlin_gemm _C::fp8_marlin_gemm _C::gptq_marlin_24_gemm "
                  "_C::machete_mm sgl_kernel::gptq_marlin_gemm",
        .kernelClass = "gemm",
        .flops = "2 m n k, by the sizes among its values",
        .bytes = "A + weights and scales + result",
        .source = quantizedCounter,
        .work = packedWeights,
        .multiplies = true},
    {.operators = "aten::_scaled_grouped_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k, times groups where both operands have them",
        .bytes = "A + B + result in BF16",
        .source = quantizedCounter,
        .work = scaledGrouped,
        .multiplies = true},
    {.operators = "aten::_int_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k",
        .bytes = "A + B + result in INT32",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                return quantizedWork(call.tensor(0), call.tensor(1), false, 1, ElementType::Int32);
            },
        .multiplies = true},
    {.operators = "aten::_weight_int8pack_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k",
        .bytes = "A + weights + result",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                const Tensor* const a = call.tensor(0);
                return quantizedWork(
                    a, call.tensor(1), true, 1, a == nullptr ? ElementType::Unknown : a->type);
            },
        .multiplies = true},
    {.operators = "aten::_weight_int4pack_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k",
        .bytes = "A + n k / 2 + result",
        .source = quantizedCounter,
        .work = int4Work,
        .multiplies = true},
    {.operators = "_C::cutlass_scaled_mm _C::cutlass_scaled_mm_azp",
        .kernelClass = "gemm",
        .flops = "2 m n k",
        .bytes = "A + B + result",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                const Tensor* const out = call.tensor(0);
                return quantizedWork(call.tensor(1), call.tensor(2), false, 1,
                    out == nullptr ? ElementType::Unknown : out->type);
            },
        .multiplies = true},
    {.operators = "_C::cutlass_scaled_fp4_mm",
        .kernelClass = "gemm",
        .flops = "2 m n k, two numbers in a byte",
        .bytes = "A + B + result",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                const Tensor* const out = call.tensor(0);
                return quantizedWork(call.tensor(1), call.tensor(2), true, 2,
                    out == nullptr ? ElementType::Unknown : out->type);
            },
        .multiplies = true},
    {.operators
        = "fbgemm::f8f8bf16* aiter::gemm_a8w8* vllm::w8a8_block_fp8_matmul* vllm::rocm_aiter_gemm_w8a8_blockscale*",
        .kernelClass = "gemm",
        .flops = "2 m n k",
        .bytes = "A + weights + result in BF16",
        .source = quantizedCounter,
        .work =
            [](const OperatorCall& call) {
                return quantizedWork(call.tensor(0), call.tensor(1), true, 1, ElementType::Bf16);
            },
        .multiplies = true},
}};

} // namespace

extern constinit const WorkModelFamily quantizedProductModels{
    .title = "Quantized matrix products", .models = quantizedList};

} // namespace warpline
