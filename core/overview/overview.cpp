#include "core/overview/overview.h"

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/both_ends.h"
#include "core/base/message_names.h"
#include "core/base/series.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/budget/gpu_budget.h"
#include "core/budget/idle_times.h"
#include "core/coverage/gpu_times.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_totals.h"
#include "core/load/memory_need.h"
#include "core/store/gpu_names.h"
#include "core/store/machine_facts.h"
#include "core/store/place_names.h"
#include "core/store/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <new>
#include <set>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t kernelsShown = 3;
constexpr std::size_t longestName = 70; ///< bytes

/// In the order of OverviewKind.
constexpr std::array<std::string_view, overviewKinds> kindKeys{"before_cuda", "cuda_start", "host_before",
    "queued", "copies_in", "kernels", "pages", "communication", "other_copies", "idle", "copies_out", "exit",
    "profiler", "host_only"};

/// The kernels that take most time on the GPU that computes longest.
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
        all += total.inside;
    for (std::size_t i = 0; i < std::min(kernelsShown, totals.size()); ++i) {
        const KernelTotal& total = totals[i];
        OverviewKernel kernel{.name = bothEnds(toUtf8(total.function), longestName),
            .gpu = gpus.size() > 1 ? nameOf(trace, *busiest) : std::string(),
            .time = total.inside,
            .share = shareOf(total.inside, all),
            .launches = total.launches,
            .longest = total.longest,
            .shape = launchShape(trace, total.longest.index),
            .facts = judgeKernel(context.facts, total.longest.index, total.launches > 1)};
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

/// One line for each GPU of each process; none where there is but one.
std::vector<OverviewGpu> gpusOf(TraceAnalysis& facts, TimeRange life)
{
    const Trace& trace = facts.trace();
    std::set<GpuOfProcess> used;
    for (const EventKind kind : gpuWorkKinds) {
        for (const Track& track : trace.table(kind).tracks)
            used.emplace(track.owner, track.device);
    }
    std::vector<OverviewGpu> gpus;
    if (used.size() < 2)
        return gpus;
    const auto times = facts.gpuTimes(life);
    if (times->size() < 2)
        return gpus;
    for (const auto& [gpu, each] : *times) {
        const GpuSplit split = splitOf(each, life);
        gpus.push_back({gpuName(trace, gpu.first, gpu.second), gpuOfProcess(trace, gpu.first, gpu.second),
            split.computing, split.stalled, split.communicating, split.copying, split.idle});
    }
    return gpus;
}

/// "2 x NVIDIA H200" for the GPUs of the machine, equal ones together.
void addGpuNames(const Trace& trace, std::vector<Message>& machine)
{
    std::map<std::string, std::size_t> models;
    for (const Device& device : trace.devices) {
        std::string name = toUtf8(device.name); // nsys cuts long ones: "NVIDIA GeForce RTX 3060 Laptop "
        name.erase(name.find_last_not_of(' ') + 1);
        if (!name.empty())
            ++models[name];
    }
    for (const auto& [name, count] : models)
        machine.push_back(Message("machine.gpus", "{count, plural, =1 {} other {# x }}{name}",
            {{"count", Count{count}}, {"name", Name{name}}}));
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
Message renumberedGpus(const Trace& trace, const std::vector<GpuFacts>& gpus)
{
    Message text;
    std::set<std::pair<std::int32_t, std::int32_t>> told;
    for (const GpuFacts& gpu : gpus) {
        const std::int32_t number = gpuNumber(trace, gpu.process, gpu.device);
        if (number != gpu.device && told.emplace(number, gpu.device).second)
            text += Message("machine.renumbered", "GPU {number} is {api} device {device} of the program.",
                {{"number", Ordinal{number}}, {"api", Name{std::string(gpuApiName(trace))}},
                    {"device", Ordinal{gpu.device}}});
    }
    return text;
}

/// The recorder, its version and the time of recording. The export may be years younger and from another
/// version. Empty: the report does not have them.
Message recordingOf(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    const bool isKnown = !info.captureVersion.empty();
    const bool ofTorch = recorderOf(info) == Recorder::PyTorchProfiler;
    const bool isDated = !info.startedUtc.empty();
    const bool isExported = !isKnown && !info.exporterVersion.empty();
    const std::vector<Argument> values{{"version", Name{toUtf8(info.captureVersion)}},
        {"by",
            Name{isKnown      ? "nsys"
                    : ofTorch ? "torch"
                              : "unknown"}},
        {"dated", yesOrNo(isDated)}, {"moment", Name{momentText(info.startedUtc)}},
        {"exported", yesOrNo(isExported)}, {"exporter", Name{toUtf8(info.exporterVersion)}}};
    if (isKnown || ofTorch || isDated)
        return {"machine.recorded",
            ". Recorded{by, select, nsys { with nsys {version}} torch { with torch.profiler} other {}}"
            "{dated, select, yes { on {moment} UTC} other {}}{exported, select, yes {, exported by nsys {exporter}} other {}}",
            values};
    return isExported ? Message("machine.exported", ". Exported by nsys {exporter}", values) : Message();
}

/// As much as the report records of: "Host gpu-17, Ubuntu 22.04, 2 x NVIDIA H200. Recorded with nsys 2025.5.2
/// on 2025-11-20 10:00:00 UTC. It holds 143,335 events."
Message machineLine(const Trace& trace)
{
    std::vector<Message> machine;
    if (!trace.info.hostName.empty() && trace.info.hostName == hostOf(trace.info)) // not hidden
        machine.push_back(
            Message("machine.host", "host {name}", {{"name", Name{toUtf8(trace.info.hostName)}}}));
    if (!trace.info.operatingSystem.empty())
        machine.push_back(
            Message("machine.system", "{name}", {{"name", Name{toUtf8(trace.info.operatingSystem)}}}));
    addGpuNames(trace, machine);
    if (machine.empty())
        machine.push_back(Message("machine.unnamed", "not named in the report"));
    return {"machine.line",
        "Machine: {machine}{recording}. It holds {events, plural, one {# event} other {# events}}.",
        {{"machine", std::move(machine)}, {"recording", recordingOf(trace)},
            {"events", Count{trace.eventCount()}}}};
}

} // namespace

std::string_view keyOf(OverviewKind kind)
{
    return kindKeys[static_cast<std::size_t>(kind)];
}

Message titleOf(const OverviewPart& part)
{
    return {"overview.part",
        "{kind, select, before_cuda {Before the first {api} call} "
        "cuda_start {{api} start-up before the first GPU work} host_before {Host setup before the first GPU work} "
        "queued {Launched, not yet started by the GPU} copies_in {Copies to the GPU} kernels {Kernels} "
        "pages {Pages of unified memory} communication {Communication} other_copies {Other copies and memsets} "
        "idle {GPU idle} copies_out {Copies to the host} exit {After the last kernel or copy} "
        "profiler {Profiler overhead} other {Host time without {api} work}}",
        {{"kind", Name{std::string(keyOf(part.kind))}},
            {"api", Name{part.api == GpuApi::Hip ? "HIP" : "CUDA"}}}};
}

Message nothingLargeText(const RunOverview& overview)
{
    constexpr double minReportedShare = 0.1;
    constexpr std::size_t most = 3;
    std::vector<OverviewPart> parts = overview.parts;
    std::ranges::stable_sort(parts, std::greater{}, &OverviewPart::time);
    std::vector<Message> list;
    for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) {
        const double share = shareOf(parts[i].time, overview.window.duration());
        if (share < minReportedShare)
            break;
        list.push_back(Message("overview.spent_on", "{part} {time} ({share})",
            {{"part", titleOf(parts[i])}, {"time", Duration{parts[i].time}}, {"share", Share{share}}}));
    }
    Message text;
    if (!list.empty())
        text = Message("overview.spent", "Most of the {window} recorded went to: {list}.",
            {{"window", Duration{overview.window.duration()}}, {"list", seriesOf(std::move(list))}});
    return std::move(text)
        + Message("overview.savings_of", "Savings refer to the {time} in which GPUs have work.",
            {{"time", Duration{overview.measured.duration()}}});
}

std::vector<OverviewGpuColumn> columnsOf(const std::vector<OverviewGpu>& gpus)
{
    std::vector<OverviewGpuColumn> columns{
        {Message("overview.gpu_computes", "computes"), &OverviewGpu::computing},
        {Message("overview.gpu_waits", "waits for pages"), &OverviewGpu::waiting},
        {Message("overview.gpu_communicates", "communicates"), &OverviewGpu::communicating},
        {Message("overview.gpu_copies", "copies"), &OverviewGpu::copying},
        {Message("overview.gpu_idle", "idle"), &OverviewGpu::idle}};
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

RunOverview overviewOf(TraceAnalysis& facts, bool keepsIdleTimes)
{
    const Trace& trace = facts.trace();
    const TimeRange window = facts.window();
    const std::stop_token& stop = facts.stop();
    try {
        if (!mayAnalyze(trace, window))
            throw std::bad_alloc(); // as TraceAnalysis does
        // Budgets first: the following steps wait for them, while the rules begin with facts that need no
        // budgets.
        const GpuBudgets budgets(facts);
        if (keepsIdleTimes && window == trace.session
            && facts.stepGlob().empty()) // as IdleTimes::of() has them
            IdleTimes::keep(trace, budgets);
        const RuleContext context{trace, window, {}, stop, facts};
        RunOverview overview;
        overview.window = window;
        const TimeRange life = lifeOfGpus(trace).clippedTo(window);
        overview.life = life.empty() ? TimeRange{} : life;
        overview.measured = facts.measuredRange();
        constexpr double minOmittedShare = 0.03; // of the window
        const double left = 1 - shareOf(overview.measured.duration(), window.duration());
        const bool omits = !overview.life.empty() && left >= minOmittedShare;
        OverviewParts parts
            = overviewParts(facts, window, overview.life, omits ? overview.measured : TimeRange{});
        overview.parts = std::move(parts.all);
        overview.measuredParts = std::move(parts.ofMeasured);
        overview.kernels = topKernels(context);
        if (!overview.life.empty())
            overview.gpus = gpusOf(facts, overview.life);
        overview.machine = machineLine(trace) + renumberedGpus(trace, facts.gpus());
        addSentences(overview, facts, budgets);
        return overview;
    } catch (const Stopped&) {
        return {};
    }
}

} // namespace warpline
