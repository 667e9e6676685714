// Matrix products in the types of their operands.

#include "core/operators/work_model.h"

#include <array>

namespace warpline {

namespace {

constexpr std::string_view operandBytes = "A + B + result, and what is added";

/// [..., m, k] times [..., k, n]; a vector on either side is a matrix of one row or column. `extra` is read
/// as well.
std::optional<Work> matrixWork(const Tensor* a, const Tensor* b, const Tensor* extra)
{
    if (a == nullptr || b == nullptr)
        return {};
    const std::int64_t m = a->dims.size() == 1 ? 1 : a->dim(-2);
    const std::int64_t k = a->dim(-1);
    const std::int64_t n = b->dims.size() == 1 ? 1 : b->dim(-1);
    if (k != (b->dims.size() == 1 ? b->dim(0) : b->dim(-2)))
        return {};
    const auto batchOf = [](const Tensor& tensor) {
        return tensor.dims.size() > 2 ? Dims(tensor.dims.begin(), tensor.dims.end() - 2) : Dims();
    };
    Dims result = broadcast(batchOf(*a), batchOf(*b));
    const std::int64_t batch = volumeOf(result);
    result.insert(result.end(), {m, n});
    return Work{.flops = productOf(productOf(2, batch), m, n, k),
        .bytes = plusBytes(plusBytes(plusBytes(resultBytes(result, a->type), a), b), extra)};
}

/// Each row of [..., k] with each of the other [..., k].
std::optional<Work> innerWork(const Tensor* a, const Tensor* b)
{
    if (a == nullptr || b == nullptr || a->dim(-1) != b->dim(-1))
        return {};
    Dims result(a->dims.begin(), a->dims.end() - 1);
    result.insert(result.end(), b->dims.begin(), b->dims.end() - 1);
    return Work{.flops = productOf(2, volumeOf(result), a->dim(-1)),
        .bytes = plusBytes(plusBytes(resultBytes(result, a->type), a), b)};
}

/// [..., k] times the transpose of [n, k].
std::optional<Work> linearWork(const Tensor* input, const Tensor* weight, const Tensor* bias)
{
    if (input == nullptr || weight == nullptr || input->dim(-1) != weight->dim(-1))
        return {};
    const std::int64_t n = weight->dims.size() == 1 ? 1 : weight->dim(-2);
    Dims result = input->dims;
    result.back() = n;
    return Work{.flops = productOf(2, volumeOf(result), input->dim(-1)),
        .bytes = plusBytes(plusBytes(plusBytes(resultBytes(result, input->type), input), weight), bias)};
}

/// Grouped products of rows: [m, k] x [g, k, n], [g, m, k] x [k, n], [m, k] x [k, n] with groups along k, or
/// one product per group.
std::optional<Work> groupedWork(const OperatorCall& call)
{
    const Tensor* const a = call.tensor(0);
    const Tensor* const b = call.tensor(1);
    if (a == nullptr || b == nullptr || a->dims.size() < 2 || b->dims.size() < 2 || a->dim(-1) != b->dim(-2))
        return {};
    const std::int64_t groups
        = std::max(a->dims.size() == 3 ? a->dim(0) : 1, b->dims.size() == 3 ? b->dim(0) : 1);
    const bool each = a->dims.size() == 3 && b->dims.size() == 3;
    // Where only one operand has groups, each row (or column) of the other belongs to one of them.
    const bool inner = a->dims.size() == 2 && b->dims.size() == 2;
    const Tensor* const offsets = call.tensor(2);
    const Dims result{each                ? groups
            : inner && offsets != nullptr ? offsets->dim(0)
                                          : 1,
        a->dim(-2), b->dim(-1)};
    return Work{.flops = productOf(productOf(2, each ? groups : 1), a->dim(-2), b->dim(-1), a->dim(-1)),
        .bytes = plusBytes(plusBytes(resultBytes(result, a->type), a), b)};
}

constexpr WorkModel productModel(std::string_view operators, std::string_view flops, std::string_view bytes,
    std::optional<Work> (*work)(const OperatorCall&),
    std::string_view source = "torch.utils.flop_counter: mm_flop, bmm_flop")
{
    return multiplyingModel("gemm", operators, flops, bytes, work, source);
}

constexpr std::array productList{
    productModel("aten::mm aten::bmm aten::mv aten::dot aten::vdot", "2 b m n k", operandBytes,
        [](const OperatorCall& call) { return matrixWork(call.tensor(0), call.tensor(1), nullptr); }),
    productModel("aten::inner", "2 rows of A, rows of B, k", "A + B + result",
        [](const OperatorCall& call) { return innerWork(call.tensor(0), call.tensor(1)); }),
    productModel("aten::addmm aten::baddbmm aten::addmv aten::_addmm_activation",
        "2 b m n k; the addition is not counted", operandBytes,
        [](const OperatorCall& call) { return matrixWork(call.tensor(1), call.tensor(2), call.tensor(0)); }),
    productModel("aten::addbmm", "2 b m n k", "A + B + result, and what is added",
        [](const OperatorCall& call) {
            auto work = matrixWork(call.tensor(1), call.tensor(2), nullptr);
            if (work && call.tensor(0) != nullptr)
                work->bytes
                    = plusBytes(plusBytes(plusBytes(0, call.tensor(1)), call.tensor(2)), call.tensor(0));
            return work;
        }),
    productModel("aten::_grouped_mm", "2 m n k, times groups where both operands have them", "A + B + result",
        groupedWork, "the product of each group, summed over its rows"),
    composite(productModel("aten::matmul", "2 b m n k", "A + B + result",
        [](const OperatorCall& call) { return matrixWork(call.tensor(0), call.tensor(1), nullptr); })),
    composite(productModel("aten::linear", "2 rows n k", "input + weight + bias + result",
        [](const OperatorCall& call) { return linearWork(call.tensor(0), call.tensor(1), call.tensor(2)); })),
    productModel("vllm::rocm_unquantized_gemm vllm::rocm_unquantized_gemm_impl vllm::rocm_aiter_tuned_gemm "
                 "vllm::rocm_aiter_tuned_gemm_impl aiter::gemm_a16w16 aten::mkldnn_linear",
        "2 rows n k", "input + weight + bias + result",
        [](const OperatorCall& call) { return linearWork(call.tensor(0), call.tensor(1), call.tensor(2)); }),
};

} // namespace

extern constinit const WorkModelFamily productModels{.title = "Matrix products", .models = productList};

} // namespace warpline
