// Expert layers (MoE) whose two products are one operator. Those with one product per call are matrix
// products.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Arguments: tokens [t, h], weights up [e, u, h] and down [e, h, i], and [t, chosen] weights of the experts.
std::optional<Work> fusedExperts(const OperatorCall& call)
{
    const Tensor* const tokens = call.tensor(0);
    const Tensor* const up = call.tensor(1);
    const Tensor* const down = call.tensor(2);
    const Tensor* const chosen = call.tensor(3);
    if (tokens == nullptr || up == nullptr || down == nullptr || chosen == nullptr || tokens->dims.size() != 2
        || up->dims.size() != 3 || down->dims.size() != 3 || chosen->dims.size() != 2 || up->dim(2) == 0
        || up->dim(0) != down->dim(0) || tokens->dim(0) != chosen->dim(0))
        return {};
    // Weights of four bits are two in a byte.
    const std::int64_t packed = std::max<std::int64_t>(tokens->dim(1) / up->dim(2), 1);
    const std::int64_t rows = productOf(tokens->dim(0), chosen->dim(1));
    const std::int64_t weights = productOf(
        packed, saturatingAdd(productOf(up->dim(1), up->dim(2)), productOf(down->dim(1), down->dim(2))));
    Work work;
    work.flops = productOf(2, rows, weights);
    // Experts without tokens are not read. The choice is not recorded: assumes the maximum.
    const std::int64_t experts = up->dim(0);
    const std::int64_t read = std::min(experts, rows);
    const auto allWeights = plusBytes(plusBytes(0, up), down);
    if (allWeights && experts > 0)
        work.bytes = plusBytes(plusBytes(*allWeights / experts * read, tokens), tokens);
    work.basis = read < experts || experts == 1 ? WorkBasis::Shapes : WorkBasis::Assumed;
    return work;
}

constexpr std::array expertList{
    multiplyingModel("moe",
        "vllm::rocm_aiter_fused_moe vllm::inplace_fused_experts vllm::outplace_fused_experts "
        "vllm::fused_experts sglang::inplace_fused_experts sglang::outplace_fused_experts "
        "aiter::fused_moe",
        "2 tokens chosen (u h + h i), u being 2 i with a gate",
        "tokens twice + weights of min(experts, tokens chosen) experts", fusedExperts,
        "two products a token and chosen expert"),
};

} // namespace

extern constinit const WorkModelFamily expertModels{.title = "Experts", .models = expertList};

} // namespace warpline
