#include "core/replay/cure_factors.h"

#include "core/gpus/gpu_peaks.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpline {

namespace {

constexpr std::int64_t usualBlock = 256;
/// Share of the memory's bandwidth that elementwise kernels reach.
constexpr double reachedBandwidth = 0.9;

FactorRange atMostOne(FactorRange factor)
{
    return {std::min(factor.low, 1.0), std::min(factor.expected, 1.0), std::min(factor.high, 1.0)};
}

struct OperatorCost {
    std::string_view word; ///< in the kernel's name
    double instructions; ///< of a thread and element
};

// FLOPs of functions of CUDA's math library in FP32: polynomials and the special function unit. The first
// matching word decides.
constexpr std::array operatorCosts{OperatorCost{"Gelu", 30}, OperatorCost{"gelu", 30},
    OperatorCost{"erf", 25}, OperatorCost{"pow", 40}, OperatorCost{"tanh", 20}, OperatorCost{"sigmoid", 20},
    OperatorCost{"silu", 20}, OperatorCost{"softplus", 30}, OperatorCost{"exp", 12}, OperatorCost{"log", 15},
    OperatorCost{"sin", 20}, OperatorCost{"cos", 20}, OperatorCost{"div", 8}, OperatorCost{"sqrt", 8}};
constexpr double plainOperator = 2;

double instructionsOf(std::string_view kernel)
{
    const auto* const found = std::ranges::find_if(
        operatorCosts, [&](const OperatorCost& each) { return kernel.find(each.word) != kernel.npos; });
    return found != operatorCosts.end() ? found->instructions : plainOperator;
}

/// The number of arrays that the kernel reads and writes, from PyTorch's "array<char*, 3ul>". 2: unknown.
double arraysOf(std::string_view kernel)
{
    const std::size_t place = kernel.find("array<char");
    const std::size_t digit
        = place == std::string_view::npos ? place : kernel.find_first_of("0123456789", place);
    if (digit == std::string_view::npos)
        return 2;
    int arrays = 0;
    std::from_chars(kernel.data() + digit, kernel.data() + kernel.size(), arrays);
    return arrays >= 1 && arrays <= 16 ? arrays : 2;
}

double bytesOfElement(std::string_view kernel)
{
    if (kernel.find("Half") != kernel.npos || kernel.find("BFloat16") != kernel.npos
        || kernel.find("__half") != kernel.npos || kernel.find("bfloat16") != kernel.npos)
        return 2;
    return kernel.find("double") != kernel.npos ? 8 : 4;
}

} // namespace

std::optional<FactorRange> precisionFactor(const Device& device, MathWork work, MathType from, MathType to)
{
    const auto peaks = peaksOf(device);
    if (!peaks)
        return std::nullopt;
    const double slow = peaks->roof(from, MathUnit::Simt).flops;
    const double fast = peaks->roof(to, MathUnit::Tensor).flops;
    if (slow <= 0 || fast <= slow)
        return std::nullopt;
    const double ratio = fast / slow;
    // Products reach more or less of one peak than of the other; the exponentials of attention stay where
    // they are.
    return atMostOne({0.8 / ratio, 1 / ratio, (work == MathWork::Attention ? 2.0 : 1.5) / ratio});
}

FactorRange parallelismFactor(const Device& device, std::int64_t blocks, std::int64_t threads)
{
    if (device.multiprocessors <= 0 || device.maxWarpsPerSm <= 0 || blocks <= 0 || threads <= 0)
        return {};
    const std::int64_t lanes = std::max(device.threadsPerWarp, 1);
    const auto warps = static_cast<double>(blocks) * static_cast<double>((threads + lanes - 1) / lanes);
    const double share = warps / (static_cast<double>(device.multiprocessors) * device.maxWarpsPerSm);
    return atMostOne({share, share / 0.5, share / 0.25});
}

FactorRange blockSizeFactor(const Device& device, std::int64_t threads, double launched, double duration)
{
    if (threads <= 0 || threads >= usualBlock || launched <= 0 || duration <= 0)
        return {};
    const double factor = static_cast<double>(threads) / static_cast<double>(usualBlock);
    // How long a thread that reads and writes four bytes lives where threads fill the GPU, in ns: measured on
    // an H200. A launch does not say how much more its threads do.
    constexpr double shortLife = 600;
    constexpr double lifeInCache = 650;
    constexpr double lifeInMemory = 1000;
    constexpr double leastBytes = 8;
    constexpr double hardlyLess = 0.95;
    const double atOnce = static_cast<double>(device.multiprocessors) * device.maxWarpsPerSm
        * std::max(device.threadsPerWarp, 1);
    const double waves = atOnce > 0 ? launched / atOnce : 0;
    const auto peaks = peaksOf(device);
    const bool isCached = peaks && launched * leastBytes < static_cast<double>(peaks->l2Bytes);
    const double expected = std::clamp(
        waves * (isCached ? lifeInCache : lifeInMemory) / duration, factor, std::max(hardlyLess, factor));
    // Blocks of 512 threads start half as often.
    const double low = std::max(factor / 2, waves * shortLife / duration);
    return {std::min(low, expected), expected,
        std::clamp(2 * expected, std::max(0.5, factor), std::max(hardlyLess, factor))};
}

double reachedRoofline(std::string_view kernelClass, bool amd)
{
    constexpr double usual = 0.7;
    constexpr double attention = 0.5;
    constexpr double amdProducts = 0.5; // of peaks that its clock under load does not reach
    const bool multiplies = kernelClass == "gemm" || kernelClass == "convolution" || kernelClass == "moe";
    return kernelClass == "attention" ? attention : amd && multiplies ? amdProducts : usual;
}

FactorRange rooflineFactor(double share, double reached, double least)
{
    const double usual = std::max(reached, least);
    return atMostOne({share, share / usual, least > 0 ? share / least : 1.0});
}

std::optional<FactorRange> fusionFactor(const Device& device, std::span<const FusedPart> chain)
{
    const auto peaks = peaksOf(device);
    if (!peaks || peaks->bytesPerSecond <= 0 || peaks->vector.fp32 <= 0)
        return std::nullopt;
    double now = 0; // ns
    double arithmetic = 0; // instructions of one element, all operators
    double elements = 0;
    double bytes = 0; // of the widest element
    for (const FusedPart& part : chain) {
        if (part.launches == 0 || part.time <= 0)
            continue;
        const auto time = static_cast<double>(part.time);
        now += time;
        arithmetic += static_cast<double>(part.launches) * instructionsOf(part.kernel);
        const double size = bytesOfElement(part.kernel);
        const double moved
            = time / static_cast<double>(part.launches) * 1e-9 * peaks->bytesPerSecond * reachedBandwidth;
        elements = std::max(elements, moved / (arraysOf(part.kernel) * size));
        bytes = std::max(bytes, size);
    }
    if (now <= 0)
        return std::nullopt;
    // One read and one write of each element; a multiply-add counts as two FLOP.
    const double moving = 2 * bytes * elements * 1e9 / (peaks->bytesPerSecond * reachedBandwidth);
    const double computing = arithmetic * elements * 1e9 / (peaks->vector.fp32 / 2);
    const double fused = std::max(moving, computing);
    return atMostOne({moving / now, fused / now, (moving + 1.5 * computing) / now});
}

} // namespace warpline
