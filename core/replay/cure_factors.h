#pragma once

#include "core/kernels/kernel_math.h"
#include "core/replay/cure.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpline {

struct Device;

/// Factors of kernels under a cure, from what the GPU can do and what the recording shows. docs/whatif.md has
/// their reasons.

/// What a product, or attention, keeps of its time when computed in `to` on tensor cores instead of in `from`
/// on the ordinary ones: the ratio of the peaks, at the same share of the peak. Nothing: the GPU's peaks are
/// not known, or `to` is no faster.
std::optional<FactorRange> precisionFactor(const Device& device, MathWork work, MathType from, MathType to);

/// What a kernel of `blocks` blocks of `threads` keeps of its time when it launches enough of them: time goes
/// with the warps in flight until these hide the latencies, at half of what the GPU holds (a quarter at
/// least, all at most). 1: it has that many already, or the GPU is not known.
FactorRange parallelismFactor(const Device& device, std::int64_t blocks, std::int64_t threads);

/// What a kernel with blocks of `threads`, `launched` threads in all, keeps of its `duration` in ns with
/// blocks of 256, when starting blocks is what bounds it: no wave of threads takes less than a read and a
/// write.
FactorRange blockSizeFactor(const Device& device, std::int64_t threads, double launched, double duration);

/// The share of the data sheet's roofline (0..1) that tuned kernels of a class reach: docs/operators.md has
/// the measurements.
double reachedRoofline(std::string_view kernelClass, bool amd);
/// What work at `share` (0..1) of its roofline keeps of its time when it comes to `reached`, what tuned
/// kernels reach: the roofline itself at best, `least` of it at worst.
FactorRange rooflineFactor(double share, double reached, double least);

/// A kernel of a chain, and how long all of its launches in the chain take.
struct FusedPart {
    std::string_view kernel; ///< demangled name
    Ns time = 0; ///< of all its launches
    std::uint64_t launches = 1;
};

/// What a chain of elementwise kernels of a framework keeps of its time as one kernel: the larger of moving
/// the operands once and of the arithmetic of all. Nothing: the GPU's peaks are not known.
std::optional<FactorRange> fusionFactor(const Device& device, std::span<const FusedPart> chain);

} // namespace warpline
