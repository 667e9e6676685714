// What moves or writes memory without arithmetic.

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

constexpr std::string_view none = "0";
constexpr std::string_view moved = "what is moved";

constexpr std::array<WorkModel, 4> models{{
    {.operators = "aten::copy_ aten::_foreach_copy",
        .kernelClass = "memory",
        .flops = none,
        .bytes = "source + destination",
        .source = moved,
        .work = movedWork<1>},
    {.operators = "aten::cat aten::flip aten::roll aten::repeat_interleave",
        .kernelClass = "memory",
        .flops = none,
        .bytes = "all tensors, read and written",
        .source = moved,
        .work = movedWork<2>},
    {.operators = "aten::clone aten::contiguous aten::_to_copy aten::to",
        .kernelClass = "memory",
        .flops = none,
        .bytes = "input + result of the same type",
        .source = moved,
        .work = movedWork<2>,
        .isComposite = true},
    {.operators = "aten::zero_ aten::fill_ aten::_local_scalar_dense",
        .kernelClass = "memory",
        .flops = none,
        .bytes = "the tensor once",
        .source = moved,
        .work = [](const OperatorCall& call) -> std::optional<Work> {
            if (call.arguments.empty() || call.arguments.front().tensors.empty())
                return {};
            Work work;
            work.flops = 0;
            work.bytes = call.arguments.front().tensors.front().bytes();
            return work;
        }},
}};

} // namespace

extern constinit const WorkModelFamily copyModels{.title = "Copies", .models = models};

} // namespace warpline
