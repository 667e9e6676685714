// Reductions of a tensor along some or all of its dimensions.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// The dimensions in argument `along` go; all of them where that names none.
template <std::size_t along, int perElement, ElementType resultType = ElementType::Unknown>
std::optional<Work> reductionWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    if (input == nullptr)
        return {};
    const auto rank = static_cast<std::int64_t>(input->dims.size());
    Dims kept = input->dims;
    bool named = false;
    for (const std::int64_t dim : call.numbers(along)) {
        const std::int64_t place = dim < 0 ? dim + rank : dim;
        if (place < 0 || place >= rank)
            continue;
        kept[static_cast<std::size_t>(place)] = 1;
        named = true;
    }
    if (!named)
        kept.clear();
    return Work{.flops = productOf(perElement, input->elements()),
        .bytes
        = plusBytes(resultBytes(kept, resultType == ElementType::Unknown ? input->type : resultType), input),
        .basis = call.hasValues || call.arguments.size() < 2 ? WorkBasis::Shapes : WorkBasis::Assumed};
}

constexpr std::string_view reducedBytes = "input + result";

constexpr std::array reductionList{
    definedModel("reduction",
        "aten::sum aten::nansum aten::prod aten::mean aten::amax aten::amin aten::max aten::min aten::logsumexp",
        "1 per element of the input", reducedBytes, reductionWork<1, 1>),
    definedModel("reduction", "aten::norm aten::linalg_vector_norm", "2 per element of the input",
        reducedBytes, reductionWork<2, 2>),
    definedModel("reduction", "aten::var aten::std aten::var_mean aten::std_mean",
        "3 per element of the input", reducedBytes, reductionWork<1, 3>),
    definedModel("reduction", "aten::argmax aten::argmin", "1 per element of the input",
        "input + result in INT64", reductionWork<1, 1, ElementType::Int64>),
    definedModel("reduction", "aten::any aten::all", "1 per element of the input", "input + result of 1 each",
        reductionWork<1, 1, ElementType::Bool>),
};

} // namespace

extern constinit const WorkModelFamily reductionModels{.title = "Reductions", .models = reductionList};

} // namespace warpline
