// Normalization. FLOPs per element: mean 1, variance 2, subtracting and scaling 2; weights and biases 1 each.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Reads all tensors, and writes a result of the size of argument `like`.
template <std::size_t like, int perElement> std::optional<Work> normWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(like);
    if (input == nullptr)
        return {};
    Work work;
    work.flops = productOf(perElement, input->elements());
    work.bytes = plusAllBytes(input->bytes(), call.tensors());
    return work;
}

/// `planes` tensors as large as the input are read or written, and the weight; with `adds` a residual is
/// added first.
template <int planes, bool adds> std::optional<Work> rmsWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    if (input == nullptr || input->dim(-1) == 0)
        return {};
    const Tensor* weight = nullptr;
    for (std::size_t i = 1; i < call.arguments.size() && weight == nullptr; ++i) {
        const Tensor* const each = call.tensor(i);
        if (each != nullptr && each->dims.size() == 1 && each->dim(0) == input->dim(-1))
            weight = each;
    }
    const std::int64_t elements = input->elements();
    Work work;
    work.flops = saturatingAdd(productOf(adds ? 5 : 4, elements), productOf(2, elements / input->dim(-1)));
    const auto plane = resultBytes(input->dims, input->type);
    if (plane)
        work.bytes = plusBytes(productOf(planes, *plane), weight);
    return work;
}

constexpr std::string_view allBytes = "all arguments + result";

constexpr std::array normList{
    definedModel("normalization", "aten::native_layer_norm aten::native_group_norm", "7 per element",
        allBytes, normWork<0, 7>),
    composite(definedModel(
        "normalization", "aten::layer_norm aten::group_norm", "7 per element", allBytes, normWork<0, 7>)),
    definedModel("normalization",
        "aten::native_batch_norm aten::cudnn_batch_norm aten::miopen_batch_norm "
        "aten::_native_batch_norm_legit aten::_batch_norm_with_update aten::native_batch_norm_legit_no_training",
        "5 per element: weight and bias are folded into the scale of a channel", allBytes, normWork<0, 5>),
    composite(definedModel("normalization", "aten::batch_norm aten::_batch_norm_impl_index", "5 per element",
        allBytes, normWork<0, 5>)),
    definedModel("normalization",
        "aten::native_layer_norm_backward aten::native_group_norm_backward "
        "aten::native_batch_norm_backward aten::cudnn_batch_norm_backward "
        "aten::miopen_batch_norm_backward aten::batch_norm_backward",
        "9 per element: two sums of products, and the gradient", allBytes, normWork<0, 9>),
    definedModel("normalization",
        "aten::_fused_rms_norm aiter::rms_norm aiter::rmsnorm aiter::rmsnorm2d_fwd_ck _C::rms_norm "
        "sgl_kernel::rmsnorm",
        "4 per element, 2 per row", "input + result + weight", rmsWork<2, false>),
    composite(definedModel("normalization", "aten::rms_norm", "4 per element, 2 per row",
        "input + result + weight", rmsWork<2, false>)),
    definedModel("normalization",
        "aiter::add_rmsnorm aiter::rmsnorm2d_fwd_with_add_ck _C::fused_add_rms_norm "
        "sgl_kernel::fused_add_rmsnorm vllm::rocm_aiter_rmsnorm2d_fwd_with_add",
        "5 per element, 2 per row", "input and residual, both read and written, + weight", rmsWork<4, true>),
    definedModel(
        "normalization", "aten::_fused_rms_norm_backward", "9 per element", allBytes, normWork<1, 9>),
};

} // namespace

extern constinit const WorkModelFamily normalizationModels{.title = "Normalization", .models = normList};

} // namespace warpline
