#include "core/export/analysis_head.h"

#include "core/base/version.h"
#include "core/export/steps_json.h"
#include "core/findings/run_facts.h"
#include "core/findings/scope.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

namespace warpline {

namespace {

constexpr int schemaVersion = 2;

} // namespace

Json machineJson(const Trace& trace)
{
    Json machine;
    machine["host"] = jsonTextOrNull(trace.info.hostName);
    machine["operating_system"] = jsonTextOrNull(trace.info.operatingSystem);
    machine["gpus"] = Json::array();
    for (const Device& device : trace.devices)
        machine["gpus"].push_back({{"number", device.id}, {"name", jsonText(device.name)}});
    return machine;
}

Json analysisHead(
    const Trace& trace, TimeRange window, std::span<const Threshold> overrides, const std::string& stepGlob)
{
    RunFacts facts(trace, window, {}, stepGlob);
    const Scope scope = scopeOf(trace, window, facts);
    Json head;
    head["schema_version"] = schemaVersion;
    head["warpline"] = programVersion();
    head["file"] = jsonText(trace.info.path);
    head["machine"] = machineJson(trace);
    head["command"] = jsonTextOrNull(trace.info.commandLine);
    head["started_utc"] = jsonTextOrNull(trace.info.startedUtc);
    head["nsys_version"] = jsonTextOrNull(trace.info.captureVersion);
    head["window_ns"] = jsonRange(window);
    head["measured"]
        = {{"range_ns", jsonRange(scope.range)}, {"basis", jsonText(scope.basis)}, {"ns", facts.measured()}};
    head["thresholds"] = Json::object();
    for (const Threshold& threshold : overrides)
        head["thresholds"][std::string(threshold.key)] = threshold.value;
    head["steps"] = stepsJson(facts.allSteps(), findGpuSteps(trace, window, stepGlob));
    head["gpu_work"] = !lifeOfGpus(trace).empty();
    return head;
}

} // namespace warpline
