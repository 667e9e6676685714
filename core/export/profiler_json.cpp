#include "core/export/profiler_json.h"

#include <nlohmann/json.hpp>

namespace warpline {

Json profilerJson(const Replay* replay)
{
    if (!replay)
        return {};
    const auto range = [](const ExpectedTime& time) {
        return Json{{"low", time.low}, {"expected", time.expected}, {"high", time.high}};
    };
    const Expectation same = replay->expect({}, {}, true);
    return {{"call_cost_ns", range(replay->profilerCost().call)}, {"step_ns", same.measured},
        {"without_profiler_ns", range(same.plain.value_or(ExpectedTime{}))}};
}

} // namespace warpline
