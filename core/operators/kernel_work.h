#pragma once

#include "core/operators/operator_rooflines.h"
#include "core/query/event_measure.h"
#include "core/query/name_groups.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace warpline {

/// What lists of kernels show of operators' work.
enum class WorkColumn : std::uint8_t { Flops, FlopRate, ByteRate, Roofline, Bound };
inline constexpr std::array allWorkColumns{
    WorkColumn::Flops, WorkColumn::FlopRate, WorkColumn::ByteRate, WorkColumn::Roofline, WorkColumn::Bound};
std::string_view titleOf(WorkColumn column); ///< "TFLOP/s"

/// Sums over kernels whose work is known: each does as much of its call as it has of the call's time.
struct KernelWork {
    double flops = -1; ///< without what kernels leave out; below 0: not known, as all below
    double flopsNs = 0; ///< of kernels whose FLOPs are known
    double bytes = -1;
    double bytesNs = 0;
    double rooflineNs = 0;
    double rooflineGpuNs = 0; ///< of kernels whose roofline is known
    RooflineBound bound = RooflineBound::Unknown;

    /// FLOPs, FLOP/s, bytes/s, share of the roofline (0..1), the bound's number; below 0: not known.
    double of(WorkColumn column) const;
    /// As a cell has it: "34.4 GFLOP", "612.0", "62.0%"; empty: not known.
    std::string textOf(WorkColumn column) const;
};

/// Of one kernel: nothing is known of other events.
KernelWork workOfKernel(const Trace& trace, const OperatorRooflines& rooflines, EventIndex kernel);
/// `rooflines` as a number to sort events by.
std::shared_ptr<const EventMeasure> measureOf(
    std::shared_ptr<const OperatorRooflines> rooflines, WorkColumn column);

/// Adds a kernel to the sums of its group; workOfGroup() reads them.
void addWork(const Trace& trace, const OperatorRooflines& rooflines, EventIndex kernel, GroupSums& sums);
KernelWork workOfGroup(const GroupSums& sums);

} // namespace warpline
