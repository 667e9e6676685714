// Losses, and their gradients.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// A reduction over all elements has a single result; argument `place` selects the reduction, 0 none.
bool isReduced(const OperatorCall& call, std::size_t place)
{
    const Dims reduction = call.numbers(place);
    return reduction.empty() || reduction.front() != 0;
}

/// Input and target of one size.
template <int perElement, std::size_t reduction> std::optional<Work> pairLossWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Tensor* const target = call.tensor(1);
    if (input == nullptr || target == nullptr)
        return {};
    const Dims all = broadcast(input->dims, target->dims);
    Work work;
    work.flops = productOf(perElement, volumeOf(all));
    work.bytes = plusBytes(plusBytes(0, input), target);
    work.bytes = sumOf(work.bytes, resultBytes(isReduced(call, reduction) ? Dims{} : all, input->type));
    work.basis = call.numbers(reduction).empty() ? WorkBasis::Assumed : WorkBasis::Shapes;
    return work;
}

/// Gradient of the result, input and target are read; a gradient as large as the input is written.
template <int perElement> std::optional<Work> pairLossBackward(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(1);
    const Tensor* const target = call.tensor(2);
    if (input == nullptr || target == nullptr)
        return {};
    Work work;
    work.flops = productOf(perElement, input->elements());
    work.bytes = plusBytes(plusBytes(plusBytes(0, input), input), target);
    if (!call.arguments[0].tensors.empty())
        work.bytes = plusBytes(work.bytes, &call.arguments[0].tensors.front());
    return work;
}

/// One element of each row is read, by its class: rows are those of `target`.
std::optional<Work> classLossWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Tensor* const target = call.tensor(1);
    if (input == nullptr || target == nullptr)
        return {};
    const auto looked = resultBytes(target->dims, input->type);
    return Work{.flops = productOf(2, target->elements()),
        .bytes = sumOf(plusBytes(looked, target), isReduced(call, 3) ? resultBytes({}, input->type) : looked),
        .basis = call.numbers(3).empty() ? WorkBasis::Assumed : WorkBasis::Shapes};
}

/// An element of each row is written: zeros around them are another operator's work, aten::zero_.
std::optional<Work> classLossBackward(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(1);
    const Tensor* const target = call.tensor(2);
    if (input == nullptr || target == nullptr)
        return {};
    Work work;
    work.flops = target->elements();
    work.bytes = plusBytes(resultBytes(target->dims, input->type), target);
    if (!call.arguments[0].tensors.empty())
        work.bytes = plusBytes(work.bytes, &call.arguments[0].tensors.front());
    return work;
}

constexpr std::array lossList{
    definedModel("loss", "aten::nll_loss_forward aten::nll_loss2d_forward", "2 per row",
        "an element of each row + target + result", classLossWork),
    definedModel("loss", "aten::nll_loss_backward aten::nll_loss2d_backward", "1 per row",
        "gradient of the result + target + an element of each row", classLossBackward),
    definedModel("loss", "aten::mse_loss", "3 per element", "input + target + result", pairLossWork<3, 2>),
    definedModel("loss", "aten::huber_loss aten::smooth_l1_loss", "4 per element", "input + target + result",
        pairLossWork<4, 2>),
    definedModel(
        "loss", "aten::binary_cross_entropy", "6 per element", "input + target + result", pairLossWork<6, 3>),
    definedModel("loss", "aten::mse_loss_backward", "3 per element",
        "gradient of the result + input + target + gradient of the input", pairLossBackward<3>),
    definedModel("loss",
        "aten::huber_loss_backward aten::smooth_l1_loss_backward aten::binary_cross_entropy_backward",
        "4 per element", "gradient of the result + input + target + gradient of the input",
        pairLossBackward<4>),
};

} // namespace

extern constinit const WorkModelFamily lossModels{.title = "Losses", .models = lossList};

} // namespace warpline
