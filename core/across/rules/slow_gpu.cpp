// A GPU that takes longer for the same kernels of the same shapes than the others do: throttled, shared, or
// another model. Only kernels that ran while nothing communicated count.

#include "core/across/across_rule.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/rounded.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr double slower = 1.03; // by less GPUs of one model differ
constexpr std::uint64_t fewest = 3; // instances of a kernel that are compared
constexpr std::size_t minKernels = 3;

/// By rank: the median of its kernels' times, each as a multiple of what the middle rank takes.
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
        finding.severity = severityAcross(judging, finding.saving);
        finding.title = fmt::format("The GPU of {} takes {} times as long for the same kernels",
            out.ranks[r].label, formatReal(ratio, 2));
        finding.message = fmt::format(
            "Compared by the medians of {} of the same launch shape, outside communication. Its kernels take {} in all.",
            counted(kernels, "kernel"), roundedDuration(out.ranks[r].computeAlone));
        if (!out.ranks[r].gpu.empty())
            finding.message += " It is a " + out.ranks[r].gpu + ".";
        if (out.ranks[r].clockMHz > 0)
            finding.message
                += fmt::format(" Its multiprocessors run at {} MHz.", formatReal(out.ranks[r].clockMHz, 0));
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const AcrossRule slowGpu{
    .id = "slow_gpu",
    .title = "A GPU that is slower than the others",
    .remedy
    = "Check its clocks, power and temperature (nvidia-smi -q -d CLOCK,POWER,TEMPERATURE,PERFORMANCE), and whether another program uses it. Record GPU metrics to see its clock next to its kernels.",
    .check = check,
};

} // namespace warpline
