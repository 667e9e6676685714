// Softmax and its logarithm. FLOPs per element: maximum, difference, exponential, sum and quotient.

#include "core/operators/work_model.h"

#include <array>

namespace warpline {

namespace {

template <std::size_t inputs, int perElement, int toFloat>
std::optional<Work> softmaxWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    if (input == nullptr)
        return {};
    Work work;
    work.flops = productOf(perElement, input->elements());
    const bool widens = toFloat >= 0 && call.flag(static_cast<std::size_t>(toFloat)).value_or(false);
    work.bytes = resultBytes(input->dims, widens ? ElementType::Fp32 : input->type);
    for (std::size_t i = 0; i < inputs; ++i)
        work.bytes = plusBytes(work.bytes, call.tensor(i));
    return work;
}

constexpr std::array<WorkModel, 3> softmaxList{{
    {.operators = "aten::_softmax aten::_log_softmax",
        .kernelClass = "softmax",
        .flops = "5 per element",
        .bytes = "input + result",
        .source = "operations of the definition",
        .work = softmaxWork<1, 5, 2>},
    {.operators = "aten::softmax aten::log_softmax",
        .kernelClass = "softmax",
        .flops = "5 per element",
        .bytes = "input + result",
        .source = "operations of the definition",
        .work = softmaxWork<1, 5, -1>,
        .isComposite = true},
    {.operators = "aten::_softmax_backward_data aten::_log_softmax_backward_data",
        .kernelClass = "softmax",
        .flops = "4 per element: product, sum, product, difference",
        .bytes = "gradient + result of the forward pass + gradient of the input",
        .source = "operations of the definition",
        .work = softmaxWork<2, 4, -1>},
}};

} // namespace

extern constinit const WorkModelFamily softmaxModels{.title = "Softmax", .models = softmaxList};

} // namespace warpline
