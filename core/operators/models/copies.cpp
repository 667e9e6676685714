// Operators that move or write memory without arithmetic.

#include "core/operators/work_model.h"

#include <array>

namespace warpline {

namespace {

/// All tensors `times` times.
template <int times> std::optional<Work> movedWork(const OperatorCall& call)
{
    const auto tensors = call.tensors();
    if (tensors.empty())
        return {};
    Work work;
    work.flops = 0;
    work.bytes = 0;
    for (const Tensor* const each : tensors)
        work.bytes = plusBytes(work.bytes, each);
    if (work.bytes)
        work.bytes = productOf(times, *work.bytes);
    return work;
}

constexpr std::string_view noFlops = "0";
constexpr std::string_view movedSource = "what is moved";

constexpr std::array<WorkModel, 7> copyList{{
    {.operators = "aten::copy_ aten::_foreach_copy",
        .kernelClass = "memory",
        .flops = noFlops,
        .bytes = "source + destination",
        .source = movedSource,
        .work = movedWork<1>},
    {.operators = "aten::cat aten::flip aten::roll aten::repeat_interleave",
        .kernelClass = "memory",
        .flops = noFlops,
        .bytes = "all tensors, read and written",
        .source = movedSource,
        .work = movedWork<2>},
    {.operators = "aten::clone aten::contiguous aten::_to_copy aten::to",
        .kernelClass = "memory",
        .flops = noFlops,
        .bytes = "input + result of the same type",
        .source = movedSource,
        .work = movedWork<2>,
        .isComposite = true},
    {.operators = "aten::_foreach_zero",
        .kernelClass = "memory",
        .flops = noFlops,
        .bytes = "all tensors once",
        .source = movedSource,
        .work = movedWork<1>},
    {.operators = "_C_cache_ops::reshape_and_cache _C_cache_ops::reshape_and_cache_flash sglang::store_cache",
        .kernelClass = "kv_cache",
        .flops = noFlops,
        .bytes = "new keys and values, read and written",
        .source = movedSource,
        .work = [](const OperatorCall& call) -> std::optional<Work> {
            const auto bytes = plusBytes(plusBytes(0, call.tensor(0)), call.tensor(1));
            if (call.tensor(0) == nullptr || call.tensor(1) == nullptr)
                return {};
            return Work{.flops = 0, .bytes = sumOf(bytes, bytes)};
        }},
    {.operators = "_C::static_scaled_fp8_quant _C::dynamic_scaled_fp8_quant "
                  "_C::dynamic_per_token_scaled_fp8_quant _C::static_scaled_int8_quant "
                  "_C::dynamic_scaled_int8_quant _C::scaled_fp4_quant sgl_kernel::sgl_per_token_quant_fp8 "
                  "sgl_kernel::sgl_per_tensor_quant_fp8 sgl_kernel::sgl_per_token_group_quant_fp8",
        .kernelClass = "quantization",
        .flops = noFlops,
        .bytes = "all tensors once",
        .source = movedSource,
        .work = movedWork<1>},
    {.operators = "aten::zero_ aten::fill_ aten::_local_scalar_dense",
        .kernelClass = "memory",
        .flops = noFlops,
        .bytes = "the tensor once",
        .source = movedSource,
        .work = [](const OperatorCall& call) -> std::optional<Work> {
            if (call.arguments.empty() || call.arguments.front().tensors.empty())
                return {};
            return Work{.flops = 0, .bytes = call.arguments.front().tensors.front().bytes()};
        }},
}};

} // namespace

extern constinit const WorkModelFamily copyModels{.title = "Copies", .models = copyList};

} // namespace warpline
