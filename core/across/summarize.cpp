#include "core/across/exchanges.h"
#include "core/across/participants.h"
#include "core/across/step_facts.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/enum_key.h"
#include "core/base/median.h"
#include "core/base/saturate.h"
#include "core/base/stable_hash.h"
#include "core/findings/lost_work.h"
#include "core/store/gpu_names.h"
#include "core/store/problem.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace warpline {

namespace {

/// UTC at time 0 of the report's clock; 0: not known. Exports with normalized times have UTC already.
std::int64_t utcOfZero(const Trace& trace)
{
    if (exportSetting(trace.info, "EXPORT_PARAM_TIME_NORMALIZE") == "true")
        return trace.info.startedUtcNs != 0 ? 1 : 0;
    if (trace.info.startedUtcNs == 0)
        return 0;
    std::int64_t shift = 0; // the shift that the user had nsys add to all times
    for (const std::string_view key : {"EXPORT_PARAM_TIME_SHIFT", "EXPORT_CONFIG_TIME_SHIFT"}) {
        const std::string_view value = exportSetting(trace.info, key);
        if (shift == 0)
            std::from_chars(value.data(), value.data() + value.size(), shift);
    }
    const std::int64_t utc = saturatingAdd(trace.info.startedUtcNs, -std::max(shift, -latestUtcNs));
    return utc > 0 && utc <= latestUtcNs ? utc : 0; // a longer shift leaves no event a time
}

/// Equal for copies of a report, and hardly ever for others.
std::uint64_t identityOf(const Trace& trace)
{
    StableHash hash;
    hash.add(static_cast<std::uint64_t>(trace.info.startedUtcNs));
    hash.add(static_cast<std::uint64_t>(trace.session.start));
    hash.add(static_cast<std::uint64_t>(trace.session.end));
    hash.add(static_cast<std::uint64_t>(warpline::rankOf(trace.info).rank));
    for (const auto& table : trace.tables) {
        hash.add(table->size());
        for (std::size_t i = 0; i < std::min<std::size_t>(table->size(), 64); ++i)
            hash.add(static_cast<std::uint64_t>(table->start[i]));
    }
    return hash.value();
}

/// The GPU of the participant's kernels; nullptr: none, or not in the report.
const Device* gpuOf(const Trace& trace, const ParticipantSummary& participant)
{
    for (const Track& track : trace.kernels().tracks) {
        if (!participant.uses(track.owner, track.device))
            continue;
        if (const Device* const device = trace.device(track.owner, track.device))
            return device;
    }
    return nullptr;
}

/// "NVIDIA H200 (GPU 1)": ranks of one machine are distinguished by the number, and those that share a GPU
/// seen. The model alone where the participant uses several.
std::string nameOf(const Trace& trace, const ParticipantSummary& participant, const Device& gpu)
{
    std::set<std::int32_t> used;
    for (const Track& track : trace.kernels().tracks) {
        if (participant.uses(track.owner, track.device))
            used.insert(gpuNumber(trace, track.owner, track.device));
    }
    return used.size() == 1 ? fmt::format("{} (GPU {})", gpu.name, *used.begin()) : gpu.name;
}

/// The median of the clock's samples while the GPU computes; 0: it was not sampled.
double clockOf(const StepSources& sources, const ParticipantSummary& participant)
{
    for (const auto& [gpu, times] : sources.times) {
        const Device* const device
            = participant.uses(gpu.first, gpu.second) ? sources.trace.device(gpu.first, gpu.second) : nullptr;
        if (!device)
            continue;
        for (const CounterSeries& series : sources.trace.counters) {
            if (series.kind != CounterKind::GpuMetric || series.device != device->id
                || !sources.trace.text(series.name).starts_with("GPC Clock Frequency"))
                continue;
            std::vector<float> values;
            for (std::size_t i = 0; i < series.size(); ++i) {
                const Ns time = (*series.times)[i];
                if (times.computing.timeIn({time - 1, time}) > 0)
                    values.push_back(series.values[i]);
            }
            if (values.empty())
                continue;
            return static_cast<double>(upperMedian(std::move(values)));
        }
    }
    return 0;
}

StepSources sourcesOf(TraceAnalysis& facts)
{
    const Trace& trace = facts.trace();
    const std::stop_token& stop = facts.stop();
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    return {trace, facts, findGpuSteps(trace, whole, {}, stop), findSteps(trace, whole, {}, stop),
        gpuTimes(trace, whole, std::bind_front(&TraceAnalysis::pageWaits, &facts), {}, stop),
        GpuBudgets(facts)};
}

void sortExchanges(ParticipantSummary& participant)
{
    std::ranges::stable_sort(
        participant.exchanges, {}, [](const Exchange& each) { return each.range.start; });
}

} // namespace

ReportSummary summarize(const Trace& trace, const std::string& file, const std::stop_token& stop)
{
    ReportSummary summary;
    summary.file = file;
    summary.host = trace.info.hostName;
    summary.utcOfZero = utcOfZero(trace);
    summary.session = trace.session;
    summary.identity = identityOf(trace);
    summary.lacksWork = lacksWork(trace);
    summary.graphsAsWhole = !trace.table(EventKind::GraphTrace).empty();
    for (const Problem& problem : trace.info.problems)
        summary.lostEvents += severityOf(problem.kind) == ProblemSeverity::Info ? 0 : problem.count;
    const NcclCalls calls(trace);
    summary.participants = findParticipants(trace, calls, file);
    if (summary.participants.empty())
        return summary;
    TraceAnalysis facts(trace, trace.session, stop);
    const StepSources sources = sourcesOf(facts);
    static const StepSeries noSteps;
    for (ParticipantSummary& each : summary.participants) {
        const StepSeries* const steps = stepSeriesOf(sources, each);
        addKernelExchanges(trace, calls, steps ? *steps : noSteps, each, stop);
        addMpiExchanges(trace, steps ? *steps : noSteps, each, stop);
        sortExchanges(each);
        if (const Device* const gpu = gpuOf(trace, each)) {
            each.gpu = nameOf(trace, each, *gpu);
            if (!gpu->busLocation.empty() && areNumbersCommon(trace))
                each.gpuPlace = gpu->uuid.empty() ? gpu->busLocation : gpu->busLocation + " GPU-" + gpu->uuid;
        }
        addSteps(sources, each, stop);
        each.clockMHz = clockOf(sources, each);
    }
    return summary;
}

std::string_view keyOf(RankSource source)
{
    return keyIn<RankSource::Unknown>({"nccl_payload", "environment", "mpi_ranks", "distributed_info",
                                          "manual", "file_name", "order", "unknown"},
        source);
}

Message wordsOf(RankSource source)
{
    return {"rank_source", keyOf(source),
        keyIn<RankSource::Unknown>(
            {"what NCCL recorded", "the program's environment", "what MPI_Init gave", "what PyTorch recorded",
                "set by hand", "a number in the file's name (a guess)",
                "the order of reports, GPUs and processes (a guess)", "not known"},
            source)};
}

std::string_view keyOf(PartKind kind)
{
    return keyIn<PartKind::Idle>({"nvtx", "kernels", "copies", "idle"}, kind);
}

} // namespace warpline
