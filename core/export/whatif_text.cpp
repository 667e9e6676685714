#include "core/export/whatif_text.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/json_text.h"
#include "core/findings/evidence.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"
#include "core/table/cells.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

/// 31.4 of 0.31415.
double percentOf(double share)
{
    return std::round(share * 1000) / 10 + 0.0; // not -0
}

std::string headOf(const Trace& trace, const WhatIfResult& result)
{
    const Replay& replay = result.target->replay;
    if (result.target->pattern.empty()) {
        const std::vector<ReplayWork>& works = replay.graph().works;
        const auto launched
            = std::ranges::count_if(works, [](const ReplayWork& work) { return work.call != noNode; });
        return plain({"whatif.no_steps",
                   "Process {pid}: no two whole steps; from the first to the last GPU work{all, select, yes {} other { with a recorded call: {launched} of {works} kernels and other work}}",
                   {{"pid", Ordinal{pidOf(replay.process())}},
                       {"all", yesOrNo(static_cast<std::size_t>(launched) == works.size())},
                       {"launched", Count{static_cast<std::uint64_t>(launched)}},
                       {"works", Count{works.size()}}}})
            + "\n";
    }
    if (result.target->hasSomeSteps())
        return plain({"whatif.some_steps",
                   "{target}: mean of {steps} of {all} steady steps '{pattern}', in the middle: all are too many for a replay",
                   {{"target", labelOf(trace, *result.target)}, {"steps", Count{result.expected.steps}},
                       {"all", Count{result.target->steady}}, {"pattern", Name{result.target->pattern}}}})
            + "\n";
    return plain({"whatif.steps",
               "{target}: mean of {steps, plural, one {# steady step} other {# steady steps}} '{pattern}'",
               {{"target", labelOf(trace, *result.target)}, {"steps", Count{result.expected.steps}},
                   {"pattern", Name{result.target->pattern}}}})
        + "\n";
}

/// "48.5% (45.0 to 51.2%)"; of a change that costs time "slower by 98.5% (97.1 to 99.0%)". Without a range
/// where none `isTold`.
std::string savingText(bool isTold, double least, double share, double most)
{
    const bool isSlower = share < 0;
    const double low = isSlower ? -most : least;
    const double high = isSlower ? -least : most;
    return plain({"whatif.saving",
        "{slower, select, yes {slower by } other {}}{share}%{told, select, yes { ({low} to {high}%)} other {}}",
        {{"slower", yesOrNo(isSlower)}, {"share", Number{100 * std::abs(share), 1}},
            {"told", yesOrNo(isTold)}, {"low", Number{100 * std::max(0.0, low), 1}},
            {"high", Number{100 * high, 1}}}});
}

/// "Changes: 22 cudaFree, 22 cudaMalloc and 3 more names.\n"; empty: nothing changes.
std::string changesText(const Expectation& expected)
{
    constexpr std::size_t maxNamed = 4;
    std::vector<Message> named;
    for (std::size_t i = 0; i < std::min(maxNamed, expected.changes.size()); ++i)
        named.push_back({"whatif.change", "{count} {name}",
            {{"count", Ordinal{static_cast<std::int64_t>(expected.changes[i].second)}},
                {"name", Name{toUtf8(expected.changes[i].first)}}}});
    if (named.empty())
        return {};
    return plain({"whatif.changes",
               "Changes: {named}{more, plural, =0 {} one { and # more name} other { and # more names}}.",
               {{"named", named}, {"more", Count{expected.changes.size() - named.size()}}}})
        + "\n";
}

Json timeJson(const ExpectedTime& time)
{
    return {{"low", time.low}, {"expected", time.expected}, {"high", time.high}};
}

/// Whether an edit of `kind` has a factor, also one that keeps the time.
bool hasFactor(CureKind kind)
{
    return kind == CureKind::ScaleWork || kind == CureKind::FuseKernels || kind == CureKind::AsyncCopies;
}

Json editJson(const CureEdit& edit)
{
    Json json;
    json["kind"] = keyOf(edit.kind);
    json["name"] = edit.name.empty() ? Json() : jsonText(edit.name);
    json["factor"] = hasFactor(edit.kind)
        ? Json{{"low", edit.factor.low}, {"expected", edit.factor.expected}, {"high", edit.factor.high}}
        : Json();
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
    if (expected.isCapped)
        notes.push_back({"whatif.capped",
            "The change makes work longer than {time}, which a replay does not. The real time is longer.",
            {{"time", Duration{longestScaled}}}});
    if (threads > 1)
        notes.push_back({"whatif.threads",
            "{threads} threads have steps on this GPU. The replay ignores how their kernels compete, so the GPU may gain less.",
            {{"threads", Count{threads}}}});
    return notes;
}

std::string whatIfText(const Trace& trace, const std::vector<WhatIfResult>& results, std::size_t width)
{
    if (results.empty())
        return plain({"whatif.nothing",
                   "Nothing to replay: the report has no GPU work with launches, or its steps are too large."})
            + "\n";
    std::string text;
    const std::vector<const WhatIfTarget*> targets = targetsOf(results);
    for (const WhatIfResult& result : results) {
        const Expectation& expected = result.expected;
        Cells cells;
        cells.columns = {{expected.isWhole ? "Run" : "Step", Unit::Text}, {"Time", Unit::Text},
            {"Low", Unit::Text}, {"High", Unit::Text}, {"Saving", Unit::Text}};
        const bool isTold = expected.isTold();
        const auto addRange
            = [&](const std::string& what, const ExpectedTime& time, const std::string& saving) {
                  cells.addRow({what, formatDuration(time.expected),
                      isTold ? formatDuration(time.low) : plain({"whatif.unknown", "unknown"}),
                      isTold ? formatDuration(time.high) : plain({"whatif.unknown", "unknown"}), saving});
              };
        cells.addRow(
            {plain({"whatif.recorded", "As recorded"}), formatDuration(expected.measured), {}, {}, {}});
        cells.addRow({plain({"whatif.replayed", "Replayed unchanged"}), formatDuration(expected.replayed), {},
            {}, {}});
        if (!result.cure.empty())
            addRange(plain({"whatif.changed", "With the change"}), expected.cured,
                savingText(isTold, expected.leastShare(), expected.share(), expected.mostShare()));
        if (const auto& without = expected.plain) {
            addRange(plain({"whatif.plain", "Unchanged, without the profiler"}), without->asIs, {});
            if (!result.cure.empty())
                addRange(plain({"whatif.plain_changed", "With the change, without the profiler"}),
                    without->cured,
                    savingText(isTold, without->leastShare, without->share, without->mostShare));
        }
        text += (text.empty() ? "" : "\n") + headOf(trace, result) + "\n"
            + toTable(forReaders(cells), 0, width);
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
