// The list of work models, the search by operator name, and common parts of models.

#include "core/base/list.h"
#include "core/base/saturate.h"
#include "core/base/words.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

// One line a family, in the order of docs/operators.md.
#define WARPLINE_WORK_MODELS(X) \
    X(productModels)            \
    X(quantizedProductModels)   \
    X(convolutionModels)        \
    X(attentionModels)          \
    X(expertModels)             \
    X(templateModels)           \
    X(recurrentModels)          \
    X(normalizationModels)      \
    X(softmaxModels)            \
    X(lossModels)               \
    X(elementwiseModels)        \
    X(reductionModels)          \
    X(embeddingModels)          \
    X(poolingModels)            \
    X(transformModels)          \
    X(optimizerModels)          \
    X(copyModels)

WARPLINE_LIST(WorkModelFamily, allWorkModels, WARPLINE_WORK_MODELS)

namespace {

struct ModelNames {
    std::unordered_map<std::string_view, const WorkModel*> whole;
    std::vector<std::pair<std::string_view, const WorkModel*>> beginnings; ///< without their *
};

ModelNames readNames()
{
    ModelNames names;
    for (const WorkModelFamily* const family : allWorkModels()) {
        for (const WorkModel& model : family->models) {
            std::string_view rest = model.operators;
            while (!rest.empty()) {
                const std::string_view name = takeWord(rest);
                if (name.ends_with('*'))
                    names.beginnings.emplace_back(name.substr(0, name.size() - 1), &model);
                else
                    names.whole.emplace(name, &model);
            }
        }
    }
    return names;
}

} // namespace

const WorkModel* workModelOf(std::string_view name)
{
    static const ModelNames names = readNames();
    if (const auto found = names.whole.find(name); found != names.whole.end())
        return found->second;
    // In-place variants do the same work: aten::add_ and aten::add.
    if (name.ends_with('_')) {
        if (const auto found = names.whole.find(name.substr(0, name.size() - 1)); found != names.whole.end())
            return found->second;
    }
    const auto fits = std::ranges::find_if(
        names.beginnings, [&](const auto& each) { return name.starts_with(each.first); });
    return fits == names.beginnings.end() ? nullptr : fits->second;
}

std::optional<std::int64_t> sumOf(std::optional<std::int64_t> a, std::optional<std::int64_t> b)
{
    return a && b ? std::optional(saturatingAdd(*a, *b)) : std::nullopt;
}

std::optional<std::int64_t> plusBytes(std::optional<std::int64_t> bytes, const Tensor* tensor)
{
    return tensor == nullptr ? bytes : sumOf(bytes, tensor->bytes());
}

std::optional<std::int64_t> plusAllBytes(
    std::optional<std::int64_t> bytes, std::span<const Tensor* const> tensors)
{
    for (const Tensor* const each : tensors)
        bytes = plusBytes(bytes, each);
    return bytes;
}

std::optional<Work> writtenWork(const OperatorCall& call)
{
    if (call.arguments.empty() || call.arguments.front().tensors.empty())
        return {};
    return Work{.flops = 0, .bytes = call.arguments.front().tensors.front().bytes()};
}

std::int64_t productOf(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d)
{
    return saturatingProduct(saturatingProduct(a, b), saturatingProduct(c, d));
}

Dims broadcast(const Dims& a, const Dims& b)
{
    const Dims& longer = a.size() >= b.size() ? a : b;
    const Dims& shorter = a.size() >= b.size() ? b : a;
    Dims dims = longer;
    const std::size_t lead = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        // A dimension of 1 is repeated, also to none at all.
        std::int64_t& dim = dims[lead + i];
        dim = dim == 1 ? shorter[i] : shorter[i] == 1 ? dim : std::max(dim, shorter[i]);
    }
    return dims;
}

std::optional<std::int64_t> resultBytes(const Dims& dims, ElementType type)
{
    return Tensor{dims, {}, type}.bytes();
}

} // namespace warpline
