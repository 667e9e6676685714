// A GPU that takes longer for the same kernels of the same shapes than the others do: throttled, shared, or
// another model. Only kernels that ran while nothing communicated count.

#include "core/across/across_rule.h"
#include "core/base/median.h"

#include <map>

namespace warpline::slow_gpu {

namespace {

constexpr double slower = 1.03; // by less GPUs of one model differ
constexpr std::uint64_t fewest = 3; // instances of a kernel that are compared
constexpr std::size_t minKernels = 3;

/// The pace of each rank: the median over kernels of its time relative to the median rank's.
std::vector<std::pair<double, std::size_t>> pacesOf(const Judging& judging)
{
    std::map<std::string_view, std::vector<std::pair<std::uint32_t, double>>> kernels;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        for (const KernelPace& pace : judging.ranks[r].facts->kernels) {
            if (pace.count >= fewest && pace.median > 0)
                kernels[pace.name].emplace_back(r, static_cast<double>(pace.median));
        }
    }
    std::vector<std::vector<double>> ratios(judging.ranks.size());
    for (const auto& [name, medians] : kernels) {
        if (medians.size() < 2)
            continue;
        for (const auto& [rank, own] : medians) {
            std::vector<double> others;
            for (const auto& [other, median] : medians) {
                if (other != rank)
                    others.push_back(median);
            }
            ratios[rank].push_back(own / middleOf(std::move(others)));
        }
    }
    std::vector<std::pair<double, std::size_t>> paces;
    for (std::vector<double>& each : ratios) {
        const std::size_t count = each.size();
        paces.emplace_back(middleOf(std::move(each)), count);
    }
    return paces;
}

std::vector<AcrossFinding> check(const Judging& judging)
{
    std::vector<AcrossFinding> findings;
    const AcrossReport& out = judging.out;
    const auto paces = pacesOf(judging);
    for (std::uint32_t r = 0; r < paces.size(); ++r) {
        const auto [ratio, kernels] = paces[r];
        if (kernels < minKernels || ratio < slower)
            continue;
        AcrossFinding finding;
        finding.rank = r;
        finding.saving = static_cast<Ns>(static_cast<double>(out.ranks[r].computeAlone) * (1 - 1 / ratio));
        const AcrossRank& rank = out.ranks[r];
        finding.title
            = {"slow_gpu.title", "The GPU of rank {rank} takes {ratio} times as long for the same kernels",
                {{"rank", numberOf(out, r)}, {"ratio", Number{ratio, 2}}}};
        finding.message = {"slow_gpu.kernels",
            "Compared by the medians of {kernels, plural, one {# kernel} other {# kernels}} of the same launch shape, outside communication. Its kernels take {time} in all.",
            {{"kernels", Count{kernels}}, {"time", Duration{rank.computeAlone}}}};
        if (!rank.gpu.empty())
            finding.message += {"slow_gpu.gpu", "It is a {gpu}.", {{"gpu", Name{rank.gpu}}}};
        if (rank.clockMHz > 0)
            finding.message += {"slow_gpu.clock", "Its multiprocessors run at {clock} MHz.",
                {{"clock", Number{rank.clockMHz, 0}}}};
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule slowGpu{
    .id = "slow_gpu",
    .title = "Slow GPU",
    .why = "A slower GPU reaches each exchange later, and the other ranks wait for it there.",
    .remedy
    = "Check its clocks, power and temperature (nvidia-smi -q -d CLOCK,POWER,TEMPERATURE,PERFORMANCE), and whether another program uses it. Record GPU metrics to see its clock next to its kernels.",
    .caveat = "Kernels with the same name and launch shape may still process different amounts of data.",
    .checkRanks = check,
};

} // namespace warpline::slow_gpu
