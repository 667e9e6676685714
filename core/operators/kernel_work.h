#pragma once

#include "core/operators/operator_rooflines.h"
#include "core/query/event_list.h"
#include "core/query/name_groups.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace warpline {

/// Columns of operators' work in lists of kernels.
enum class WorkColumn : std::uint8_t { Flops, FlopRate, ByteRate, Roofline, Bound };
inline constexpr std::array allWorkColumns{
    WorkColumn::Flops, WorkColumn::FlopRate, WorkColumn::ByteRate, WorkColumn::Roofline, WorkColumn::Bound};
std::string_view titleOf(WorkColumn column); ///< "TFLOP/s"

/// Sums over kernels with known work: each does its share of its call's work, by time.
struct KernelWork {
    double flops = -1; ///< without the part that kernels may skip; below 0: unknown, like all below
    double flopsNs = 0; ///< time of kernels with known FLOPs
    double bytes = -1;
    double bytesNs = 0;
    double rooflineNs = 0;
    double rooflineGpuNs = 0; ///< time of kernels with a known roofline
    RooflineBound bound = RooflineBound::Unknown;

    /// FLOPs, FLOP/s, bytes/s, share of the roofline (0..1), the bound's number; below 0: not known.
    double of(WorkColumn column) const;
    /// The text of a cell: "34.4 GFLOP", "612.0", "62.0%"; empty: unknown.
    std::string textOf(WorkColumn column) const;
};

/// For one kernel; unknown for other events.
KernelWork workOfKernel(const Trace& trace, const OperatorRooflines& rooflines, EventIndex kernel);
/// `rooflines` as a number to sort events by.
std::shared_ptr<const EventMeasure> measureOf(
    std::shared_ptr<const OperatorRooflines> rooflines, WorkColumn column);

/// Adds a kernel to the sums of its group; workOfGroup() reads them.
void addWork(const Trace& trace, const OperatorRooflines& rooflines, EventIndex kernel, GroupSums& sums);
KernelWork workOfGroup(const GroupSums& sums);

} // namespace warpline
