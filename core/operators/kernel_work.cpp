#include "core/operators/kernel_work.h"

#include "core/base/format.h"
#include "core/operators/operator_rows.h"
#include "core/operators/operator_text.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <utility>

namespace warpline {

namespace {

/// Places in GroupSums.
enum SumPlace : std::size_t {
    flopsPlace,
    flopsNsPlace,
    bytesPlace,
    bytesNsPlace,
    rooflinePlace,
    boundPlace, ///< GPU time of kernels with each bound
};
constexpr std::array bounds{RooflineBound::Compute, RooflineBound::Memory, RooflineBound::Launch};

double ratio(double part, double whole)
{
    return part >= 0 && whole > 0 ? part / whole : -1;
}

} // namespace

std::string_view titleOf(WorkColumn column)
{
    static constexpr std::array<std::string_view, 5> titles{"FLOPs", "TFLOP/s", "TB/s", "Roofline", "Bound"};
    return titles[static_cast<std::size_t>(column)];
}

double KernelWork::of(WorkColumn column) const
{
    switch (column) {
    case WorkColumn::Flops:
        return flops;
    case WorkColumn::FlopRate:
        return flops < 0 ? -1 : ratio(flops * 1e9, flopsNs);
    case WorkColumn::ByteRate:
        return bytes < 0 ? -1 : ratio(bytes * 1e9, bytesNs);
    case WorkColumn::Roofline:
        return rooflineNs > 0 ? ratio(rooflineNs, rooflineGpuNs) : -1;
    case WorkColumn::Bound:
        break;
    }
    return bound == RooflineBound::Unknown ? -1 : static_cast<double>(bound);
}

std::string KernelWork::textOf(WorkColumn column) const
{
    const double value = of(column);
    if (value < 0)
        return {};
    switch (column) {
    case WorkColumn::Flops:
        return formatFlopCount(value);
    case WorkColumn::FlopRate:
    case WorkColumn::ByteRate:
        return formatReal(value / 1e12, value < 1e13 ? 3 : 1);
    case WorkColumn::Roofline:
        return formatShare(value);
    case WorkColumn::Bound:
        break;
    }
    return std::string(keyOf(bound));
}

KernelWork workOfKernel(const Trace& trace, const OperatorRooflines& rooflines, EventIndex kernel)
{
    KernelWork work;
    const OperatorGpu* const gpu = rooflines.gpuOf(trace, kernel);
    const OperatorRun* const run = rooflines.works().runOf({EventKind::Kernel, kernel});
    if (gpu == nullptr || run == nullptr || run->gpu <= 0)
        return work;
    const WorkAmount amount = amountOf(rooflines.works().shapeOf(*run));
    const auto time = static_cast<double>(trace.kernels().duration[kernel]);
    const double part = time / static_cast<double>(run->gpu);
    if (amount.flops >= 0) {
        work.flops = part * amount.flops;
        work.flopsNs = time;
    }
    if (amount.bytes >= 0) {
        work.bytes = part * amount.bytes;
        work.bytesNs = time;
    }
    if (gpu->peaks) {
        const Roofline roofline = rooflineOf(amount, *gpu->peaks);
        if (roofline.isKnown()) {
            work.rooflineNs = part * roofline.ns();
            work.rooflineGpuNs = time;
            work.bound = boundOf(roofline, run->gpu, run->workCount, gpu->shortest);
        }
    }
    return work;
}

std::shared_ptr<const EventMeasure> measureOf(
    std::shared_ptr<const OperatorRooflines> rooflines, WorkColumn column)
{
    return std::make_shared<const EventMeasure>(
        EventMeasure{[rooflines = std::move(rooflines), column](const Trace& trace, EventRef event) {
            return event.kind == EventKind::Kernel ? workOfKernel(trace, *rooflines, event.index).of(column)
                                                   : -1.0;
        }});
}

void addWork(const Trace& trace, const OperatorRooflines& rooflines, EventIndex kernel, GroupSums& sums)
{
    const KernelWork work = workOfKernel(trace, rooflines, kernel);
    if (work.flopsNs > 0) {
        sums[flopsPlace] += work.flops;
        sums[flopsNsPlace] += work.flopsNs;
    }
    if (work.bytesNs > 0) {
        sums[bytesPlace] += work.bytes;
        sums[bytesNsPlace] += work.bytesNs;
    }
    sums[rooflinePlace] += work.rooflineNs;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (work.bound == bounds[i])
            sums[boundPlace + i] += work.rooflineGpuNs;
    }
}

KernelWork workOfGroup(const GroupSums& sums)
{
    KernelWork work;
    work.flopsNs = sums[flopsNsPlace];
    work.flops = work.flopsNs > 0 ? sums[flopsPlace] : -1;
    work.bytesNs = sums[bytesNsPlace];
    work.bytes = work.bytesNs > 0 ? sums[bytesPlace] : -1;
    work.rooflineNs = sums[rooflinePlace];
    double most = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const double time = sums[boundPlace + i];
        work.rooflineGpuNs += time;
        if (time > most) {
            most = time;
            work.bound = bounds[i];
        }
    }
    return work;
}

} // namespace warpline
