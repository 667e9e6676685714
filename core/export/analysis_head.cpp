#include "core/export/analysis_head.h"

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/export/steps_json.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <set>

namespace warpline {

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

Json machineJson(const Trace& trace)
{
    Json machine;
    machine["host"] = jsonTextOrNull(trace.info.hostName);
    machine["operating_system"] = jsonTextOrNull(trace.info.operatingSystem);
    machine["gpus"] = jsonGpus(trace);
    return machine;
}

Json analysisHead(TraceAnalysis& facts, std::span<const Threshold> overrides)
{
    const Trace& trace = facts.trace();
    const TimeRange window = facts.window();
    const Scope scope = scopeOf(trace, window, facts);
    Json head;
    head["file"] = jsonText(trace.info.path);
    head["machine"] = machineJson(trace);
    head["capture_command"] = jsonTextOrNull(trace.info.commandLine);
    head["started_utc"] = jsonTextOrNull(trace.info.startedUtc);
    head["nsys_version"] = jsonTextOrNull(trace.info.captureVersion);
    head["range_ns"] = jsonRange(window);
    const auto part = partOf(trace.info);
    head["part_of_range_ns"] = part ? jsonRange(part->whole) : Json();
    head["measured"] = {{"range_ns", jsonRange(scope.range)}, {"basis", jsonText(plain(scope.basis))},
        {"duration_ns", facts.measured()}};
    head["thresholds"] = Json::object();
    for (const Threshold& threshold : overrides)
        head["thresholds"][std::string(threshold.key)] = threshold.value;
    head["steps"] = stepsJson(facts.allSteps(), *keptGpuSteps(trace, window, facts.stepGlob()));
    head["events"] = trace.eventCount();
    head["gpu_work"] = !lifeOfGpus(trace).empty();
    return head;
}

} // namespace warpline
