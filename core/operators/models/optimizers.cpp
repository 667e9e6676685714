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
    work.bytes = plusAllBytes(work.bytes, call.tensors());
    return work;
}

constexpr WorkModel optimizerModel(std::string_view operators, std::string_view flops, std::string_view bytes,
    std::optional<Work> (*work)(const OperatorCall&))
{
    return definedModel("optimizer", operators, flops, bytes, work,
        "operations of the update, by the documentation of torch.optim");
}

constexpr std::array optimizerList{
    optimizerModel(
        "aten::_foreach_add aten::_foreach_sub aten::_foreach_mul aten::_foreach_div aten::_foreach_sqrt "
        "aten::_foreach_neg aten::_foreach_reciprocal aten::_foreach_rsqrt aten::_foreach_maximum "
        "aten::_foreach_minimum aten::_foreach_pow aten::_foreach_abs aten::_foreach_exp aten::_foreach_log "
        "aten::_foreach_clamp_min aten::_foreach_clamp_max aten::_foreach_sign "
        "aten::_amp_foreach_non_finite_check_and_unscale",
        "1 per element", "all lists read, one written", listsWork<1, 1>),
    optimizerModel("aten::_foreach_addcmul aten::_foreach_addcdiv aten::_foreach_lerp", "3 per element",
        "all lists read, one written", listsWork<3, 1>),
    optimizerModel("aten::_foreach_norm", "2 per element", "the list read", listsWork<2, 0>),
    optimizerModel("aten::_fused_adam aten::_fused_adamw", "14 per element",
        "parameters, gradients and both moments read; all but gradients written", listsWork<14, 3>),
    optimizerModel("aten::_fused_sgd", "4 per element",
        "parameters, gradients and momentum read; parameters and momentum written", listsWork<4, 2>),
};

} // namespace

extern constinit const WorkModelFamily optimizerModels{.title = "Optimizers", .models = optimizerList};

} // namespace warpline
