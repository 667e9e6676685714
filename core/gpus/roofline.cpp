#include "core/gpus/roofline.h"

#include <algorithm>
#include <array>

namespace warpline {

std::string_view keyOf(RooflineBound bound)
{
    static constexpr std::array<std::string_view, 4> keys{"unknown", "compute", "memory", "launch"};
    return keys[static_cast<std::size_t>(bound)];
}

Roofline rooflineOf(const WorkAmount& work, const GpuPeaks& peaks)
{
    if (work.bytes <= 0) // without traffic the limit is unknown
        return {};
    Roofline roofline;
    roofline.roof = peaks.roof(work.type, work.unit);
    constexpr double nsPerSecond = 1e9;
    if (work.flops > 0 && roofline.roof.flops > 0)
        roofline.computeNs = work.flops / roofline.roof.flops * nsPerSecond;
    if (work.bytes > 0 && peaks.bytesPerSecond > 0)
        roofline.memoryNs = work.bytes / peaks.bytesPerSecond * nsPerSecond;
    return roofline;
}

RooflineBound boundOf(const Roofline& roofline, Ns took, std::uint64_t kernels, Ns shortest)
{
    if (!roofline.isKnown())
        return RooflineBound::Unknown;
    const double each = static_cast<double>(took) / static_cast<double>(std::max<std::uint64_t>(1, kernels));
    if (took > 0 && each < 2.0 * static_cast<double>(shortest)
        && 2 * roofline.ns() < static_cast<double>(took))
        return RooflineBound::Launch;
    return roofline.computeNs > roofline.memoryNs ? RooflineBound::Compute : RooflineBound::Memory;
}

} // namespace warpline
