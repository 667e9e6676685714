#include "core/operators/range_work.h"

#include "core/base/format.h"
#include "core/operators/operator_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

double rateOver(double amount, TimeRange range)
{
    return amount * 1e9 / static_cast<double>(std::max<Ns>(1, range.duration()));
}

} // namespace

double RangeWork::flopsPerSecond() const
{
    return rateOver(sums.flops, range);
}

double RangeWork::bytesPerSecond() const
{
    return rateOver(sums.bytes, range);
}

std::vector<RangeWork> rangeWork(const Trace& trace, TimeRange range, const std::stop_token& stop)
{
    std::vector<RangeWork> found;
    const auto rooflines = operatorRooflinesOf(trace, stop);
    for (const OperatorGpu& gpu : rooflines->gpus()) {
        RangeWork work{gpu.process, gpu.device, range, rooflines->within(trace, gpu, range)};
        if (work.sums.knownNs <= 0)
            continue;
        work.hasPeaks = gpu.peaks.has_value();
        if (work.hasPeaks && gpu.peaks->bytesPerSecond > 0)
            work.memoryShare = work.bytesPerSecond() / gpu.peaks->bytesPerSecond;
        found.push_back(work);
    }
    return found;
}

std::string rangeWorkText(const RangeWork& work)
{
    const std::string flops = formatFlops(work.flopsPerSecond());
    const std::string bytes = formatBandwidth(work.bytesPerSecond());
    return work.hasPeaks ? fmt::format("MFU {} ({}), memory traffic {} ({})", formatShare(work.utilization()),
               flops, bytes, formatShare(work.memoryShare))
                         : fmt::format("{}, memory traffic {}", flops, bytes);
}

} // namespace warpline
