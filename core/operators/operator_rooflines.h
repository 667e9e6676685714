#pragma once

#include "core/base/ids.h"
#include "core/gpus/roofline.h"
#include "core/operators/operator_works.h"
#include "core/operators/work_sums.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// The duration of the shortest kernels of a GPU in ns: the second percentile, because a single one may be an
/// outlier, and at most 3 us. 0: it has none. O(n).
Ns shortestKernels(
    const KernelTable& kernels, GlobalId process, std::int32_t device, const std::stop_token& stop);

/// A GPU of one process whose kernels have operators.
struct OperatorGpu {
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal
    std::optional<GpuPeaks> peaks; ///< nothing: the GPU is not known
    Ns shortest = 0; ///< as long as its shortest kernels are
    std::vector<std::uint32_t> tracks; ///< of the kernels
};

/// How the calls of one shape use one GPU.
struct ShapeUse {
    std::uint32_t shape = 0; ///< row of OperatorWorks::shapes
    std::uint64_t calls = 0;
    std::uint64_t kernels = 0;
    Ns gpu = 0; ///< of all its GPU work; copies and memsets too
    double flops = -1; ///< the sum, without the part that kernels may skip; below 0: unknown
    double bytes = -1; ///< in all; below 0: not known
    Roofline roofline; ///< of all calls together
    RooflineBound bound = RooflineBound::Unknown;
    EventRef longest; ///< kernel

    double flopsPerSecond() const { return rateOf(flops); }
    double bytesPerSecond() const { return rateOf(bytes); }
    double share() const { return roofline.shareOf(gpu); } ///< of the roofline
    /// The time beyond the roofline's (ns).
    Ns lost() const;

private:
    double rateOf(double amount) const
    {
        return gpu > 0 && amount > 0 ? amount * 1e9 / static_cast<double>(gpu) : 0;
    }
};

/// The work of a report's operators against the limits of its GPUs. Sums over any range are differences of
/// sums stored for every 64th kernel: O(lanes log n). `trace` arguments must be the trace that it was made
/// of, or a copy.
class OperatorRooflines {
public:
    /// O(n) in the kernels. Throws Stopped.
    OperatorRooflines(
        const Trace& trace, std::shared_ptr<const OperatorWorks> works, const std::stop_token& stop);

    const OperatorWorks& works() const { return *m_works; }
    std::span<const OperatorGpu> gpus() const { return m_gpus; } ///< by process, then device
    const OperatorGpu* gpuOf(GlobalId process, std::int32_t device) const; ///< nullptr: none
    const OperatorGpu* gpuOf(const Trace& trace, EventIndex kernel) const;
    bool empty() const { return m_gpus.empty(); } ///< no call has work that is known

    /// The work of `run`, with all its GPU work, on `gpu`.
    ShapeUse useOf(const OperatorRun& run, const OperatorGpu& gpu) const;
    /// The sums of the kernels of `gpu` in `range`, clipped to it.
    WorkSums within(const Trace& trace, const OperatorGpu& gpu, TimeRange range) const;
    /// The shapes with calls whose first GPU work is on `gpu` in `window`, the longest first. O(n) in the
    /// calls. Throws Stopped.
    std::vector<ShapeUse> shapesOn(
        const Trace& trace, const OperatorGpu& gpu, TimeRange window, const std::stop_token& stop = {}) const;
    /// The first shape that is like `shape`: that of ShapeUse.
    std::uint32_t sameShape(std::uint32_t shape) const { return m_sameShape[shape]; }
    /// The kernels of `shape` among those, in order of time.
    std::vector<EventRef> kernelsOf(
        const Trace& trace, const OperatorGpu& gpu, std::uint32_t shape, TimeRange window) const;

private:
    void mergeShapes();
    void finish(ShapeUse& use, const OperatorGpu& gpu) const;
    WorkSums sumsOf(const Trace& trace, EventIndex kernel) const;
    WorkSums before(const Trace& trace, EventIndex kernel) const; ///< of all kernels with a lower index

    std::shared_ptr<const OperatorWorks> m_works;
    std::vector<std::uint32_t> m_sameShape; ///< by shape: the first that is alike
    std::vector<OperatorGpu> m_gpus;
    std::vector<std::uint32_t> m_gpuOfTrack; ///< of the kernels; noIndex: none
    std::vector<WorkSums> m_before; ///< of every 64th kernel
};

/// Those of `trace`, worked out once for as long as its links are; without operators empty() at little cost.
/// Safe to call from several threads. Throws Stopped.
std::shared_ptr<const OperatorRooflines> operatorRooflinesOf(
    const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
