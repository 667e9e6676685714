#include "core/export/steps_json.h"

#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

namespace warpline {

Json stepsJson(const std::map<std::uint32_t, StepSeries>& steps)
{
    Json list = Json::array();
    for (const auto& [pid, series] : steps) {
        Json groups = Json::array();
        for (const StepPeers& group : series.groups)
            groups.push_back(
                {{"kind", group.work.kind == StepKind::Plain ? "step" : labelOf(group.work.kind)},
                    {"requests", group.work.requests >= 0 ? Json(group.work.requests) : Json()},
                    {"count", group.steps.size()}, {"median_ns", group.median}});
        list.push_back({{"pid", pid}, {"tid", tidOf(series.thread)}, {"pattern", toUtf8(series.pattern)},
            {"glob", toUtf8(series.glob)}, {"count", series.size()}, {"warm_up", series.firstSteady},
            {"median_ns", series.median}, {"series", std::move(groups)}});
    }
    return list;
}

} // namespace warpline
