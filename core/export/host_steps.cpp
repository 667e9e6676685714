#include "core/export/host_steps.h"

#include "core/base/utf8.h"
#include "core/export/json_text.h"
#include "core/export/range_json.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

Cells hostStepCells(const Trace& trace, const StepBreakdown& steps)
{
    Cells cells;
    cells.columns
        = {{"Step", Unit::Text}, {"Note", Unit::Text}, {"PID", Unit::Integer}, {"TID", Unit::Integer},
            {"Host Start (ns)", Unit::Nanoseconds}, {"Host Duration (ns)", Unit::Nanoseconds}};
    const NvtxTable& nvtx = trace.nvtx();
    for (const Step& step : steps.steps) {
        const GlobalId thread = nvtx.trackOf(step.range).owner;
        const EventRef event{EventKind::Nvtx, step.range};
        cells.addRow({toUtf8(trace.name(event)),
                         std::string(step.warmUp ? "warm-up"
                                 : step.outlier  ? "outlier"
                                                 : ""),
                         static_cast<std::int64_t>(pidOf(thread)), static_cast<std::int64_t>(tidOf(thread)),
                         nvtx.start[step.range], nvtx.duration[step.range]},
            std::span(&event, 1));
    }
    return cells;
}

Json hostStepsJson(const Trace& trace, const StepBreakdown& steps)
{
    Json list = Json::array();
    for (const Step& step : steps.steps) {
        const EventRef event{EventKind::Nvtx, step.range};
        list.push_back({{"name", jsonText(trace.name(event))},
            {"host_range_ns", jsonRange(trace.range(event))}, {"gpu_range_ns", nullptr}, {"whole", false},
            {"warm_up", step.warmUp}, {"outlier", step.outlier}, {"budget", Json::object()}});
    }
    const GlobalId thread = trace.nvtx().trackOf(steps.steps.front().range).owner;
    Json json;
    json["file"] = jsonText(trace.info.path);
    json["pattern"] = toUtf8(steps.pattern);
    json["found_by"] = "nvtx";
    json["pid"] = pidOf(thread);
    json["device"] = nullptr;
    json["steps"] = std::move(list);
    json["median_gpu_ns"] = nullptr;
    json["median_host_ns"] = jsonNs(steps.steady.median);
    json["steady"] = steps.steady.count;
    json["budget_mean"] = Json::object();
    json["profiler"] = nullptr;
    json["unlike_others"] = nullptr;
    json["abstained_because"] = nullptr;
    json["serving"] = nullptr;
    json["parts"] = Json::object();
    json["others"] = Json::array();
    return json;
}

} // namespace warpline
