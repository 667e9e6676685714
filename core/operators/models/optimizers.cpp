// Updates of all parameters in one operator: arguments are lists of tensors, one a parameter.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <array>

namespace warpline {

namespace {

/// Reads the first `lists` list arguments, and writes the elements of the first list `written` times.
template <int perElement, int writtenLists> std::optional<Work> listsWork(const OperatorCall& call)
{
    // Profilers omit the dimensions of long lists; names of NVTX ranges do not show where a list ends.
    if (call.arguments.empty() || !call.arguments.front().isList || call.arguments.front().tensors.empty())
        return {};
    Work work;
    work.flops = 0;
    work.bytes = 0;
    for (const Tensor& each : call.arguments.front().tensors) {
        work.flops = saturatingAdd(*work.flops, productOf(perElement, each.elements()));
        const auto bytes = each.bytes();
        work.bytes = sumOf(work.bytes, bytes ? std::optional(productOf(writtenLists, *bytes)) : std::nullopt);
    }
    for (const Tensor* const each : call.tensors())
        work.bytes = plusBytes(work.bytes, each);
    return work;
}

constexpr std::string_view listSource = "operations of the update, by the documentation of torch.optim";

constexpr std::array<WorkModel, 5> optimizerList{{
    {.operators
        = "aten::_foreach_add aten::_foreach_sub aten::_foreach_mul aten::_foreach_div aten::_foreach_sqrt "
          "aten::_foreach_neg aten::_foreach_reciprocal aten::_foreach_rsqrt aten::_foreach_maximum "
          "aten::_foreach_minimum aten::_foreach_pow aten::_foreach_abs aten::_foreach_exp aten::_foreach_log "
          "aten::_foreach_clamp_min aten::_foreach_clamp_max aten::_foreach_sign "
          "aten::_amp_foreach_non_finite_check_and_unscale",
        .kernelClass = "optimizer",
        .flops = "1 per element",
        .bytes = "all lists read, one written",
        .source = listSource,
        .work = listsWork<1, 1>},
    {.operators = "aten::_foreach_addcmul aten::_foreach_addcdiv aten::_foreach_lerp",
        .kernelClass = "optimizer",
        .flops = "3 per element",
        .bytes = "all lists read, one written",
        .source = listSource,
        .work = listsWork<3, 1>},
    {.operators = "aten::_foreach_norm",
        .kernelClass = "optimizer",
        .flops = "2 per element",
        .bytes = "the list read",
        .source = listSource,
        .work = listsWork<2, 0>},
    {.operators = "aten::_fused_adam aten::_fused_adamw",
        .kernelClass = "optimizer",
        .flops = "14 per element",
        .bytes = "parameters, gradients and both moments read; all but gradients written",
        .source = listSource,
        .work = listsWork<14, 3>},
    {.operators = "aten::_fused_sgd",
        .kernelClass = "optimizer",
        .flops = "4 per element",
        .bytes = "parameters, gradients and momentum read; parameters and momentum written",
        .source = listSource,
        .work = listsWork<4, 2>},
}};

} // namespace

extern constinit const WorkModelFamily optimizerModels{.title = "Optimizers", .models = optimizerList};

} // namespace warpline
