// Recurrent layers whose steps and layers are one operator.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <array>

namespace warpline {

namespace {

/// Arguments: input [steps, batch, n] or [batch, steps, n], then weights and biases of all layers. Each
/// weight multiplies a vector for each step and sample. A backward pass computes two gradients for each.
template <int passes> std::optional<Work> recurrentWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    if (input == nullptr || input->dims.size() != 3 || call.arguments.size() < 2
        || call.arguments[1].tensors.empty())
        return {};
    std::int64_t weights = 0;
    std::optional<std::int64_t> bytes = plusBytes(0, input);
    for (const Tensor& each : call.arguments[1].tensors) {
        weights = saturatingAdd(weights, each.dims.size() == 2 ? each.elements() : 0);
        bytes = plusBytes(bytes, &each);
    }
    return Work{.flops = productOf(2 * passes, input->dim(0), input->dim(1), weights), .bytes = bytes};
}

constexpr std::array recurrentList{
    multiplyingModel({}, "aten::_cudnn_rnn aten::miopen_rnn", "2 steps batch weights",
        "input + weights and biases once", recurrentWork<1>, "the products of each step and layer"),
    multiplyingModel({}, "aten::_cudnn_rnn_backward aten::miopen_rnn_backward",
        "4 steps batch weights: gradients of inputs and weights", "input + weights and biases once",
        recurrentWork<2>, "the products of each step and layer"),
};

} // namespace

extern constinit const WorkModelFamily recurrentModels{.title = "Recurrent layers", .models = recurrentList};

} // namespace warpline
