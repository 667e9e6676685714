// Products, convolutions and attention from torch.compile's Triton templates. Their arguments are operands
// and results as stored in memory: the result's shape shows which side is transposed.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <array>
#include <vector>

namespace warpline {

namespace {

bool hasRank(const Tensor& tensor, std::size_t rank)
{
    return tensor.dims.size() == rank;
}

/// Whether the last two dimensions of `tensor` are `a` and `b` in any order.
bool hasSides(const Tensor& tensor, std::int64_t a, std::int64_t b)
{
    return (tensor.dim(-2) == a && tensor.dim(-1) == b) || (tensor.dim(-2) == b && tensor.dim(-1) == a);
}

/// The result is the last matrix, or batch of them; operands are the first two that fit it.
std::optional<Work> templateProduct(const std::vector<const Tensor*>& tensors)
{
    for (const std::size_t rank : {std::size_t{3}, std::size_t{2}}) {
        std::vector<const Tensor*> matrices;
        for (const Tensor* const each : tensors) {
            if (hasRank(*each, rank))
                matrices.push_back(each);
        }
        if (matrices.size() < 3)
            continue;
        const Tensor& result = *matrices.back();
        const std::int64_t m = result.dim(-2);
        const std::int64_t n = result.dim(-1);
        for (std::size_t i = 0; i + 2 < matrices.size(); ++i) {
            const Tensor& a = *matrices[i];
            const Tensor& b = *matrices[i + 1];
            for (const std::int64_t k : {a.dim(-1), a.dim(-2)}) {
                if (k <= 0 || !hasSides(a, m, k) || !hasSides(b, k, n))
                    continue;
                return Work{.flops = productOf(2, result.elements(), k), .bytes = plusAllBytes(0, tensors)};
            }
        }
    }
    return {};
}

/// Input, weight, then the result last.
std::optional<Work> templateConvolution(const std::vector<const Tensor*>& tensors)
{
    if (tensors.size() < 3 || tensors[1]->dims.size() < 3)
        return {};
    const Tensor& weight = *tensors[1];
    const Tensor& result = *tensors.back();
    if (result.dims.size() != weight.dims.size() || result.dim(1) != weight.dim(0) || result.dim(1) <= 0)
        return {};
    return Work{.flops = productOf(2, result.elements() / result.dim(1), weight.elements()),
        .bytes = plusAllBytes(0, tensors)};
}

/// Queries, keys, values. Which blocks a mask leaves out is not recorded: none.
std::optional<Work> templateAttention(const OperatorCall& call, const std::vector<const Tensor*>& tensors)
{
    if (tensors.size() < 3 || !hasRank(*tensors[0], 4) || !hasRank(*tensors[1], 4)
        || !hasRank(*tensors[2], 4))
        return {};
    const Tensor& q = *tensors[0];
    const bool backward = call.name.find("backward") != std::string::npos;
    const std::int64_t perPair = saturatingAdd(
        productOf(backward ? 3 : 1, q.dim(-1)), productOf(backward ? 2 : 1, tensors[2]->dim(-1)));
    return Work{.flops = productOf(productOf(2, q.dim(0), q.dim(1)), q.dim(2), tensors[1]->dim(2), perPair),
        .bytes = plusAllBytes(0, tensors),
        .basis = WorkBasis::Assumed};
}

std::optional<Work> templateWork(const OperatorCall& call)
{
    const auto tensors = call.tensors();
    if (call.name.find("attention") != std::string::npos)
        return templateAttention(call, tensors);
    return call.name.find("convolution") != std::string::npos ? templateConvolution(tensors)
                                                              : templateProduct(tensors);
}

constexpr std::string_view templateSource = "the arguments of the kernel that torch.compile made";

constexpr std::array templateList{
    multiplyingModel("attention",
        "triton_tem_fused_flex_attention* triton_tem_fused__to_copy_flex_attention*",
        "2 b h q k (d + dv), backward 2 b h q k (3 d + 2 dv); masks are not recorded", "each tensor once",
        templateWork, templateSource),
    multiplyingModel("convolution", "triton_tem_fused_convolution*", "2 batch points weights",
        "each tensor once", templateWork, templateSource),
    multiplyingModel("gemm", "triton_tem_*", "2 b m n k; attention and convolutions among others as above",
        "each tensor once", templateWork, templateSource),
};

} // namespace

extern constinit const WorkModelFamily templateModels{
    .title = "Templates of torch.compile", .models = templateList};

} // namespace warpline
