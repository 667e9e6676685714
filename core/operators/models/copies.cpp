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
    Work work{.flops = 0, .bytes = plusAllBytes(0, tensors)};
    if (work.bytes)
        work.bytes = productOf(times, *work.bytes);
    return work;
}

constexpr WorkModel copyModel(std::string_view kernelClass, std::string_view operators,
    std::string_view bytes, std::optional<Work> (*work)(const OperatorCall&))
{
    return definedModel(kernelClass, operators, "0", bytes, work, "what is moved");
}

constexpr std::array copyList{
    copyModel("memory", "aten::copy_ aten::_foreach_copy", "source + destination", movedWork<1>),
    copyModel("memory", "aten::cat aten::flip aten::roll aten::repeat_interleave",
        "all tensors, read and written", movedWork<2>),
    composite(copyModel("memory", "aten::clone aten::contiguous aten::_to_copy aten::to",
        "input + result of the same type", movedWork<2>)),
    copyModel("memory", "aten::_foreach_zero", "all tensors once", movedWork<1>),
    copyModel("kv_cache",
        "_C_cache_ops::reshape_and_cache _C_cache_ops::reshape_and_cache_flash sglang::store_cache",
        "new keys and values, read and written",
        [](const OperatorCall& call) -> std::optional<Work> {
            const auto bytes = plusBytes(plusBytes(0, call.tensor(0)), call.tensor(1));
            if (call.tensor(0) == nullptr || call.tensor(1) == nullptr)
                return {};
            return Work{.flops = 0, .bytes = sumOf(bytes, bytes)};
        }),
    copyModel("quantization",
        "_C::static_scaled_fp8_quant _C::dynamic_scaled_fp8_quant "
        "_C::dynamic_per_token_scaled_fp8_quant _C::static_scaled_int8_quant "
        "_C::dynamic_scaled_int8_quant _C::scaled_fp4_quant sgl_kernel::sgl_per_token_quant_fp8 "
        "sgl_kernel::sgl_per_tensor_quant_fp8 sgl_kernel::sgl_per_token_group_quant_fp8",
        "all tensors once", movedWork<1>),
    copyModel("memory", "aten::zero_ aten::fill_ aten::_local_scalar_dense", "the tensor once", writtenWork),
};

} // namespace

extern constinit const WorkModelFamily copyModels{.title = "Copies", .models = copyList};

} // namespace warpline
