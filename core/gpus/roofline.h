#pragma once

#include "core/base/time.h"
#include "core/gpus/gpu_peaks.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// The limit of work by the roofline.
enum class RooflineBound : std::uint8_t {
    Unknown, ///< the limits of the GPU, or FLOPs and bytes, are not known
    Compute, ///< arithmetic takes longer than moving the bytes
    Memory, ///< moving the bytes takes longer
    Launch, ///< its kernels are about as short as possible: launching is the limit
};
std::string_view keyOf(RooflineBound bound); ///< "compute", "memory", "launch", "unknown": in JSON

/// Arithmetic and traffic of one or several kernels. Negative: not known.
struct WorkAmount {
    double flops = -1; ///< a multiply and an add are two
    double bytes = -1; ///< that must move between the GPU's memory and its cores at least
    MathType type = MathType::Unknown; ///< of the arithmetic
    MathUnit unit = MathUnit::Unknown;
};

/// How fast `WorkAmount` could be: Williams, Waterman, Patterson, "Roofline: an insightful visual performance
/// model for multicore architectures", 2009.
struct Roofline {
    double computeNs = 0; ///< FLOPs by the peak of their type; 0: not known
    double memoryNs = 0; ///< bytes by the bandwidth of the memory; 0: not known
    ComputeRoof roof;
    double ns() const { return computeNs > memoryNs ? computeNs : memoryNs; } ///< 0: not known
    bool isKnown() const { return ns() > 0; }
    /// The reached share of the roofline for a time of `took`, 0..1; above 1 where data came from a cache or
    /// the model overcounts.
    double shareOf(Ns took) const { return took > 0 ? ns() / static_cast<double>(took) : 0; }
};
Roofline rooflineOf(const WorkAmount& work, const GpuPeaks& peaks);

/// The limit of work with `roofline` that took `took` in `kernels` kernels. `shortest`: the minimum time of
/// kernels on that GPU. Work whose mean kernel takes less than twice that, and that takes twice the
/// roofline's time, is launch-bound.
RooflineBound boundOf(const Roofline& roofline, Ns took, std::uint64_t kernels, Ns shortest);

} // namespace warpline
