// Matrix products and convolutions that by their names compute in single precision on the ordinary cores
// although the GPU has tensor cores. Where the report samples the tensor pipes, the metric confirms or
// refutes the names.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_metrics.h"
#include "core/findings/kernel_names.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "no_tensor_cores";
constexpr std::array<Threshold, 3> thresholds{{{"min_share", "Least share of the measured time", "%", 2},
    {"min_kernel_share", "Least share of the kernels' time", "%", 10},
    {"refuting_tensor_active", "Tensor pipes this busy in them refute the names", "%", 15}}};
/// Tensor cores multiply at least this many times faster than the ordinary cores from A100 on (TF32 against
/// FP32).
constexpr double leastSpeedUp = 7;

bool hasTensorCores(const Device* device)
{
    // Compute capability 7.5 without them: the GTX 16 series.
    return device && device->computeMajor >= 7 && device->name.find("GTX 16") == std::string::npos
        && device->name.find("MX450") == std::string::npos;
}

struct Matrix {
    std::vector<EventRef> simt;
    std::vector<TimeRange> simtRanges;
    Ns simtTime = 0;
    Ns tensorTime = 0;
    Ns kernelTime = 0;
    GlobalId process = 0;
    const Device* device = nullptr;
};

using Key = std::pair<GlobalId, std::int32_t>;

std::map<Key, Matrix> measure(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const KernelTable& kernels = trace.kernels();
    std::map<std::uint32_t, MathUnit> units; // by name: names are few
    std::map<Key, Matrix> found;
    for (const Track& track : kernels.tracks) {
        const Device* const device = trace.device(track.owner, track.device);
        if (!hasTensorCores(device))
            continue;
        Matrix& matrix = found[{track.owner, track.device}];
        matrix.device = device;
        for (const Lane& lane : kernels.lanesOf(track)) {
            const auto [first, last] = kernels.touching(lane, context.window);
            for (const EventIndex i : stoppable(first, last, context.stop)) {
                const auto [unit, added] = units.try_emplace(raw(kernels.name[i]), MathUnit::Other);
                if (added)
                    unit->second = mathUnitOf(trace.text(kernels.name[i]));
                matrix.kernelTime += kernels.duration[i];
                if (unit->second == MathUnit::Tensor)
                    matrix.tensorTime += kernels.duration[i];
                if (unit->second != MathUnit::Simt)
                    continue;
                matrix.simtTime += kernels.duration[i];
                matrix.simt.push_back({EventKind::Kernel, i});
                matrix.simtRanges.push_back(kernels.range(i));
            }
        }
    }
    return found;
}

/// The name to show; of CUTLASS' kernels what they are made for, as all are called Kernel or Kernel2.
std::string_view tellingName(const Trace& trace, EventRef event)
{
    const std::string_view name = trace.name(event);
    const std::size_t open = name.find("cutlass::Kernel");
    const std::size_t from = open == std::string_view::npos ? open : name.find('<', open);
    const std::size_t to = from == std::string_view::npos ? from : name.find_first_of("<>,", from + 1);
    return to == std::string_view::npos ? trace.displayName(event) : name.substr(from + 1, to - from - 1);
}

/// "a (61.4 ms), b (48.7 ms)": the names that take most.
std::string longestNames(const Trace& trace, const std::vector<EventRef>& events)
{
    std::map<std::string, Ns> times;
    for (const EventRef& event : events)
        times[std::string(tellingName(trace, event))] += trace.range(event).duration();
    std::vector<std::pair<Ns, std::string>> sorted;
    for (const auto& [name, time] : times)
        sorted.emplace_back(time, name);
    std::ranges::sort(sorted, std::greater{});
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, sorted.size()); ++i)
        text
            += fmt::format("{}{} ({})", i > 0 ? ", " : "", sorted[i].second, formatDuration(sorted[i].first));
    return text;
}

std::vector<Finding> findSimt(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (auto& [key, matrix] : measure(context)) {
        const double time = static_cast<double>(matrix.simtTime);
        if (time * 100
                < context.threshold(id, thresholds[0]) * static_cast<double>(factsOf(context).measured())
            || time * 100 < context.threshold(id, thresholds[1]) * static_cast<double>(matrix.kernelTime)
            || matrix.simt.empty())
            continue;
        Finding finding;
        const std::optional<double> active = meanOfMetric(context.trace, "Tensor Active", matrix.device->id,
            unionOf(std::move(matrix.simtRanges), context.window));
        if (active && *active >= context.threshold(id, thresholds[2]))
            continue; // the names mislead
        finding.process = key.first;
        finding.device = key.second;
        finding.confidence = active ? Confidence::Certain : Confidence::Likely;
        finding.saving = static_cast<Ns>(time * (1 - 1 / leastSpeedUp));
        finding.claims = timeOf(context.trace, matrix.simt, context.window);
        finding.severity = severityOf(context, finding.saving);
        finding.title = fmt::format("GPU {}: {} of matrix work runs without tensor cores", key.second,
            formatDuration(matrix.simtTime));
        finding.message = fmt::format(
            "{} of matrix products and convolutions, {} of the kernels' time, compute in FP32 on the "
            "ordinary cores of {}; {} on tensor cores. Most: {}.",
            formatDuration(matrix.simtTime),
            formatShare(time / static_cast<double>(std::max<Ns>(1, matrix.kernelTime))), matrix.device->name,
            matrix.tensorTime > 0 ? formatDuration(matrix.tensorTime) + " run" : std::string("nothing runs"),
            longestNames(context.trace, matrix.simt));
        if (active)
            finding.message += fmt::format(
                " The metric confirms it: the tensor pipes are {:.1f}% active in them.", *active);
        std::ranges::stable_sort(matrix.simt, std::greater{},
            [&](EventRef event) { return context.trace.range(event).duration(); });
        setEvidence(finding, context.trace, matrix.simt,
            [](EventRef) { return std::string("FP32 without tensor cores"); });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule noTensorCores{
    .id = id,
    .title = "Matrix work without tensor cores",
    .why = "Tensor cores multiply matrices seven to sixteen times faster than the ordinary cores. Work in "
           "FP32 that does not use "
           "them leaves most of the GPU's arithmetic idle.",
    .remedy = "Mixed precision: torch.autocast(\"cuda\", dtype=torch.bfloat16), or TF32 for FP32 data: "
              "torch.backends.cuda.matmul.allow_tf32 = True, torch.set_float32_matmul_precision(\"high\"), "
              "torch.backends.cudnn.allow_tf32 = True. cuBLAS: CUBLAS_COMPUTE_32F_FAST_TF32. Sizes that are "
              "multiples of 8 "
              "(FP16, BF16) let every product use them.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace) {
            return std::ranges::any_of(trace.devices, [](const Device& device) {
                return hasTensorCores(&device);
            }) && !trace.kernels().empty();
        },
    .check = findSimt,
};

} // namespace warpline
