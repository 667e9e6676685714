#include "core/findings/kernel_names.h"

#include "core/steps/steps.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 9> matrixWords{
    "gemm", "convolve", "fprop", "wgrad", "dgrad", "winograd", "scudnn", "nvjet", "matmul"};
constexpr std::array<std::string_view, 24> tensorWords{"tensorop", "nvjet", "hmma", "imma", "wgmma", "gmma",
    "wmma", "mma_sync", "s16816", "h16816", "s1688", "h1688", "s884", "h884", "d884", "i16832", "i8816",
    "tf32", "bf16", "f16", "_tensor16x", "_tensor8x", "e4m3", "e5m2"};
constexpr std::array<std::string_view, 5> simtWords{"simt", "ffma", "sgemm", "scudnn", "convolve_sgemm"};
constexpr std::array<std::string_view, 4> helperWords{"pointers", "offsets", "splitk_reduce", "gemv"};

template <std::size_t count>
bool holdsAny(std::string_view name, const std::array<std::string_view, count>& words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return containsWord(name, word); });
}

} // namespace

MathUnit mathUnitOf(std::string_view name)
{
    const bool attention = containsWord(name, "fmha") || containsWord(name, "flash");
    if (!attention && (!holdsAny(name, matrixWords) || holdsAny(name, helperWords)))
        return MathUnit::Other;
    if (holdsAny(name, simtWords))
        return MathUnit::Simt;
    if (holdsAny(name, tensorWords) || containsWord(name, "half"))
        return MathUnit::Tensor;
    // What is left is somebody's own: it tells only by the type of its operands.
    const bool single = containsWord(name, "float") && !containsWord(name, "cudnn::");
    return !attention && (single || containsWord(name, "_engine<float") || containsWord(name, "winograd"))
        ? MathUnit::Simt
        : MathUnit::Other;
}

} // namespace warpline
