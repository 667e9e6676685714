// Attention, forward and backward: softmax(Q K^T) V.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

/// How queries, keys and values lie.
enum class Layout : std::uint8_t {
    HeadsFirst, ///< [batch, heads, length, dimension]
    LengthFirst, ///< [batch, length, heads, dimension], or without batch where sequences are packed
};

/// Indexes of the arguments; -1: the operator has none. Query, key and value come first, in a backward pass
/// behind the gradient.
struct AttentionPlaces {
    int causal = -1; ///< a flag, or a kind of mask: 0 is none
    Layout layout = Layout::HeadsFirst;
    bool backward = false;
    int starts = -1; ///< where packed sequences begin: one more than there are of them

    constexpr std::size_t query() const { return backward ? 1 : 0; }
};

struct AttentionSizes {
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    bool packed = false;
};

std::optional<AttentionSizes> attentionSizes(const OperatorCall& call, const AttentionPlaces& at)
{
    const Tensor* const q = call.tensor(at.query());
    const Tensor* const k = call.tensor(at.query() + 1);
    const Tensor* const v = call.tensor(at.query() + 2);
    if (q == nullptr || k == nullptr || v == nullptr || q->dims.size() < 3 || q->dims.size() > 4
        || k->dims.size() != q->dims.size() || v->dims.size() != q->dims.size() || q->dim(-1) != k->dim(-1))
        return {};
    const bool headsFirst = at.layout == Layout::HeadsFirst;
    const Tensor* const starts = at.starts < 0 ? nullptr : call.tensor(static_cast<std::size_t>(at.starts));
    AttentionSizes sizes;
    sizes.heads = q->dim(headsFirst ? -3 : -2);
    sizes.queries = q->dim(headsFirst ? -2 : -3);
    sizes.keys = k->dim(headsFirst ? -2 : -3);
    sizes.keyDim = q->dim(-1);
    sizes.valueDim = v->dim(-1);
    sizes.batch = q->dims.size() == 4 ? q->dim(0) : 1;
    if (starts != nullptr && starts->dim(0) > 1) {
        // Lengths are values, which are not recorded: sequences count as equally long.
        sizes.packed = true;
        sizes.batch = starts->dim(0) - 1;
        sizes.queries = (sizes.queries + sizes.batch - 1) / sizes.batch;
        sizes.keys = (sizes.keys + sizes.batch - 1) / sizes.batch;
    }
    return sizes;
}

/// Pairs of query and key that a causal mask hides: the last query sees all keys; of more queries than keys
/// the first query sees the first key.
std::int64_t hiddenPairs(std::int64_t queries, std::int64_t keys)
{
    const std::int64_t all = saturatingProduct(queries, keys);
    const std::int64_t few = std::min(queries, keys);
    // Half of the square in the corner is hidden, except for the diagonal.
    const std::int64_t hidden = few == 0 ? 0 : saturatingProduct(few, few - 1) / 2;
    return std::min(hidden, all);
}

template <AttentionPlaces at> std::optional<Work> attentionWork(const OperatorCall& call)
{
    const auto sizes = attentionSizes(call, at);
    if (!sizes)
        return {};
    // Forward: Q K^T and P V. Backward: the scores again, then the gradients of P, V, Q and K.
    const std::int64_t perPair = saturatingAdd(
        productOf(at.backward ? 3 : 1, sizes->keyDim), productOf(at.backward ? 2 : 1, sizes->valueDim));
    const std::int64_t each = productOf(2, sizes->batch, sizes->heads, perPair);
    Work work;
    work.flops = productOf(each, sizes->queries, sizes->keys);
    const bool causal = at.causal >= 0 && static_cast<std::size_t>(at.causal) < call.arguments.size()
        && call.flag(static_cast<std::size_t>(at.causal))
               .value_or(!call.numbers(static_cast<std::size_t>(at.causal)).empty());
    if (causal)
        work.skipped = std::min(productOf(each, hiddenPairs(sizes->queries, sizes->keys)), *work.flops);
    // Whether a mask is causal is a value: where none was recorded there is none.
    const bool isMaskKnown = at.causal < 0 || call.hasValues;
    work.basis = sizes->packed || !isMaskKnown ? WorkBasis::Assumed : WorkBasis::Shapes;
    const Tensor* const q = call.tensor(at.query());
    Dims result = q->dims;
    result.back() = sizes->valueDim;
    std::optional<std::int64_t> operands = 0;
    for (std::size_t i = 0; i < 3; ++i)
        operands = plusBytes(operands, call.tensor(at.query() + i));
    const auto out = resultBytes(result, q->type);
    work.bytes = sumOf(operands, out);
    if (at.backward) // the result and its gradient are read, three gradients are written
        work.bytes = sumOf(work.bytes, sumOf(operands, out));
    return work;
}

template <AttentionPlaces at> constexpr WorkModel attentionModel(std::string_view operators)
{
    return at.backward
        ? multiplyingModel("attention", operators, "2 b h q k (3 d + 2 dv), also of what a causal mask hides",
            "Q + K + V + O, and the gradients of each", attentionWork<at>,
            "torch.utils.flop_counter: sdpa_backward_flop_count")
        : multiplyingModel("attention", operators, "2 b h q k (d + dv), also of what a causal mask hides",
            "Q + K + V + O", attentionWork<at>, "torch.utils.flop_counter: sdpa_flop_count");
}

/// Attention over a paged cache: how much of it is read depends on values, which only names of steps reveal.
/// Queries, keys and values are [.., heads, dimension]; keys and values may be those of the cache.
template <std::size_t query, std::size_t key, std::size_t value>
std::optional<Work> pagedAttention(const OperatorCall& call)
{
    const Tensor* const q = call.tensor(query);
    const Tensor* const k = call.tensor(key);
    const Tensor* const v = call.tensor(value);
    if (!call.lengths || q == nullptr || k == nullptr || v == nullptr || q->dims.size() < 3
        || k->dims.size() < 3 || v->dims.size() < 3 || q->dim(-1) != k->dim(-1))
        return Work{};
    const auto dims = static_cast<double>(q->dim(-1) + v->dim(-1));
    const auto heads = static_cast<double>(q->dim(-2));
    constexpr double most = 9e18;
    Work work;
    work.flops = std::llround(std::min(most, 2 * heads * dims * call.lengths->pairs));
    const auto cached = static_cast<double>(k->dim(-2) * bytesOf(k->type)) * dims * call.lengths->keys;
    const auto own = heads * static_cast<double>(bytesOf(q->type)) * dims * call.lengths->queries;
    if (bytesOf(q->type) > 0 && bytesOf(k->type) > 0)
        work.bytes = std::llround(std::min(most, cached + own));
    return work;
}

/// The sizes are not in its arguments as known.
std::optional<Work> unknownAttention(const OperatorCall& /*call*/)
{
    return Work{};
}

template <std::size_t query, std::size_t key, std::size_t value>
constexpr WorkModel pagedModel(std::string_view operators)
{
    WorkModel model = multiplyingModel("attention", operators,
        "2 h (d + dv) pairs of query and key that no mask hides, where the "
        "step's name has the lengths of its sequences; else not known",
        "Q + O + keys and values of the sequences", pagedAttention<query, key, value>,
        "two products a pair; torch.utils.flop_counter does not count it");
    model.readsLengths = true;
    return model;
}

using enum Layout;

constexpr std::array attentionList{
    attentionModel<AttentionPlaces{.causal = 4}>("aten::_scaled_dot_product_flash_attention"),
    attentionModel<AttentionPlaces{.causal = 6}>(
        "aten::_scaled_dot_product_efficient_attention aten::_scaled_dot_product_cudnn_attention"),
    attentionModel<AttentionPlaces{.causal = 5}>("aten::_scaled_dot_product_fused_attention_overrideable"),
    attentionModel<AttentionPlaces{.causal = 11, .backward = true}>(
        "aten::_scaled_dot_product_flash_attention_backward "
        "aten::_scaled_dot_product_efficient_attention_backward"),
    attentionModel<AttentionPlaces{.causal = 14, .backward = true}>(
        "aten::_scaled_dot_product_cudnn_attention_backward"),
    attentionModel<AttentionPlaces{.causal = 13, .backward = true}>(
        "aten::_scaled_dot_product_fused_attention_overrideable_backward"),
    composite(attentionModel<AttentionPlaces{.causal = 5}>(
        "aten::scaled_dot_product_attention aten::_scaled_dot_product_attention_math")),
    attentionModel<AttentionPlaces{.causal = 8, .layout = LengthFirst, .starts = 3}>(
        "aten::_flash_attention_forward"),
    attentionModel<AttentionPlaces{.causal = 9, .layout = LengthFirst, .starts = 4}>(
        "aten::_efficient_attention_forward"),
    attentionModel<AttentionPlaces{.causal = 11, .layout = LengthFirst, .backward = true, .starts = 6}>(
        "aten::_flash_attention_backward"),
    attentionModel<AttentionPlaces{.causal = 14, .layout = LengthFirst, .backward = true, .starts = 6}>(
        "aten::_efficient_attention_backward"),
    attentionModel<AttentionPlaces{.causal = 10}>("aten::_cudnn_attention_forward"),
    attentionModel<AttentionPlaces{.causal = 14, .backward = true}>("aten::_cudnn_attention_backward"),
    attentionModel<AttentionPlaces{.causal = 5, .layout = LengthFirst}>("flash_attn::_flash_attn_forward"),
    attentionModel<AttentionPlaces{.causal = 11, .layout = LengthFirst, .backward = true}>(
        "flash_attn::_flash_attn_backward"),
    attentionModel<AttentionPlaces{.causal = 9, .layout = LengthFirst, .starts = 3}>(
        "flash_attn::_flash_attn_varlen_forward"),
    attentionModel<AttentionPlaces{.causal = 15, .layout = LengthFirst, .backward = true, .starts = 9}>(
        "flash_attn::_flash_attn_varlen_backward"),
    attentionModel<AttentionPlaces{.layout = LengthFirst}>("FlashAttnFunc FlashAttention2Func"),
    attentionModel<AttentionPlaces{.causal = 5, .layout = LengthFirst}>("aiter::mha_fwd"),
    pagedModel<0, 1, 2>("vllm::unified_attention_with_output vllm::unified_attention "
                        "sglang::unified_attention_with_output"),
    pagedModel<2, 3, 4>("sglang_profiler::attention_*"),
    multiplyingModel("attention",
        "_vllm_fa2_C::varlen_fwd _vllm_fa3_C::fwd sgl_kernel::fwd aiter::paged_attention*",
        "not known: the trace does not record how much of the cache is read", "not known, as the FLOPs",
        unknownAttention, "-"),
};

} // namespace

extern constinit const WorkModelFamily attentionModels{.title = "Attention", .models = attentionList};

} // namespace warpline
