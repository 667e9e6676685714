#include "core/export/whatif_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/json_text.h"
#include "core/findings/evidence.h"
#include "core/store/gpu_names.h"
#include "core/table/cells.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpline {

namespace {

/// 31.4 of 0.31415.
double percentOf(double share)
{
    return std::round(share * 1000) / 10;
}

std::string headOf(const Trace& trace, const WhatIfResult& result)
{
    const Replay& replay = result.target->replay;
    if (result.target->pattern.empty())
        return fmt::format(
            "Process {}: no steps; all time from the first to the last GPU work\n", pidOf(replay.process()));
    return fmt::format("{} of process {}: mean of {} '{}'\n",
        gpuName(trace, replay.process(), replay.device()), pidOf(replay.process()),
        counted(result.expected.steps, "steady step"), result.target->pattern);
}

/// "48.5% (45.0 to 51.2%)"; of a change that costs time "slower by 98.5% (97.1 to 99.0%)".
std::string savingText(const Expectation& expected)
{
    if (expected.share() < 0)
        return fmt::format("slower by {:.1f}% ({:.1f} to {:.1f}%)", -100 * expected.share(),
            std::max(0.0, -100 * expected.mostShare()), -100 * expected.leastShare());
    return fmt::format("{:.1f}% ({:.1f} to {:.1f}%)", 100 * expected.share(),
        100 * std::max(0.0, expected.leastShare()), 100 * expected.mostShare());
}

Json timeJson(const std::optional<ExpectedTime>& time)
{
    return time ? Json{{"low", time->low}, {"expected", time->expected}, {"high", time->high}} : Json();
}

Json editJson(const CureEdit& edit)
{
    Json json;
    json["kind"] = keyOf(edit.kind);
    json["name"] = edit.name.empty() ? Json() : jsonText(edit.name);
    json["factor"] = edit.factor == FactorRange{}
        ? Json()
        : Json{{"low", edit.factor.low}, {"expected", edit.factor.expected}, {"high", edit.factor.high}};
    return json;
}

} // namespace

std::string whatIfText(const Trace& trace, const std::vector<WhatIfResult>& results)
{
    if (results.empty())
        return "Nothing to replay: the report has no GPU work with its launches, or its steps are too large.\n";
    std::string text;
    for (const WhatIfResult& result : results) {
        const Expectation& expected = result.expected;
        Cells cells;
        cells.columns = {{"Step", Unit::Text}, {"Time", Unit::Text}, {"Low", Unit::Text},
            {"High", Unit::Text}, {"Saving", Unit::Text}};
        const auto addPlain = [&](const std::string& what, const std::optional<ExpectedTime>& time,
                                  const std::string& saving) {
            if (time)
                cells.addRow({what, formatDuration(time->expected), formatDuration(time->low),
                    formatDuration(time->high), saving});
        };
        cells.addRow({std::string("As recorded"), formatDuration(expected.measured), {}, {}, {}});
        cells.addRow({std::string("Replayed unchanged"), formatDuration(expected.replayed), {}, {}, {}});
        if (!result.cure.empty())
            cells.addRow({std::string("With the change"), formatDuration(expected.cured.expected),
                formatDuration(expected.cured.low), formatDuration(expected.cured.high),
                savingText(expected)});
        addPlain("As it is, without the profiler", expected.plain, {});
        if (!result.cure.empty() && expected.plain && expected.plainCured)
            addPlain("With the change, without the profiler", expected.plainCured,
                fmt::format("{:.1f}%",
                    100
                        * (1
                            - static_cast<double>(expected.plainCured->expected)
                                / static_cast<double>(std::max<Ns>(expected.plain->expected, 1)))));
        text += (text.empty() ? "" : "\n") + headOf(trace, result) + "\n" + toTable(cells);
    }
    return text;
}

Json whatIfJson(const Trace& trace, const std::vector<WhatIfResult>& results)
{
    Json json;
    json["file"] = jsonText(trace.info.path);
    json["gpus"] = Json::array();
    for (const WhatIfResult& result : results) {
        const Replay& replay = result.target->replay;
        const Expectation& expected = result.expected;
        Json edits = Json::array();
        for (const CureEdit& edit : result.cure.edits)
            edits.push_back(editJson(edit));
        json["gpus"].push_back(
            {{"pattern", result.target->pattern.empty() ? Json() : jsonText(result.target->pattern)},
                {"found_by", result.target->pattern.empty() ? Json() : Json(keyOf(result.target->foundBy))},
                {"pid", pidOf(replay.process())},
                {"device",
                    replay.device() < 0 ? Json() : Json(gpuNumber(trace, replay.process(), replay.device()))},
                {"steps", expected.steps}, {"measured_ns", expected.measured},
                {"replayed_ns", expected.replayed}, {"expected_ns", expected.cured.expected},
                {"expected_range_ns", {{"low", expected.cured.low}, {"high", expected.cured.high}}},
                {"saving_percent", percentOf(expected.share())},
                {"saving_range_percent",
                    {{"low", percentOf(expected.leastShare())}, {"high", percentOf(expected.mostShare())}}},
                {"uncertainty_percent",
                    {{"model", percentOf(expected.modelError)}, {"spread", percentOf(expected.spread)},
                        {"factors", percentOf(expected.factors)}}},
                {"without_profiler_ns", timeJson(expected.plain)},
                {"expected_without_profiler_ns", timeJson(expected.plainCured)},
                {"profiler_call_cost_ns", timeJson(replay.profilerCost().call)},
                {"changed", expected.changed}, {"edits", std::move(edits)}});
    }
    return json;
}

} // namespace warpline
