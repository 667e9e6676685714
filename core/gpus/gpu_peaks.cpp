#include "core/gpus/gpu_peaks.h"

#include "core/base/ascii_case.h"
#include "core/base/message_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpline {

namespace {

constexpr double tera = 1e12;
constexpr std::array allTypes{MathType::Fp4, MathType::Fp8, MathType::Int8, MathType::Bf16, MathType::Fp16,
    MathType::Tf32, MathType::Fp32, MathType::Fp64};

double& rateOf(TypeRates& rates, MathType type)
{
    switch (type) {
    case MathType::Fp64:
        return rates.fp64;
    case MathType::Tf32:
        return rates.tf32;
    case MathType::Fp16:
    case MathType::Any16:
    case MathType::Int4:
        return rates.fp16;
    case MathType::Bf16:
        return rates.bf16;
    case MathType::Fp8:
        return rates.fp8;
    case MathType::Fp4:
        return rates.fp4;
    case MathType::Int8:
        return rates.int8;
    case MathType::Fp32:
    case MathType::Unknown:
        break;
    }
    return rates.fp32;
}

TypeRates scaled(TypeRates rates, double factor)
{
    for (const MathType type : allTypes)
        rateOf(rates, type) *= factor;
    return rates;
}

/// "nvidia", "a100", "sxm4", "80gb".
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words(1);
    for (const char c : lowered(name)) {
        const bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (part)
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

/// How many words of `sheet` the GPU's name contains; 0: not all, or it has one that belongs to another GPU.
std::size_t wordsInCommon(const GpuSheet& sheet, const std::vector<std::string>& name)
{
    static constexpr std::array<std::string_view, 6> others{"ti", "super", "d", "laptop", "mobile", "max"};
    const std::vector<std::string> words = wordsOf(sheet.words);
    const auto isIn = [](const std::vector<std::string>& all, std::string_view word) {
        return std::ranges::find(all, word) != all.end();
    };
    for (const std::string_view other : others) {
        if (isIn(name, other) && !isIn(words, other))
            return 0;
    }
    return std::ranges::all_of(words, [&](const std::string& word) { return isIn(name, word); })
        ? words.size()
        : 0;
}

constexpr double bytesPerGiB = 1024.0 * 1024 * 1024;

/// The ratio of the memory sizes of `device` and `sheet`; 1: equal, or not recorded.
double memoryFactor(const GpuSheet& sheet, const Device& device)
{
    if (device.memoryBytes <= 0 || sheet.memoryGiB <= 0)
        return 1;
    const double ratio = static_cast<double>(device.memoryBytes) / bytesPerGiB / sheet.memoryGiB;
    return std::max(ratio, 1 / ratio);
}

const GpuSheet* byName(const Device& device, const std::vector<std::string>& name)
{
    const GpuSheet* best = nullptr;
    std::size_t most = 0;
    for (const GpuSheet& sheet : gpuSheets()) {
        const std::size_t common = wordsInCommon(sheet, name);
        if (common > most
            || (common > 0 && common == most
                && memoryFactor(sheet, device) < memoryFactor(*best, device) * 0.99)) {
            best = &sheet;
            most = common;
        }
    }
    return best;
}

/// The one GPU of the table that `device` is by capability, multiprocessors and memory.
const GpuSheet* byAttributes(const Device& device)
{
    constexpr double sameMemory = 1.07;
    const GpuSheet* found = nullptr;
    for (const GpuSheet& sheet : gpuSheets()) {
        if (sheet.computeMajor != device.computeMajor || sheet.computeMinor != device.computeMinor
            || sheet.multiprocessors != device.multiprocessors || device.multiprocessors <= 0
            || device.memoryBytes <= 0 || memoryFactor(sheet, device) > sameMemory)
            continue;
        const bool asFast = found && found->tensor.fp16 == sheet.tensor.fp16
            && found->gigabytesPerSecond == sheet.gigabytesPerSecond;
        if (found && !asFast)
            return nullptr;
        found = found ? found : &sheet;
    }
    return found;
}

GpuPeaks peaksOfSheet(const GpuSheet& sheet)
{
    GpuPeaks peaks;
    peaks.name = nameMessage(std::string(sheet.name));
    peaks.source = sourceText(sheet);
    peaks.amd = sheet.source.starts_with("AMD");
    peaks.vector = scaled(sheet.vector, tera);
    peaks.tensor = scaled(sheet.tensor, tera);
    for (const MathType type : allTypes)
        rateOf(peaks.sparse, type) = sheet.sparse(type) * tera;
    peaks.bytesPerSecond = sheet.gigabytesPerSecond * 1e9;
    peaks.l2Bytes = static_cast<std::int64_t>(sheet.l2MiB * 1024 * 1024);
    peaks.multiprocessors = sheet.multiprocessors;
    peaks.clockHz = sheet.clockMhz * 1e6;
    return peaks;
}

/// The share of a MIG instance: multiprocessors are counted; the memory's rate is recorded or scales with its
/// size.
void takeShare(GpuPeaks& peaks, const GpuSheet& sheet, const Device& device)
{
    if (device.multiprocessors <= 0 || device.multiprocessors >= sheet.multiprocessors)
        return;
    const double share
        = static_cast<double>(device.multiprocessors) / static_cast<double>(sheet.multiprocessors);
    for (TypeRates* const rates : {&peaks.vector, &peaks.tensor, &peaks.sparse})
        *rates = scaled(*rates, share);
    peaks.multiprocessors = device.multiprocessors;
    const double memory = device.memoryBytes > 0
        ? static_cast<double>(device.memoryBytes) / bytesPerGiB / sheet.memoryGiB
        : share;
    peaks.bytesPerSecond = device.memoryBandwidth > 0 ? static_cast<double>(device.memoryBandwidth)
                                                      : peaks.bytesPerSecond * std::min(1.0, memory);
    if (device.l2CacheBytes > 0)
        peaks.l2Bytes = device.l2CacheBytes;
    peaks.name = {"gpu.instance",
        "{gpu}, an instance of {count, plural, =1 {1 multiprocessor} other {# multiprocessors}}",
        {{"gpu", std::move(peaks.name)},
            {"count", Count{static_cast<std::uint64_t>(device.multiprocessors)}}}};
}

std::optional<GpuPeaks> byRates(const Device& device)
{
    const CycleRates* const rates = cycleRatesOf(device.computeMajor, device.computeMinor);
    if (!rates || device.threadsPerWarp != 32 || device.multiprocessors <= 0 || device.clockRate <= 0)
        return {};
    GpuPeaks peaks;
    peaks.name = nameMessage(device.name);
    peaks.source = {"gpu.by_rates",
        "{count} multiprocessors at {clock} MHz, with the rates of compute capability {capability} in NVIDIA's CUDA programming guide",
        {{"count", Count{static_cast<std::uint64_t>(device.multiprocessors)}},
            {"clock", Name{fmt::format("{:.0f}", static_cast<double>(device.clockRate) / 1e6)}},
            {"capability", Name{fmt::format("{}.{}", device.computeMajor, device.computeMinor)}}}};
    peaks.origin = PeakOrigin::Rates;
    peaks.multiprocessors = device.multiprocessors;
    peaks.clockHz = static_cast<double>(device.clockRate);
    const double cyclesPerSecond = peaks.clockHz * device.multiprocessors;
    peaks.vector = scaled(rates->vector, cyclesPerSecond);
    peaks.tensor = scaled(rates->tensor, cyclesPerSecond);
    // Compute capability 7.5 without tensor cores.
    if (device.name.find("GTX 16") != std::string::npos || device.name.find("MX450") != std::string::npos)
        peaks.tensor = {};
    if (device.name.find("GeForce") != std::string::npos && device.computeMajor < 10 + 3) {
        for (double* const rate :
            {&peaks.tensor.tf32, &peaks.tensor.fp16, &peaks.tensor.bf16, &peaks.tensor.fp8})
            *rate /= 2;
    }
    peaks.bytesPerSecond = static_cast<double>(std::max<std::int64_t>(0, device.memoryBandwidth));
    peaks.l2Bytes = device.l2CacheBytes;
    if (device.computeMajor >= 8) {
        for (const MathType type :
            {MathType::Tf32, MathType::Fp16, MathType::Bf16, MathType::Fp8, MathType::Fp4, MathType::Int8})
            rateOf(peaks.sparse, type) = 2 * rateOf(peaks.tensor, type);
    }
    return peaks;
}

} // namespace

double TypeRates::of(MathType type) const
{
    TypeRates copy = *this;
    return rateOf(copy, type);
}

double GpuSheet::sparse(MathType type) const
{
    if (type == MathType::Fp4)
        return sparseFp4;
    const bool never = type == MathType::Fp64 || type == MathType::Fp32 || type == MathType::Unknown;
    return never ? 0 : sparsity * tensor.of(type);
}

Message sourceText(const GpuSheet& sheet)
{
    static constexpr std::array kinds{"sheet", "specifications", "whitepaper", "brief"};
    return {"gpu.sheet",
        "{product} {kind, select, sheet {data sheet} specifications {specifications} whitepaper {architecture whitepaper} other {architecture technical brief}}",
        {{"product", Name{std::string(sheet.source)}},
            {"kind", Name{kinds[static_cast<std::size_t>(sheet.kind)]}}}};
}

Message roofText(const ComputeRoof& roof, bool amd)
{
    const std::string_view type = labelOf(roof.type == MathType::Unknown ? MathType::Fp32 : roof.type);
    return {"gpu.roof", "{type}{unit, select, tensor { tensor cores} matrix { matrix cores} other {}}",
        {{"type", Name{std::string(type)}},
            {"unit",
                Name{roof.unit != MathUnit::Tensor ? "simt"
                        : amd                      ? "matrix"
                                                   : "tensor"}}}};
}

ComputeRoof GpuPeaks::roof(MathType type, MathUnit unit) const
{
    // By falling preference: a type that the GPU lacks is computed in the next larger one it has.
    std::vector<MathType> types{type == MathType::Unknown ? MathType::Fp32 : type};
    if (type == MathType::Int4 || type == MathType::Any16)
        types.front() = MathType::Fp16;
    if (type == MathType::Fp4)
        types.push_back(MathType::Fp8);
    if (type == MathType::Fp4 || type == MathType::Fp8 || type == MathType::Int8)
        types.push_back(MathType::Fp16);
    if (type != MathType::Fp64)
        types.push_back(MathType::Fp32);
    for (const MathType each : types) {
        const double onTensor = unit != MathUnit::Simt ? tensor.of(each) : 0;
        const double onVector = vector.of(each);
        if (onTensor > 0 && onTensor >= onVector)
            return {each, MathUnit::Tensor, onTensor};
        if (onVector > 0)
            return {each, MathUnit::Simt, onVector};
    }
    return {types.front(), MathUnit::Simt, 0};
}

double GpuPeaks::ridge(const ComputeRoof& roof) const
{
    return bytesPerSecond > 0 ? roof.flops / bytesPerSecond : 0;
}

std::optional<GpuPeaks> peaksOf(const Device& device)
{
    const std::vector<std::string> name = wordsOf(device.name);
    if (const GpuSheet* const sheet = byName(device, name)) {
        GpuPeaks peaks = peaksOfSheet(*sheet);
        if (std::ranges::find(name, "mig") != name.end())
            takeShare(peaks, *sheet, device);
        return peaks;
    }
    if (const GpuSheet* const sheet = byAttributes(device)) {
        GpuPeaks peaks = peaksOfSheet(*sheet);
        peaks.origin = PeakOrigin::Attributes;
        return peaks;
    }
    return byRates(device);
}

} // namespace warpline
