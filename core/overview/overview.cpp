#include "core/overview/overview.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/coverage/gpu_times.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/run_facts.h"
#include "core/findings/scope.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t kernelsShown = 3;

struct KindWords {
    std::string_view key;
    std::string_view title;
};

/// In the order of OverviewKind.
constexpr std::array<KindWords, overviewKinds> kindWords{
    {{"before_cuda", "Before the first CUDA call"}, {"cuda_start", "CUDA start-up before the first GPU work"},
        {"host_before", "Host setup before the first GPU work"},
        {"queued", "Launched, not yet started by the GPU"}, {"copies_in", "Copies to the GPU"},
        {"kernels", "Kernels"}, {"pages", "Pages of unified memory"}, {"communication", "Communication"},
        {"other_copies", "Other copies and memsets"}, {"idle", "GPU idle"},
        {"copies_out", "Copies to the host"}, {"exit", "After the last kernel or copy"},
        {"profiler", "Profiler overhead"}, {"host_only", "Host time without GPU work"}}};

/// A long name without its middle: its end tells variants apart. Names in other letters than ASCII stay
/// whole.
std::string shortened(const std::string& name)
{
    constexpr std::size_t most = 70;
    const bool plain = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (name.size() <= most || !plain)
        return name;
    return name.substr(0, most / 2) + "..." + name.substr(name.size() - most / 2 + 3);
}

/// The kernels that take most on the GPU that computes most.
std::vector<OverviewKernel> topKernels(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const std::vector<GpuFacts>& gpus = context.facts.gpus();
    const auto busiest
        = std::ranges::max_element(gpus, {}, [](const GpuFacts& gpu) { return totalTime(gpu.compute); });
    std::vector<OverviewKernel> kernels;
    if (busiest == gpus.end())
        return kernels;
    const std::vector<KernelTotal> totals = kernelTotals(context, *busiest);
    Ns all = 0;
    for (const KernelTotal& total : totals)
        all += total.time;
    for (std::size_t i = 0; i < std::min(kernelsShown, totals.size()); ++i) {
        const KernelTotal& total = totals[i];
        OverviewKernel kernel;
        kernel.name = shortened(toUtf8(total.function));
        kernel.time = total.time;
        kernel.share = shareOf(total.time, all);
        kernel.launches = total.launches;
        kernel.longest = total.longest;
        kernel.shape = plain(launchShape(trace, total.longest.index));
        kernel.facts = judgeKernel(trace, total.longest.index, context.stop);
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

/// One line for each GPU of each process; none where there is but one.
std::vector<OverviewGpu> gpusOf(const Trace& trace, TimeRange life, const std::stop_token& stop)
{
    const std::map<GpuOfProcess, GpuTimes> times = gpuTimes(trace, life, stop);
    std::vector<OverviewGpu> gpus;
    if (times.size() < 2)
        return gpus;
    for (const auto& [gpu, each] : times) {
        const GpuSplit split = splitOf(each, life);
        const std::string name = gpuName(trace, gpu.first, gpu.second);
        gpus.push_back({name, fmt::format("{} of {}", name, processLabel(trace, gpu.first)), split.computing,
            split.stalled, split.communicating, split.copying, split.idle});
    }
    return gpus;
}

/// "2 x NVIDIA H200" for the GPUs of the machine, equal ones together.
std::string gpuNames(const Trace& trace)
{
    std::map<std::string, std::size_t> models;
    for (const Device& device : trace.devices) {
        std::string name = toUtf8(device.name); // nsys cuts long ones: "NVIDIA GeForce RTX 3060 Laptop "
        name.erase(name.find_last_not_of(' ') + 1);
        if (!name.empty())
            ++models[name];
    }
    std::string text;
    for (const auto& [name, count] : models)
        text += fmt::format(
            "{}{}{}", text.empty() ? "" : ", ", count > 1 ? fmt::format("{} x ", count) : "", name);
    return text;
}

/// "2025-11-20 10:00:00" for "2025-11-20T10:00:00": a moment as people write it.
std::string momentText(const std::string& moment)
{
    constexpr std::size_t afterDate = 10;
    std::string text = toUtf8(moment);
    if (text.size() > afterDate && text[afterDate] == 'T')
        text[afterDate] = ' ';
    return text;
}

/// "GPU 1 is CUDA device 0 of the program": of the GPUs that worked, where the two numbers differ.
std::string renumberedGpus(const Trace& trace, const std::vector<GpuFacts>& gpus)
{
    std::string text;
    std::set<std::pair<std::int32_t, std::int32_t>> told;
    for (const GpuFacts& gpu : gpus) {
        const std::int32_t number = gpuNumber(trace, gpu.process, gpu.device);
        if (number != gpu.device && told.emplace(number, gpu.device).second)
            text += fmt::format(
                " GPU {} is {} device {} of the program.", number, gpuApiName(trace), gpu.device);
    }
    return text;
}

/// What of "Host gpu-17, Ubuntu 22.04, 2 x NVIDIA H200. Recorded with nsys 2025.5.2 on 2025-11-20 10:00:00
/// UTC. It holds 143,335 events." the report says.
std::string machineLine(const Trace& trace)
{
    std::vector<std::string> machine;
    const auto add = [&](std::string_view before, const std::string& text) {
        if (!text.empty())
            machine.push_back(std::string(before) + toUtf8(text));
    };
    add("host ", trace.info.hostName);
    add("", trace.info.operatingSystem);
    add("", gpuNames(trace));
    std::string text = "Machine: ";
    if (machine.empty())
        text += "not named in the report";
    for (std::size_t i = 0; i < machine.size(); ++i)
        text += (i > 0 ? ", " : "") + machine[i];
    // An export may be years younger than the recording, and by another version.
    const bool ofTorch = recorderOf(trace.info) == Recorder::PyTorchProfiler;
    const bool known = !trace.info.captureVersion.empty();
    std::string recording;
    if (known)
        recording += " with nsys " + toUtf8(trace.info.captureVersion);
    else if (ofTorch)
        recording += " with torch.profiler";
    if (!trace.info.startedUtc.empty())
        recording += " on " + momentText(trace.info.startedUtc) + " UTC";
    text += recording.empty() ? std::string() : ". Recorded" + recording;
    if (!known && !trace.info.exporterVersion.empty())
        text += fmt::format(
            "{}xported by nsys {}", recording.empty() ? ". E" : ", e", toUtf8(trace.info.exporterVersion));
    return text + fmt::format(". It holds {}.", counted(trace.eventCount(), "event"));
}

} // namespace

std::string_view keyOf(OverviewKind kind)
{
    return kindWords[static_cast<std::size_t>(kind)].key;
}

std::string_view titleOf(const OverviewPart& part)
{
    if (part.api == GpuApi::Hip && part.kind == OverviewKind::BeforeCuda)
        return "Before the first HIP call";
    if (part.api == GpuApi::Hip && part.kind == OverviewKind::CudaStart)
        return "HIP start-up before the first GPU work";
    return kindWords[static_cast<std::size_t>(part.kind)].title;
}

std::string nothingLargeText(const RunOverview& overview)
{
    constexpr double minReportedShare = 0.1;
    constexpr std::size_t most = 3;
    std::vector<OverviewPart> parts = overview.parts;
    std::ranges::stable_sort(parts, std::greater{}, &OverviewPart::time);
    std::string list;
    for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) {
        const double share = shareOf(parts[i].time, overview.window.duration());
        if (share < minReportedShare)
            break;
        list += fmt::format("{} {} {} ({})", list.empty() ? "" : ";", titleOf(parts[i]),
            roundedDuration(parts[i].time), formatShare(share));
    }
    const std::string spent = list.empty() ? std::string()
                                           : fmt::format("Most of the {} recorded went to:{}. ",
                                               roundedDuration(overview.window.duration()), list);
    return fmt::format("{}Savings refer to the {} in which GPUs have work.", spent,
        roundedDuration(overview.measured.duration()));
}

std::vector<OverviewGpuColumn> columnsOf(const std::vector<OverviewGpu>& gpus)
{
    std::vector<OverviewGpuColumn> columns{{"computes", &OverviewGpu::computing},
        {"waits for pages", &OverviewGpu::waiting}, {"communicates", &OverviewGpu::communicating},
        {"copies", &OverviewGpu::copying}, {"idle", &OverviewGpu::idle}};
    std::erase_if(columns, [&](const OverviewGpuColumn& column) {
        return std::ranges::all_of(gpus, [&](const OverviewGpu& gpu) { return gpu.*column.time == 0; });
    });
    return columns;
}

Ns RunOverview::timeOf(OverviewKind kind) const
{
    const auto part = std::ranges::find(parts, kind, &OverviewPart::kind);
    return part != parts.end() ? part->time : 0;
}

RunOverview overviewOf(
    const Trace& trace, TimeRange window, std::stop_token stop, const std::string& stepGlob)
{
    try {
        RunFacts facts(trace, window, stop, stepGlob);
        const RuleContext context{trace, window, {}, stop, facts};
        RunOverview overview;
        overview.window = window;
        const TimeRange life = lifeOfGpus(trace).clippedTo(window);
        overview.life = life.empty() ? TimeRange{} : life;
        overview.measured = facts.measuredRange();
        overview.parts = overviewParts(trace, window, overview.life, stop);
        constexpr double minOmittedShare = 0.03; // of the window
        const double left = 1 - shareOf(overview.measured.duration(), window.duration());
        if (!overview.life.empty() && !overview.measured.empty() && left >= minOmittedShare)
            overview.measuredParts = overviewParts(trace, overview.measured, overview.measured, stop);
        overview.kernels = topKernels(context);
        if (!overview.life.empty())
            overview.gpus = gpusOf(trace, overview.life, stop);
        overview.machine = machineLine(trace) + renumberedGpus(trace, facts.gpus());
        addSentences(overview, trace, facts, stepGlob, stop);
        return overview;
    } catch (const Stopped&) {
        return {};
    }
}

} // namespace warpline
