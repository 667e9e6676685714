#include "core/operators/range_work.h"

#include "core/operators/operator_text.h"

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

Message rangeWorkText(const RangeWork& work)
{
    return {"operators.range",
        "{peaks, select, known {MFU {utilization} ({flops}), memory traffic {bytes} ({memory})} other {{flops}, memory traffic {bytes}}}",
        {{"peaks", Name{work.hasPeaks ? "known" : "unknown"}}, {"utilization", Share{work.utilization()}},
            {"flops", Name{formatFlops(work.flopsPerSecond())}},
            {"bytes", Name{formatBandwidth(work.bytesPerSecond())}}, {"memory", Share{work.memoryShare}}}};
}

} // namespace warpline
