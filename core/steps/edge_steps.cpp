#include "core/steps/edge_steps.h"

#include "core/steps/slow_steps.h"
#include "core/steps/step_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

constexpr double minDeviation = 0.2; // of the usual length: steps of one kind vary by less
constexpr double minSeparation = 0.1; // of the usual length, to the nearest other step: otherwise it is one
                                      // of several such
constexpr std::size_t minOthers = 3; // two may be alike by chance

/// Lengths of the steady ranges on the host relative to the typical ones of similar steps; 0: unknown.
std::vector<double> sharesOf(const StepSeries& host, const CutSteps& cut)
{
    std::vector<double> shares(host.size(), 0);
    for (std::size_t i = host.firstSteady; i < host.size() && i < host.typical.size(); ++i) {
        if (!cut.holds(i) && host.typical[i] > 0)
            shares[i] = static_cast<double>(host.ranges[i].duration()) / static_cast<double>(host.typical[i]);
    }
    return shares;
}

/// How far the share at `index` is from the nearest of the others; 0: there are too few.
double distance(const std::vector<double>& shares, std::size_t index)
{
    double nearest = std::numeric_limits<double>::max();
    std::size_t others = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (i == index || shares[i] <= 0)
            continue;
        ++others;
        nearest = std::min(nearest, std::abs(shares[i] - shares[index]));
    }
    return others < minOthers ? 0 : nearest;
}

/// The length of step `index` on the GPU relative to the typical one of such a step.
double shareOnGpu(const GpuSteps& steps, std::size_t index)
{
    const StepSeries& host = steps.host;
    const double usual = static_cast<double>(steps.median) * static_cast<double>(host.typical[index])
        / static_cast<double>(std::max<Ns>(1, host.median));
    return usual > 0 ? static_cast<double>(steps.rangeOf(index).duration()) / usual : 1;
}

} // namespace

std::vector<EdgeStep> edgeSteps(const Trace& trace, const GpuSteps& steps)
{
    const StepSeries& host = steps.host;
    if (steps.foundBy != StepSource::Nvtx || host.size() <= minOthers || steps.gpu.empty())
        return {};
    const std::vector<double> shares = sharesOf(host, cutSteps(trace, host));
    std::vector<EdgeStep> edges;
    for (const std::size_t index : {std::size_t{0}, host.size() - 1}) {
        const bool isLast = index > 0;
        if (shares[index] <= 0 || steps.rangeOf(index).empty() || (isLast && index != steps.lastIndex)
            || (!isLast && steps.gpu.firstSteady > 0))
            continue;
        const EdgeStep edge{index, isLast, shares[index], shareOnGpu(steps, index)};
        const bool isOff = edge.ofUsual < 1 ? std::max(edge.ofUsual, edge.ofUsualOnGpu) <= 1 - minDeviation
                                            : std::min(edge.ofUsual, edge.ofUsualOnGpu) >= 1 + minDeviation;
        const Ns off = std::abs(host.ranges[index].duration() - host.typical[index]);
        if (isOff && off >= SlowStepLimits{}.longerBy && distance(shares, index) >= minSeparation)
            edges.push_back(edge);
    }
    return edges;
}

} // namespace warpline
