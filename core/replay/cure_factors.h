#pragma once

#include "core/kernels/kernel_math.h"
#include "core/replay/cure.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpline {

struct Device;

/// Factors for kernels under a cure, from the GPU's limits and the recording. docs/whatif.md gives the
/// reasons.

/// The factor for a product, or attention, in `to` on tensor cores instead of `from` on ordinary ones: the
/// ratio of the peaks at the same share of the peak. Nothing: the GPU's peaks are unknown, or `to` is not
/// faster.
std::optional<FactorRange> precisionFactor(const Device& device, MathWork work, MathType from, MathType to);

/// The factor for a kernel of `blocks` blocks of `threads` when it launches enough blocks: time is inversely
/// proportional to the warps in flight until they hide latencies, at half of the GPU's capacity (at least a
/// quarter, at most all). 1: it has that many already, or the GPU is unknown.
FactorRange parallelismFactor(const Device& device, std::int64_t blocks, std::int64_t threads);

/// What a kernel with blocks of `threads`, `launched` threads in all, keeps of its `duration` in ns with
/// blocks of 256, when starting blocks is what bounds it: no wave of threads takes less than a read and a
/// write.
FactorRange blockSizeFactor(const Device& device, std::int64_t threads, double launched, double duration);

/// The share of the data sheet's roofline (0..1) that tuned kernels of a class reach: docs/operators.md has
/// the measurements.
double reachedRoofline(std::string_view kernelClass, bool amd);
/// The factor for work at `share` (0..1) of its roofline when it reaches `reached`, like tuned kernels: at
/// best the roofline, at worst `least` of it.
FactorRange rooflineFactor(double share, double reached, double least);

/// A kernel of a chain, and how long all of its launches in the chain take.
struct FusedPart {
    std::string_view kernel; ///< demangled name
    Ns time = 0; ///< of all its launches
    std::uint64_t launches = 1;
};

/// The factor for a chain of a framework's elementwise kernels as one kernel: the larger of moving the
/// operands once and of all arithmetic. Nothing: the GPU's peaks are unknown.
std::optional<FactorRange> fusionFactor(const Device& device, std::span<const FusedPart> chain);

} // namespace warpline
