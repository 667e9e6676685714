// Operators along dimensions: sorting, scans, Fourier transforms.

#include "core/operators/work_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

/// The input is read once, `values` results as large are written, and `indices` of INT64.
template <int perElement, int values, int indices> std::optional<Work> alongWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    if (input == nullptr)
        return {};
    Work work;
    work.flops = productOf(perElement, input->elements());
    work.bytes = plusBytes(0, input);
    for (int i = 0; i < values; ++i)
        work.bytes = plusBytes(work.bytes, input);
    work.bytes = sumOf(work.bytes, productOf(8 * indices, input->elements()));
    return work;
}

/// The largest k along a dimension: values and indices.
std::optional<Work> topWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Dims most = call.numbers(1);
    const Dims along = call.numbers(2);
    if (input == nullptr || most.size() != 1)
        return {};
    const std::int64_t length
        = input->dim(along.size() == 1 ? static_cast<std::ptrdiff_t>(along.front()) : -1);
    Work work;
    work.flops = 0;
    const std::int64_t rows = length > 0 ? input->elements() / length : 0;
    const Dims result{rows, std::clamp<std::int64_t>(most.front(), 0, length)};
    work.bytes = plusBytes(resultBytes(result, input->type), input);
    work.bytes = sumOf(work.bytes, resultBytes(result, ElementType::Int64));
    return work;
}

ElementType complexOf(ElementType type)
{
    return type == ElementType::Fp64 ? ElementType::Complex128
        : type == ElementType::Fp32  ? ElementType::Complex64
        : type == ElementType::Fp16  ? ElementType::Complex32
                                     : type;
}

ElementType realOf(ElementType type)
{
    return type == ElementType::Complex128 ? ElementType::Fp64
        : type == ElementType::Complex64   ? ElementType::Fp32
        : type == ElementType::Complex32   ? ElementType::Fp16
                                           : type;
}

enum class Transform : std::uint8_t { Complex, FromReal, ToReal };

/// 5 n log2 n for complex numbers, half of it where one side is real.
template <Transform kind> std::optional<Work> fourierWork(const OperatorCall& call)
{
    const Tensor* const input = call.tensor(0);
    const Dims along = call.numbers(1);
    if (input == nullptr || along.empty())
        return {};
    const auto rank = static_cast<std::int64_t>(input->dims.size());
    Dims result = input->dims;
    const std::int64_t last = along.back() < 0 ? along.back() + rank : along.back();
    if (last < 0 || last >= rank)
        return {};
    Dims full = input->dims; // of the side that is not cut in half
    auto& size = result[static_cast<std::size_t>(last)];
    if (kind == Transform::FromReal && call.flag(3).value_or(true))
        size = size / 2 + 1;
    if (kind == Transform::ToReal) {
        const Dims length = call.numbers(3);
        size = length.size() == 1 ? length.front() : 2 * (size - 1);
        full = result;
    }
    double points = 1;
    for (const std::int64_t dim : along)
        points *= static_cast<double>(std::max<std::int64_t>(1,
            full[static_cast<std::size_t>(
                std::clamp<std::int64_t>(dim < 0 ? dim + rank : dim, 0, rank - 1))]));
    const double each = kind == Transform::Complex ? 5.0 : 2.5;
    const ElementType type = kind == Transform::ToReal ? realOf(input->type) : complexOf(input->type);
    return Work{.flops = std::llround(std::min(
                    9e18, each * static_cast<double>(volumeOf(full)) * std::log2(std::max(1.0, points)))),
        .bytes = plusBytes(resultBytes(result, type), input)};
}

constexpr std::string_view fourierSource
    = "5 n log2 n operations per transform, as in FFTW's benchmarks; half for real numbers";

constexpr std::array transformList{
    definedModel(
        "sort_scan", "aten::sort aten::msort", "0", "input + values + indices in INT64", alongWork<0, 1, 1>),
    definedModel("sort_scan", "aten::argsort", "0", "input + indices in INT64", alongWork<0, 0, 1>),
    definedModel("sort_scan", "aten::topk", "0", "input + values + indices in INT64", topWork),
    definedModel("sort_scan", "aten::cumprod aten::_logcumsumexp", "1 per element", "input + result",
        alongWork<1, 1, 0>),
    definedModel("sort_scan", "aten::_cummax_helper aten::_cummin_helper", "1 per element",
        "input + values + indices in INT64", alongWork<1, 1, 1>),
    definedModel("sort_scan", "aten::histc aten::bincount", "1 per element", "input", alongWork<1, 0, 0>),
    definedModel("fft", "aten::_fft_c2c", "5 n log2 n", "input + result", fourierWork<Transform::Complex>,
        fourierSource),
    definedModel("fft", "aten::_fft_r2c", "2.5 n log2 n", "input + result", fourierWork<Transform::FromReal>,
        fourierSource),
    definedModel("fft", "aten::_fft_c2r", "2.5 n log2 n", "input + result", fourierWork<Transform::ToReal>,
        fourierSource),
};

} // namespace

extern constinit const WorkModelFamily transformModels{
    .title = "Sorting, scans and Fourier transforms", .models = transformList};

} // namespace warpline
