#include "core/export/whatif_text.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/json_text.h"
#include "core/findings/evidence.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
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
            "Process {}: no steps; from the first to the last GPU work\n", pidOf(replay.process()));
    return fmt::format("{}: mean of {} '{}'\n", plain(labelOf(trace, *result.target)),
        counted(result.expected.steps, "steady step"), result.target->pattern);
}

/// "48.5% (45.0 to 51.2%)"; of a change that costs time "slower by 98.5% (97.1 to 99.0%)". Without a range
/// where none `isTold`.
std::string savingText(bool isTold, double least, double share, double most)
{
    const bool isSlower = share < 0;
    std::string text = fmt::format("{}{:.1f}%", isSlower ? "slower by " : "", 100 * std::abs(share));
    if (!isTold)
        return text;
    const double low = isSlower ? -most : least;
    const double high = isSlower ? -least : most;
    return text + fmt::format(" ({:.1f} to {:.1f}%)", 100 * std::max(0.0, low), 100 * high);
}

/// "Changes: 22 cudaFree, 22 cudaMalloc and 3 more names.\n"; empty: nothing changes.
std::string changesText(const Expectation& expected)
{
    constexpr std::size_t maxNamed = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(maxNamed, expected.changes.size()); ++i)
        text += fmt::format("{}{} {}", text.empty() ? "Changes: " : ", ", expected.changes[i].second,
            toUtf8(expected.changes[i].first));
    if (expected.changes.size() > maxNamed)
        text += fmt::format(" and {}", counted(expected.changes.size() - maxNamed, "more name"));
    return text.empty() ? text : text + ".\n";
}

Json timeJson(const ExpectedTime& time)
{
    return {{"low", time.low}, {"expected", time.expected}, {"high", time.high}};
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

std::vector<const WhatIfTarget*> targetsOf(const std::vector<WhatIfResult>& results)
{
    std::vector<const WhatIfTarget*> targets;
    for (const WhatIfResult& result : results)
        targets.push_back(result.target);
    return targets;
}

} // namespace

Message labelOf(const Trace& trace, const WhatIfTarget& target)
{
    const Replay& replay = target.replay;
    const Ordinal pid{pidOf(replay.process())};
    Message label = replay.device() < 0
        ? Message("whatif.process", "process {pid}", {{"pid", pid}})
        : Message("whatif.gpu", "{gpu} of process {pid}",
            {{"gpu", Name{gpuName(trace, replay.process(), replay.device())}}, {"pid", pid}});
    return placeWithin(std::move(label), target.thread != 0 ? threadLabel(trace, target.thread) : Message());
}

std::size_t threadsBeside(const std::vector<const WhatIfTarget*>& targets, const WhatIfTarget& target)
{
    return static_cast<std::size_t>(std::ranges::count_if(targets, [&](const WhatIfTarget* each) {
        return each->replay.process() == target.replay.process()
            && each->replay.device() == target.replay.device();
    }));
}

std::vector<Message> notesOf(const Expectation& expected, std::size_t threads)
{
    constexpr double minReportedShare = 0.01;
    std::vector<Message> notes;
    if (!expected.isTold())
        notes.push_back({"whatif.unexplained",
            "The range is unknown, because the replay does not explain {percent}% of this time.",
            {{"percent", Number{100 * expected.modelError, 0}}}});
    if (expected.communication >= minReportedShare)
        notes.push_back({"whatif.communication",
            "Collectives run for {percent}% of the time and keep their length, because other ranks do not get faster.",
            {{"percent", Number{100 * expected.communication, 1}}}});
    if (threads > 1)
        notes.push_back({"whatif.threads",
            "{threads} threads have steps on this GPU. The replay ignores how their kernels compete, so the GPU may gain less.",
            {{"threads", Count{threads}}}});
    return notes;
}

std::string whatIfText(const Trace& trace, const std::vector<WhatIfResult>& results, std::size_t width)
{
    if (results.empty())
        return "Nothing to replay: the report has no GPU work with launches, or its steps are too large.\n";
    std::string text;
    const std::vector<const WhatIfTarget*> targets = targetsOf(results);
    for (const WhatIfResult& result : results) {
        const Expectation& expected = result.expected;
        Cells cells;
        cells.columns = {{"Step", Unit::Text}, {"Time", Unit::Text}, {"Low", Unit::Text},
            {"High", Unit::Text}, {"Saving", Unit::Text}};
        const bool isTold = expected.isTold();
        const auto addRange
            = [&](const std::string& what, const ExpectedTime& time, const std::string& saving) {
                  cells.addRow({what, formatDuration(time.expected),
                      isTold ? formatDuration(time.low) : std::string("unknown"),
                      isTold ? formatDuration(time.high) : std::string("unknown"), saving});
              };
        cells.addRow({std::string("As recorded"), formatDuration(expected.measured), {}, {}, {}});
        cells.addRow({std::string("Replayed unchanged"), formatDuration(expected.replayed), {}, {}, {}});
        if (!result.cure.empty())
            addRange("With the change", expected.cured,
                savingText(isTold, expected.leastShare(), expected.share(), expected.mostShare()));
        if (const auto& plain = expected.plain) {
            addRange("Unchanged, without the profiler", plain->asIs, {});
            if (!result.cure.empty())
                addRange("With the change, without the profiler", plain->cured,
                    savingText(isTold, plain->leastShare, plain->share, plain->mostShare));
        }
        text += (text.empty() ? "" : "\n") + headOf(trace, result) + "\n" + toTable(cells, 0, width);
        text += changesText(expected);
        for (const Message& note : notesOf(expected, threadsBeside(targets, *result.target)))
            text += render(note) + "\n";
    }
    return text;
}

Json whatIfJson(const Trace& trace, const std::vector<WhatIfResult>& results)
{
    Json json;
    json["file"] = jsonText(trace.info.path);
    json["gpus"] = Json::array();
    const std::vector<const WhatIfTarget*> targets = targetsOf(results);
    for (const WhatIfResult& result : results) {
        const Replay& replay = result.target->replay;
        const Expectation& expected = result.expected;
        Json edits = Json::array();
        for (const CureEdit& edit : result.cure.edits)
            edits.push_back(editJson(edit));
        Json changes = Json::array();
        for (const auto& [name, count] : expected.changes)
            changes.push_back({{"name", jsonText(name)}, {"count", count}});
        const bool isTold = expected.isTold();
        const auto& plain = expected.plain;
        json["gpus"].push_back(
            {{"pattern", result.target->pattern.empty() ? Json() : jsonText(result.target->pattern)},
                {"found_by", result.target->pattern.empty() ? Json() : Json(keyOf(result.target->foundBy))},
                {"pid", pidOf(replay.process())},
                {"device",
                    replay.device() < 0 ? Json() : Json(gpuNumber(trace, replay.process(), replay.device()))},
                {"steps", expected.steps}, {"measured_ns", expected.measured},
                {"replayed_ns", expected.replayed}, {"expected_ns", expected.cured.expected},
                {"expected_range_ns",
                    isTold ? Json{{"low", expected.cured.low}, {"high", expected.cured.high}} : Json()},
                {"saving_percent", percentOf(expected.share())},
                {"saving_range_percent",
                    isTold ? Json{{"low", percentOf(expected.leastShare())},
                        {"high", percentOf(expected.mostShare())}}
                           : Json()},
                {"uncertainty_percent",
                    {{"model", percentOf(expected.modelError)}, {"spread", percentOf(expected.spread)},
                        {"factors", percentOf(expected.factors)}, {"margin", percentOf(expected.margin)}}},
                {"without_profiler_ns", plain ? timeJson(plain->asIs) : Json()},
                {"expected_without_profiler_ns", plain ? timeJson(plain->cured) : Json()},
                {"saving_without_profiler_percent",
                    plain ? Json{{"low", percentOf(plain->leastShare)}, {"expected", percentOf(plain->share)},
                        {"high", percentOf(plain->mostShare)}}
                          : Json()},
                {"communication_percent", percentOf(expected.communication)},
                {"notes", jsonOf(notesOf(expected, threadsBeside(targets, *result.target)))},
                {"changes", std::move(changes)},
                {"profiler_call_cost_ns", timeJson(replay.profilerCost().call)},
                {"changed", expected.changed}, {"edits", std::move(edits)}});
    }
    return json;
}

} // namespace warpline
