#include "core/export/analysis_head.h"

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/utf8.h"
#include "core/render/render.h"
#include "core/steps/gpu_steps.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

Json groupsJson(const StepSeries& series)
{
    Json groups = Json::array();
    for (const StepPeers& group : series.groups)
        groups.push_back({{"kind", group.work.kind == StepKind::Plain ? "step" : labelOf(group.work.kind)},
            {"requests", group.work.requests >= 0 ? Json(group.work.requests) : Json()},
            {"count", group.steps.size()}, {"median_ns", group.median}});
    return groups;
}

Json gpusJson(GlobalId thread, const std::vector<GpuSteps>& gpu)
{
    Json gpus = Json::array();
    for (const GpuSteps& steps : gpu) {
        if (steps.host.thread == thread)
            gpus.push_back({{"device", steps.device}, {"steady", steps.gpu.steady()},
                {"median_ns", steps.gpu.steady() > 0 ? Json(steps.median) : Json()}});
    }
    return gpus;
}

/// The detected steps of each process: an array of {pid, tid, pattern, glob, found_by (keyOf(StepSource)),
/// count, warm_up, median_ns (of the ranges on the host), gpus: [{device, steady, median_ns}], series:
/// [{kind, requests (null: not known), count, median_ns}]}. `host` are steps from NVTX ranges; `gpu` those of
/// the GPUs, including guessed ones, which replace a process' few ranges.
Json detectedStepsJson(const std::map<std::uint32_t, StepSeries>& host, const std::vector<GpuSteps>& gpu)
{
    std::map<std::uint32_t, std::pair<const StepSeries*, StepSource>> chosen;
    for (const auto& [pid, series] : host)
        chosen[pid] = {&series, StepSource::Nvtx};
    for (const GpuSteps& steps : gpu) {
        if (steps.foundBy != StepSource::Nvtx)
            chosen[pidOf(steps.process)] = {&steps.host, steps.foundBy};
    }
    Json list = Json::array();
    for (const auto& [pid, steps] : chosen) {
        const StepSeries& series = *steps.first;
        list.push_back({{"pid", pid}, {"tid", tidOf(series.thread)}, {"pattern", toUtf8(series.pattern)},
            {"glob", toUtf8(series.glob)}, {"found_by", keyOf(steps.second)}, {"count", series.size()},
            {"warm_up", series.firstSteady}, {"median_ns", series.median},
            {"gpus", gpusJson(series.thread, gpu)}, {"series", groupsJson(series)}});
    }
    return list;
}

} // namespace

Json jsonGpus(const Trace& trace)
{
    std::set<std::int32_t> used;
    for (const EventKind kind : allEventKinds()) {
        if (!runsOnDevice(kind))
            continue;
        for (const Track& track : trace.table(kind).tracks) {
            if (track.device >= 0)
                used.insert(gpuNumber(trace, track.owner, track.device));
        }
    }
    Json gpus = Json::array();
    for (const Device& device : trace.devices)
        gpus.push_back({{"number", device.id}, {"name", jsonTextOrNull(device.name)},
            {"used", used.contains(device.id)}});
    return gpus;
}

Json recordingJson(const Trace& trace)
{
    const ReportInfo& info = trace.info;
    return {{"file", jsonText(info.path)},
        {"machine",
            {{"host", jsonTextOrNull(info.hostName)},
                {"operating_system", jsonTextOrNull(info.operatingSystem)}, {"gpus", jsonGpus(trace)}}},
        {"capture_command", jsonTextOrNull(info.commandLine)},
        {"started_utc", jsonTextOrNull(info.startedUtc)},
        {"nsys_version", jsonTextOrNull(info.captureVersion)}};
}

Json analysisHead(TraceAnalysis& facts, std::span<const Threshold> overrides)
{
    const Trace& trace = facts.trace();
    const TimeRange window = facts.window();
    const Scope scope = scopeOf(trace, window, facts);
    Json head = recordingJson(trace);
    head["range_ns"] = jsonRange(window);
    const auto part = partOf(trace.info);
    head["part_of_range_ns"] = part ? jsonRange(part->whole) : Json();
    head["measured"] = {{"range_ns", jsonRange(scope.range)}, {"basis", jsonText(plain(scope.basis))},
        {"duration_ns", facts.measured()}};
    head["thresholds"] = Json::object();
    for (const Threshold& threshold : overrides)
        head["thresholds"][std::string(threshold.key)] = threshold.value;
    head["steps"] = detectedStepsJson(facts.allSteps(), *keptGpuSteps(trace, window, facts.stepGlob()));
    head["events"] = trace.eventCount();
    head["gpu_work"] = !lifeOfGpus(trace).empty();
    return head;
}

Json profilerJson(const std::optional<ProfiledStep>& profiled)
{
    if (!profiled)
        return {};
    const auto range = [](const ExpectedTime& time) {
        return Json{{"low", time.low}, {"expected", time.expected}, {"high", time.high}};
    };
    return {{"call_cost_ns", range(profiled->call)}, {"step_ns", profiled->step},
        {"without_profiler_ns", range(profiled->plain)}};
}

} // namespace warpline
