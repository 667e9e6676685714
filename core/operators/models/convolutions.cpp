// Convolutions in one to three dimensions, transposed and grouped ones, and their backward passes.

#include "core/base/saturate.h"
#include "core/operators/work_model.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Indexes of the arguments; -1: the operator has no such argument.
struct ConvPlaces {
    int stride = -1;
    int padding = -1;
    int dilation = -1;
    int transposed = -1; ///< a flag; -2: always
    int outputPadding = -1;
    int bias = -1;
    int groups = -1; ///< needed for transposed ones only
};

/// Number `i` of the list in argument `place`, whose only number applies to all; `otherwise` without one.
std::int64_t numberAt(const OperatorCall& call, int place, std::size_t i, std::int64_t otherwise)
{
    const Dims numbers = place < 0 ? Dims() : call.numbers(static_cast<std::size_t>(place));
    if (numbers.empty())
        return otherwise;
    return numbers.size() == 1 ? numbers.front() : i < numbers.size() ? numbers[i] : otherwise;
}

struct Geometry {
    Dims spatial; ///< of the result
    bool assumed = false;
};

/// The size of the result along each dimension. Where values were not recorded, and no other operator shows
/// the size, assumes padding that keeps the size.
Geometry resultOf(
    const OperatorCall& call, const Dims& input, const Dims& kernel, const ConvPlaces& at, bool transposed)
{
    Geometry result{input, false};
    if (call.output.size() >= input.size()) {
        result.spatial.assign(
            call.output.end() - static_cast<std::ptrdiff_t>(input.size()), call.output.end());
        return result;
    }
    const bool known = call.hasValues || at.stride < 0;
    const std::string padding
        = at.padding >= 0 && static_cast<std::size_t>(at.padding) < call.arguments.size()
        ? call.arguments[static_cast<std::size_t>(at.padding)].value
        : std::string();
    for (std::size_t i = 0; i < input.size(); ++i) {
        const std::int64_t stride = std::max<std::int64_t>(1, numberAt(call, at.stride, i, 1));
        const std::int64_t dilation = std::max<std::int64_t>(1, numberAt(call, at.dilation, i, 1));
        const std::int64_t reach = saturatingProduct(dilation, std::max<std::int64_t>(kernel[i], 1) - 1);
        const bool same = !known || padding.find("same") != std::string::npos;
        // Numbers of a file may be anything.
        const std::int64_t pad
            = std::clamp<std::int64_t>(numberAt(call, at.padding, i, 0), 0, std::int64_t{1} << 40U);
        const std::int64_t extra = numberAt(call, at.outputPadding, i, 0);
        std::int64_t& size = result.spatial[i];
        if (transposed)
            size = saturatingAdd(
                saturatingAdd(saturatingProduct(std::max<std::int64_t>(input[i], 1) - 1, stride), reach),
                saturatingAdd(std::clamp<std::int64_t>(extra, 0, stride), 1) - (pad + pad));
        else if (same)
            size = (saturatingAdd(std::max<std::int64_t>(input[i], 0), stride) - 1) / stride;
        else
            size = saturatingAdd(
                (saturatingAdd(saturatingAdd(saturatingAdd(input[i], pad + pad), -reach), -1)) / stride, 1);
        size = std::max<std::int64_t>(size, 0);
    }
    result.assumed = !known;
    return result;
}

/// The sizes from a convolution's two operands; the batch may be missing.
struct ConvSizes {
    std::int64_t batch = 1;
    Dims spatial;
    Dims kernel;
};

std::optional<ConvSizes> sizesOf(const Tensor* input, const Tensor* weight)
{
    if (input == nullptr || weight == nullptr || weight->dims.size() < 3)
        return {};
    const std::size_t rank = weight->dims.size() - 2;
    if (input->dims.size() != rank + 2 && input->dims.size() != rank + 1)
        return {};
    ConvSizes sizes;
    sizes.batch = input->dims.size() == rank + 2 ? input->dim(0) : 1;
    sizes.spatial.assign(input->dims.end() - static_cast<std::ptrdiff_t>(rank), input->dims.end());
    sizes.kernel.assign(weight->dims.begin() + 2, weight->dims.end());
    return sizes;
}

template <ConvPlaces at> std::optional<Work> convWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Tensor* const weight = call.tensor(1);
    const auto sizes = sizesOf(input, weight);
    if (!sizes)
        return {};
    const bool transposed = at.transposed == -2
        || (at.transposed >= 0 && call.flag(static_cast<std::size_t>(at.transposed)).value_or(false));
    const Geometry result = resultOf(call, sizes->spatial, sizes->kernel, at, transposed);
    const std::int64_t points = volumeOf(transposed ? sizes->spatial : result.spatial);
    Work work;
    work.flops = productOf(2, sizes->batch, points, weight->elements());
    work.basis = result.assumed && !transposed ? WorkBasis::Assumed : WorkBasis::Shapes;
    // The weight of a transposed convolution has the channels of one group of the result.
    const std::int64_t groups = std::max<std::int64_t>(1, numberAt(call, at.groups, 0, 1));
    const std::int64_t channels = transposed ? productOf(weight->dim(1), groups) : weight->dim(0);
    Dims out{sizes->batch, channels};
    out.insert(out.end(), result.spatial.begin(), result.spatial.end());
    work.bytes = plusBytes(plusBytes(resultBytes(out, input->type), input), weight);
    if (at.bias >= 0)
        work.bytes = plusBytes(work.bytes, call.tensor(static_cast<std::size_t>(at.bias)));
    return work;
}

/// Gradients of input and weight: each is a convolution of the same size. `mask` selects the requested ones.
template <std::size_t gradient, std::size_t input, std::size_t mask, int transposedAt>
std::optional<Work> convBackward(const OperatorCall& call)
{
    const Tensor* const out = call.tensor(gradient);
    const Tensor* const in = call.tensor(input);
    const Tensor* const weight = call.tensor(2);
    const auto sizes = sizesOf(in, weight);
    const auto outSizes = sizesOf(out, weight);
    if (!sizes || !outSizes)
        return {};
    const bool transposed
        = transposedAt >= 0 && call.flag(static_cast<std::size_t>(transposedAt)).value_or(false);
    const std::int64_t one = productOf(
        2, sizes->batch, volumeOf(transposed ? sizes->spatial : outSizes->spatial), weight->elements());
    std::array<bool, 2> wanted = call.wantsGradients.value_or(std::array{true, true});
    if (mask < call.arguments.size() && !call.arguments[mask].value.empty()) {
        const std::string& words = call.arguments[mask].value;
        const std::size_t comma = words.find(',');
        wanted[0] = words.substr(0, comma).find("rue") != std::string::npos;
        wanted[1] = comma != std::string::npos
            && words.substr(comma + 1, words.find(',', comma + 1) - comma).find("rue") != std::string::npos;
    }
    Work work;
    work.basis = call.hasValues ? WorkBasis::Shapes : WorkBasis::Assumed;
    work.flops = wanted[0] ? one : 0;
    std::optional<std::int64_t> bytes = out->bytes();
    if (wanted[0])
        bytes = plusBytes(plusBytes(bytes, weight), in); // its gradient is as large
    if (wanted[1]) {
        // torch.utils.flop_counter counts the weights of all groups for each group.
        const std::int64_t channels
            = in->dim(static_cast<std::ptrdiff_t>(in->dims.size() - sizes->kernel.size()) - 1);
        const std::int64_t outChannels
            = out->dim(static_cast<std::ptrdiff_t>(out->dims.size() - sizes->kernel.size()) - 1);
        const std::int64_t points = volumeOf(transposed ? sizes->spatial : outSizes->spatial);
        const std::int64_t counted = productOf(
            productOf(2, sizes->batch, points), productOf(channels, outChannels), volumeOf(sizes->kernel));
        work.flops = saturatingAdd(*work.flops, counted);
        work.skipped = std::max<std::int64_t>(counted - one, 0);
        bytes = plusBytes(plusBytes(bytes, in), weight);
    }
    work.bytes = bytes;
    return work;
}

template <ConvPlaces at> constexpr WorkModel convModel(std::string_view operators)
{
    return multiplyingModel("convolution", operators,
        "2 batch points weights, points being those of the result, or of the input of a transposed one",
        "input + weight + bias + result", convWork<at>, "torch.utils.flop_counter: conv_flop_count");
}

constexpr WorkModel convBackwardModel(
    std::string_view operators, std::string_view flops, std::optional<Work> (*work)(const OperatorCall&))
{
    return multiplyingModel("convolution", operators, flops,
        "gradients of result, input and weight + input + weight", work,
        "torch.utils.flop_counter: conv_backward_flop");
}

constexpr std::array convList{
    convModel<ConvPlaces{3, 4, 5, 6, 7, 2, 8}>(
        "aten::convolution aten::_convolution aten::convolution_overrideable"),
    convModel<ConvPlaces{3, 2, 4, -1, -1, -1}>("aten::cudnn_convolution"),
    convModel<ConvPlaces{4, 2, 5, -2, 3, -1, 6}>("aten::cudnn_convolution_transpose"),
    convModel<ConvPlaces{4, 3, 5, -1, -1, 2}>("aten::miopen_convolution aten::miopen_depthwise_convolution"),
    convModel<ConvPlaces{5, 3, 6, -2, 4, 2, 7}>("aten::miopen_convolution_transpose"),
    convModel<ConvPlaces{3, 4, 5, -1, -1, 2}>("aten::cudnn_convolution_relu aten::miopen_convolution_relu"),
    convModel<ConvPlaces{5, 6, 7, -1, -1, 4}>(
        "aten::cudnn_convolution_add_relu aten::miopen_convolution_add_relu"),
    convModel<ConvPlaces{4, 5, 6, -1, -1, 3}>("aten::_conv_depthwise2d aten::conv_depthwise3d "
                                              "aten::slow_conv_dilated2d aten::slow_conv_dilated3d"),
    convModel<ConvPlaces{4, 5, -1, -1, -1, 3}>("aten::_slow_conv2d_forward aten::slow_conv3d_forward "
                                               "aten::thnn_conv2d_forward"),
    convModel<ConvPlaces{4, 5, 7, -2, 6, 3}>("aten::slow_conv_transpose2d aten::slow_conv_transpose3d"),
    composite(convModel<ConvPlaces{3, 4, 5, -1, -1, 2}>("aten::conv1d aten::conv2d aten::conv3d")),
    composite(convModel<ConvPlaces{3, 4, 7, -2, 5, 2, 6}>(
        "aten::conv_transpose1d aten::conv_transpose2d aten::conv_transpose3d")),
    convBackwardModel("aten::convolution_backward",
        "that of the forward pass for each gradient; as PyTorch counts, times groups for the weight's",
        convBackward<0, 1, 10, 7>),
    convBackwardModel("aten::cudnn_convolution_backward aten::miopen_convolution_backward",
        "that of the forward pass for each gradient", convBackward<1, 0, 10, -1>),
    convBackwardModel("aten::_slow_conv2d_backward", "that of the forward pass for each gradient",
        convBackward<0, 1, 6, -1>),
};

} // namespace

extern constinit const WorkModelFamily convolutionModels{.title = "Convolutions", .models = convList};

} // namespace warpline
