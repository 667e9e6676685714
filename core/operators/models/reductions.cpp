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
constexpr std::string_view reducedSource = "operations of the definition";

constexpr std::array<WorkModel, 5> reductionList{{
    {.operators
        = "aten::sum aten::nansum aten::prod aten::mean aten::amax aten::amin aten::max aten::min aten::logsumexp",
        .kernelClass = "reduction",
        .flops = "1 per element of the input",
        .bytes = reducedBytes,
        .source = reducedSource,
        .work = reductionWork<1, 1>},
    {.operators = "aten::norm aten::linalg_vector_norm",
        .kernelClass = "reduction",
        .flops = "2 per element of the input",
        .bytes = reducedBytes,
        .source = reducedSource,
        .work = reductionWork<2, 2>},
    {.operators = "aten::var aten::std aten::var_mean aten::std_mean",
        .kernelClass = "reduction",
        .flops = "3 per element of the input",
        .bytes = reducedBytes,
        .source = reducedSource,
        .work = reductionWork<1, 3>},
    {.operators = "aten::argmax aten::argmin",
        .kernelClass = "reduction",
        .flops = "1 per element of the input",
        .bytes = "input + result in INT64",
        .source = reducedSource,
        .work = reductionWork<1, 1, ElementType::Int64>},
    {.operators = "aten::any aten::all",
        .kernelClass = "reduction",
        .flops = "1 per element of the input",
        .bytes = "input + result of 1 each",
        .source = reducedSource,
        .work = reductionWork<1, 1, ElementType::Bool>},
}};

} // namespace

extern constinit const WorkModelFamily reductionModels{.title = "Reductions", .models = reductionList};

} // namespace warpline
