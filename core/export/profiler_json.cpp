#include "core/export/profiler_json.h"

#include <nlohmann/json.hpp>

namespace warpline {

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
