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

constexpr std::array softmaxList{
    definedModel("softmax", "aten::_softmax aten::_log_softmax", "5 per element", "input + result",
        softmaxWork<1, 5, 2>),
    composite(definedModel("softmax", "aten::softmax aten::log_softmax", "5 per element", "input + result",
        softmaxWork<1, 5, -1>)),
    definedModel("softmax", "aten::_softmax_backward_data aten::_log_softmax_backward_data",
        "4 per element: product, sum, product, difference",
        "gradient + result of the forward pass + gradient of the input", softmaxWork<2, 4, -1>),
};

} // namespace

extern constinit const WorkModelFamily softmaxModels{.title = "Softmax", .models = softmaxList};

} // namespace warpline
