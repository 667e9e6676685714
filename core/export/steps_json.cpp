#include "core/export/steps_json.h"

#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

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

} // namespace

Json stepsJson(const std::map<std::uint32_t, StepSeries>& host, const std::vector<GpuSteps>& gpu)
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

} // namespace warpline
