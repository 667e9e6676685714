// Pooling, and results of another size: each element of the result is made of a few of the input.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// The last `count` dimensions of `tensor`.
Dims lastDims(const Tensor& tensor, std::size_t count)
{
    return {tensor.dims.end() - static_cast<std::ptrdiff_t>(std::min(count, tensor.dims.size())),
        tensor.dims.end()};
}

/// `tensor`'s dimensions with `spatial` as the last ones.
Dims withSpatial(const Tensor& tensor, const Dims& spatial)
{
    Dims dims = tensor.dims;
    const std::size_t count = std::min(spatial.size(), dims.size());
    std::ranges::copy(spatial.end() - static_cast<std::ptrdiff_t>(count), spatial.end(),
        dims.end() - static_cast<std::ptrdiff_t>(count));
    return dims;
}

constexpr std::int64_t largestSize = std::int64_t{1} << 30; ///< numbers of a file may be anything

/// One number for each of `count` dimensions; empty: not recorded.
Dims eachDimension(Dims numbers, std::size_t count)
{
    if (numbers.size() == 1)
        numbers.resize(count, numbers.front());
    for (std::int64_t& number : numbers)
        number = std::clamp<std::int64_t>(number, 0, largestSize);
    return numbers.size() == count ? numbers : Dims();
}

/// Arguments: input, kernel, stride, padding, then with `dilates` dilation, then whether the last window may
/// reach out of the input. With `indices` the place of each maximum is written too.
template <std::size_t rank, bool dilates, bool indices>
std::optional<Work> poolingWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Dims kernel = eachDimension(call.numbers(1), rank);
    if (input == nullptr || input->dims.size() < rank || kernel.empty())
        return {};
    Dims stride = eachDimension(call.numbers(2), rank);
    if (stride.empty())
        stride = kernel;
    const Dims padding = eachDimension(call.numbers(3), rank);
    const Dims dilation = dilates ? eachDimension(call.numbers(4), rank) : Dims();
    const bool up = call.flag(dilates ? 5 : 4).value_or(false);
    Dims spatial = lastDims(*input, rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t step = std::max<std::int64_t>(1, stride[i]);
        const std::int64_t pad = padding.empty() ? 0 : padding[i];
        const std::int64_t reach
            = (dilation.empty() ? 1 : dilation[i]) * std::max<std::int64_t>(kernel[i] - 1, 0);
        spatial[i] = std::clamp<std::int64_t>(spatial[i], 0, largestSize);
        const std::int64_t room = spatial[i] + 2 * pad - reach - 1;
        std::int64_t size = (room + (up ? step - 1 : 0)) / step + 1;
        // A window that begins behind the input and its padding is left out.
        if (up && (size - 1) * step >= spatial[i] + pad)
            --size;
        spatial[i] = room < 0 ? 0 : size;
    }
    const Dims result = withSpatial(*input, spatial);
    Work work;
    work.flops = productOf(volumeOf(kernel), volumeOf(result));
    work.bytes = plusBytes(resultBytes(result, input->type), input);
    if (indices)
        work.bytes = sumOf(work.bytes, resultBytes(result, ElementType::Int64));
    return work;
}

/// The last `rank` dimensions of the result are in argument `size`.
template <std::size_t rank, int perElement, std::size_t size>
std::optional<Work> resampledWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Dims spatial = eachDimension(call.numbers(size), rank);
    if (input == nullptr || input->dims.size() < rank || spatial.empty())
        return {};
    const Dims result = withSpatial(*input, spatial);
    Work work;
    work.flops = perElement == 0 ? productOf(input->elements(), 1) // an average reads each once
                                 : productOf(perElement - 1, volumeOf(result));
    work.bytes = plusBytes(resultBytes(result, input->type), input);
    return work;
}

/// Maps the gradient of the result (argument 0) to one with all dimensions in argument `size`.
template <int perElement> std::optional<Work> resampledBackward(const OperatorCall& call)
{
    const Tensor* const gradient = call.tensor(0);
    const Dims input = call.numbers(2);
    if (gradient == nullptr || input.size() != gradient->dims.size())
        return {};
    return Work{.flops = productOf(perElement, gradient->elements()),
        .bytes = plusBytes(resultBytes(input, gradient->type), gradient)};
}

/// The gradient of the input is as large as argument 1. `reads` further arguments are read.
template <std::size_t reads> std::optional<Work> poolingBackward(const OperatorCall& call)
{
    const Tensor* const gradient = call.tensor(0);
    const Tensor* const input = call.tensor(1);
    if (gradient == nullptr || input == nullptr)
        return {};
    Work work;
    work.flops = gradient->elements();
    work.bytes = plusBytes(plusBytes(0, gradient), input);
    for (std::size_t i = 0; i < reads && !call.arguments.empty(); ++i)
        work.bytes = plusBytes(work.bytes, call.tensor(call.arguments.size() - 1 - i));
    return work;
}

/// Input [n, c, ...], grid [n, ..., 2 or 3].
std::optional<Work> gridSampleWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Tensor* const grid = call.tensor(1);
    if (input == nullptr || grid == nullptr || grid->dim(-1) <= 0)
        return {};
    const Dims result{input->dim(0), input->dim(1),
        grid->elements() / grid->dim(-1) / std::max<std::int64_t>(1, grid->dim(0))};
    return Work{.flops = productOf(grid->dim(-1) == 3 ? 16 : 8, volumeOf(result)),
        .bytes = plusBytes(plusBytes(resultBytes(result, input->type), input), grid)};
}

/// Padding: two numbers a dimension, the last dimension first.
std::optional<Work> paddedWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Dims numbers = call.numbers(1);
    if (input == nullptr || numbers.empty() || numbers.size() % 2 != 0
        || numbers.size() / 2 > input->dims.size())
        return {};
    Dims result = input->dims;
    for (std::size_t i = 0; i < numbers.size() / 2; ++i)
        result[result.size() - 1 - i]
            = std::clamp<std::int64_t>(result[result.size() - 1 - i], 0, largestSize)
            + std::clamp(numbers[2 * i], -largestSize, largestSize)
            + std::clamp(numbers[2 * i + 1], -largestSize, largestSize);
    return Work{.flops = 0, .bytes = plusBytes(resultBytes(result, input->type), input)};
}

constexpr std::string_view pooledBytes = "input + result";
constexpr std::string_view windowFlops = "elements of a window, per element of the result";

constexpr std::array poolingList{
    definedModel("pooling", "aten::max_pool2d_with_indices", windowFlops, "input + result + indices in INT64",
        poolingWork<2, true, true>),
    definedModel("pooling", "aten::max_pool3d_with_indices", windowFlops, "input + result + indices in INT64",
        poolingWork<3, true, true>),
    definedModel("pooling", "aten::avg_pool2d", windowFlops, pooledBytes, poolingWork<2, false, false>),
    definedModel("pooling", "aten::avg_pool3d", windowFlops, pooledBytes, poolingWork<3, false, false>),
    definedModel("pooling", "aten::_adaptive_avg_pool2d", "1 per element of the input", pooledBytes,
        resampledWork<2, 0, 1>),
    definedModel("pooling", "aten::_adaptive_avg_pool3d", "1 per element of the input", pooledBytes,
        resampledWork<3, 0, 1>),
    definedModel("pooling", "aten::max_pool2d_with_indices_backward aten::max_pool3d_with_indices_backward",
        "1 per element of the gradient", "gradient + indices + gradient of the input", poolingBackward<1>),
    definedModel("pooling",
        "aten::avg_pool2d_backward aten::avg_pool3d_backward aten::_adaptive_avg_pool2d_backward "
        "aten::_adaptive_avg_pool3d_backward",
        "1 per element of the gradient", "gradient + gradient of the input", poolingBackward<0>),
    definedModel("pooling", "aten::upsample_nearest1d aten::_upsample_nearest_exact1d", "0", pooledBytes,
        resampledWork<1, 1, 1>),
    definedModel("pooling", "aten::upsample_nearest2d aten::_upsample_nearest_exact2d", "0", pooledBytes,
        resampledWork<2, 1, 1>),
    definedModel("pooling", "aten::upsample_nearest3d aten::_upsample_nearest_exact3d", "0", pooledBytes,
        resampledWork<3, 1, 1>),
    definedModel("pooling", "aten::upsample_linear1d", "4 per element of the result", pooledBytes,
        resampledWork<1, 5, 1>),
    definedModel("pooling", "aten::upsample_bilinear2d aten::_upsample_bilinear2d_aa",
        "8 per element of the result", pooledBytes, resampledWork<2, 9, 1>),
    definedModel("pooling", "aten::upsample_trilinear3d", "16 per element of the result", pooledBytes,
        resampledWork<3, 17, 1>),
    definedModel("pooling", "aten::upsample_bicubic2d aten::_upsample_bicubic2d_aa",
        "32 per element of the result", pooledBytes, resampledWork<2, 33, 1>),
    definedModel("pooling",
        "aten::upsample_nearest1d_backward aten::upsample_nearest2d_backward "
        "aten::upsample_nearest3d_backward aten::_upsample_nearest_exact2d_backward",
        "1 per element of the gradient", "gradient + gradient of the input", resampledBackward<1>),
    definedModel("pooling", "aten::upsample_bilinear2d_backward", "8 per element of the gradient",
        "gradient + gradient of the input", resampledBackward<8>),
    definedModel("pooling", "aten::grid_sampler_2d aten::grid_sampler_3d",
        "8 per element of the result, 16 in 3D", "input + grid + result", gridSampleWork),
    definedModel("pooling",
        "aten::reflection_pad1d aten::reflection_pad2d aten::reflection_pad3d "
        "aten::replication_pad1d aten::replication_pad2d aten::replication_pad3d",
        "0", pooledBytes, paddedWork),
};

} // namespace

extern constinit const WorkModelFamily poolingModels{
    .title = "Pooling and resampling", .models = poolingList};

} // namespace warpline
