// Rows that are looked up by number, and their gradients.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Indices count as INT64 where their type is not recorded.
std::int64_t indexBytes(const Tensor& indices)
{
    return indices.bytes().value_or(productOf(indices.elements(), 8));
}

/// Rows of `table` by `indices`: each is read, and written to the result.
std::optional<Work> rowsWork(const Tensor* table, const Tensor* indices, std::int64_t row)
{
    if (table == nullptr || indices == nullptr)
        return {};
    Work work;
    work.flops = 0;
    if (const std::int64_t size = bytesOf(table->type); size > 0)
        work.bytes = saturatingAdd(productOf(2, indices->elements(), row, size), indexBytes(*indices));
    return work;
}

/// The gradient of a table of as many rows as argument `rowsAt` says. Arguments: gradient of the result,
/// indices; of bags also the bag of each index, the size of each bag and the largest index.
template <std::size_t rowsAt, bool ofBags> std::optional<Work> tableGradient(const OperatorCall& call)
{
    const Tensor* const gradient = call.tensor(0);
    const Tensor* const indices = call.tensor(1);
    const Dims rows = call.numbers(rowsAt);
    if (gradient == nullptr || indices == nullptr)
        return {};
    Work work;
    work.flops = ofBags ? productOf(indices->elements(), gradient->dim(-1)) : gradient->elements();
    if (const std::int64_t size = bytesOf(gradient->type); size > 0 && rows.size() == 1)
        work.bytes
            = sumOf(saturatingAdd(productOf(std::max<std::int64_t>(rows.front(), 0), gradient->dim(-1), size),
                        productOf(ofBags ? 2 : 1, indexBytes(*indices))),
                gradient->bytes());
    return work;
}

/// The size of `table` without dimension `dim`.
std::int64_t rowOf(const Tensor* table, const Dims& dim)
{
    if (table == nullptr)
        return 0;
    const std::int64_t along = table->dim(dim.empty() ? 0 : static_cast<std::ptrdiff_t>(dim.front()));
    return along > 0 ? table->elements() / along : 0;
}

/// Writes elements of `values` (argument 3) to argument 0 at the indices in argument 2; with `adds` the old
/// values are read first. A value that is not a tensor is not read.
template <bool adds> std::optional<Work> scatterWork(const OperatorCall& call)
{
    const Tensor* const into = call.tensor(0);
    const Tensor* const indices = call.tensor(2);
    const Tensor* const values = call.tensor(3);
    if (into == nullptr || indices == nullptr)
        return {};
    const std::int64_t elements
        = values != nullptr ? std::max(values->elements(), indices->elements()) : indices->elements();
    Work work;
    work.flops = adds ? elements : 0;
    if (const std::int64_t size = bytesOf(into->type); size > 0)
        work.bytes = saturatingAdd(
            productOf(elements, (values != nullptr ? 1 : 0) + (adds ? 2 : 1), size), indexBytes(*indices));
    return work;
}

/// Arguments: table, indices, where each bag begins, ...: a sum of rows for each bag.
std::optional<Work> bagWork(const OperatorCall& call)
{
    const Tensor* const table = call.tensor(0);
    const Tensor* const indices = call.tensor(1);
    const Tensor* const offsets = call.tensor(2);
    if (table == nullptr || indices == nullptr || offsets == nullptr)
        return {};
    const bool last = call.flag(7).value_or(false); // the last offset ends the last bag
    const std::int64_t bags = std::max<std::int64_t>(0, offsets->elements() - (last ? 1 : 0));
    Work work;
    work.flops = productOf(indices->elements(), table->dim(-1));
    if (const std::int64_t size = bytesOf(table->type); size > 0)
        work.bytes = saturatingAdd(saturatingAdd(indexBytes(*indices), indexBytes(*offsets)),
            productOf(saturatingAdd(indices->elements(), bags), table->dim(-1), size));
    return work;
}

constexpr std::string_view rowBytes = "rows that are looked up, read and written, + indices";

constexpr std::array embeddingList{
    definedModel("embedding", "aten::embedding", "0", rowBytes,
        [](const OperatorCall& call) {
            return rowsWork(
                call.tensor(0), call.tensor(1), call.tensor(0) == nullptr ? 0 : call.tensor(0)->dim(-1));
        }),
    definedModel("embedding", "aten::embedding_dense_backward", "1 per element of the gradient",
        "gradient + indices + gradient of the table", tableGradient<2, false>),
    definedModel("embedding", "aten::index_select", "0", rowBytes,
        [](const OperatorCall& call) {
            return rowsWork(call.tensor(0), call.tensor(2), rowOf(call.tensor(0), call.numbers(1)));
        }),
    definedModel("embedding", "aten::gather", "0", "elements that are looked up, read and written, + indices",
        [](const OperatorCall& call) { return rowsWork(call.tensor(0), call.tensor(2), 1); }),
    definedModel("embedding", "aten::_embedding_bag aten::_embedding_bag_forward_only",
        "1 per element of the rows that are looked up",
        "rows that are looked up + indices + offsets + result", bagWork),
    definedModel("embedding", "aten::_embedding_bag_dense_backward",
        "1 per element of the rows that are looked up",
        "gradient + indices and their bags + gradient of the table", tableGradient<5, true>),
    definedModel("embedding", "aten::scatter_add aten::index_add aten::scatter_reduce", "1 per value",
        "values + indices + places, read and written", scatterWork<true>),
    definedModel(
        "embedding", "aten::scatter aten::index_copy", "0", "values + indices + places", scatterWork<false>),
    definedModel("embedding", "aten::index", "0", rowBytes,
        [](const OperatorCall& call) -> std::optional<Work> {
            const auto tensors = call.tensors();
            if (tensors.size() != 2 || tensors[1]->type == ElementType::Bool)
                return {};
            return rowsWork(tensors[0], tensors[1], rowOf(tensors[0], {}));
        }),
};

} // namespace

extern constinit const WorkModelFamily embeddingModels{
    .title = "Embeddings and look-ups", .models = embeddingList};

} // namespace warpline
