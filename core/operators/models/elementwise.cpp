// Operators that compute each element of their result from elements of their arguments. A function counts as
// one operation, because such operators are memory-bound.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warpline {

namespace {

/// The promoted type of tensors of `a` and `b`.
ElementType promoted(ElementType a, ElementType b)
{
    using enum ElementType;
    static constexpr std::array order{Bool, Int8, Int16, Int32, Int64, Fp4x2, Fp8, Fp16, Bf16, Fp32, Fp64,
        Complex32, Complex64, Complex128};
    if (a == b)
        return a;
    if ((a == Fp16 && b == Bf16) || (a == Bf16 && b == Fp16))
        return Fp32;
    for (const ElementType each : order) {
        if (each == a)
            return b;
        if (each == b)
            return a;
    }
    return Unknown;
}

/// The first `inputs` arguments are operands; any tensor after them is the output.
template <std::size_t inputs, int perElement, bool isTest = false>
std::optional<Work> elementwiseWork(const OperatorCall& call)
{
    Dims result;
    ElementType type = ElementType::Unknown;
    std::optional<std::int64_t> bytes = 0;
    bool any = false;
    for (std::size_t i = 0; i < inputs && i < call.arguments.size(); ++i) {
        const OperatorArgument& argument = call.arguments[i];
        if (argument.isList || argument.tensors.empty())
            continue;
        const Tensor& operand = argument.tensors.front();
        bytes = plusBytes(bytes, &operand);
        // A number on the GPU does not widen the type of the result.
        if (!any || operand.dims.size() >= result.size())
            type = any && (operand.dims.empty() || result.empty()) && operand.dims.size() != result.size()
                ? operand.type
                : promoted(any ? type : operand.type, operand.type);
        result = broadcast(result, operand.dims);
        any = true;
    }
    if (!any)
        return {};
    return Work{.flops = productOf(perElement, volumeOf(result)),
        .bytes = sumOf(bytes, resultBytes(result, isTest ? ElementType::Bool : type))};
}

std::optional<Work> dropoutWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    if (input == nullptr)
        return {};
    return Work{.flops = productOf(2, input->elements()),
        .bytes = sumOf(plusBytes(plusBytes(0, input), input), input->elements())};
}

/// Arguments: result [.., n], input [.., 2 n].
std::optional<Work> gatedWork(const OperatorCall& call)
{
    const Tensor* const result = call.tensor(0);
    const Tensor* const input = call.tensor(1);
    if (result == nullptr || input == nullptr || input->dim(-1) != productOf(2, result->dim(-1)))
        return {};
    return Work{.flops = productOf(5, result->elements()), .bytes = plusBytes(plusBytes(0, result), input)};
}

/// Arguments: positions, queries, keys; both are changed in place.
std::optional<Work> rotaryWork(const OperatorCall& call)
{
    const Tensor* const queries = call.tensor(1);
    const Tensor* const keys = call.tensor(2);
    if (queries == nullptr || keys == nullptr)
        return {};
    const auto once = plusBytes(plusBytes(0, queries), keys);
    return Work{.flops = productOf(3, queries->elements() + keys->elements()), .bytes = sumOf(once, once)};
}

bool isIndex(const Tensor& tensor)
{
    return tensor.type == ElementType::Int64 || tensor.type == ElementType::Int32;
}

/// The number of elements that are looked up in rows of `table`: another tensor has as many rows of that
/// width as there are indices. Nothing: no lookup.
std::optional<std::int64_t> lookedUp(const Tensor& table, const std::vector<const Tensor*>& tensors)
{
    if (table.dims.size() != 2)
        return {};
    for (const Tensor* const indices : tensors) {
        const std::int64_t rows = indices->elements();
        const std::int64_t elements = productOf(rows, table.dim(-1));
        if (!isIndex(*indices) || rows >= table.dim(0))
            continue;
        const bool hasResult = std::ranges::any_of(tensors, [&](const Tensor* each) {
            return each != &table && each->dim(-1) == table.dim(-1) && each->elements() == elements;
        });
        if (hasResult)
            return elements;
    }
    return {};
}

/// A kernel that torch.compile made: each tensor is read or written once, of tables the rows that are looked
/// up.
std::optional<Work> compiledWork(const OperatorCall& call)
{
    Work work;
    work.bytes = 0;
    work.basis = WorkBasis::Assumed;
    const auto tensors = call.tensors();
    for (const Tensor* const each : tensors) {
        const auto rows = lookedUp(*each, tensors);
        work.bytes = rows ? sumOf(work.bytes, resultBytes({*rows}, each->type)) : plusBytes(work.bytes, each);
    }
    if (tensors.empty())
        work.bytes.reset();
    return work;
}

constexpr std::string_view oneOperation = "1 per element of the result";
constexpr std::string_view operandBytesOfEach = "operands + result";

constexpr std::array elementwiseList{
    definedModel("elementwise",
        "aten::neg aten::abs aten::exp aten::exp2 aten::expm1 aten::log aten::log1p aten::log2 aten::log10 "
        "aten::sqrt aten::rsqrt aten::sin aten::cos aten::tan aten::tanh aten::sinh aten::cosh aten::asin "
        "aten::acos aten::atan aten::sigmoid aten::relu aten::relu6 aten::silu aten::gelu aten::elu "
        "aten::mish aten::softplus aten::hardtanh aten::hardswish aten::hardsigmoid aten::leaky_relu "
        "aten::erf aten::erfc aten::erfinv aten::reciprocal aten::square aten::sign aten::floor aten::ceil "
        "aten::round aten::trunc aten::frac aten::clamp aten::clamp_min aten::clamp_max aten::threshold "
        "aten::log_sigmoid_forward aten::bitwise_not aten::nan_to_num aten::masked_fill aten::triu aten::tril "
        "aten::cumsum aten::sgn aten::logit aten::lgamma aten::digamma aten::sinc aten::angle aten::selu "
        "aten::celu aten::hardshrink aten::softshrink aten::conj_physical aten::special_* aten::renorm",
        oneOperation, operandBytesOfEach, elementwiseWork<1, 1>),
    definedModel("elementwise",
        "aten::add aten::sub aten::rsub aten::mul aten::div aten::true_divide aten::floor_divide aten::fmod "
        "aten::remainder aten::pow aten::maximum aten::minimum aten::fmax aten::fmin aten::atan2 aten::hypot "
        "aten::bitwise_and aten::bitwise_or aten::bitwise_xor aten::threshold_backward aten::gelu_backward "
        "aten::sigmoid_backward aten::tanh_backward aten::silu_backward aten::leaky_relu_backward "
        "aten::elu_backward aten::hardtanh_backward aten::hardswish_backward aten::softplus_backward "
        "aten::native_dropout_backward aten::prelu aten::_prelu_kernel aten::xlogy aten::mish_backward "
        "aten::hardsigmoid_backward aten::log_sigmoid_backward aten::logaddexp aten::logaddexp2 "
        "aten::copysign aten::heaviside aten::nextafter aten::bitwise_left_shift "
        "aten::bitwise_right_shift aten::__lshift__ aten::__rshift__ aten::__and__ aten::__or__ aten::__xor__ "
        "aten::gcd aten::lcm aten::ldexp",
        oneOperation, operandBytesOfEach, elementwiseWork<2, 1>),
    definedModel("elementwise",
        "aten::eq aten::ne aten::lt aten::le aten::gt aten::ge aten::logical_and aten::logical_or "
        "aten::logical_xor aten::logical_not aten::isnan aten::isinf aten::isfinite aten::isneginf "
        "aten::isposinf aten::signbit",
        oneOperation, "operands + 1 per element", elementwiseWork<2, 1, true>),
    definedModel("activation", "aten::glu", "2 per element of the result", "input + result",
        [](const OperatorCall& call) -> std::optional<Work> {
            const Tensor* const input = call.tensor(0);
            if (input == nullptr)
                return {};
            Work work;
            work.flops = input->elements(); // of which the result has half
            if (const auto bytes = input->bytes())
                work.bytes = productOf(3, *bytes) / 2;
            return work;
        }),
    definedModel("activation", "aten::glu_backward aten::_prelu_kernel_backward",
        "2 per element of the input", "gradient + input + gradient of the input",
        [](const OperatorCall& call) -> std::optional<Work> {
            const Tensor* const gradient = call.tensor(0);
            const Tensor* const input = call.tensor(1);
            if (gradient == nullptr || input == nullptr)
                return {};
            return Work{.flops = productOf(2, input->elements()),
                .bytes = plusBytes(plusBytes(plusBytes(0, gradient), input), input)};
        }),
    definedModel("elementwise", "aten::addcmul aten::addcdiv aten::lerp", "3 per element of the result",
        operandBytesOfEach, elementwiseWork<3, 3>),
    definedModel("elementwise", "aten::where", "0", operandBytesOfEach, elementwiseWork<3, 0>),
    definedModel("random", "aten::native_dropout", "2 per element", "input + result + mask of 1 per element",
        dropoutWork),
    definedModel("random", "aten::normal aten::uniform aten::random aten::bernoulli aten::exponential", "0",
        "result", writtenWork),
    definedModel("activation",
        "_C::silu_and_mul sgl_kernel::silu_and_mul _C::gelu_and_mul _C::gelu_tanh_and_mul "
        "sgl_kernel::gelu_and_mul sgl_kernel::gelu_tanh_and_mul",
        "5 per element of the result", "input + result", gatedWork),
    definedModel("rotary", "_C::rotary_embedding sgl_kernel::rotary_embedding vllm::rotary_embedding",
        "3 per element of queries and keys", "queries and keys, read and written", rotaryWork,
        "two products and a sum per element"),
    definedModel("elementwise", "triton_poi_* triton_red_* triton_per_*", "not known",
        "each tensor once; of a table the rows that are looked up", compiledWork,
        "arguments of the kernel that torch.compile made"),
};

} // namespace

extern constinit const WorkModelFamily elementwiseModels{.title = "Elementwise", .models = elementwiseList};

} // namespace warpline
